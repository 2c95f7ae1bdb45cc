package alias

import (
	"math/big"

	"c2bp/frontend/core"
)

// This file finds the values that an index can take, as far as its form shows: a constant distance
// and a multiple.
//
//	i             0 + 1k       any integer
//	i*16 + 8      8 + 16k      tab + (i*16 + 8) is tab+8+16k
//	i & ~3        0 + 4k
//	i << 2        0 + 4k       unless it wraps around, where powers of two still divide it

// constant returns the value of e if that is constant.
func constant(e core.Expr) (int64, bool) {
	c := congruenceOf(e)
	return c.rest, c.step == 0
}

// congruence is a set of integers: rest + k*step for every k; rest alone if step is 0, and all
// integers if it is 1.
type congruence struct {
	rest, step int64
}

var anyInteger = congruence{0, 1}

// congruenceOf returns a set that includes all values of e.
func congruenceOf(e core.Expr) congruence {
	switch e := e.(type) {
	case *core.Const:
		if e.Val.IsInt64() {
			return congruence{rest: e.Val.Int64()}
		}
	// Conversions wrap around, unless the type holds all values.
	case *core.Conv:
		from, ok := e.X.Type().(core.Int)
		if c := congruenceOf(e.X); ok && !e.To.Bool {
			return c.within(e.To, e.To.Holds(from))
		}
	// -x and ~x, which is -x - 1.
	case *core.Unary:
		if t, ok := e.Type().(core.Int); ok && e.Op != core.Not && e.Op != core.Ones {
			c := congruenceOf(e.X).scale(-1)
			if e.Op == core.BitNot {
				c = c.plus(congruence{rest: -1})
			}
			return c.within(t, t.Signed)
		}
	case *core.Binary:
		if t, ok := e.Type().(core.Int); ok {
			return binaryCongruence(e).within(t, t.Signed)
		}
	}
	return anyInteger
}

// binaryCongruence returns the mathematical results of e, before it wraps around.
func binaryCongruence(e *core.Binary) congruence {
	x, y := congruenceOf(e.X), congruenceOf(e.Y)
	switch {
	case e.Op == core.Add:
		return x.plus(y)
	case e.Op == core.Sub:
		return x.plus(y.scale(-1))
	case e.Op == core.Mul && y.step == 0:
		return x.scale(y.rest)
	case e.Op == core.Mul && x.step == 0:
		return y.scale(x.rest)
	case e.Op == core.Shl && y.step == 0 && y.rest >= 0 && y.rest < 40:
		return x.scale(1 << y.rest)
	// x & c has the trailing zeros of c.
	case e.Op == core.And && y.step == 0 && y.rest != 0:
		return congruence{step: min(y.rest&-y.rest, limit)}
	}
	return anyInteger
}

// plus returns the sums of the members of c and d.
func (c congruence) plus(d congruence) congruence {
	if far(c.rest) || far(d.rest) {
		return anyInteger
	}
	return congruence{c.rest + d.rest, gcd(c.step, d.step)}
}

// scale returns the members of c times k.
func (c congruence) scale(k int64) congruence {
	if k != -1 && (far(c.rest) || far(c.step) || far(k) || far(c.rest*k) || far(c.step*k)) {
		if k == 0 {
			return congruence{}
		}
		return anyInteger
	}
	return congruence{c.rest * k, abs(c.step * k)}
}

// far reports whether k is no distance in any object. The product of two numbers that are not far
// does not overflow an int64.
func far(k int64) bool { return k > 1<<31 || k < -1<<31 }

// within returns c as values of type t, where they wrap around unless exact is set.
func (c congruence) within(t core.Int, exact bool) congruence {
	switch {
	case c.step == 0 && t.Contains(big.NewInt(c.rest)):
		return c
	// Any value, as a constant that does not fit wraps around or is undefined.
	case c.step == 0:
		return congruence{step: 1}
	case exact:
		return c
	}
	c.step &= -c.step // a power of two divides the number of values of t, or is one
	if t.Bits < 62 {
		c.step = min(c.step, 1<<t.Bits)
	}
	c.rest = mod(c.rest, c.step)
	return c
}

// displacement is the function displacement; where no access leaves an array, an element of one is among e.Count.
func (s *solver) displacement(e *core.Index) move {
	m := displacement(e)
	if c := congruenceOf(e.I); s.prog.ArraysApart && e.Count > 0 && m.count == 0 {
		m = m.upTo(e, c, e.Count+c.step, moveElement)
	}
	return m
}

// displacement returns the distance of e from e.X, in bytes. It does not depend on e.Count, as most pointers that
// a program computes have no bounds; those to an element of an array have, which e.Row says.
func displacement(e *core.Index) move {
	c := congruenceOf(e.I)
	if e.Size > limit || abs(c.rest) > limit/(e.Size+1) || c.step > limit/(e.Size+1) {
		return move{mode: movePointer, stride: 1}
	}
	m := move{mode: movePointer, off: c.rest * e.Size, stride: c.step * e.Size}
	if e.Row == 0 {
		return m
	}
	return m.upTo(e, c, e.Row+c.step, moveElement) // the last one is the end, or after it
}

// upTo returns m, the displacement of e by an index that is in c, where the index is below end and not negative: of mode
// mode then. Where nothing is known of the index, m stays as it is.
func (m move) upTo(e *core.Index, c congruence, end int64, mode moveMode) move {
	if end > limit || e.Size == 0 || c.step == 0 || m.stride != c.step*e.Size {
		return m
	}
	// The first index that is not negative, and the number of indices below the end.
	first := mod(c.rest, c.step)
	if first >= end {
		return m
	}
	return move{mode: mode, off: first * e.Size, stride: m.stride, count: (end-1-first)/c.step + 1}
}

// bounded returns the displacement of e with the bounds of an index into an array with e.Count
// elements.
func bounded(e *core.Index) move {
	m := displacement(e)
	if e.Count == 0 {
		return m
	}
	return m.upTo(e, congruenceOf(e.I), e.Count, movePointer)
}
