package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"c2bp/source"
	"c2bp/verdict"
)

// heapStep returns a step with the heap before it: the values of variables x and y, and objects each of which has the
// field next.
func heapStep(line int, text, x, y string, next ...string) verdict.Step {
	s := verdict.Step{Proc: "main", Pos: source.Pos{File: "a.shy", Line: line}, Text: text, Values: []verdict.Value{{Name: "x", Val: x}, {Name: "y", Val: y}}}
	for i, n := range next {
		s.Heap = append(s.Heap, verdict.Object{Name: fmt.Sprintf("A%d", i), Class: "object", Fields: []verdict.Value{{Name: "next", Val: n}}})
	}
	return s
}

// heapResult returns a result with a run.
func heapResult(kind verdict.SiteKind, v verdict.Verdict, t *verdict.Trace) *verdict.Result {
	return &verdict.Result{Verdict: v, Reason: "heap beyond the bound", Trace: t, Sites: []verdict.Site{{Kind: kind, Name: "F {x}", Pos: source.Pos{File: "a.shy", Line: 3}, Failed: v == verdict.False}}}
}

func TestHeaps(t *testing.T) {
	run := []verdict.Step{
		heapStep(1, "x := new", "nil", "nil"), heapStep(2, "y := x", "A0", "nil", "nil"), heapStep(3, "assert(x != y)", "A0", "A0", "nil"),
	}
	loop := []verdict.Step{
		heapStep(1, "p", "nil", "nil"), heapStep(2, "x.next := x", "A0", "nil", "nil"), {Text: "back", Values: run[1].Values, Heap: heapStep(0, "", "", "", "A0").Heap},
	}
	loop[0].Collapsed = true
	loop[2].Atoms = []verdict.Value{{Name: "{x}", Val: "1"}}
	loop[2].Output = []string{"{x} holds: A0: x"}
	for _, c := range []struct {
		r    *verdict.Result
		want string
	}{
		{heapResult(verdict.Assertion, verdict.False, &verdict.Trace{Steps: run}), `The failing run (| shows the heap after a step, without what is nil):

  a.shy:1  x := new
           | x = A0
  a.shy:2  y := x
           | x = A0, y = A0
  a.shy:3  assert(x != y)  [fails]

Verification result: FALSE (assertion, a.shy:3)
`},
		{heapResult(verdict.Formula, verdict.False, &verdict.Trace{Steps: loop, Loop: 2}), `A run that violates the formula (| shows the heap after a step, without what is nil):

  The run is long: calls are one step, and objects get new names at each step.

  a.shy:1  p  [call taken as one step]
           | x = A0

  and then for ever:

  a.shy:2  x.next := x
           | x = A0, A0.next = A0, {x} = 1
             {x} holds: A0: x
           back

Verification result: FALSE (formula, a.shy:3)
`},
		{heapResult(verdict.Assertion, verdict.Unknown, &verdict.Trace{Steps: run[:1]}), `A run to this heap (| shows the heap after a step, without what is nil):

  a.shy:1  x := new
           | every variable = nil

Verification result: UNKNOWN (heap beyond the bound)
`},
		{heapResult(verdict.Assertion, verdict.Unknown, nil), "Verification result: UNKNOWN (heap beyond the bound)\n"},
	} {
		var b bytes.Buffer
		if err := HeapsFrom(&b, c.r, ""); err != nil || b.String() != c.want {
			t.Errorf("error %v, got\n%s\nwant\n%s", err, &b, c.want)
		}
	}
}

// TestLongHeaps: the middle of a long run is left out.
func TestLongHeaps(t *testing.T) {
	var steps []verdict.Step
	for i := range 1000 {
		steps = append(steps, heapStep(i+1, "skip", "nil", "nil"))
	}
	var b bytes.Buffer
	if err := HeapsFrom(&b, heapResult(verdict.Assertion, verdict.False, &verdict.Trace{Steps: steps}), ""); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "skip"); n != mostHeaps || !strings.Contains(b.String(), "\n  … (800 steps)\n") {
		t.Errorf("%d steps are shown:\n%s", n, &b)
	}
}

// TestLasso draws a loop, and gives its beginning as JSON.
func TestLasso(t *testing.T) {
	r := heapResult(verdict.Formula, verdict.False, &verdict.Trace{Model: true, Loop: 2, Steps: []verdict.Step{
		heapStep(1, "x := new", "nil", "nil"), heapStep(2, "x := new", "A0", "nil", "nil"), heapStep(2, "back", "A0", "nil", "nil"),
	}})
	var dot, doc bytes.Buffer
	if err := Dot(&dot, r.Trace); err != nil || !strings.Contains(dot.String(), "\ts2 -> s1 [ltail=cluster2, lhead=cluster1, style=bold") {
		t.Errorf("error %v, drawn as\n%s", err, &dot)
	}
	if err := JSON(&doc, r); err != nil || !strings.Contains(doc.String(), `"loop": 1,`) || strings.Contains(doc.String(), "confirmed_in_c") {
		t.Errorf("error %v, as JSON\n%s", err, &doc)
	}
}
