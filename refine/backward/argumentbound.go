package backward

import (
	"c2bp/frontend/core"
	"c2bp/refine/algebra"
	"c2bp/refine/cex"
)

// This file states a bound of a number that a callee changed by an argument.

// argumentBound returns e, which bounds a number that the callee changed, in terms of the callee, if
// the effects say that on this path the number was a constant: on another path it is another one, as
// a loop counts. It is nil if e is no bound, if it reads other variables of the caller than arguments,
// or if the callee is recursive.
func (w *Walk) argumentBound(e core.Expr, effects []core.Expr, call *core.Call, f *cex.Frame) core.Expr {
	b, ok := e.(*core.Binary)
	if !ok || !b.Op.IsComparison() || b.Op == core.Eq || b.Op == core.Ne || f.Proc == f.Caller.Proc || w.Sums[f.Proc] != nil {
		return nil
	}
	for _, x := range effects {
		if eq, ok := x.(*core.Binary); !ok || eq.Op != core.Eq || !algebra.IsConst(eq.Y) {
			return nil
		}
	}
	byText := w.arguments(call, f)
	e = core.Replace(e, func(x core.Expr) core.Expr { return byText[core.ExprString(x)] })
	if core.Mentions(e, func(v *core.Var) bool { return w.foreign(v) && v.Proc != f.Proc }) {
		return nil
	}
	return w.ofResult(e, f)
}
