package logic

import (
	"math/big"
	"slices"

	"c2bp/ieee"
)

// This file states facts about floating-point operations in linear arithmetic, which provers handle
// better, and faster, than floating point. The bits of a number that is not negative are ordered as
// the number is, those of a negative one the other way round, so that
//
//	key(x) = x              if x < 2^63, else 2^63 - x
//	x < y                   is  key(x) < key(y), unless one is a NaN
//	0.5 < x                 is  0x3fe0000000000000 < x <= 0x7ff0000000000000
//
// of doubles is exact, also of -0.0, whose key is 0; and so are the sign and the absolute value.
// Other operations are monotone in one operand where the other is a constant, and rounding keeps
// that:
//
//	x <= 1.0  implies  x + 0.1 <= 1.1          as 1.0 + 0.1 is 1.1, rounded
//	x + 0.1 <= 1.1  implies  x <= 1.0          as the number after 1.0 is mapped to more
//
// Such facts are stated at the constants that operands and results are compared with, and at those
// that the operations make of them. Proofs that need more are left to a prover that knows floating
// point. The line of keys is in floatkeys.go, monotone functions are in floatmonotone.go.

// FloatFacts lists facts about the floating-point applications in formulas; apps lists these, inner
// ones first. Each fact is true under the meaning of the functions, for all values. Places are the
// values of terms at which the operations or formulas change.
func (t *Table) FloatFacts(formulas, apps []*Term) (facts []*Term, places map[*Term][]*big.Int) {
	s := &floatFacts{Table: t, marks: map[mark][]int64{}, made: map[int][]*Term{}, seen: map[*Term]bool{}, keys: map[mark]*Term{}}
	// 1. Mark the constants that terms are compared with.
	for _, f := range formulas {
		s.collect(f)
	}
	// 2. State the definition of an exact operation. Of others state when the result is a number,
	// and collect them as monotone functions of one operand, or of two.
	for _, f := range apps {
		op, width, ok := f.Float()
		if !ok {
			continue
		}
		if e := t.exactFloat(f); e != nil {
			s.add(e)
			s.compared(f, op, line(width))
			continue
		}
		s.numbers(f, op, width)
		list := monotoneParts(f, op, width)
		s.functions = append(s.functions, list...)
		if len(list) == 0 && (op == ieee.Add || op == ieee.Sub || op == ieee.Mul) {
			s.pairs = append(s.pairs, f)
		}
	}
	// 3. Propagate the marks through the functions, and state monotonicity at the marks.
	s.spread()
	for _, m := range s.functions {
		s.state(m)
	}
	for _, f := range s.pairs {
		s.statePair(f)
	}
	// 4. Return the marks as values.
	places = map[*Term][]*big.Int{}
	for m, list := range s.marks {
		for _, k := range list {
			v := big.NewInt(k)
			if m.line != integers {
				v.SetUint64(bitsOf(k, int(m.line)))
			}
			places[m.term] = append(places[m.term], v)
		}
	}
	for _, list := range places {
		slices.SortFunc(list, (*big.Int).Cmp)
	}
	return s.facts, places
}

// mark identifies a term on a line.
type mark struct {
	term *Term
	line line
}

// floatFacts is one call of FloatFacts.
type floatFacts struct {
	*Table
	facts     []*Term
	marks     map[mark][]int64 // places that matter for a term
	seen      map[*Term]bool   // terms that collect has visited
	functions []monotone       // monotone parts of the applications, inner ones first
	made      map[int][]*Term  // numbers made of integers, by width
	keys      map[mark]*Term   // keys that were made
	pairs     []*Term          // applications to two operands that are not constant
}

// maxMarks bounds the marks of one term: each mark of an operand is worth two facts.
const maxMarks = 14

// add adds a fact.
func (s *floatFacts) add(f *Term) {
	if f != s.True {
		s.facts = append(s.facts, f)
	}
}

// mark adds places to the marks of x, without those it has already and those beyond maxMarks. A
// constant gets no marks.
func (s *floatFacts) mark(x *Term, l line, places ...int64) {
	if x.IsConst() {
		return
	}
	m := mark{x, l}
	for _, k := range places {
		if list := s.marks[m]; len(list) < maxMarks && !slices.Contains(list, k) {
			s.marks[m] = append(list, k)
		}
	}
}

