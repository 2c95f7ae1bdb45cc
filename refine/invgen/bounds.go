package invgen

import (
	"math/big"

	"c2bp/frontend/core"
	"c2bp/refine/algebra"
	"c2bp/refine/cex"
)

// This file bounds counters: by the expressions that they are compared with at a loop, and these in
// turn by those that the loop must not reach.

// separatingBounds returns u <= t for each u below which the conditions say a is, and each t below which
// they say it is not: a < u keeps a loop from going too far because u <= t.
//
//	for (i = 0; i < n; i++)            i < n on the path
//	    assert(i < SIZE);              i >= SIZE at its end: n <= SIZE is a candidate
func separatingBounds(a inductionVar, vars []inductionVar, conds []cex.Condition) (out []core.Expr) {
	// 1. What do the conditions, as they hold on the path, say a is below, and not below?
	var above, notAbove []core.Expr
	for _, c := range conds {
		e := c.Expr
		if c.Neg {
			e = core.Negate(e)
		}
		for _, atom := range algebra.Atoms(e) {
			for _, k := range comparisonsOf(a, vars, atom) {
				switch k.op {
				case core.Lt, core.Le:
					above = append(above, k.with)
				case core.Gt, core.Ge:
					notAbove = append(notAbove, k.with)
				}
			}
		}
	}
	// 2. Each of the former is at most each of the latter.
	for _, u := range above {
		for _, t := range notAbove {
			if u.Type() == t.Type() && !(algebra.IsConst(u) && algebra.IsConst(t)) && len(out) < mostSeparating {
				out = append(out, &core.Binary{Op: core.Le, X: u, Y: t})
			}
		}
	}
	return out
}

// mostSeparating bounds the result of separatingBounds: a loop has few bounds, but many rounds.
const mostSeparating = 100

// bounds returns a <= t and a == t for each t that a is compared with in e and that is no induction
// variable. If t is a constant, it also returns where a is when a step has taken it past t.
//
//	i < n, i counts up by 1            i <= n, i == n
//	i < 10, i counts up by 4           i <= 10, i == 10, i <= 14, i == 14
func bounds(a inductionVar, vars []inductionVar, e core.Expr) (out []core.Expr) {
	add := func(op core.BinaryOp, x, t core.Expr) {
		out = append(out, &core.Binary{Op: op, X: x, Y: t}, &core.Binary{Op: core.Eq, X: x, Y: t})
	}
	for _, atom := range algebra.Atoms(e) {
		for _, k := range comparisonsOf(a, vars, atom) {
			add(core.Le, k.a, k.with)
			// A counter that ends at a constant may have passed it by a step.
			t, ok := k.with.(*core.Const)
			if !ok || k.op != core.Le && k.op != core.Gt && k.op != core.Lt && k.op != core.Ge {
				continue
			}
			step := a.step()
			past := new(big.Int).Add(t.Val, step)
			switch {
			case !t.Typ.Contains(past):
			case step.Sign() > 0:
				add(core.Le, k.a, &core.Const{Val: past, Typ: t.Typ})
			default:
				add(core.Ge, k.a, &core.Const{Val: past, Typ: t.Typ})
			}
		}
	}
	return out
}

// compared is a comparison of an induction variable, a, with something that is none.
type compared struct {
	op      core.BinaryOp
	a, with core.Expr
}

// comparisonsOf returns the comparisons of a that atom is, from either side, with expressions that read
// no induction variable: n > i is one of i, i < n.
func comparisonsOf(a inductionVar, vars []inductionVar, atom core.Expr) (out []compared) {
	// Bounds that are induction variables themselves are left to linear relations.
	moves := func(e core.Expr) bool {
		for _, l := range core.Locs(e) {
			for _, m := range vars {
				if algebra.PlaceName(l) == algebra.PlaceName(m.loc) {
					return true
				}
			}
		}
		return false
	}
	b, ok := atom.(*core.Binary)
	if !ok || !b.Op.IsComparison() {
		return nil
	}
	for _, k := range []compared{{b.Op, b.X, b.Y}, {mirrored(b.Op), b.Y, b.X}} {
		if heldName(k.a) == algebra.PlaceName(a.loc) && !moves(k.with) {
			out = append(out, k)
		}
	}
	return out
}

// mirrored returns the operator that means the same with operands exchanged.
func mirrored(op core.BinaryOp) core.BinaryOp {
	switch op {
	case core.Lt:
		return core.Gt
	case core.Le:
		return core.Ge
	case core.Gt:
		return core.Lt
	case core.Ge:
		return core.Le
	}
	return op
}
