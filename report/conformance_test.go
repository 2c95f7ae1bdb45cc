package report

import (
	"bytes"
	"encoding/json"
	"testing"

	"c2bp/source"
	"c2bp/verdict"
)

// refuted is a comparison in which an event has two answers, neither of which will do.
func refuted() *verdict.Result {
	at := func(file string, line int) source.Pos { return source.Pos{File: file, Line: line, Col: 1} }
	process := func(file string, line int, text string) []verdict.Process {
		return []verdict.Process{{Name: "0 A.a", Status: "can run", Stack: []verdict.At{{Proc: "A.a", Pos: at(file, line), Text: text}}}, {Name: "1 A.b", Status: "has ended"}}
	}
	run := func(state, line int, text, event string) *verdict.Trace {
		return &verdict.Trace{
			Steps:     []verdict.Step{{Process: "0 A.a", Proc: "A.a", Pos: at("i.zing", line), Text: text, State: state, Events: []string{event}}},
			Processes: process("i.zing", line+1, "next();"),
		}
	}
	whole := &verdict.Mismatch{
		Kind: verdict.AnswersMismatch, Run: run(2, 3, "event(1, 0, true);", "event(1, 0, true)"), Events: []string{"event(1, 0, true)"}, Further: 2,
		Branches: []*verdict.Mismatch{
			{Kind: verdict.EventMismatch, Run: run(3, 4, "event(x, 0, true);", "event(2, 0, true)"), Events: []string{"event(1, 0, true)", "event(2, 0, true)"},
				Spec: []verdict.SpecState{{Number: 4, Processes: process("s.zing", 7, "x = 1;")}}, Omitted: 1},
			{Kind: verdict.ReadyMismatch, Run: &verdict.Trace{Processes: process("i.zing", 9, "select")}, Events: []string{"event(1, 0, true)"}, Ready: []string{}, Stops: 4,
				Spec: []verdict.SpecState{{Number: 15, Stable: true, Ready: []string{"event(2, 0, true)", "event(3, 0, false)"}, Processes: process("s.zing", 8, "select")}}, Omitted: 3},
			{Kind: verdict.ReadyMismatch, Run: &verdict.Trace{Processes: process("i.zing", 9, "select")}, Events: []string{"event(1, 0, true)"},
				Ready: []string{"event(2, 0, true)", "event(4, 0, true)"}, Alone: "event(2, 0, true)"},
		},
	}
	return &verdict.Result{
		Verdict: verdict.False, Trace: whole.Run,
		Sites: []verdict.Site{{Kind: verdict.Check, Name: "unspecified behaviour after event(1, 0, true)", Pos: at("i.zing", 3), Failed: true}},
		Conformance: &verdict.Conformance{Mismatch: whole, Diverging: []verdict.Diverging{
			{Model: "specification", Events: []string{"a", "b", "c", "d"}, Steps: 2, At: verdict.At{Pos: at("s.zing", 9), Text: "while (true)"}},
		}},
	}
}

func TestConformance(t *testing.T) {
	const want = `The run of the implementation, 2 states (| shows what a transition has changed):

  2  0 A.a  i.zing:3  event(1, 0, true);
                      ! event(1, 0, true)

After event(1, 0, true), the specification can be in 5 states, none of which will do
(--determinize compares with all of them at once).

Case 1.

The run of the implementation goes on, 3 states (| shows what a transition has changed):

  3  0 A.a  i.zing:4  event(x, 0, true);  [unspecified]
                      ! event(2, 0, true)

The specification cannot do event(2, 0, true) after event(1, 0, true). It can be in:

  4  not stable
     0 A.a  can run    s.zing:7  x = 1;
     1 A.b  has ended
  and in 1 state more.

Case 2.

The implementation is stable here after event(1, 0, true), and ready for nothing:

  0 A.a  can run    i.zing:9  select
  1 A.b  has ended

After the same events, every stable state of the specification is ready for an event. It can be in:

  15  stable, ready for event(2, 0, true), event(3, 0, false)
      0 A.a  can run    s.zing:8  select
      1 A.b  has ended
  and in 3 states more.

Case 3.

The implementation is stable here after event(1, 0, true), and ready for event(2, 0, true), event(4, 0, true):

  0 A.a  can run    i.zing:9  select
  1 A.b  has ended

After the same events, no stable state of the specification is ready for event(2, 0, true). It can be in:


2 cases more are not shown.

The specification diverges after 4 events, the last ones b, c, d: hidden steps need not end (s.zing:9: while (true)).

Verification result: FALSE (unspecified behaviour after event(1, 0, true), i.zing:3)
`
	var b bytes.Buffer
	if err := Conformance(&b, refuted()); err != nil {
		t.Fatal(err)
	}
	if b.String() != want {
		t.Errorf("got\n%s", b.String())
	}
	// The sentences about ready sets.
	for _, c := range []struct {
		m    verdict.Mismatch
		want string
	}{
		{verdict.Mismatch{}, "After the same events, no state of the specification is stable."},
		{verdict.Mismatch{Ready: []string{"a"}, Stops: 1}, "After the same events, every stable state of the specification is ready for another event, too."},
		{verdict.Mismatch{Ready: []string{"a"}, Alone: "a", Stops: 1}, "After the same events, every stable state of the specification that is ready for a is ready for an event that is none of these, too."},
	} {
		if got := refusal(&c.m); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
	// A verdict that rests on sets of states says so; one without a comparison is the last line alone.
	b.Reset()
	r := &verdict.Result{Verdict: verdict.True, Conformance: &verdict.Conformance{Coarser: true}}
	if err := Conformance(&b, r); err != nil || !bytes.HasPrefix(b.Bytes(), []byte("The verdict rests on --determinize")) {
		t.Errorf("%v\n%s", err, b.String())
	}
	b.Reset()
	if err := Conformance(&b, &verdict.Result{Reason: "interrupted"}); err != nil || b.String() != "Verification result: UNKNOWN (interrupted)\n" {
		t.Errorf("%v\n%s", err, b.String())
	}
}

// TestConformanceJSON: the JSON form has both sides, and the run as its trace.
func TestConformanceJSON(t *testing.T) {
	var b bytes.Buffer
	if err := JSON(&b, refuted()); err != nil {
		t.Fatal(err)
	}
	var d Document
	if err := json.Unmarshal(b.Bytes(), &d); err != nil {
		t.Fatal(err)
	}
	c := d.Conformance
	if d.Confirmed != nil || len(d.Trace) != 1 || d.Trace[0].Events[0] != "event(1, 0, true)" || c == nil || len(c.Diverging) != 1 || c.Mismatch == nil || len(c.Mismatch.Branches) != 3 {
		t.Fatalf("%s", b.String())
	}
	m := c.Mismatch
	if m.Kind != "answers" || m.Further != 2 || m.Branches[0].Kind != "event" || len(m.Branches[0].Trace) != 1 || m.Branches[1].Spec[0].Ready[1] != "event(3, 0, false)" || m.Branches[2].Alone != "event(2, 0, true)" {
		t.Errorf("%s", b.String())
	}
}