// key is Table.key, made once for each term.
func (s *floatFacts) key(x *Term, width int) *Term {
	m := mark{x, line(width)}
	k := s.keys[m]
	if k == nil {
		k = s.Table.key(x, width)
		s.keys[m] = k
	}
	return k
}

// onLine is Table.onLine with the key made once.
func (s *floatFacts) onLine(x *Term, l line) *Term {
	if l == integers {
		return s.True
	}
	return s.number(s.key(x, int(l)), l)
}

// place returns the place of x on a line.
func (s *floatFacts) place(x *Term, l line) *Term {
	if l == integers {
		return x
	}
	return s.key(x, int(l))
}

// collect marks the constants that integers in f are compared with, and their neighbours: for
// n <= 10 the marks of n are 10, 9 and 11.
func (s *floatFacts) collect(f *Term) {
	if s.seen[f] {
		return
	}
	s.seen[f] = true
	if f.Op == OpLe || f.Op == OpEq {
		// The atom compares one term with a constant: mark the constant and its neighbours.
		sum := f.Args[0]
		if sum.Op == OpSum && len(sum.Args) == 1 && sum.Coef[0].CmpAbs(one) == 0 {
			v := new(big.Int).Neg(sum.Val)
			// The sum is v - x or x - v. Places from 2^62 on are left out: sums of
			// places must not overflow.
			if v.Mul(v, sum.Coef[0]); v.IsInt64() && v.CmpAbs(power(62)) < 0 {
				k := v.Int64()
				s.mark(sum.Args[0], integers, k, k-1, k+1)
			}
		} else if sum.Op != OpSum {
			s.mark(sum, integers, 0, 1, -1)
		}
	}
	for _, a := range f.Args {
		s.collect(a)
	}
}

// compared marks the constant that f compares a number with, and its neighbours.
func (s *floatFacts) compared(f *Term, op ieee.Op, l line) {
	if op != ieee.Eq && op != ieee.Lt && op != ieee.Le {
		return
	}
	for i, c := range f.Args {
		if k, ok := constantPlace(c, l); ok {
			s.mark(f.Args[1-i], l, k, k-1, k+1)
		}
	}
}

// constantPlace returns the place of the constant c on a line of floating-point numbers; ok is
// false if c is not the bits of a number.
func constantPlace(c *Term, l line) (place int64, ok bool) {
	if !c.IsConst() || c.Val.Sign() < 0 || c.Val.BitLen() > int(l) {
		return 0, false
	}
	k := keyOf(c.Val.Uint64(), int(l))
	return k, k <= infinite(int(l)) && k >= -infinite(int(l))
}

// finitePlace is constantPlace for numbers that are not infinite.
func finitePlace(c *Term, l line) (place int64, ok bool) {
	k, ok := constantPlace(c, l)
	return k, ok && k != infinite(int(l)) && k != -infinite(int(l))
}

