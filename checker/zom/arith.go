package zom

import (
	"math"
	"math/bits"
)

// This file defines arithmetic on int64 that does not wrap. The least int64 is no
// integer here (see Absent): a result that would be it is an overflow, too.

// arithmetic computes x op y.
func arithmetic(op Op, x, y Word) (Word, Outcome) {
	var w Word
	ok := true
	switch op {
	case Add:
		w = x + y
		ok = (w > x) == (y > 0)
	case Sub:
		w = x - y
		ok = (w < x) == (y > 0)
	case Mul:
		w, ok = product(x, y)
	default:
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

// product is x * y, if that is an int64 other than the least.
func product(x, y Word) (Word, bool) {
	hi, lo := bits.Mul64(magnitude(x), magnitude(y))
	w := Word(lo)
	if (x < 0) != (y < 0) {
		w = -w
	}
	return w, hi == 0 && lo <= math.MaxInt64
}

func magnitude(x Word) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}
