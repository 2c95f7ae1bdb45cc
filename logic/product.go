package logic

import "math/big"

// This file states facts about products of two terms, neither of which is constant.
//
// A product is an uninterpreted function: linear arithmetic knows nothing of it but these facts. Most
// questions of C about a product ask for no more than its range: whether it overflows, in the type that
// it was computed in, if its factors come from a narrower one.

// productAxioms returns facts about f, which is a * b, beside its range.
func (t *Table) productAxioms(f, a, b *Term) []*Term {
	zero, unit := t.Int(0), t.Int(1)
	isZero := func(x *Term) *Term { return t.Eq(x, zero) }
	minus := func(x *Term) *Term { return t.Sub(zero, x) }
	atLeast := func(x, least *Term) *Term { return t.Le(least, x) }
	facts := []*Term{
		// 1. It is 0 if and only if a factor is, and 1 is neutral.
		t.Implies(t.Or(isZero(a), isZero(b)), isZero(f)),
		t.Implies(isZero(f), t.Or(isZero(a), isZero(b))),
		t.Implies(t.Eq(a, unit), t.Eq(f, b)),
		t.Implies(t.Eq(b, unit), t.Eq(f, a)),
	}
	// 2. Its sign, and that it is as large as each factor, in absolute value, if the other is not 0.
	for _, s := range [][2]*Term{{a, b}, {minus(a), b}, {a, minus(b)}, {minus(a), minus(b)}} {
		x, y, p := s[0], s[1], f
		if (x == a) != (y == b) {
			p = minus(f)
		}
		facts = append(facts,
			t.Implies(t.And(atLeast(x, zero), atLeast(y, zero)), atLeast(p, zero)),
			t.Implies(t.And(atLeast(x, unit), atLeast(y, unit)), t.And(atLeast(p, x), atLeast(p, y))))
	}
	// 3. The bounds of a factor, times the other factor: linear in that one, whose own bounds may be those of a
	// condition.
	for _, s := range [][2]*Term{{a, b}, {b, a}} {
		x, y := s[0], s[1]
		positive, negative := atLeast(y, zero), atLeast(zero, y)
		if x.Lo != nil {
			facts = append(facts, t.Implies(positive, atLeast(f, t.Scale(x.Lo, y))), t.Implies(negative, atLeast(t.Scale(x.Lo, y), f)))
		}
		if x.Hi != nil {
			facts = append(facts, t.Implies(positive, atLeast(t.Scale(x.Hi, y), f)), t.Implies(negative, atLeast(f, t.Scale(x.Hi, y))))
		}
	}
	return facts
}

// productRange returns the interval of a * b: the extreme values are products of extreme values. Both
// bounds are nil if a factor is not bounded on both sides.
func productRange(a, b *Term) (lo, hi *big.Int) {
	if a.Lo == nil || a.Hi == nil || b.Lo == nil || b.Hi == nil {
		return nil, nil
	}
	for _, x := range []*big.Int{a.Lo, a.Hi} {
		for _, y := range []*big.Int{b.Lo, b.Hi} {
			p := new(big.Int).Mul(x, y)
			if lo == nil || p.Cmp(lo) < 0 {
				lo = p
			}
			if hi == nil || p.Cmp(hi) > 0 {
				hi = p
			}
		}
	}
	// A square is not negative.
	if a == b && lo.Sign() < 0 {
		lo = new(big.Int)
	}
	return lo, hi
}
