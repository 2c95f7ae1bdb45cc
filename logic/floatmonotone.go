package logic

import (
	"math/big"

	"c2bp/ieee"
)

// This file finds the monotone functions of one number among floating-point applications, and marks
// the places at which facts about them are stated.

// monotone is an application as a function of one number that is monotone between two places.
type monotone struct {
	app, arg  *Term                   // the application, and its operand that varies
	from, to  line                    // lines of the operand and of the result
	lo, hi    int64                   // places of arg between which it is monotone
	decreases bool                    // otherwise it increases; neither strictly
	at        func(place int64) int64 // place of the result
}

// monotoneParts returns the monotone parts of f as a function of one operand, the other one, if
// there is one, a constant; none if f is not such a function. The parts of a square are one below
// zero, which decreases, and one above.
func monotoneParts(f *Term, op ieee.Op, width int) []monotone {
	// 1. Functions of one operand.
	l := line(width)
	m := monotone{app: f, arg: f.Args[0], from: l, to: l, lo: -infinite(width), hi: infinite(width)}
	// apply returns the function from the key of the operand to the key of the result.
	apply := func(args func(x uint64) (uint64, uint64)) func(int64) int64 {
		return func(k int64) int64 {
			x, y := args(bitsOf(k, width))
			return keyOf(ieee.Apply(op, width, x, y), width)
		}
	}
	// Floor, the others like it and the root have no second operand; Apply ignores it.
	m.at = apply(func(x uint64) (uint64, uint64) { return x, 0 })
	switch op {
	case ieee.Floor, ieee.Ceil, ieee.Trunc, ieee.Round, ieee.Rint:
		return []monotone{m}
	case ieee.Sqrt:
		m.lo = 0
		return []monotone{m}
	case ieee.Resize:
		m.to = 96 - l
		m.at = func(k int64) int64 { return keyOf(ieee.Resized(bitsOf(k, width), width, 96-width), 96-width) }
		return []monotone{m}
	case ieee.FromInt:
		return fromIntPart(m, width)
	case ieee.ToInt:
		m, _, _ = toIntPart(m, width)
		return []monotone{m}
	case ieee.Add, ieee.Sub, ieee.Mul, ieee.Div:
	default:
		return nil
	}
	// 2. A quotient of a constant, and a square, are monotone on either side of zero.
	if k, ok := finitePlace(f.Args[0], l); ok && op == ieee.Div && k != 0 {
		return quotientParts(m, f, k, width)
	}
	x, y := f.Args[0], f.Args[1]
	if x == y && op == ieee.Mul {
		m.at = apply(func(x uint64) (uint64, uint64) { return x, x })
		below := m
		m.lo, below.hi, below.decreases = 0, 0, true
		return []monotone{m, below}
	}
	// 3. Arithmetic with a constant, which is the first or the second operand.
	// c is the constant; first says that the operand that varies comes first.
	c, other, first := y, x, true
	if x.IsConst() {
		c, other, first = x, y, false
	}
	k, ok := finitePlace(c, l)
	// A quotient by a constant is monotone only as x / c. A product with 0 is 0 or a NaN, and
	// c / x was treated above. Nothing is said here where both operands vary.
	if !ok || op == ieee.Div && !first || k == 0 && (op == ieee.Mul || op == ieee.Div) {
		return nil
	}
	// x - c grows in x, c - x falls; a product or quotient falls if the constant is negative.
	bits := c.Val.Uint64()
	m.arg = other
	m.decreases = op == ieee.Sub && !first || (op == ieee.Mul || op == ieee.Div) && k < 0
	if m.at = apply(func(x uint64) (uint64, uint64) { return x, bits }); !first {
		m.at = apply(func(x uint64) (uint64, uint64) { return bits, x })
	}
	return []monotone{m}
}

// quotientParts returns the parts of the quotient of the constant at k by a number: on either side
// of zero it is monotone.
func quotientParts(m monotone, f *Term, k int64, width int) []monotone {
	bits := f.Args[0].Val.Uint64()
	m.arg = f.Args[1]
	m.at = func(k int64) int64 { return keyOf(ieee.Apply(ieee.Div, width, bits, bitsOf(k, width)), width) }
	m.decreases = k > 0
	below := m
	m.lo, below.hi = 1, -1
	return []monotone{m, below}
}

// quotientByZero states the quotient of a constant by zero.
func (s *floatFacts) quotientByZero(f *Term, width int) {
	k, ok := finitePlace(f.Args[0], line(width))
	if !ok || k == 0 {
		return
	}
	for _, zero := range []uint64{0, 1 << (width - 1)} {
		v := ieee.Apply(ieee.Div, width, f.Args[0].Val.Uint64(), zero)
		s.add(s.Implies(s.Eq(f.Args[1], s.Big(new(big.Int).SetUint64(zero))), s.Eq(f, s.Big(new(big.Int).SetUint64(v)))))
	}
}

