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
// that the program has not made (verdict.StateChoice), and hold nothing from then on that is to be given back until the
// end of the program. A run that takes something, and then fails, says all by itself; but not if it has given that back
// when it comes to such a struct.

// unmade returns o, undecided if all its failures are such ones.
func (w *row) unmade(o *refine.Outcome) *refine.Outcome {
	owed := w.rule.Obligations()
	if o.Result.Verdict != verdict.False || len(owed) == 0 {
		return o
	}
	var states []string
	for _, f := range o.Failures {
		found, last := statesOf(f)
		if len(found) == 0 || takes(f.Trace, owed, last) {
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

// statesOf returns the states of private structs that the program has not made on which f rests, and the last step that
// meets one.
func statesOf(f *concretise.Failure) (list []string, last int) {
	for _, c := range f.RestsOn {
		if c.Kind == verdict.StateChoice {
			list, last = append(list, fmt.Sprintf("%s (%s:%d)", c.Text, c.Pos.File, c.Pos.Line)), max(last, c.Step)
		}
	}
	return list, last
}

// takes reports whether one of the variables has another value than its first one at some step of t from number since on.
func takes(t *verdict.Trace, variables []string, since int) bool {
	first := map[string]string{}
	for i, s := range t.Steps {
		for _, v := range s.Values {
			if !slices.Contains(variables, v.Name) {
				continue
			}
			if old, ok := first[v.Name]; !ok {
				first[v.Name] = v.Val
			} else if old != v.Val && i >= since {
				return true
			}
		}
	}
	return false
}
