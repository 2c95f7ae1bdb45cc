package backward

import (
	"c2bp/frontend/core"
	"c2bp/refine/algebra"
	"c2bp/refine/cex"
)

// bound is e, that a number which the callee changed is below or above what the call passed,
// in terms of the callee, if the number was just a constant on the path: another path has
// another one, as a loop counts. It is nil if e says something else, or more.
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
