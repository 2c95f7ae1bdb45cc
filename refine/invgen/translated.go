package invgen

import (
	"math/big"

	"c2bp/frontend/core"
	"c2bp/refine/algebra"
	"c2bp/refine/cex"
)

// This file carries bounds through loops: what was known of a number when the loop began is
// known of it less what the loop has added so far, which a counter tells.
//
//	if (used + 4 <= size && n < 4)
//		for (i = 0; i < n; i++)
//			used++;                    used + 4 <= size + i

// mostShifts bounds the relations of a loop.
const mostTranslated = 6

// shifted is the bounds among the predicates found so far on numbers that move at the head l,
// each less what a counter which moves in step has added since the loop began.
func (fd *Finder) translatedBounds(l *fromCall) (out []core.Expr) {
	if l == nil {
		return nil
	}
	for _, n := range l.vars {
		for _, counter := range l.vars {
			if !movesAlong(n, counter) {
				continue
			}
			for _, q := range fd.Known.List {
				if q.Proc != nil && q.Proc != l.frame.Proc || len(out) == mostTranslated {
					continue
				}
				if e := translateBound(q.Expr, n, counter, l.vars); e != nil {
					out = append(out, e)
				}
			}
		}
	}
	return out
}

// countsFor reports whether counter, which begins with a constant, moves by what n moves by,
// while n begins with anything.
func movesAlong(n, counter inductionVar) bool {
	k, m := ratio(n.deltas, counter.deltas)
	return k != nil && k.Cmp(m) == 0 && n.typ == counter.typ && counter.values[0].IsConst() && !n.values[0].IsConst() && counter.distinct() >= cex.LoopVisits
}

// shift is e with n - counter, and the number that the counter began with, in the place of n;
// nil if e is no bound on n, or speaks of other numbers that move.
func translateBound(e core.Expr, n, counter inductionVar, movers []inductionVar) core.Expr {
	b, ok := e.(*core.Binary)
	if !ok || !b.Op.IsComparison() || b.Op == core.Eq || b.Op == core.Ne || b.X.Type() != core.Type(n.typ) {
		return nil
	}
	s := &algebra.Sum{Constant: new(big.Int), Exact: true}
	s.Add(big.NewInt(1), b.X)
	s.Add(big.NewInt(-1), b.Y)
	found := false
	for i, atom := range s.Atoms {
		l, isPlace := atom.(core.Loc)
		if !isPlace {
			return nil
		}
		if algebra.PlaceName(l) == algebra.PlaceName(n.loc) {
			found = true
			s.AddAtom(new(big.Int).Neg(s.Factors[i]), counter.loc)
			s.Constant.Add(s.Constant, new(big.Int).Mul(s.Factors[i], counter.values[0].Val))
			continue
		}
		for _, m := range movers {
			if algebra.PlaceName(l) == algebra.PlaceName(m.loc) {
				return nil
			}
		}
	}
	if !found {
		return nil
	}
	left, right, ok := s.Sides(n.typ)
	if !ok {
		return nil
	}
	return &core.Binary{Op: b.Op, X: left, Y: right}
}
