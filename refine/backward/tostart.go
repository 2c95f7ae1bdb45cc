package backward

import (
	"slices"

	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/refine/algebra"
	"c2bp/refine/cex"
	"c2bp/wp"
)

// This file goes on where a reason ends: to the start of the path.

// toStart carries what is to hold in every round of loops on to the start of the path, as
// far as it does hold at the start of the reason, which need not reach back to where it came
// about: that a callee's counter stays below len may be because its caller passed a small one.
// The conditions of the path by which it does join in where they stand: what an input decides
// is small because it was compared with something that is.
func (c *Walk) toStart() {
	from := c.core.From
	var why map[int]core.Expr
	if len(c.live) > 0 {
		s := c.startTo(from)
		c.live = s.implied(c.live)
		why = s.why(c.live)
	}
	for i := from - 1; i >= 0 && (len(c.live) > 0 || c.waiting()); i-- {
		c.undo(i)
		if e := why[i]; e != nil {
			c.addAll(algebra.Atoms(e))
		}
		for _, a := range c.live {
			c.found.Add(c.frame.Proc, a)
		}
	}
}

// waiting reports whether atoms wait in a caller.
func (c *Walk) waiting() bool {
	for _, atoms := range c.bypass {
		if len(atoms) > 0 {
			return true
		}
	}
	return false
}

// start is a path up to a step, and what is known there.
type start struct {
	*Walk
	x     *cex.Execution
	here  *wp.Translator
	conds []cex.Condition
}

func (c *Walk) startTo(step int) *start { return c.between(0, step) }

// between is the path from one step to another, from any state.
func (c *Walk) between(from, step int) *start {
	s := &start{Walk: c, x: c.Execute(logic.NewTable(), c.path, from, step)}
	s.here = s.x.In(c.path.Steps[step].Frame, step)
	s.conds = cex.Consistent(s.x.Conds, func(conds []cex.Condition) bool { return s.exclude(conds, s.x.Table.True) })
	return s
}

// exclude reports whether conditions exclude f.
func (s *start) exclude(conds []cex.Condition, f *logic.Term) bool {
	return s.unsat(append(slices.Clip(cex.Terms(conds)), f), s.x.Table)
}

// fails is that an atom does not hold.
func (s *start) fails(a core.Expr) *logic.Term {
	return s.x.Table.Not(s.x.Memory.AtStart(s.here.Cond(a)))
}

// implied is those of the atoms that hold, whatever the inputs.
func (s *start) implied(atoms []core.Expr) (out []core.Expr) {
	for _, a := range atoms {
		isGhost := func(v *core.Var) bool { return v.Kind == core.Ghost }
		if !core.Mentions(a, isGhost) && s.exclude(s.conds, s.fails(a)) {
			out = append(out, a)
		}
	}
	return out
}

// why is a few conditions by which all these atoms hold, by their steps.
func (s *start) why(atoms []core.Expr) map[int]core.Expr {
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

// Lasting is the atoms that hold when a path first comes to a node of an activation: first those that hold
// whatever was before the activation, then those that hold whatever was before the caller's,
// and so on. That used <= i, for it is 0 as ever since the start, is an accident; that
// used + n <= size, for the caller compared them, is none.
func Lasting(w *cex.Facts, p *cex.Path, unsat func([]*logic.Term, *logic.Table) bool, frame *cex.Frame, node int, atoms []core.Expr) (out []core.Expr) {
	c := &Walk{Facts: w, path: p, unsat: unsat}
	first := slices.IndexFunc(c.path.Steps, func(s cex.Step) bool { return s.Frame == frame && s.Node == node })
	rest := c.startTo(first).implied(atoms)
	for f := frame; f.Caller != nil && len(rest) > 0; f = f.Caller {
		now := c.between(f.Call+1, first).implied(rest)
		out = append(out, now...)
		rest = slices.DeleteFunc(rest, func(e core.Expr) bool { return slices.Contains(now, e) })
	}
	return append(out, rest...)
}
