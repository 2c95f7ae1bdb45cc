package ltlcheck

import (
	"slices"

	"c2bp/checker/pushdown"
	"c2bp/checker/temporal"
	"c2bp/verdict"
)

// This file shows violations to those who look for the same ones in the C program that the Boolean program abstracts. A
// violation of safety is a finite run. Any other one is a lasso, of which some rounds are written out: where the C program
// comes back to a state, it may go on like that for ever.

// Violation is a run that violates the formula.
type Violation struct {
	formula *temporal.Formula
	fair    []int // atoms that hold infinitely often
	sys     *pushdown.System
	run     []temporal.Step // up to the state after which no continuation satisfies the formula, or rounds of the loop
	steps   []verdict.Step
	heads   []int // of a lasso: the first state of each round

	Stays bool   // the run ends at its last state, and stays there for ever
	Fails bool   // because an assertion fails there
	Why   string // the violation cannot be looked for
}

// leastRounds and mostRounds bound the rounds of a loop that are written out, mostUnrolled its steps. In the first round
// variables may have values that they never have again; and a number may come back after a few rounds only.
const leastRounds, mostRounds, mostUnrolled = 4, 18, 4000

// violationsOf returns the violations that the run of an answer is: that of safety first, which is the easier one to
// find.
func violationsOf(sys *pushdown.System, f *temporal.Formula, fair []int, answer *temporal.Result) (list []*Violation, err error) {
	run := answer.Run
	if answer.Verdict != verdict.False {
		return nil, nil
	}
	v := Violation{formula: f, fair: fair, sys: sys}
	// 1. A bad prefix, if the loop need not go round again and again to get there. It need not be one of a fair run.
	if all := slices.Concat(run.Stem, run.Loop); run.Prefix > 0 && run.Prefix <= len(all) && len(fair) == 0 {
		safety := v
		safety.run = all[:run.Prefix]
		if !slices.ContainsFunc(safety.run, func(s temporal.Step) bool { return isState(s) && !pushdown.Goes(s) }) {
			list = append(list, &safety)
		}
	}
	// 2. A lasso.
	if run.Loop != nil {
		if err := v.lasso(run); err != nil {
			return nil, err
		}
		list = append(list, &v)
	}
	for _, v := range list {
		if slices.ContainsFunc(v.run, func(s temporal.Step) bool { return s.Collapsed }) {
			v.Why = "it has calls that are not written out"
			continue
		}
		v.steps = sys.Steps(v.run)
	}
	return list, nil
}

// lasso makes v the rounds of a lasso.
func (v *Violation) lasso(run *temporal.Run) error {
	v.run = slices.Clone(run.Stem)
	// 1. A run that stays where it ended.
	if run.Loop[0].Move == temporal.Stays {
		v.Stays, v.Fails = true, pushdown.Fails(run.Loop[0])
		v.heads, v.run = []int{len(v.run)}, append(v.run, run.Loop[0])
		if pushdown.UsesNull(run.Loop[0]) {
			v.Why = "it ends where null is dereferenced"
		}
		return nil
	}
	// 2. The stack must not grow: then no state of the program is ever the same.
	grows, err := v.sys.Grows(run.Loop)
	if err != nil {
		return err
	}
	if grows {
		v.Why = "calls that its loop makes do not return"
	}
	first := slices.IndexFunc(run.Loop, isState)
	for n := range mostRounds {
		if n >= leastRounds && len(v.run)+len(run.Loop) > mostUnrolled {
			break
		}
		v.heads = append(v.heads, len(v.run)+first)
		v.run = append(v.run, run.Loop...)
	}
	v.run = v.run[:v.heads[len(v.heads)-1]+1]
	return nil
}

// isState reports whether a step is at a state of a run.
func isState(s temporal.Step) bool { return !s.Label.Silent }

// Steps returns the steps, those between states included.
func (v *Violation) Steps() []verdict.Step { return v.steps }

// Heads returns the steps, at states, at which a round of the loop begins, the last one that at which the run is cut
// off; none for a violation of safety. If the run stays at the end, the only one is its last step.
func (v *Violation) Heads() []int { return v.heads }

// IsState reports whether step i is at a state of the run: a letter of its word.
func (v *Violation) IsState(i int) bool { return isState(v.run[i]) }

// AtEnd reports whether control is at the end of a procedure at step i, after its last statement.
func (v *Violation) AtEnd(i int) bool { return v.sys.AtEnd(v.run[i]) }

// Mentioned returns the variables in sight at step i that the formula depends on, with their values, and the objects
// that they lead to.
func (v *Violation) Mentioned(i int) ([]verdict.Value, []verdict.Object) {
	return v.sys.Mentioned(v.run[i])
}

// Observed returns the trace of a run with the same steps whose states were observed in another program, by step, if
// the formula is violated by all runs that begin so; nil if it is not.
func (v *Violation) Observed(states []pushdown.Observation) *verdict.Trace {
	t, word, _ := v.observe(states, 0, len(v.run))
	if !temporal.IsBadPrefix(v.formula, word) {
		return nil
	}
	pushdown.MarkViolated(&t.Steps[len(t.Steps)-1])
	return t
}

// ObservedLasso is Observed for the run that goes on for ever with the steps from one head up to another, or that stays at
// the step before to.
func (v *Violation) ObservedLasso(states []pushdown.Observation, from, to int) *verdict.Trace {
	t, word, loop := v.observe(states, from, to)
	// By the definition, on the states that were observed.
	if v.formula.MayHold(word[:loop], word[loop:]) {
		return nil
	}
	for _, atom := range v.fair {
		known := func(l temporal.Letter) bool { return l.Atoms&^l.Unknown>>atom&1 == 1 }
		if !slices.ContainsFunc(word[loop:], known) {
			return nil
		}
	}
	t.Loop = loop + 1
	return t
}

// observe returns the trace of the states before step to, and their letters; loop is the index of that of step from.
func (v *Violation) observe(states []pushdown.Observation, from, to int) (t *verdict.Trace, word []temporal.Letter, loop int) {
	t = &verdict.Trace{}
	for i, s := range v.run[:to] {
		if i == from {
			loop = len(word)
		}
		if !isState(s) {
			continue
		}
		l := v.sys.Observed(s, states[i])
		word = append(word, l)
		st := v.sys.ShowObserved(s, states[i], l)
		st.Origin = v.steps[i].Origin
		t.Steps = append(t.Steps, st)
	}
	return t, word, loop
}
