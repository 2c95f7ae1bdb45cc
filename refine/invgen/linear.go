package invgen

import (
	"math/big"

	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/refine/algebra"
	"c2bp/refine/cex"
)

// This file relates induction variables of a loop to each other: linear equations that held at each
// visit of its head, and remainders. Where atoms come back as i == 0, i == 1, i == 2, without end, these
// are more to the point. They are candidates from one path; like all predicates they do no harm but
// cost.

// affineEquality returns k·a == m·b + c if that held at each visit; nil if not, or if both are flags.
//
//	a = 0, 2, 4    b = 1, 2, 3         a + 2 == 2 * b
func affineEquality(t *logic.Table, a, b inductionVar) core.Expr {
	if a.typ != b.typ || a.distinct() < cex.LoopVisits && b.distinct() < cex.LoopVisits {
		return nil // a flag is related to everything
	}
	// 1. The changes determine the factors, the first values the constant.
	k, m := ratio(a.deltas, b.deltas)
	if k == nil {
		return nil
	}
	diff := t.Sub(t.Scale(k, a.values[0]), t.Scale(m, b.values[0]))
	if !diff.IsConst() {
		return nil
	}
	// 2. k·a - m·b - constant == 0.
	s := algebra.Sum{Constant: new(big.Int).Neg(diff.Val), Exact: true}
	s.AddAtom(k, a.loc)
	s.AddAtom(new(big.Int).Neg(m), b.loc)
	left, right, ok := s.Sides(a.typ)
	if !ok {
		return nil
	}
	return &core.Binary{Op: core.Eq, X: left, Y: right}
}

// keptComparisons returns the comparisons of two induction variables in the conditions of the loop's
// activation whose difference is the same at each visit: such a comparison is true at all visits if it
// is at the first.
//
//	while (...) { tail++; head++; assert(tail < head); }        tail < head
func (l *loop) keptComparisons(t *logic.Table, vars []inductionVar, conds []cex.Condition, p *cex.Path) (out []core.Expr) {
	// 1. The induction variables by name, as conditions may spell them in another way.
	valuesOf := map[string][]*logic.Term{}
	for _, a := range vars {
		valuesOf[algebra.PlaceName(a.loc)] = a.values
	}
	for _, c := range conds {
		if p.Steps[c.Step].Frame != l.frame {
			continue
		}
		for _, atom := range algebra.Atoms(c.Expr) {
			// 2. The comparisons of two of them.
			b, ok := atom.(*core.Binary)
			if !ok || !b.Op.IsComparison() {
				continue
			}
			xs, ys := valuesOf[heldName(b.X)], valuesOf[heldName(b.Y)]
			if xs == nil || ys == nil {
				continue
			}
			// 3. Is their difference the same at each visit?
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

// heldName returns the name of the place e, also within a conversion that keeps all values; "" if e is
// none.
func heldName(e core.Expr) string {
	if k, ok := e.(*core.Conv); ok && algebra.KeepsValue(k) {
		e = k.X
	}
	if l, ok := e.(core.Loc); ok {
		return algebra.PlaceName(l)
	}
	return ""
}

// mostFewDifferences bounds the equations of fewDifferences.
const mostFewDifferences = 3

// fewDifferences returns a == b + c for the few c that held at some visit: of a number that counts
// along with another one, but for some that come and go for other reasons. It returns nil if there are
// more than mostFewDifferences.
//
//	sent = 0, 1, 2, 2   acked = 0, 0, 1, 2        sent == acked, sent == acked + 1
func fewDifferences(t *logic.Table, a, b inductionVar) (out []core.Expr) {
	if a.typ != b.typ || a.distinct() < cex.LoopVisits || b.distinct() < cex.LoopVisits {
		return nil // a flag is related to everything
	}
	// The differences at the visits, each once.
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

// ratio returns coprime k > 0 and m with k·x == m·y for the changes x and y of each round; nil if there
// are none. For x = 2, 0, 4 and y = 3, 0, 6 they are 3 and 2.
func ratio(xs, ys []*big.Int) (k, m *big.Int) {
	for i, x := range xs {
		// Both change in a round, or neither.
		if x.Sign() == 0 != (ys[i].Sign() == 0) {
			return nil, nil
		}
		if x.Sign() == 0 {
			continue
		}
		// The ratio of the changes in lowest terms must be the same in all rounds.
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

// remainder returns a % d == r for the common divisor d > 1 of the changes of a; nil if that is 1 or the
// remainder is not known. For a = 1, 3, 7 that is a % 2 == 1.
func remainder(t *logic.Table, a inductionVar) core.Expr {
	// 1. The common divisor of all changes.
	d := new(big.Int)
	for _, x := range a.deltas {
		d.GCD(nil, nil, d, new(big.Int).Abs(x))
	}
	typ := a.typ
	if d.Cmp(big.NewInt(1)) <= 0 || !typ.Contains(d) {
		return nil
	}
	// 2. The remainder at the first visit, if it is known.
	r := t.Mod(a.values[0], d)
	if !r.IsConst() {
		return nil
	}
	number := func(v *big.Int) core.Expr { return &core.Const{Val: v, Typ: typ} }
	return &core.Binary{Op: core.Eq, X: &core.Binary{Op: core.Rem, X: a.loc, Y: number(d)}, Y: number(r.Val)}
}
