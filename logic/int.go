package logic

import (
	"math/big"
	"sort"
)

// This file builds integer terms with their intervals: linear sums, division by constants,
// uninterpreted applications and case distinctions.

var one = big.NewInt(1)

// Int returns the integer constant v.
func (t *Table) Int(v int64) *Term { return t.Big(big.NewInt(v)) }

// Big returns the integer constant v, which is neither changed nor kept.
func (t *Table) Big(v *big.Int) *Term {
	c := new(big.Int).Set(v)
	return t.intern(&Term{Op: OpSum, Val: c, Lo: c, Hi: c})
}

// Sym returns the integer unknown of that name, known to be in [lo, hi]; nil bounds are unbounded.
// Symbols of one name and different ranges are different.
func (t *Table) Sym(name string, lo, hi *big.Int) *Term {
	return t.intern(&Term{Op: OpSym, Name: name, Lo: lo, Hi: hi})
}

// App returns the uninterpreted function name applied to args. Its values are known to be in [lo,
// hi]; nil bounds are unbounded. A function should have one range: of equal applications with
// different ranges, a proof may use either.
func (t *Table) App(name string, lo, hi *big.Int, args ...*Term) *Term {
	return t.intern(&Term{Op: OpApp, Name: name, Args: args, Lo: lo, Hi: hi})
}

// Add returns the sum of the terms.
func (t *Table) Add(terms ...*Term) *Term {
	s := newSum()
	for _, x := range terms {
		s.add(one, x)
	}
	return s.term(t)
}

// Sub returns a - b.
func (t *Table) Sub(a, b *Term) *Term {
	s := newSum()
	s.add(one, a)
	s.add(big.NewInt(-1), b)
	return s.term(t)
}

// Scale returns k * a.
func (t *Table) Scale(k *big.Int, a *Term) *Term {
	s := newSum()
	s.add(k, a)
	return s.term(t)
}

// sum is a linear combination under construction.
type sum struct {
	val  *big.Int
	coef map[*Term]*big.Int
}

// newSum returns 0.
func newSum() *sum { return &sum{val: new(big.Int), coef: map[*Term]*big.Int{}} }

// add adds k*x.
func (s *sum) add(k *big.Int, x *Term) {
	if x.Op != OpSum {
		s.addAtom(k, x)
		return
	}
	s.val.Add(s.val, new(big.Int).Mul(k, x.Val))
	for i, a := range x.Args {
		s.addAtom(new(big.Int).Mul(k, x.Coef[i]), a)
	}
}

// addAtom adds k*a for a term a that is no sum. All additions end here, so it is the place where
// quotients of aligned addresses become sums again.
func (s *sum) addAtom(k *big.Int, a *Term) {
	if a.Op == OpDiv && a.Val.IsInt64() && a.Val.Int64() <= mayBeAligned && divides(a.Val, k) {
		// 4 * floor(x / 4) is x - x mod 4, where alignment tells x mod 4.
		if r, known := residue(a.Args[0], a.Val); known {
			n := new(big.Int).Quo(k, a.Val)
			s.add(n, a.Args[0])
			s.val.Sub(s.val, n.Mul(n, r))
			return
		}
	}
	// Add to the coefficient; an atom whose coefficient becomes 0 disappears.
	c := s.coef[a]
	if c == nil {
		c = new(big.Int)
		s.coef[a] = c
	}
	c.Add(c, k)
	if c.Sign() == 0 {
		delete(s.coef, a)
	}
}

// term returns the normal form: atoms in order; 1*a alone is a. The sum must not be used
// afterwards: the term keeps its numbers.
func (s *sum) term(t *Table) *Term {
	n := &Term{Op: OpSum, Val: s.val}
	for a := range s.coef {
		n.Args = append(n.Args, a)
	}
	sort.Slice(n.Args, func(i, j int) bool { return less(n.Args[i], n.Args[j]) })
	for _, a := range n.Args {
		n.Coef = append(n.Coef, s.coef[a])
	}
	if len(n.Args) == 1 && s.val.Sign() == 0 && n.Coef[0].Cmp(one) == 0 {
		return n.Args[0]
	}
	n.Lo, n.Hi = n.sumRange()
	return t.intern(n)
}

