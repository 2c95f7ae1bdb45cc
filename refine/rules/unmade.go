package rules

import (
	"fmt"
	"slices"
	"strings"

	"c2bp/refine"
	"c2bp/refine/concretise"
	"c2bp/verdict"
)

// This file looks for failures of drivers that begin in the middle of the life of an object. A pointer from outside may
// lead to a private struct of the driver, in any state, although only the driver makes and changes such structs:
//
//	static void power_off(struct host *h)
//	{
//		struct seq *s = container_of(h->seq, struct seq, seq);
//		if (s->on)                   not 0
//			clk_disable(s->clk);     not enabled
//	}
//
// That s->on is set says that the driver has done something before, and so it has perhaps taken what it gives back here;
// the run does not say. The same goes for the objects to which such a struct leads, as h->seq->device, and for structs that other files
// of the driver know by a header in its directory. A rule is undecided if all its failing runs are such ones: they rest on a state of a private struct
// that the program has not made (verdict.StateChoice), and take nothing that is to be given back until the end of the
// program. A run that takes something, and then fails, says all by itself.

// unmade returns o, undecided if all its failures are such ones.
func (w *row) unmade(o *refine.Outcome) *refine.Outcome {
	owed := w.rule.Obligations()
	if o.Result.Verdict != verdict.False || len(owed) == 0 {
		return o
	}
	var states []string
	for _, f := range o.Failures {
		found := statesOf(f)
		if len(found) == 0 || takes(f.Trace, owed) {
			return o
		}
		for _, s := range found {
			if !slices.Contains(states, s) {
				states = append(states, s)
			}
		}
	}
	return undecided(o, "a run fails in which "+strings.Join(states, ", and ")+"; what the driver has done to that before is not known")
}

// statesOf returns the states of private structs that the program has not made on which f rests.
func statesOf(f *concretise.Failure) (list []string) {
	for _, c := range f.RestsOn {
		if c.Kind == verdict.StateChoice {
			list = append(list, fmt.Sprintf("%s (%s:%d)", c.Text, c.Pos.File, c.Pos.Line))
		}
	}
	return list
}

// takes reports whether one of the variables has another value than its first one at some step of t.
func takes(t *verdict.Trace, variables []string) bool {
	first := map[string]string{}
	for _, s := range t.Steps {
		for _, v := range s.Values {
			if !slices.Contains(variables, v.Name) {
				continue
			}
			if old, ok := first[v.Name]; ok && old != v.Val {
				return true
			}
			first[v.Name] = v.Val
		}
	}
	return false
}