// fromIntPart returns the conversion of an integer, restricted to integers of 62 bits, so that
// marks and their neighbours fit in an int64; nothing if the range of the integer is unknown or has
// no such value.
func fromIntPart(m monotone, width int) []monotone {
	end := power(62)
	if m.arg.Lo == nil || m.arg.Hi == nil || m.arg.Lo.Cmp(end) > 0 || m.arg.Hi.Cmp(new(big.Int).Neg(end)) < 0 {
		return nil
	}
	// Restrict it to the range of the integer.
	m.from = integers
	m.lo, m.hi = -end.Int64(), end.Int64()
	if m.arg.Lo.CmpAbs(end) < 0 {
		m.lo = m.arg.Lo.Int64()
	}
	if m.arg.Hi.CmpAbs(end) < 0 {
		m.hi = m.arg.Hi.Int64()
	}
	m.at = func(k int64) int64 { return keyOf(ieee.FromInteger(k, true, width), width) }
	return []monotone{m}
}

// toIntPart returns the conversion of a number to an integer, restricted to numbers whose whole
// part the type holds and that fit in 62 bits; and the bounds of the numbers whose whole part the
// type holds.
func toIntPart(m monotone, width int) (part monotone, lo, hi int64) {
	// compare compares the whole part of the number at k with bound; infinities are beyond all
	// bounds.
	compare := func(k int64, bound *big.Int) int {
		whole, ok := ieee.Whole(bitsOf(k, width), width)
		switch {
		case !ok && k > 0:
			return 1
		case !ok:
			return -1
		}
		return whole.Cmp(bound)
	}
	least, greatest := m.app.FloatRange()
	// within finds the places whose whole part is in an interval, by binary search.
	within := func(least, greatest *big.Int) (lo, hi int64) {
		hi = last(m.lo, m.hi, func(k int64) bool { return compare(k, greatest) <= 0 })
		return last(m.lo, hi, func(k int64) bool { return compare(k, least) < 0 }) + 1, hi
	}
	lo, hi = within(least, greatest)
	end := power(62)
	m.to = integers
	m.at = func(k int64) int64 {
		whole, _ := ieee.Whole(bitsOf(k, width), width)
		return whole.Int64()
	}
	m.lo, m.hi = within(maxBig(least, new(big.Int).Neg(end)), minBig(greatest, end))
	return m, lo, hi
}

// last returns the greatest k of [lo, hi] with holds(k), which holds up to some k and not beyond;
// lo-1 if there is none. It is a binary search. The interval may be longer than an int64 tells, so
// the middle is computed without signs.
func last(lo, hi int64, holds func(int64) bool) int64 {
	lo--
	for lo < hi {
		middle := lo + int64((uint64(hi)-uint64(lo)+1)/2)
		if holds(middle) {
			lo = middle
		} else {
			hi = middle - 1
		}
	}
	return lo
}

// spread marks the results of functions at the marks of their operands, and the operands that yield
// marked results.
func (s *floatFacts) spread() {
	// Two rounds reach functions of functions: backwards from results, outer ones first, then
	// forwards.
	for range 2 {
		for i := len(s.functions) - 1; i >= 0; i-- {
			s.backward(s.functions[i])
		}
		for _, m := range s.functions {
			for _, k := range s.marks[mark{m.arg, m.from}] {
				if m.lo <= k && k <= m.hi {
					s.mark(m.app, m.to, m.at(k))
				}
			}
		}
		for _, f := range s.pairs {
			s.forwardPair(f)
		}
	}
}

// backward marks the operands at which m passes the marks of its result.
func (s *floatFacts) backward(m monotone) {
	for _, k := range s.marks[mark{m.app, m.to}] {
		// Find the last operand whose result is not beyond the mark, by binary search; the function
		// changes side after it.
		at := last(m.lo, m.hi, func(x int64) bool {
			if m.decreases {
				return m.at(x) >= k
			}
			return m.at(x) <= k
		})
		if at >= m.lo {
			s.mark(m.arg, m.from, at)
		}
		if at < m.hi {
			s.mark(m.arg, m.from, at+1)
		}
	}
}

