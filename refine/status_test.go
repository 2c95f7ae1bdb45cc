package refine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"

	"golang.org/x/tools/txtar"

	"c2bp/checker"
	"c2bp/frontend"
	"c2bp/refine/concretise"
	"c2bp/refine/event"
	"c2bp/refine/technique"
	"c2bp/source"
	"c2bp/verdict"
)

// sitesOf makes properties: f fails in the abstraction, h holds, o is open.
func sitesOf(text string) (sites []verdict.Site) {
	for i, c := range text {
		sites = append(sites, verdict.Site{Proc: "main", Node: fmt.Sprint("main:", i), Failed: c == 'f', Open: c == 'o'})
	}
	return sites
}

// proving is an abstraction that proves some properties.
func proving(sites []verdict.Site) *Outcome {
	return &Outcome{Result: &verdict.Result{Sites: sites}}
}

// shown is what a result says: its verdict, and the sites as in sitesOf; t is one that there
// was no time for.
func shown(r *verdict.Result) string {
	text := ""
	for _, s := range r.Sites {
		if s.Open && s.Reason == "time" {
			text += "t"
			continue
		}
		text += map[string]string{"fails": "f", "holds": "h", "undecided": "o"}[s.Status()]
	}
	return text + " " + r.Summary()
}

// What is known of properties comes from all abstractions and all findings together.
func TestStatus(t *testing.T) {
	failing := func(i int) analysis { return analysis{kind: fails, site: i, failure: &concretise.Failure{Site: i}} }
	decided, time := ending{decided: true}, ending{why: "time"}
	for _, c := range []struct {
		name     string
		read     []string
		findings []analysis
		end      ending
		want     string
	}{
		{"nothing was checked", nil, nil, time, " UNKNOWN (time)"},
		{"all hold", []string{"hh"}, nil, decided, "hh TRUE"},
		{"some hold when time is over", []string{"hf"}, nil, time, "ho UNKNOWN (time)"},
		{"an unfinished analysis proves nothing", []string{"fo"}, nil, time, "oo UNKNOWN (time)"},
		{"what was proved stays proved", []string{"hf", "ff"}, nil, time, "ho UNKNOWN (time)"},
		{"each by another abstraction", []string{"hf", "fh"}, nil, decided, "hh TRUE"},
		{"the end comes before all are looked at", []string{"ff"}, []analysis{undecidedAs(0, "first")}, time, "ot UNKNOWN (first)"},
		{"the first reason", []string{"ff"}, []analysis{undecidedAs(1, "first"), undecidedAs(0, "second")}, decided, "oo UNKNOWN (first)"},
		{"a reason that has gone", []string{"ff", "fh"}, []analysis{undecidedAs(1, "first"), undecidedAs(0, "second")}, decided, "oh UNKNOWN (second)"},
		{"a failure decides", []string{"hff"}, []analysis{undecidedAs(1, "first"), failing(2)}, decided, "hof FALSE (assertion, main)"},
		{"a failure found later", []string{"ff"}, []analysis{undecidedAs(1, "first"), failing(1)}, time, "tf FALSE (assertion, main)"},
	} {
		var s status
		for _, text := range c.read {
			s.record(proving(sitesOf(text)))
		}
		for _, f := range c.findings {
			s.add(f, 0)
		}
		if got := shown(s.result(c.end)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// A proof is the last abstractions that prove what holds, and no others.
func TestProof(t *testing.T) {
	for _, c := range []struct {
		read []string
		want string // by number, from 1
	}{
		{[]string{"hhh"}, "[1]"},
		{[]string{"hff", "hhf", "hhh"}, "[3]"},
		{[]string{"hff", "fhf", "fhf", "ffh"}, "[1 3 4]"},
		{[]string{"hff", "fff"}, "[1]"},
		{[]string{"hhf", "foo"}, "[1]"},
		{[]string{"ffo"}, "[]"},
	} {
		var s status
		for i, text := range c.read {
			o := proving(sitesOf(text))
			o.Iterations = i + 1
			s.record(o)
		}
		numbers := []int{}
		for _, o := range s.proof() {
			numbers = append(numbers, o.Iterations)
		}
		if got := fmt.Sprint(numbers); got != c.want {
			t.Errorf("%v: %s, want %s", c.read, got, c.want)
		}
	}
}

// What was proved is not looked at again, nor sought, where a later abstraction loses it.
func TestHeldIsSettled(t *testing.T) {
	var s status
	for text, want := range map[string]string{"hff": "[1 2]", "fhf": "[2]"} {
		s = status{}
		s.record(proving(sitesOf("hff")))
		s.record(proving(sitesOf(text)))
		if got := fmt.Sprint(s.pending(sitesOf("fff"))); got != want {
			t.Errorf("after %s: %s, want %s", text, got, want)
		}
	}
	if !s.closed(0) || s.closed(2) {
		t.Error("traces lead to what holds, or not to what is open")
	}
}

// What is set aside for want of predicates is taken up again when there are more, and
// nothing else is.
func TestResume(t *testing.T) {
	var s status
	sites := sitesOf("fff")
	s.record(proving(sites))
	s.add(analysis{kind: undecided, site: 0, why: "no predicates", retry: true}, 5)
	s.add(undecidedAs(1, "it cannot be replayed"), 5)
	s.add(analysis{kind: fails, site: 2, failure: &concretise.Failure{Site: 2}}, 5)
	for predicates, want := range map[int]string{5: "[]", 6: "[0]"} {
		s.reopen(predicates)
		if got := fmt.Sprint(s.pending(sites)); got != want {
			t.Errorf("with %d predicates: %s, want %s", predicates, got, want)
		}
		s.add(analysis{kind: undecided, site: 0, why: "no predicates", retry: true}, 5)
	}
}

// No property is said to hold on the word of an analysis that a limit ended, and those that
// finished ones proved are said to hold all the same.
func TestUnfinished(t *testing.T) {
	text := `extern int __VERIFIER_nondet_int(void);
#include <assert.h>
int main(void)
{
	int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), c = a;
	if (a > b && b > 3) {
		assert(a > 3);
		c = a + b;
	}
	while (__VERIFIER_nondet_int())
		c = c > a ? c - 1 : c;
	assert(c >= a);
	assert(a != 11 || b != 3);
}
`
	unit, err := frontend.Load(t.Context(), []*source.File{source.NewFile("in.c", []byte(text))}, frontend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	stopped := 0
	for limit := 10; limit <= 200; limit += 10 {
		o, err := Audit(t.Context(), unit.Program, Options{
			All: true, Without: technique.Of(technique.Fuzzing), Checker: checker.Options{NodeLimit: limit},
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(o.Analysis.Result.Sites) != 3 || o.Analysis.Result.Verdict != verdict.Unknown {
			continue
		}
		stopped++
		if s := o.Result.Sites[2]; !s.Failed && !s.Open {
			t.Errorf("limit %d: line %d holds", limit, s.Pos.Line)
		}
		if s := o.Result.Sites[0]; o.Iterations == 1 && !s.Open {
			t.Errorf("limit %d: line %d is decided by an unfinished analysis", limit, s.Pos.Line)
		}
	}
	if stopped == 0 {
		t.Error("no limit was hit")
	}
}

// That the audit is stopped in the middle of looking at a property is no reason why this one
// cannot be decided.
func TestStopped(t *testing.T) {
	data, err := os.ReadFile("testdata/in-step.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for at := 1; ; at++ {
		unit, err := frontend.Load(t.Context(), []*source.File{source.NewFile("in.c", txtar.Parse(data).Files[0].Data)}, frontend.Options{})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		lines := 0
		o, err := Audit(ctx, unit.Program, Options{Without: technique.Of(technique.Fuzzing), Log: func(event.Event) {
			if lines++; lines == at {
				cancel(errors.New("stopped"))
			}
		}})
		cancel(nil)
		if err != nil {
			t.Fatal(err)
		}
		if lines < at {
			if o.Result.Verdict != verdict.True || at < 10 {
				t.Errorf("not stopped in %d steps: %s", lines, o.Result.Summary())
			}
			return
		}
		for _, s := range o.Result.Sites {
			if s.Reason != "" {
				t.Errorf("stopped at step %d: %s is undecided because %s", at, s.Where(), s.Reason)
			}
		}
		for i, it := range o.Statistics {
			if it.Unfinished && (i < len(o.Statistics)-1 || len(it.Lessons) > 0) {
				t.Errorf("stopped at step %d: iteration %d of %d is not finished", at, i+1, len(o.Statistics))
			}
		}
		if o.Result.Verdict == verdict.Unknown && o.Result.Reason != "stopped" {
			t.Errorf("stopped at step %d: %s", at, o.Result.Summary())
		}
	}
}
