package invgen

import (
	"math/big"

	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/refine/algebra"
	"c2bp/refine/cex"
)

// This file unrolls loops that count to a constant.

// mostRounds bounds the loops that are unrolled at once.
const mostUnrolled = 70

// unrolled is a == s, a == s + d, … for a variable a that counts from a constant s, in steps
// of d, to a constant that it is compared with: where it matters how often a loop is taken,
// nothing less says so, and one value after the other would take as many refinements.
func counterValues(t *logic.Table, l *loop, conds []cex.Condition, p *cex.Path) (out []core.Expr) {
	for _, a := range l.inductionVars(t) {
		if !a.isCounter() || !a.values[0].IsConst() {
			continue
		}
		v := algebra.Variable(a.loc)
		if v == nil {
			continue
		}
		typ := a.typ
		d := a.values[len(a.values)-1].Val.Cmp(a.values[0].Val)
		for _, c := range conds {
			end := comparedWith(v, c.Expr)
			if p.Steps[c.Step].Frame != l.frame || end == nil || new(big.Int).Sub(end, a.values[0].Val).Sign() != d {
				continue
			}
			step := a.step()
			rounds := new(big.Int).Quo(new(big.Int).Sub(end, a.values[0].Val), step)
			if !rounds.IsInt64() || rounds.Int64() > mostUnrolled {
				continue
			}
			for k, i := new(big.Int).Set(a.values[0].Val), int64(0); i <= rounds.Int64()+1; i++ {
				if typ.Contains(k) {
					out = append(out, &core.Binary{Op: core.Eq, X: a.loc, Y: &core.Const{Val: new(big.Int).Set(k), Typ: typ}})
				}
				k.Add(k, step)
			}
		}
	}
	return out
}

// comparedWith is the constant that e compares v with, nil if there is none.
func comparedWith(v *core.Var, e core.Expr) *big.Int {
	for _, atom := range algebra.Atoms(e) {
		simple, known := algebra.Simplify(atom, false)
		b, ok := simple.(*core.Binary)
		if known || !ok || !b.Op.IsComparison() {
			continue
		}
		x := b.X
		if k, ok := x.(*core.Conv); ok && algebra.KeepsValue(k) {
			x = k.X
		}
		r, isVar := x.(*core.VarRef)
		c, isConst := b.Y.(*core.Const)
		if isVar && isConst && r.Var == v {
			return c.Val
		}
	}
	return nil
}
