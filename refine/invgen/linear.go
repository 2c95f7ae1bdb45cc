package invgen

import (
	"math/big"
	"slices"

	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/refine/algebra"
	"c2bp/refine/cex"
)

// This file keeps refinement from unrolling loops: where a path goes round a loop several
// times, atoms come back with moving constants, i == 0, i == 1, i == 2, for ever. What
// holds each time at the head of the loop is more to the point: differences of variables
// that move in step, bounds with what a moving variable is compared with in the program,
// remainders. Such relations are guesses from one path, and like all predicates they can
// do no harm but cost.

// relations guesses what holds at a head, which calls has seen, too: of the movers, and of them and what they are
// compared with in the conditions.
func (fd *Finder) relations(t *logic.Table, l *loop, calls *fromCall, conds []cex.Condition, p *cex.Path) (out []core.Expr) {
	movers := l.inductionVars(t)
	balances := calls.relations()
	for _, b := range balances {
		out = append(out, b.expr)
	}
	for i, a := range movers {
		for _, b := range movers[:i] {
			if slices.ContainsFunc(balances, func(s callRelation) bool { return s.a == a.text() && s.b == b.text() }) {
				continue
			}
			if e := affineEquality(t, a, b); e != nil {
				out = append(out, e)
			} else {
				out = append(out, fewDifferences(t, a, b)...)
			}
		}
		if e := remainder(t, a); e != nil {
			out = append(out, e)
		}
	}
	out = append(out, l.keptComparisons(t, movers, conds, p)...)
	var here []cex.Condition
	for _, c := range conds {
		if p.Steps[c.Step].Frame == l.frame {
			here = append(here, c)
		}
	}
	out = append(out, boundsOnConstants(balances, here)...)
	for _, a := range movers {
		if !a.isCounter() {
			continue // the numbers of states are not larger or smaller
		}
		for _, c := range here {
			out = append(out, bounds(a, movers, c.Expr)...)
		}
		out = append(out, separatingBounds(a, movers, here)...)
	}
	out = append(out, fd.constantBounds(t, l, movers, here, conds)...)
	return append(out, fd.constantValues(l, movers, here)...)
}

// inStep is k·a == m·b + c if that has held at each visit; nil if not, or of two flags.
func affineEquality(t *logic.Table, a, b inductionVar) core.Expr {
	if a.typ != b.typ || a.distinct() < cex.LoopVisits && b.distinct() < cex.LoopVisits {
		return nil // a flag is related to everything
	}
	k, m := ratio(a.deltas, b.deltas)
	if k == nil {
		return nil
	}
	diff := t.Sub(t.Scale(k, a.values[0]), t.Scale(m, b.values[0]))
	if !diff.IsConst() {
		return nil
	}
	s := algebra.Sum{Constant: new(big.Int).Neg(diff.Val), Exact: true}
	s.AddAtom(k, a.loc)
	s.AddAtom(new(big.Int).Neg(m), b.loc)
	left, right, ok := s.Sides(a.typ)
	if !ok {
		return nil
	}
	return &core.Binary{Op: core.Eq, X: left, Y: right}
}

// kept is the comparisons of two movers in the conditions that are true at each visit if
// they are at the first, because the two move in step.
func (l *loop) keptComparisons(t *logic.Table, movers []inductionVar, conds []cex.Condition, p *cex.Path) (out []core.Expr) {
	valuesOf := map[string][]*logic.Term{}
	for _, a := range movers {
		valuesOf[algebra.PlaceName(a.loc)] = a.values
	}
	for _, c := range conds {
		if p.Steps[c.Step].Frame != l.frame {
			continue
		}
		for _, atom := range algebra.Atoms(c.Expr) {
			b, ok := atom.(*core.Binary)
			if !ok || !b.Op.IsComparison() {
				continue
			}
			xs, ys := valuesOf[heldName(b.X)], valuesOf[heldName(b.Y)]
			if xs == nil || ys == nil {
				continue
			}
			same := true
			for i := range xs {
				same = same && t.Sub(xs[i], ys[i]) == t.Sub(xs[0], ys[0])
			}
			if same {
				out = append(out, atom)
			}
		}
	}
	return out
}

// heldName is the name of the place e, also behind a conversion that keeps all values; empty
// if e is none.
func heldName(e core.Expr) string {
	if k, ok := e.(*core.Conv); ok && algebra.KeepsValue(k) {
		e = k.X
	}
	if l, ok := e.(core.Loc); ok {
		return algebra.PlaceName(l)
	}
	return ""
}

// mostDifferences bounds what differences returns.
const mostFewDifferences = 3

// differences is a == b + c for the few c that have held at the visits: a number that
// counts what another one does, but for some that come and go for other reasons.
func fewDifferences(t *logic.Table, a, b inductionVar) (out []core.Expr) {
	if a.typ != b.typ || a.distinct() < cex.LoopVisits || b.distinct() < cex.LoopVisits {
		return nil // a flag is related to everything
	}
	apart := map[string]bool{}
	for i := range a.values {
		d := t.Sub(a.values[i], b.values[i])
		if !d.IsConst() {
			return nil
		}
		if apart[d.Val.String()] {
			continue
		}
		apart[d.Val.String()] = true
		s := algebra.Sum{Constant: new(big.Int).Neg(d.Val), Exact: true}
		s.AddAtom(big.NewInt(1), a.loc)
		s.AddAtom(big.NewInt(-1), b.loc)
		left, right, ok := s.Sides(a.typ)
		if !ok {
			return nil
		}
		out = append(out, &core.Binary{Op: core.Eq, X: left, Y: right})
	}
	if len(out) > mostFewDifferences {
		return nil
	}
	return out
}

// ratio returns small k, m > 0 or m < 0 with k·x == m·y for the deltas x and y of each
// round; nil if there are none.
func ratio(xs, ys []*big.Int) (k, m *big.Int) {
	for i, x := range xs {
		if x.Sign() == 0 != (ys[i].Sign() == 0) {
			return nil, nil
		}
		if x.Sign() == 0 {
			continue
		}
		g := new(big.Int).GCD(nil, nil, new(big.Int).Abs(x), new(big.Int).Abs(ys[i]))
		a, b := new(big.Int).Quo(ys[i], g), new(big.Int).Quo(x, g)
		if a.Sign() < 0 {
			a.Neg(a)
			b.Neg(b)
		}
		if k != nil && (k.Cmp(a) != 0 || m.Cmp(b) != 0) {
			return nil, nil
		}
		k, m = a, b
	}
	return k, m
}

// remainder is a % d == r for the common divisor d > 1 of its steps; nil if it is 1.
func remainder(t *logic.Table, a inductionVar) core.Expr {
	d := new(big.Int)
	for _, x := range a.deltas {
		d.GCD(nil, nil, d, new(big.Int).Abs(x))
	}
	typ := a.typ
	if d.Cmp(big.NewInt(1)) <= 0 || !typ.Contains(d) {
		return nil
	}
	r := t.Mod(a.values[0], d)
	if !r.IsConst() {
		return nil
	}
	number := func(v *big.Int) core.Expr { return &core.Const{Val: v, Typ: typ} }
	return &core.Binary{Op: core.Eq, X: &core.Binary{Op: core.Rem, X: a.loc, Y: number(d)}, Y: number(r.Val)}
}
