package zom

import (
	"math"
	"math/bits"
)

// This file defines arithmetic on int64 without wrapping. The least int64 is not an integer here
// (see Absent): such a result is an overflow, too.

// arithmetic returns x op y, and the outcome of the step: Stepped, Overflow or DivByZero.
func arithmetic(op Op, x, y Word) (Word, Outcome) {
	var w Word
	ok := true
	switch op {
	// A sum is greater than x if and only if y is positive, unless it wraps.
	case Add:
		w = x + y
		ok = (w > x) == (y > 0)
	case Sub:
		w = x - y
		ok = (w < x) == (y > 0)
	case Mul:
		w, ok = product(x, y)
	default:
		// Division and remainder; only MinInt64 / -1 overflows, and MinInt64 is no integer here.
		if y == 0 {
			return 0, DivByZero
		}
		if w = x / y; op == Rem {
			w = x % y
		}
	}
	if !ok || w == math.MinInt64 {
		return 0, Overflow
	}
	return w, Stepped
}

// product returns x * y, and whether it is an int64 other than the least.
func product(x, y Word) (Word, bool) {
	// Multiply magnitudes, and restore the sign.
	hi, lo := bits.Mul64(magnitude(x), magnitude(y))
	w := Word(lo)
	if (x < 0) != (y < 0) {
		w = -w
	}
	return w, hi == 0 && lo <= math.MaxInt64
}

// magnitude returns the absolute value of x.
func magnitude(x Word) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}
