package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"c2bp/source"
	"c2bp/verdict"
)

// divided is a run of two processes, one of which divides by zero in a call.
func divided() *verdict.Result {
	at := func(line int) source.Pos { return source.Pos{File: "models/m.zing", Line: line, Col: 1} }
	value := func(name, val string) []verdict.Value { return []verdict.Value{{Name: name, Val: val}} }
	return &verdict.Result{
		Verdict: verdict.False,
		Sites: []verdict.Site{
			{Kind: verdict.Check, Name: "division by zero", Proc: "A.f", Pos: at(7), Text: "q = q / z;", Failed: true},
			{Kind: verdict.Check, Name: "deadlock", Proc: "-", Open: true},
		},
		Trace: &verdict.Trace{
			Steps: []verdict.Step{
				{Process: "0 A.a", Proc: "A.a", Pos: at(3), Text: "f(4);", State: 2, Changes: value("q", "4")},
				{Process: "10 A.b", Proc: "A.b", Pos: at(12), Text: "b = choose(bool);", State: 3, Origin: "choice of 2"},
				{Process: "10 A.b", Proc: "A.b", Pos: at(12), Text: "b = choose(bool);", State: 4, Origin: "alternative 2"},
				{Process: "10 A.b", Proc: "A.b", Pos: at(12), Text: "b = choose(bool);", State: 4, Changes: value("b", "true"), Output: []string{"chosen"}},
				{Process: "0 A.a", Proc: "A.f", Pos: at(6), Text: "return;", Depth: 1, State: 5},
				{Process: "0 A.a", Proc: "A.a", Pos: at(3), Text: "f(4);", State: 5},
				{Process: "0 A.a", Proc: "A.f", Pos: at(7), Text: "q = q / z;", Depth: 1, State: 6, Values: value("A.g", "1"),
					Heap: []verdict.Object{{Name: "N#1", Class: "N", Fields: value("next", "null")}}},
			},
			Processes: []verdict.Process{
				{Name: "0 A.a", Status: "fails", Stack: []verdict.At{
					{Proc: "A.f", Pos: at(7), Text: "q = q / z;", Values: value("q", "4")},
					{Proc: "A.a", Pos: at(3), Text: "f(4);"},
				}},
				{Name: "10 A.b", Status: "has ended"},
			},
		},
	}
}

func TestProcesses(t *testing.T) {
	const want = `The failing run, 6 states, in models/ (| shows what a transition has changed):

  2  0 A.a   m.zing:3   f(4);
                        | q = 4
  3  10 A.b  m.zing:12  b = choose(bool);  [choice of 2]
  4  10 A.b  m.zing:12  b = choose(bool);  [alternative 2]
                        > chosen
                        | b = true
  5  0 A.a   m.zing:6     return;
             m.zing:3   f(4);  [back from the call]
  6  0 A.a   m.zing:7     q = q / z;  [division by zero]

The processes in this state:

  0 A.a   fails      m.zing:7  q = q / z;
                     | q = 4
                     m.zing:3  f(4);
  10 A.b  has ended

Static fields and objects in this state:

  A.g      = 1
  N#1.next = null

Properties:
  property                      where            status
  division by zero: q = q / z;  models/m.zing:7  fails
  deadlock                      -                undecided

Verification result: FALSE (division by zero, models/m.zing:7)
`
	var b bytes.Buffer
	if err := ProcessesFrom(&b, divided(), "", true); err != nil {
		t.Fatal(err)
	}
	if b.String() != want {
		t.Errorf("got\n%s", b.String())
	}
	// Without heap, the part about objects is left out.
	b.Reset()
	if err := ProcessesFrom(&b, divided(), "", false); err != nil || strings.Contains(b.String(), "N#1") {
		t.Errorf("%v\n%s", err, b.String())
	}
	// A failure of the initial state has no steps.
	r := divided()
	r.Trace.Steps = nil
	b.Reset()
	if err := ProcessesFrom(&b, r, "", true); err != nil || !strings.HasPrefix(b.String(), "The initial state fails: division by zero.\n") {
		t.Errorf("%v\n%s", err, b.String())
	}
}

// TestProcessesJSON: the JSON form has the steps and the processes, and says nothing about C.
func TestProcessesJSON(t *testing.T) {
	var b bytes.Buffer
	if err := JSON(&b, divided()); err != nil {
		t.Fatal(err)
	}
	var d Document
	if err := json.Unmarshal(b.Bytes(), &d); err != nil {
		t.Fatal(err)
	}
	if d.Confirmed != nil || len(d.Trace) != 7 || d.Trace[3].Changes[0].Name != "b" || d.Trace[6].State != 6 || len(d.Processes) != 2 || len(d.Processes[0].Stack) != 2 {
		t.Errorf("%s", b.String())
	}
}
