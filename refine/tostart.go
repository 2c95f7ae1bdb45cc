package refine

import (
	"slices"

	"c2bp/frontend/core"
	"c2bp/logic"
)

// This file goes on where a reason ends: to the start of the path.

// toStart carries what is to hold in every round of loops on to the start of the path, as
// far as it does hold at the start of the reason, which need not reach back to where it came
// about: that a callee's counter stays below len may be because its caller passed a small one.
func (c *carrier) toStart() {
	from := c.reason.from
	c.live = slices.DeleteFunc(c.live, func(a core.Expr) bool { return !c.implied(a, from) })
	for i := from - 1; i >= 0 && len(c.live) > 0; i-- {
		c.undo(i)
		for _, a := range c.live {
			c.found.add(c.frame.Proc, a)
		}
	}
}

// implied reports whether a holds before a step of the path, whatever the inputs.
func (c *carrier) implied(a core.Expr, step int) bool {
	if core.Mentions(a, func(v *core.Var) bool { return v.Kind == core.Ghost }) {
		return false
	}
	x := c.execute(logic.NewTable(), c.path, 0, step)
	t := x.memory.atStart(x.in(c.path.Steps[step].Frame, step).Cond(a))
	return c.unsat(append(terms(x.conds), x.t.Not(t)), x.t)
}
