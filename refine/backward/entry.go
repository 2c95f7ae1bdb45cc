package backward

import (
	"slices"

	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/refine/algebra"
	"c2bp/refine/cex"
	"c2bp/wp"
)

// This file carries loop invariants on from the start of a core to the start of the path: it strengthens
// them to the entry. It also tells invariants that last from accidents of the path.

// strengthenToEntry carries the loop invariants in the frontier on to the start of the path. They hold
// at the start of the core, which need not reach back to where they came about: that a callee's counter
// stays below len may be because its caller passed a small one. The conditions of the path by which
// they hold join the frontier where they stand: a number that an input decides is small because it was
// compared with one that is.
func (w *Walk) strengthenToEntry() {
	from := w.Core.From
	// 1. Keep the atoms that do hold at the start of the core, and find a few conditions that imply them.
	var why map[int]core.Expr
	if len(w.frontier) > 0 {
		s := w.prefixTo(from)
		w.frontier = s.implied(w.frontier)
		why = s.why(w.frontier)
	}
	// 2. Walk on, and add the conditions' atoms at their steps.
	for i := from - 1; i >= 0 && (len(w.frontier) > 0 || w.anyWaiting()); i-- {
		w.undo(i)
		if e := why[i]; e != nil {
			w.addAll(algebra.Atoms(e))
		}
		for _, a := range w.frontier {
			w.Found.Add(w.frame.Proc, a)
		}
	}
}

// anyWaiting reports whether atoms wait in a caller.
func (w *Walk) anyWaiting() bool {
	for _, atoms := range w.waiting {
		if len(atoms) > 0 {
			return true
		}
	}
	return false
}

// prefix is the execution of a path up to a step, and the conditions known there.
type prefix struct {
	*Walk
	x     *cex.Execution
	here  *wp.Translator
	conds []cex.Condition
}

// prefixTo returns the path from its start to a step.
func (w *Walk) prefixTo(step int) *prefix { return w.segment(0, step) }

// segment returns the path from one step to another, from any state. Conditions that exclude each other
// are left out: they would imply anything.
func (w *Walk) segment(from, step int) *prefix {
	s := &prefix{Walk: w, x: w.Execute(logic.NewTable(), w.Path, from, step)}
	s.here = s.x.In(w.Path.Steps[step].Frame, step)
	s.conds = cex.Consistent(s.x.Conds, func(conds []cex.Condition) bool { return s.exclude(conds, s.x.Table.True) })
	return s
}

// exclude reports whether conditions and f exclude each other.
func (s *prefix) exclude(conds []cex.Condition, f *logic.Term) bool {
	return s.Unsat(append(slices.Clip(cex.Terms(conds)), f), s.x.Table)
}

// fails returns the formula that atom a does not hold at the end of the prefix.
func (s *prefix) fails(a core.Expr) *logic.Term {
	return s.x.Table.Not(s.x.Memory.AtStart(s.here.Cond(a)))
}

// implied returns the atoms that hold at the end of the prefix, whatever the inputs. Atoms about
// symbolic constants do not count.
func (s *prefix) implied(atoms []core.Expr) (out []core.Expr) {
	for _, a := range atoms {
		isGhost := func(v *core.Var) bool { return v.Kind == core.Ghost }
		if !core.Mentions(a, isGhost) && s.exclude(s.conds, s.fails(a)) {
			out = append(out, a)
		}
	}
	return out
}

// why returns a minimal set of conditions that implies all the atoms, by their steps; an empty one if
// the conditions of the prefix do not imply them.
func (s *prefix) why(atoms []core.Expr) map[int]core.Expr {
	out := map[int]core.Expr{}
	some := s.x.Table.False
	for _, a := range atoms {
		some = s.x.Table.Or(some, s.fails(a))
	}
	holds := func(conds []cex.Condition) bool { return s.exclude(conds, some) }
	if holds(s.conds) {
		for _, x := range cex.MinimalPart(s.conds, nil, holds) {
			out[x.Step] = x.Expr
		}
	}
	return out
}

// Lasting returns the atoms that hold when path p first comes to a node of an activation, those first
// that hold for the best reasons: whatever was before the activation, then whatever was before that of
// its caller, and so on. That used <= i, as used is 0 since the start of the program, is an accident;
// that used + n <= size, as the caller compared them, is none.
func Lasting(facts *cex.Facts, p *cex.Path, unsat Unsat, frame *cex.Frame, node int, atoms []core.Expr) (out []core.Expr) {
	w := &Walk{Facts: facts, Path: p, Unsat: unsat}
	first := slices.IndexFunc(w.Path.Steps, func(s cex.Step) bool { return s.Frame == frame && s.Node == node })
	rest := w.prefixTo(first).implied(atoms)
	for f := frame; f.Caller != nil && len(rest) > 0; f = f.Caller {
		now := w.segment(f.Call+1, first).implied(rest)
		out = append(out, now...)
		rest = slices.DeleteFunc(rest, func(e core.Expr) bool { return slices.Contains(now, e) })
	}
	return append(out, rest...)
}