// state states that m is monotone, at the marks of its operand and at the ends of the part.
func (s *floatFacts) state(m monotone) {
	key := partKey{m.app, m.lo}
	// The facts of a part are kept in the table: queries that follow each other need the same ones.
	p := s.Table.parts[key]
	if p == nil {
		p = &part{x: s.place(m.arg, m.from), r: s.place(m.app, m.to), at: map[int64][2]*Term{}}
		p.inside = s.And(s.onLine(m.arg, m.from), s.Le(s.Int(m.lo), p.x), s.Le(p.x, s.Int(m.hi)))
		p.defined = s.Implies(p.inside, s.onLine(m.app, m.to))
		if s.Table.parts == nil {
			s.Table.parts = map[partKey]*part{}
		}
		s.Table.parts[key] = p
	}
	// Between the ends of the part the result is a number, not a NaN.
	s.add(p.defined)
	for _, k := range append([]int64{m.lo, m.hi}, s.marks[mark{m.arg, m.from}]...) {
		if k < m.lo || k > m.hi {
			continue
		}
		facts, known := p.at[k]
		if !known {
			facts = s.around(m, p, k)
			p.at[k] = facts
		}
		s.add(facts[0])
		s.add(facts[1])
	}
}

// partKey identifies a monotone part of an application by its begin.
type partKey struct {
	app *Term
	lo  int64
}

// part holds the facts about a monotone function. Successive queries are about the same
// applications, at the same places.
type part struct {
	x, r    *Term              // places of the operand and of the result
	inside  *Term              // the operand is in this part
	defined *Term              // the result is a number if the operand is in this part
	at      map[int64][2]*Term // by place of the operand: facts before and after it
}

// around states how the results before and after k compare with that at k.
func (s *floatFacts) around(m monotone, p *part, k int64) [2]*Term {
	v := s.Int(m.at(k))
	before, after := s.Le(p.r, v), s.Le(v, p.r)
	if m.decreases {
		before, after = after, before
	}
	return [2]*Term{s.Implies(s.And(p.inside, s.Le(p.x, s.Int(k))), before), s.Implies(s.And(p.inside, s.Le(s.Int(k), p.x)), after)}
}

// maxPairs bounds the marks of each operand at which facts about a sum or product are stated.
const maxPairs = 6

// pairMarks returns the marks of the two operands of f.
func (s *floatFacts) pairMarks(f *Term, width int) (xs, ys []int64) {
	places := func(x *Term) []int64 {
		if k, ok := constantPlace(x, line(width)); ok {
			return []int64{k}
		}
		// A few of the marks: pairs are many.
		list := s.marks[mark{x, line(width)}]
		return list[:min(len(list), maxPairs)]
	}
	return places(f.Args[0]), places(f.Args[1])
}

// forwardPair marks the results of f at the marks of its operands.
func (s *floatFacts) forwardPair(f *Term) {
	op, width, _ := f.Float()
	xs, ys := s.pairMarks(f, width)
	for _, a := range xs {
		for _, b := range ys {
			// A NaN, as of an infinity minus itself, has no place.
			if v, ok := pairAt(op, width, a, b); ok {
				s.mark(f, line(width), v)
			}
		}
	}
}

// pairAt returns the place of the result of op on the numbers at a and b; ok is false if that is a
// NaN.
func pairAt(op ieee.Op, width int, a, b int64) (place int64, ok bool) {
	bits := ieee.Apply(op, width, bitsOf(a, width), bitsOf(b, width))
	return keyOf(bits, width), !ieee.IsNaN(bits, width)
}

// statePair states that f is monotone in both operands: a sum everywhere, a product where neither
// is negative.
func (s *floatFacts) statePair(f *Term) {
	op, width, _ := f.Float()
	l := line(width)
	xs, ys := s.pairMarks(f, width)
	x, y, r := s.key(f.Args[0], width), s.key(f.Args[1], width), s.key(f, width)
	number := s.onLine(f, l)
	for _, a := range xs {
		for _, b := range ys {
			// v is the result at (a, b): it bounds the results to the left and below from above,
			// and those to the right and above from below. A difference falls in its second
			// operand.
			v, ok := pairAt(op, width, a, b)
			if !ok || op == ieee.Mul && (a < 0 || b < 0) {
				continue
			}
			left, right := s.And(number, s.Le(x, s.Int(a))), s.And(number, s.Le(s.Int(a), x))
			below, above := s.Le(y, s.Int(b)), s.Le(s.Int(b), y)
			switch op {
			case ieee.Sub:
				below, above = above, below
			case ieee.Mul:
				left, below = s.And(left, s.Le(s.Int(0), x)), s.And(below, s.Le(s.Int(0), y))
			}
			s.add(s.Implies(s.And(left, below), s.Le(r, s.Int(v))))
			s.add(s.Implies(s.And(right, above), s.Le(s.Int(v), r)))
		}
	}
}