// sumRange returns the interval of a sum, by interval arithmetic; a bound is nil if that of a
// summand is. The bounds are exact only if the summands vary independently.
func (n *Term) sumRange() (lo, hi *big.Int) {
	lo, hi = new(big.Int).Set(n.Val), new(big.Int).Set(n.Val)
	accumulate := func(bound *big.Int, k, v *big.Int) *big.Int {
		if bound == nil || v == nil {
			return nil
		}
		return bound.Add(bound, new(big.Int).Mul(k, v))
	}
	// A negative factor exchanges the bounds of its atom.
	for i, a := range n.Args {
		k := n.Coef[i]
		if k.Sign() > 0 {
			lo, hi = accumulate(lo, k, a.Lo), accumulate(hi, k, a.Hi)
		} else {
			lo, hi = accumulate(lo, k, a.Hi), accumulate(hi, k, a.Lo)
		}
	}
	return lo, hi
}

// within reports whether every value of a is in [lo, hi].
func within(a *Term, lo, hi *big.Int) bool {
	return a.Lo != nil && a.Hi != nil && a.Lo.Cmp(lo) >= 0 && a.Hi.Cmp(hi) <= 0
}

// Div returns floor(a / k) for a constant k > 0.
func (t *Table) Div(a *Term, k *big.Int) *Term {
	switch {
	case k.Sign() <= 0:
		panic("logic: Div by a constant that is not positive")
	case k.Cmp(one) == 0:
		return a
	case a.IsConst():
		return t.Big(floorDiv(a.Val, k))
	// All values of a may have one quotient.
	case a.Lo != nil && a.Hi != nil && floorDiv(a.Lo, k).Cmp(floorDiv(a.Hi, k)) == 0:
		return t.Big(floorDiv(a.Lo, k))
	}
	if q := t.divSlices(a, k); q != nil {
		return q
	}
	n := &Term{Op: OpDiv, Args: []*Term{a}, Val: new(big.Int).Set(k)}
	if a.Lo != nil {
		n.Lo = floorDiv(a.Lo, k)
	}
	if a.Hi != nil {
		n.Hi = floorDiv(a.Hi, k)
	}
	return t.intern(n)
}

// Mod returns a mod k in [0, k) for a constant k > 0.
func (t *Table) Mod(a *Term, k *big.Int) *Term {
	switch {
	case k.Sign() <= 0:
		panic("logic: Mod by a constant that is not positive")
	case k.Cmp(one) == 0:
		return t.Int(0)
	case a.IsConst():
		return t.Big(new(big.Int).Mod(a.Val, k))
	}
	// All values of a may have one quotient.
	if a.Lo != nil && a.Hi != nil {
		if q := floorDiv(a.Lo, k); q.Cmp(floorDiv(a.Hi, k)) == 0 {
			return t.Sub(a, t.Big(q.Mul(q, k)))
		}
	}
	if r := t.modSlices(a, k); r != nil {
		return r
	}
	// The alignment of objects may tell the remainder.
	if k.IsInt64() && k.Int64() <= mayBeAligned {
		if r, known := residue(a, k); known {
			return t.Big(r)
		}
	}
	hi := new(big.Int).Sub(k, one)
	return t.intern(&Term{Op: OpMod, Args: []*Term{a}, Val: new(big.Int).Set(k), Lo: new(big.Int), Hi: hi})
}

// floorDiv returns floor(a / k) for k > 0.
func floorDiv(a, k *big.Int) *big.Int {
	q, _ := new(big.Int).DivMod(a, k, new(big.Int)) // Euclidean; floor since k > 0
	return q
}

