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
// of the driver know by a header in its directory. And without any state that is set, a struct that nobody has made is not
// one that the driver has, when a function is called that it has not asked for yet.
//
// A rule is undecided if all its failing runs are such ones. Let a run hold what is to be given back until the end of the
// program. It counts if it does so in the end, as one does that gives back too little. Otherwise it gives back too much. It does not count
//
//   - if it rests on a state of a private struct that the program has not made (verdict.StateChoice), and holds nothing
//     from then on: it has given back all when it comes to that struct;
//   - if it reads from such a struct at all, or a member by which the kernel knows its calls
//     (core.Record.States: a device is said to run that nobody has resumed), and never holds anything;
//   - if it is not known whether it rests on such a state.

// unmade returns o, undecided if all its failures are such ones.
func (w *row) unmade(o *refine.Outcome) *refine.Outcome {
	owed := w.rule.Obligations()
	if o.Result.Verdict != verdict.False || len(owed) == 0 {
		return o
	}
	var reasons []string
	for _, f := range o.Failures {
		why := unlikely(f, owed)
		if why == "" {
			return o
		}
		if !slices.Contains(reasons, why) {
			reasons = append(reasons, why)
		}
	}
	return undecided(o, strings.Join(reasons, ", and "))
}

// unlikely returns the reason for which f does not count; "" if it does.
func unlikely(f *concretise.Failure, owed []string) string {
	const unknown = "; what the driver has done to that before is not known"
	states, last := statesOf(f)
	switch {
	case len(states) > 0:
		if takes(f.Trace, owed, last) {
			return ""
		}
		return "a run fails in which " + strings.Join(states, ", and ") + unknown
	case takes(f.Trace, owed, len(f.Trace.Steps)-1):
		return ""
	case f.Met != nil && !takes(f.Trace, owed, 0):
		return fmt.Sprintf("a run fails in which %s (%s:%d)", f.Met.Text, f.Met.Pos.File, f.Met.Pos.Line) + unknown
	case f.Vague:
		return "a run fails that gives back too much; it is not known what it rests on"
	}
	return ""
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
