package backward

import (
	"c2bp/frontend/core"
	"c2bp/refine/algebra"
)

// This file uses the equations among the conditions of a core:
//
//	assert(used == inflight);
//	assert(inflight >= 0);       because used >= 0, which callees know of
//
// An atom that is carried back past an equation can be stated of either side, and the statements before
// it may speak of the other one.

// throughEquation returns the atoms that read one side of cond, if that is an equation, with the other
// side in its place: used >= 0 for inflight >= 0 and the condition used == inflight.
func throughEquation(atoms []core.Expr, cond core.Expr) (out []core.Expr) {
	b, ok := cond.(*core.Binary)
	if !ok || b.Op != core.Eq {
		return nil
	}
	for _, way := range [][2]core.Expr{{b.X, b.Y}, {b.Y, b.X}} {
		from, ok := way[0].(core.Loc)
		if !ok || algebra.IsConst(way[1]) || from.Type() != way[1].Type() {
			continue
		}
		for _, a := range atoms {
			found := false
			e := core.Replace(a, func(x core.Expr) core.Expr {
				if !core.Equal(x, from) {
					return nil
				}
				found = true
				return way[1]
			})
			if found {
				out = append(out, e)
			}
		}
	}
	return out
}
