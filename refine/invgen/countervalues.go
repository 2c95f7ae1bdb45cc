package invgen

import (
	"math/big"

	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/refine/algebra"
	"c2bp/refine/cex"
)

// This file finds the values of variables that count to a constant.

// mostUnrolled bounds the rounds of loops that are unrolled.
const mostUnrolled = 70

// CounterValues adds the values of counters of the loops that a path goes round several times.
func (fd *Finder) CounterValues(p *cex.Path, r *cex.Core) {
	heads := loops(p, r.From, r.To)
	if len(heads) == 0 {
		return
	}
	x := fd.observe(p, heads, r.To)
	for _, h := range heads {
		for _, e := range counterValues(x.Table, h, x.Conds, p) {
			fd.Known.Add(h.frame.Proc, e)
		}
	}
}

// counterValues returns a == s, a == s + d, … for each variable a that counts from a constant s in steps
// of d to a constant that it is compared with. Where it matters how often a loop is taken, nothing less
// says so, and one value after the other would take as many refinements.
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
			// 1. To which constant, in the direction of counting?
			end := comparedWith(v, c.Expr)
			if p.Steps[c.Step].Frame != l.frame || end == nil || new(big.Int).Sub(end, a.values[0].Val).Sign() != d {
				continue
			}
			// 2. In how many rounds?
			step := a.step()
			rounds := new(big.Int).Quo(new(big.Int).Sub(end, a.values[0].Val), step)
			if !rounds.IsInt64() || rounds.Int64() > mostUnrolled {
				continue
			}
			// 3. A predicate for each value, and one beyond the end.
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

// comparedWith returns the constant that condition e compares v with, nil if there is none.
func comparedWith(v *core.Var, e core.Expr) *big.Int {
	for _, atom := range algebra.Atoms(e) {
		simple, known := algebra.Simplify(atom, false)
		b, ok := simple.(*core.Binary)
		if known || !ok || !b.Op.IsComparison() {
			continue
		}
		// The variable may be widened for the comparison, that of an int with a size_t too: a counter that counts up
		// from 0 is not negative.
		x := b.X
		if k, ok := x.(*core.Conv); ok && (algebra.KeepsValue(k) || isWidening(k)) {
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

// isWidening reports whether k converts an integer to one of at least as many bits.
func isWidening(k *core.Conv) bool {
	from, ok := k.X.Type().(core.Int)
	return ok && !k.To.Bool && k.To.Bits >= from.Bits
}
