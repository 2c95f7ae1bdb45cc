package invgen

import (
	"math/big"

	"c2bp/frontend/core"
	"c2bp/refine/algebra"
	"c2bp/refine/cex"
)

// This file bounds what counts: by what it is compared with at a loop, and that in turn by
// what the loop must not reach.

// between is u <= t for what a is found to be less than, u, and not to be less than, t: that
// a < u keeps a loop from going too far because u <= t.
func separatingBounds(a inductionVar, movers []inductionVar, conds []cex.Condition) (out []core.Expr) {
	var above, notAbove []core.Expr
	for _, c := range conds {
		e := c.Expr
		if c.Neg {
			e = core.Negate(e)
		}
		for _, atom := range algebra.Atoms(e) {
			for _, k := range comparisonsOf(a, movers, atom) {
				switch k.op {
				case core.Lt, core.Le:
					above = append(above, k.with)
				case core.Gt, core.Ge:
					notAbove = append(notAbove, k.with)
				}
			}
		}
	}
	for _, u := range above {
		for _, t := range notAbove {
			if u.Type() == t.Type() && !(algebra.IsConst(u) && algebra.IsConst(t)) && len(out) < mostSeparating {
				out = append(out, &core.Binary{Op: core.Le, X: u, Y: t})
			}
		}
	}
	return out
}

// mostBetween bounds what between returns: a loop has few bounds, but many rounds.
const mostSeparating = 100

// bounds is a <= t and a == t for each t that a is compared with in e and that does not
// move; and the same for where a is when it has passed a constant t by a step.
func bounds(a inductionVar, movers []inductionVar, e core.Expr) (out []core.Expr) {
	add := func(op core.BinaryOp, x, t core.Expr) {
		out = append(out, &core.Binary{Op: op, X: x, Y: t}, &core.Binary{Op: core.Eq, X: x, Y: t})
	}
	for _, atom := range algebra.Atoms(e) {
		for _, k := range comparisonsOf(a, movers, atom) {
			add(core.Le, k.a, k.with)
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

// compared is a comparison of a mover, a, with what does not move.
type compared struct {
	op      core.BinaryOp
	a, with core.Expr
}

// comparisonsOf is the comparisons of a that atom is, from either side.
func comparisonsOf(a inductionVar, movers []inductionVar, atom core.Expr) (out []compared) {
	moves := func(e core.Expr) bool {
		for _, l := range core.Locs(e) {
			for _, m := range movers {
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

// mirrored is op with its operands exchanged.
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