// numbers states when the result of f is a number, and its simple bounds.
func (s *floatFacts) numbers(f *Term, op ieee.Op, width int) {
	if op == ieee.ToInt { // out of the range of the type the result is undefined, and 0
		// The result is 0 outside the numbers whose whole part the type holds.
		m := monotone{app: f, arg: f.Args[0], lo: -infinite(width), hi: infinite(width)}
		_, lo, hi := toIntPart(m, width)
		x := s.key(f.Args[0], width)
		s.add(s.Or(s.And(s.Le(s.Int(lo), x), s.Le(x, s.Int(hi))), s.Eq(f, s.Int(0))))
		s.mark(f.Args[0], line(width), 0)
		s.backAndForth(f, width)
		return
	}
	// Determine the lines of the operands and of the result.
	from, to := line(width), line(width)
	switch op {
	case ieee.FromInt:
		s.add(s.onLine(f, to))
		// Every integer becomes a number, an infinite one if it is large.
		s.ordered(f, width)
		return
	case ieee.Resize:
		to = 96 - to
	}
	// A result that is a number has operands that are numbers.
	number := s.onLine(f, to)
	for _, x := range f.Args {
		s.add(s.Implies(number, s.onLine(x, from)))
	}
	x, y := f.Args[0], f.Args[len(f.Args)-1]
	zero := s.Int(0)
	switch op {
	case ieee.Sqrt:
		// A root is between its operand and 1.
		k, r, one := s.key(x, width), s.key(f, width), s.Int(keyOf(ieee.FromBig(big.NewInt(1), width), width))
		s.add(s.Implies(number, s.Le(zero, k)))
		s.add(s.Implies(s.And(number, s.Le(one, k)), s.Le(r, k)))
		s.add(s.Implies(s.And(number, s.Le(k, one)), s.Le(k, r)))
	// Rounding downwards, upwards, towards zero.
	case ieee.Floor:
		s.add(s.Implies(number, s.Le(s.key(f, width), s.key(x, width))))
	case ieee.Ceil:
		s.add(s.Implies(number, s.Le(s.key(x, width), s.key(f, width))))
	case ieee.Trunc:
		s.add(s.Implies(number, s.Le(s.absolute(f, width), s.absolute(x, width))))
	// Of finite operands the result is a number, perhaps infinite.
	case ieee.Add, ieee.Sub, ieee.Mul:
		s.add(s.Implies(s.And(s.finite(x, from), s.finite(y, from)), number))
	// Of finite operands, if the divisor is not zero.
	case ieee.Div:
		s.add(s.Implies(s.And(s.finite(x, from), s.finite(y, from), s.Not(s.Eq(s.key(y, width), zero))), number))
		s.quotientByZero(f, width)
	// Of a finite dividend, if the divisor is not zero: below both in absolute value.
	case ieee.Mod, ieee.Remainder:
		s.add(s.Implies(s.And(s.finite(x, from), s.onLine(y, from), s.Not(s.Eq(s.key(y, width), zero))), number))
		r := s.absolute(f, width)
		s.add(s.Implies(number, s.And(s.Le(r, s.absolute(x, width)), s.Le(r, s.absolute(y, width)))))
		if op == ieee.Mod {
			s.add(s.Implies(number, s.And(s.Lt(r, s.absolute(y, width)), s.sameSign(f, x, width))))
		}
	}
	s.signs(f, op, width, number)
}

// backAndForth states that an integer that is converted to a floating-point number and back stays
// the same, if the number has enough digits.
func (s *floatFacts) backAndForth(f *Term, width int) {
	op, _, ok := f.Args[0].Float()
	if !ok || op != ieee.FromInt {
		return
	}
	// The integer must be in the range of the type, and have a number of its own.
	// Between -end and end every integer is a number.
	n, end := f.Args[0].Args[0], digits(width)
	lo, hi := f.FloatRange()
	inside := s.And(s.Le(s.Big(maxBig(lo, new(big.Int).Neg(end))), n), s.Le(n, s.Big(minBig(hi, end))))
	s.add(s.Implies(inside, s.Eq(f, n)))
}

// digits returns the end of the integers that numbers of width bits represent without gaps.
func digits(width int) *big.Int {
	if width == 32 {
		return power(24)
	}
	return power(53)
}

// maxOrdered bounds the conversions of integers that are compared with each other.
const maxOrdered = 6

// ordered states that numbers made of integers are in the order of the integers.
func (s *floatFacts) ordered(f *Term, width int) {
	// Conversions are compared in pairs, each with those before it; so their number is bounded.
	n, end := f.Args[0], digits(width)
	// Larger integers have larger or equal numbers; strictly larger ones if the smaller is exact.
	for _, g := range s.made[width] {
		m := g.Args[0]
		x, y := s.key(f, width), s.key(g, width)
		s.add(s.Implies(s.Le(n, m), s.Le(x, y)))
		s.add(s.Implies(s.Le(m, n), s.Le(y, x)))
		exact := s.And(s.Le(s.Big(new(big.Int).Neg(end)), n), s.Le(n, s.Big(end)))
		s.add(s.Implies(s.And(exact, s.Lt(n, m)), s.Lt(x, y)))
		s.add(s.Implies(s.And(exact, s.Lt(m, n)), s.Lt(y, x)))
	}
	if len(s.made[width]) < maxOrdered {
		s.made[width] = append(s.made[width], f)
	}
}

