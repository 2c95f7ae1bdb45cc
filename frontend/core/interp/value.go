package interp

import (
	"math"

	"c2bp/frontend/core"
)

// This file defines the machine's arithmetic. A value of type t is kept in an
// int64: the number itself if t is signed or narrower than 64 bits, and the
// number modulo 2^64 if t is uint64.

// normal returns the value of t with the low t.Bits bits of v: for int8, 0x180 becomes -128; for
// uint8, 128.
func normal(t core.Int, v int64) int64 {
	// The shift back copies the highest bit of t, the sign, or fills with zeros.
	unused := uint(64 - t.Bits)
	if t.Signed {
		return v << unused >> unused
	}
	return int64(uint64(v) << unused >> unused)
}

// convert returns v, a value of any type, converted to t: modulo a power of two or, if t is bool, 1
// for anything but 0 (C11 6.3.1.2).
func convert(t core.Int, v int64) int64 {
	if t.Bool {
		return truth(v != 0)
	}
	return normal(t, v)
}

// minimum returns the least value of t.
func minimum(t core.Int) int64 {
	if !t.Signed {
		return 0
	}
	return math.MinInt64 >> uint(64-t.Bits)
}

// maximum returns the greatest value of t.
func maximum(t core.Int) int64 {
	switch {
	case t.Bool:
		return 1
	case t.Signed:
		return math.MaxInt64 >> uint(64-t.Bits)
	}
	return normal(t, -1)
}

// truth returns 1 for true and 0 for false.
func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// less reports x < y for values of t.
func less(t core.Int, x, y int64) bool {
	if t.Signed {
		return x < y
	}
	return uint64(x) < uint64(y)
}

// The operations below are on values of type t. Where they are undefined they return the kind of
// undefined behaviour instead of Defined, and a value without meaning; but where the result is out of
// the range of a signed type, the value is the result wrapped around, for programs in which that is defined.

// negate returns -x.
func negate(t core.Int, x int64) (int64, UB) {
	if t.Signed && x == minimum(t) {
		return x, SignedOverflow
	}
	return normal(t, -x), Defined
}

// add returns x + y. A signed sum overflows if it is out of the range of t or wraps around in 64
// bits.
func add(t core.Int, x, y int64) (int64, UB) {
	z := x + y
	if t.Signed && (normal(t, z) != z || (x < 0) == (y < 0) && (z < 0) != (x < 0)) {
		return normal(t, z), SignedOverflow
	}
	return normal(t, z), Defined
}

// subtract returns x - y. A signed difference overflows under the conditions of add; in 64 bits it
// can wrap around only if the signs differ.
func subtract(t core.Int, x, y int64) (int64, UB) {
	z := x - y
	if t.Signed && (normal(t, z) != z || (x < 0) != (y < 0) && (z < 0) != (x < 0)) {
		return normal(t, z), SignedOverflow
	}
	return normal(t, z), Defined
}

// multiply returns x * y. Products of at most 32 bits each are exact in 64 bits.
func multiply(t core.Int, x, y int64) (int64, UB) {
	z := x * y
	if t.Signed {
		// A product of 64-bit numbers is exact if division gives the factor back.
		inexact := t.Bits > 32 && x != 0 && (z/x != y || x == -1 && y == math.MinInt64)
		if inexact || normal(t, z) != z {
			return normal(t, z), SignedOverflow
		}
	}
	return normal(t, z), Defined
}

// divide returns the quotient or, if op is Rem, the remainder. Both truncate towards zero, as in C
// and in Go.
func divide(op core.BinaryOp, t core.Int, x, y int64) (int64, UB) {
	switch {
	case y == 0:
		return 0, DivisionByZero
	case t.Signed && y == -1 && x == minimum(t):
		return 0, DivisionOverflow
	case t.Signed && op == core.Div:
		return x / y, Defined
	case t.Signed:
		return x % y, Defined
	case op == core.Div:
		return int64(uint64(x) / uint64(y)), Defined
	}
	return int64(uint64(x) % uint64(y)), Defined
}

// shift shifts x of type t by y, a value of any type. A right shift of a negative x copies the
// sign, as compilers define it.
func shift(op core.BinaryOp, t core.Int, x, y int64) (int64, UB) {
	if uint64(y) >= uint64(t.Bits) { // a negative y is a great uint64
		return 0, ShiftAmount
	}
	switch {
	case op == core.Shl:
		// Of a signed x no value bit may be lost, nor the sign change (C11 6.5.7p4).
		z := x << uint(y)
		if t.Signed && (x < 0 || z>>uint(y) != x || normal(t, z) != z) {
			return normal(t, z), ShiftOverflow
		}
		return normal(t, z), Defined
	case t.Signed:
		return x >> uint(y), Defined
	}
	return int64(uint64(x) >> uint(y)), Defined
}
