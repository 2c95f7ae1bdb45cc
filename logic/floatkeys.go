package logic

import (
	"c2bp/ieee"
)

// This file maps floating-point numbers to a line of integers, their keys, in their order.

// key returns the key of the floating-point number x, its place in the order of all: the bits of a
// number with the sign bit 0, and the negated other bits of one with the sign bit 1. So 1.0 and
// -1.0 of 32 bits are at 0x3f800000 and -0x3f800000, and both zeros at 0. NaNs lie beyond the
// infinities.
func (t *Table) key(x *Term, width int) *Term {
	sign := power(width - 1)
	return t.Ite(t.Lt(x, t.Big(sign)), x, t.Sub(t.Big(sign), x))
}

// keyOf returns the key of a constant, the same number as key; bits has no one beyond the width.
func keyOf(bits uint64, width int) int64 {
	if sign := uint64(1) << (width - 1); bits >= sign {
		return -int64(bits - sign)
	}
	return int64(bits)
}

// bitsOf returns a number with that key: of the two at 0 the positive one.
func bitsOf(key int64, width int) uint64 {
	if key < 0 {
		return uint64(-key) | 1<<(width-1)
	}
	return uint64(key)
}

// infinite returns the key of infinity.
func infinite(width int) int64 {
	if width == 32 {
		return 0x7f80_0000
	}
	return 0x7ff0_0000_0000_0000
}

// line is the order on the values of a term: that of integers, or that of floating-point numbers of
// a width by their keys.
type line int

const (
	integers line = 0
	floats   line = 32 // and doubles, 64: the width
)

// onLine states that x has a place on the line: it is not a NaN.
func (t *Table) onLine(x *Term, l line) *Term {
	if l == integers {
		return t.True
	}
	return t.number(t.key(x, int(l)), l)
}

// number states that k is the key of a number.
func (t *Table) number(k *Term, l line) *Term {
	end := infinite(int(l))
	return t.And(t.Le(t.Int(-end), k), t.Le(k, t.Int(end)))
}

// exactFloat returns the definition of f in linear arithmetic, nil if it has none. So the f of
// x < 2.0 is 1 if the keys of x and 2.0 are those of numbers and the first is less, else 0.
func (t *Table) exactFloat(f *Term) *Term {
	op, width, _ := f.Float()
	x := f.Args[0]
	y, l := f.Args[len(f.Args)-1], line(width)
	sign := t.Big(power(width - 1))
	// Comparisons hold of numbers only, and compare keys; the others work on the sign bit.
	numbers := t.And(t.onLine(x, l), t.onLine(y, l))
	truth := func(f *Term) *Term { return t.Ite(f, t.Int(1), t.Int(0)) }
	// Without the sign bit the bits of x are those of its absolute value.
	abs := t.Ite(t.Lt(x, sign), x, t.Sub(x, sign))
	switch op {
	// The two zeros are equal: they have one key.
	case ieee.Eq:
		return t.Eq(f, truth(t.And(numbers, t.Eq(t.key(x, width), t.key(y, width)))))
	case ieee.Lt:
		return t.Eq(f, truth(t.And(numbers, t.Lt(t.key(x, width), t.key(y, width)))))
	case ieee.Le:
		return t.Eq(f, truth(t.And(numbers, t.Le(t.key(x, width), t.key(y, width)))))
	case ieee.Sign:
		return t.Eq(f, truth(t.Le(sign, x)))
	case ieee.Neg:
		return t.Eq(f, t.Ite(t.Lt(x, sign), t.Add(x, sign), t.Sub(x, sign)))
	case ieee.Abs:
		return t.Eq(f, abs)
	case ieee.CopySign:
		return t.Eq(f, t.Add(abs, t.Ite(t.Lt(y, sign), t.Int(0), sign)))
	}
	return nil
}

// IsExactFloat reports whether facts in linear arithmetic define the function op completely.
func IsExactFloat(op ieee.Op) bool {
	switch op {
	case ieee.Eq, ieee.Lt, ieee.Le, ieee.Sign, ieee.Neg, ieee.Abs, ieee.CopySign:
		return true
	}
	return false
}
