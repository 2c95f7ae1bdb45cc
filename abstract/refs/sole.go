package refs

import (
	"slices"

	"c2bp/frontend/core"
)

// This file says which variables have one instance: pointers that lead to no other variable lead to that.

// sole reports whether a variable has one instance, and the procedure that evaluates an address has the
// reference for it. Globals are such, and the locals of the procedure with which the program starts, there. A
// local of any other procedure is not: a pointer may lead to that of a caller,
//
//	void f(int *status) { struct dev d; if (status) *status = 1; else f(&d.status); }
//
// in another activation of f or, as &d.status may be passed on, in a procedure that knows no d.
func (p *Plan) sole(v *core.Var, address core.Expr) bool {
	if v.Kind == core.Global {
		return true
	}
	entry := p.prog.Entry
	own := func(v *core.Var) bool { return slices.Contains(entry.Locals, v) || slices.Contains(entry.Formals, v) }
	return own(v) && core.Mentions(address, own) && p.result.EntryRunsOnce()
}