// Ite returns "if c then a else b" over integers. A condition of C that is used as a number is
// Ite(c, 1, 0).
func (t *Table) Ite(c, a, b *Term) *Term {
	switch {
	case c == t.True || a == b:
		return a
	case c == t.False:
		return b
	// Conditions are not negated.
	case c.Op == OpNot:
		c, a, b = c.Args[0], b, a
	}
	// The interval is the hull of those of the branches, each under its condition.
	n := &Term{Op: OpIte, Args: []*Term{c, a, b}}
	aLo, aHi := t.given(c, a)
	bLo, bHi := t.given(t.Not(c), b)
	if aLo != nil && bLo != nil {
		n.Lo = minBig(aLo, bLo)
	}
	if aHi != nil && bHi != nil {
		n.Hi = maxBig(aHi, bHi)
	}
	return t.intern(n)
}

// given returns the interval of a where c holds. It uses a c of the form a + k <= 0 or k - a <= 0:
// that keeps the wrap of an unsigned type in its range.
func (t *Table) given(c, a *Term) (lo, hi *big.Int) {
	lo, hi = a.Lo, a.Hi
	if c.Op != OpLe {
		return lo, hi
	}
	s := c.Args[0]
	if d := t.Sub(a, s); d.IsConst() && (hi == nil || d.Val.Cmp(hi) < 0) {
		hi = d.Val // a = s + d <= d
	}
	if d := t.Add(a, s); d.IsConst() && (lo == nil || d.Val.Cmp(lo) > 0) {
		lo = d.Val // a = d - s >= d
	}
	return lo, hi
}

// minBig returns the lesser of a and b.
func minBig(a, b *big.Int) *big.Int {
	if a.Cmp(b) < 0 {
		return a
	}
	return b
}

// maxBig returns the greater of a and b.
func maxBig(a, b *big.Int) *big.Int {
	if a.Cmp(b) > 0 {
		return a
	}
	return b
}

// Wrap returns the value of a converted to an integer type with values [lo, hi] by wrapping modulo
// hi-lo+1. Where a is at most one range away, it is a case distinction, which Z3 handles better
// than mod: with x in [0, 255], (unsigned char)(x + 1) is ite(x <= 254, x + 1, x - 255).
func (t *Table) Wrap(a *Term, lo, hi *big.Int) *Term {
	if within(a, lo, hi) {
		return a
	}
	size := new(big.Int).Sub(hi, lo)
	size.Add(size, one)
	// One range above or below: subtract or add the size. Else use mod.
	up, down := new(big.Int).Add(hi, size), new(big.Int).Sub(lo, size)
	n := t.Big(size)
	switch {
	case within(a, lo, up):
		return t.Ite(t.Le(a, t.Big(hi)), a, t.Sub(a, n))
	case within(a, down, hi):
		return t.Ite(t.Le(t.Big(lo), a), a, t.Add(a, n))
	}
	return t.Add(t.Mod(t.Sub(a, t.Big(lo)), size), t.Big(lo))
}

// Quo returns a / b truncated towards zero, for a constant b other than 0: C's quotient. Div rounds
// downwards instead: -7 / 2 is -floor(7 / 2) = -3, and Div gives -4.
func (t *Table) Quo(a *Term, b *big.Int) *Term {
	k := new(big.Int).Abs(b)
	q := t.Ite(t.Le(t.Int(0), a), t.Div(a, k), t.Scale(big.NewInt(-1), t.Div(t.Scale(big.NewInt(-1), a), k)))
	if b.Sign() < 0 {
		return t.Scale(big.NewInt(-1), q)
	}
	return q
}

// Rem returns a - b*Quo(a, b), with the sign of a.
func (t *Table) Rem(a *Term, b *big.Int) *Term {
	k := new(big.Int).Abs(b)
	return t.Ite(t.Le(t.Int(0), a), t.Mod(a, k), t.Scale(big.NewInt(-1), t.Mod(t.Scale(big.NewInt(-1), a), k)))
}
