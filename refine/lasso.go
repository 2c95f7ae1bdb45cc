package refine

import (
	"context"
	"fmt"

	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
	"c2bp/refine/cex"
	"c2bp/refine/concretise"
	"c2bp/refine/harness"
	"c2bp/verdict"
)

// This file shows that a lasso of the abstraction is one of the program. A run goes its stem and some rounds of its loop,
// and comes back: the state before a round is the same as before an earlier one, as far as the rest of the run can tell.
// So the program may do again what it did between the two, for ever, and the formula is evaluated on the word of the
// states up to there, with these repeated. Or the run ends, and stays in its last state.
//
//	state    main:5   n = 3, file = &object 7, object 7 = 1
//	round    main:5 … main:9
//	state    main:5   n = 3, file = &object 9, object 9 = 1       the same but for the address
//
// Without such a state nothing is shown: a counter that decreases is back at its place in the program, and its run
// has an end.

// heads are the states of a run before the rounds.
type heads struct {
	forms *interp.Forms
	known []head
	why   string // two states are not compared
}

// head is such a state.
type head struct {
	step  int    // of the violation
	form  string // of the state; "" if it has none
	steps int    // that the run had made
	held  int64  // bytes of objects that are not freed
}

// allocated returns the number of bytes of live objects that were allocated.
func allocated(m *interp.Machine) (n int64) {
	for _, o := range m.Objects() {
		if a := o.Alloc(); a != nil && !a.Stack {
			n += o.Size()
		}
	}
	return n
}

// restsOn returns the choice on which a run rests that comes back to a state with more objects: they are not freed, and
// memory lasts.
func restsOn(more int64, at *core.Node) []verdict.Choice {
	if more <= 0 {
		return nil
	}
	return []verdict.Choice{{Kind: verdict.MemoryChoice, Text: fmt.Sprintf("memory for %d more bytes in each round", more), Pos: at.Pos}}
}

// followLasso looks for a run that goes as the lasso does.
func (x *violation) followLasso(ctx context.Context, c *concretise.Confirmer, w *watched) (run *harness.Recording, why string, err error) {
	r := &concretise.Rounds{Path: x.path, Stays: x.Stays}
	for _, i := range x.Heads() {
		r.Heads = append(r.Heads, x.at[i])
	}
	seen := w.isViolation
	if !x.Stays {
		if !x.isRound(r.Heads) {
			return nil, "the rounds of its loop are not alike", nil
		}
		x.findRelevant(r.Heads)
		r.Relevant = x.relevant
		seen = func() bool { return w.found != nil }
	}
	run, why, err = c.FollowRounds(ctx, r, x.wishes(), seen)
	if run == nil && err == nil && why == concretise.Unrepeated && w.heads != nil && w.heads.why != "" {
		why += ": " + w.heads.why
	}
	return run, why, err
}

// isRound reports whether all rounds take the same way.
func (x *violation) isRound(heads []int) bool {
	round := heads[1] - heads[0]
	for i := heads[0]; i < heads[len(heads)-1]; i++ {
		a, b := x.path.Steps[i], x.path.Steps[min(i+round, len(x.path.Steps)-1)]
		if i+round <= heads[len(heads)-1] && a.ID() != b.ID() {
			return false
		}
	}
	return round > 0 && heads[len(heads)-1]-heads[0] == round*(len(heads)-1)
}

// findRelevant finds the variables on which a round depends: its steps, and the atoms.
func (x *violation) findRelevant(heads []int) {
	isState := map[int]bool{}
	for _, at := range x.at {
		isState[at] = true
	}
	x.relevant = cex.Relevant(x.path, heads[0], heads[1], func(step int) (list []core.Expr) {
		for _, p := range x.program.Predicates {
			if isState[step] && (p.Proc == nil || p.Proc == x.path.Steps[step].Frame.Proc) {
				list = append(list, p.Expr)
			}
		}
		return list
	})
	x.stack = cex.Stack(x.path.Steps[heads[0]].Frame)
}

// matters reports whether a round depends on a variable of the activation at a depth.
func (x *violation) matters(depth int, v *core.Var) bool {
	if depth < 0 {
		return x.relevant[cex.Slot{Var: v}]
	}
	return x.relevant[cex.Slot{Frame: x.stack[depth], Var: v}]
}

// comesBack reports whether the state before step i of the violation, a head, is that of an earlier head, such that going
// on like that violates the formula.
func (w *watched) comesBack(i int) bool {
	// 1. The form of the state.
	h := head{step: i, steps: w.machine.Steps(), held: allocated(w.machine)}
	form, err := w.heads.forms.Form(w.matters)
	if err != nil {
		w.heads.why = err.Error()
	} else {
		h.form = form
	}
	// 2. An equal one, the nearest first. From there on no step may have depended on addresses, which will be others.
	for k := len(w.heads.known) - 1; k >= 0 && h.form != ""; k-- {
		before := w.heads.known[k]
		switch {
		case before.form != h.form:
		case w.machine.Numeric() > before.steps:
			w.heads.why = "it depends on the numbers of addresses"
		case w.ObservedLasso(w.temps, before.step, i) != nil:
			w.found = w.ObservedLasso(w.plain, before.step, i)
		}
		if w.found != nil {
			w.restsOn = restsOn(h.held-before.held, w.path.Steps[w.at[i]].CoreNode())
			return true
		}
	}
	w.heads.known = append(w.heads.known, h)
	return false
}
