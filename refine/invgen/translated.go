package invgen

import (
	"math/big"

	"c2bp/frontend/core"
	"c2bp/refine/algebra"
	"c2bp/refine/cex"
)

// This file carries bounds through loops: a bound that a number had when the loop began is a bound of
// the number less the amount that the loop has added so far, as a counter tells.
//
//	if (used + 4 <= size && n < 4)
//		for (i = 0; i < n; i++)
//			used++;                    used + 4 <= size + i

// mostTranslated bounds the translated bounds of a loop.
const mostTranslated = 6

// translatedBounds returns the bounds among the predicates found so far of induction variables of l,
// each translated by a counter that has changed by the same amount since the loop began.
func (fd *Finder) translatedBounds(l *fromCall) (out []core.Expr) {
	if l == nil {
		return nil
	}
	for _, n := range l.vars {
		for _, counter := range l.vars {
			if !movesAlong(n, counter) {
				continue
			}
			// The known predicates that can be said at the head, and bound n.
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

// movesAlong reports whether counter, which begins with a constant, changes by the same as n, which
// begins with anything.
func movesAlong(n, counter inductionVar) bool {
	k, m := ratio(n.deltas, counter.deltas)
	return k != nil && k.Cmp(m) == 0 && n.typ == counter.typ && counter.values[0].IsConst() && !n.values[0].IsConst() && counter.distinct() >= cex.LoopVisits
}

// translateBound returns e with n - (counter - its first value) in the place of n; nil if e is no bound
// of n, or reads another induction variable.
func translateBound(e core.Expr, n, counter inductionVar, vars []inductionVar) core.Expr {
	b, ok := e.(*core.Binary)
	if !ok || !b.Op.IsComparison() || b.Op == core.Eq || b.Op == core.Ne || b.X.Type() != core.Type(n.typ) {
		return nil
	}
	// The bound as a sum: left side less right side.
	s := &algebra.Sum{Constant: new(big.Int), Exact: true}
	s.Add(big.NewInt(1), b.X)
	s.Add(big.NewInt(-1), b.Y)
	found := false
	// Subtract the counter, with the factor of n, and add its first value.
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
		for _, m := range vars {
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
