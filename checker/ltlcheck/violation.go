package ltlcheck

import (
	"slices"

	"c2bp/checker/pushdown"
	"c2bp/checker/temporal"
	"c2bp/verdict"
)

// This file shows a violation of safety to those who look for the same one in the C program that the Boolean program
// abstracts.

// Violation is a run up to the state after which no continuation satisfies the formula.
type Violation struct {
	formula *temporal.Formula
	sys     *pushdown.System
	run     []temporal.Step
	steps   []verdict.Step
}

// violationOf returns the violation of safety that the run of an answer is; nil if it is none, or if the run ends or
// is not written out before that.
func violationOf(sys *pushdown.System, f *temporal.Formula, answer *temporal.Result) *Violation {
	run := answer.Run
	if run == nil || run.Prefix == 0 {
		return nil
	}
	steps := slices.Concat(run.Stem, run.Loop)
	if run.Prefix > len(steps) {
		return nil
	}
	steps = steps[:run.Prefix]
	if slices.ContainsFunc(steps, func(s temporal.Step) bool { return s.Collapsed || isState(s) && !pushdown.Goes(s) }) {
		return nil
	}
	return &Violation{f, sys, steps, sys.Steps(steps)}
}

// isState reports whether a step is at a state of a run.
func isState(s temporal.Step) bool { return !s.Label.Silent }

// Steps returns the steps, those between states included.
func (v *Violation) Steps() []verdict.Step { return v.steps }

// IsState reports whether step i is at a state of the run: a letter of its word.
func (v *Violation) IsState(i int) bool { return isState(v.run[i]) }

// AtEnd reports whether control is at the end of a procedure at step i, after its last statement.
func (v *Violation) AtEnd(i int) bool { return v.sys.AtEnd(v.run[i]) }

// Mentioned returns the Boolean variables in sight at step i that the formula mentions, with their values.
func (v *Violation) Mentioned(i int) []verdict.Value { return v.sys.Mentioned(v.run[i]) }

// Observed returns the trace of a run with the same steps whose states were observed in another program, by step, if
// the formula is violated by all runs that begin so; nil if it is not.
func (v *Violation) Observed(states []pushdown.Observation) *verdict.Trace {
	t := &verdict.Trace{}
	var word []temporal.Letter
	for i, s := range v.run {
		if !isState(s) {
			continue
		}
		l := v.sys.Observed(s, states[i])
		word = append(word, l)
		st := v.sys.ShowObserved(s, states[i], l)
		st.Origin = v.steps[i].Origin
		t.Steps = append(t.Steps, st)
	}
	if !temporal.IsBadPrefix(v.formula, word) {
		return nil
	}
	pushdown.MarkViolated(&t.Steps[len(t.Steps)-1])
	return t
}