// absolute returns the place of the absolute value of x.
func (s *floatFacts) absolute(x *Term, width int) *Term {
	k := s.key(x, width)
	return s.Ite(s.Le(s.Int(0), k), k, s.Scale(big.NewInt(-1), k))
}

// sameSign states that x and y have one sign.
func (s *floatFacts) sameSign(x, y *Term, width int) *Term {
	sign := s.Big(power(width - 1))
	a, b := s.Lt(x, sign), s.Lt(y, sign)
	return s.And(s.Implies(a, b), s.Implies(b, a))
}

// finite states that x is a number and not infinite.
func (s *floatFacts) finite(x *Term, l line) *Term {
	k, end := s.key(x, int(l)), infinite(int(l))
	return s.And(s.Lt(s.Int(-end), k), s.Lt(k, s.Int(end)))
}

// signs states how f, if it is a number, compares with its operands and with 0 by their signs.
func (s *floatFacts) signs(f *Term, op ieee.Op, width int, number *Term) {
	if op > ieee.Div {
		return
	}
	zero := s.Int(0)
	x, y := s.key(f.Args[0], width), s.key(f.Args[1], width)
	r := s.key(f, width)
	// both adds the fact that a and b imply c, if the result is a number.
	both := func(a, b, c *Term) { s.add(s.Implies(s.And(number, a, b), c)) }
	up := func(y *Term) *Term { return s.Le(zero, y) }
	down := func(y *Term) *Term { return s.Le(y, zero) }
	// A sum lies beyond x on the side of y's sign, a difference on the other side, and the sign of
	// a product or quotient is that of the operands' signs.
	switch op {
	// An x + -x, in whatever order, is +0.0 in the rounding mode to the nearest.
	case ieee.Add:
		if isNegation(f.Args[0], f.Args[1]) || isNegation(f.Args[1], f.Args[0]) {
			both(s.True, s.True, s.Eq(f, zero))
		}
		both(up(y), s.True, s.Le(x, r))
		both(down(y), s.True, s.Le(r, x))
		both(up(x), s.True, s.Le(y, r))
		both(down(x), s.True, s.Le(r, y))
	// x - x is +0.0, and an x that is not below y gives no negative difference.
	case ieee.Sub:
		if f.Args[0] == f.Args[1] {
			both(s.True, s.True, s.Eq(f, zero))
		}
		both(up(y), s.True, s.Le(r, x))
		both(down(y), s.True, s.Le(x, r))
		both(s.Le(y, x), s.True, up(r))
		both(s.Le(x, y), s.True, down(r))
	// Operands at 0 have either sign, and so the product, which is at 0 as well. A quotient by
	// a zero is infinite, with the sign of the zero: so divisors at 0 are told apart by their
	// bits.
	case ieee.Mul, ieee.Div:
		both(up(x), up(y), s.Implies(s.notNegativeZero(op, f.Args[1], width), up(r)))
		both(down(x), down(y), s.Implies(s.notPositiveZero(op, f.Args[1], width), up(r)))
		both(up(x), down(y), s.Implies(s.notPositiveZero(op, f.Args[1], width), down(r)))
		both(down(x), up(y), s.Implies(s.notNegativeZero(op, f.Args[1], width), down(r)))
		if op == ieee.Mul && f.Args[0] == f.Args[1] {
			both(s.True, s.True, up(r))
		}
	}
}

// isNegation reports whether x is -y.
func isNegation(x, y *Term) bool {
	op, _, ok := x.Float()
	return ok && op == ieee.Neg && x.Args[0] == y
}

// notNegativeZero states that the divisor y is not -0.0, which has the place of 0.0 and makes the
// quotient infinite with the other sign; it is true for products.
func (s *floatFacts) notNegativeZero(op ieee.Op, y *Term, width int) *Term {
	if op == ieee.Mul {
		return s.True
	}
	return s.Not(s.Eq(y, s.Big(power(width-1))))
}

// notPositiveZero states that the divisor y is not 0.0; it is true for products.
func (s *floatFacts) notPositiveZero(op ieee.Op, y *Term, width int) *Term {
	if op == ieee.Mul {
		return s.True
	}
	return s.Not(s.Eq(y, s.Int(0)))
}
