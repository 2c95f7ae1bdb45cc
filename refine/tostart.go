package refine

import (
	"c2bp/frontend/core"
	"c2bp/logic"
)

// This file goes on where a reason ends: to the start of the path.

// toStart carries what is to hold in every round of loops on to the start of the path, as
// far as it does hold at the start of the reason, which need not reach back to where it came
// about: that a callee's counter stays below len may be because its caller passed a small one.
func (c *carrier) toStart() {
	from := c.reason.from
	c.live = c.implied(c.live, from)
	for i := from - 1; i >= 0 && len(c.live) > 0; i-- {
		c.undo(i)
		for _, a := range c.live {
			c.found.add(c.frame.Proc, a)
		}
	}
}

// implied is those of the atoms that hold before a step of the path, whatever the inputs.
func (c *carrier) implied(atoms []core.Expr, step int) (out []core.Expr) {
	if len(atoms) == 0 {
		return nil
	}
	x := c.execute(logic.NewTable(), c.path, 0, step)
	here := x.in(c.path.Steps[step].Frame, step)
	conds := terms(x.conds)
	for _, a := range atoms {
		if core.Mentions(a, func(v *core.Var) bool { return v.Kind == core.Ghost }) {
			continue
		}
		fails := x.t.Not(x.memory.atStart(here.Cond(a)))
		if c.unsat(append(conds[:len(conds):len(conds)], fails), x.t) {
			out = append(out, a)
		}
	}
	return out
}
