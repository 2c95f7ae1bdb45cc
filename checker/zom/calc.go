package zom

import (
	"math"
	"math/big"
	"math/bits"
)

// This file calculates with numbers of a given width (ECMA-334, Numeric promotions, Arithmetic operators, in
// a checked context). A UInt64 is kept as the int64 with the same bits, a real as the bits of a float64.

// bounds are the least and the greatest value of each type of integers of less than 64 bits, and Int64.
var bounds = [...][2]Word{
	Byte: {0, math.MaxUint8}, SByte: {math.MinInt8, math.MaxInt8}, Short: {math.MinInt16, math.MaxInt16},
	UShort: {0, math.MaxUint16}, Int32: {math.MinInt32, math.MaxInt32}, UInt32: {0, math.MaxUint32},
	Int64: {math.MinInt64, math.MaxInt64},
}

// calculate returns the result of a Calc, and Stepped, Overflow or DivByZero.
func calculate(imm, x, y Word) (Word, Outcome) {
	c, t, wraps := Calculation(imm>>8&0xff), Number(imm), imm&wrapping != 0
	switch {
	case t >= Float32:
		return calculateReal(c, t, toReal(x), toReal(y)), Stepped
	case c >= LessThan:
		return truth(compare(c, t, x, y)), Stepped
	case c == ShiftLeft || c == ShiftRight:
		return shift(c, t, x, y), Stepped
	case (c == Quotient || c == Remainder) && y == 0:
		return 0, DivByZero
	}
	w, ok := exact(c, t, x, y)
	// A quotient that does not fit is an error in any context.
	if !ok && (!wraps || c == Quotient || c == Remainder) {
		return 0, Overflow
	}
	return w, Stepped
}

// exact returns the result of an operation on integers, cut to their width, and whether it fits.
func exact(c Calculation, t Number, x, y Word) (Word, bool) {
	switch c {
	case BitAnd:
		return x & y, true
	case BitOr:
		return x | y, true
	case BitXor:
		return x ^ y, true
	case Complement:
		return cut(t, ^x), true
	}
	if t == UInt64 {
		return exactUnsigned(c, uint64(x), uint64(y))
	}
	w, ok := signed(c, x, y)
	// The least integer has no quotient by -1, and so no remainder.
	if c == Remainder && y == -1 && x == bounds[t][0] {
		ok = false
	}
	return cut(t, w), ok && bounds[t][0] <= w && w <= bounds[t][1]
}

// signed returns the result of an operation on int64, and whether it fits.
func signed(c Calculation, x, y Word) (Word, bool) {
	switch c {
	case Plus:
		w := x + y
		return w, (w < x) == (y < 0)
	case Minus:
		w := x - y
		return w, (w > x) == (y < 0)
	case Negate:
		return -x, x != math.MinInt64
	case Times:
		// Multiply magnitudes, and restore the sign.
		negative := (x < 0) != (y < 0)
		hi, lo := bits.Mul64(magnitude(x), magnitude(y))
		if negative {
			return -Word(lo), hi == 0 && lo <= 1<<63
		}
		return Word(lo), hi == 0 && lo < 1<<63
	case Quotient:
		return x / y, x != math.MinInt64 || y != -1
	}
	return x % y, true
}

// exactUnsigned does so on uint64.
func exactUnsigned(c Calculation, x, y uint64) (Word, bool) {
	switch c {
	case Plus:
		w, carry := bits.Add64(x, y, 0)
		return Word(w), carry == 0
	case Minus:
		return Word(x - y), x >= y
	case Negate:
		return -Word(x), x == 0
	case Times:
		hi, lo := bits.Mul64(x, y)
		return Word(lo), hi == 0
	case Quotient:
		return Word(x / y), true
	}
	return Word(x % y), true
}

// cut returns the number of type t with the same low bits as w.
func cut(t Number, w Word) Word {
	switch t {
	case Byte:
		return Word(uint8(w))
	case SByte:
		return Word(int8(w))
	case Short:
		return Word(int16(w))
	case UShort:
		return Word(uint16(w))
	case Int32:
		return Word(int32(w))
	case UInt32:
		return Word(uint32(w))
	}
	return w
}

// shift shifts x by the low 5 bits of y, or 6 for a number of 64 bits.
func shift(c Calculation, t Number, x, y Word) Word {
	n := uint(y) & 31
	if t == Int64 || t == UInt64 {
		n = uint(y) & 63
	}
	switch {
	case c == ShiftLeft:
		return cut(t, x<<n)
	case t == UInt64:
		return Word(uint64(x) >> n)
	}
	return x >> n
}

// compare compares two integers.
func compare(c Calculation, t Number, x, y Word) bool {
	// Of numbers with the highest bit set the order is the opposite of that of their int64.
	if t == UInt64 {
		x, y = x^math.MinInt64, y^math.MinInt64
	}
	switch c {
	case LessThan:
		return x < y
	case LessEqual:
		return x <= y
	}
	return x == y
}

// truth returns the word of a Boolean.
func truth(b bool) Word {
	if b {
		return 1
	}
	return 0
}

func toReal(w Word) float64 { return math.Float64frombits(uint64(w)) }

// fromReal returns the word of a real; a Float32 is rounded, and there is one NaN.
func fromReal(t Number, x float64) Word {
	if t == Float32 {
		x = float64(float32(x))
	}
	if x != x {
		x = math.NaN()
	}
	return Word(math.Float64bits(x))
}

// calculateReal returns the result of an operation on reals, which never fails.
func calculateReal(c Calculation, t Number, x, y float64) Word {
	switch c {
	case LessThan:
		return truth(x < y)
	case LessEqual:
		return truth(x <= y)
	case EqualTo:
		return truth(x == y)
	case Plus:
		x += y
	case Minus:
		x -= y
	case Times:
		x *= y
	case Quotient:
		x /= y
	case Remainder:
		x = math.Mod(x, y)
	case Negate:
		x = -x
	}
	return fromReal(t, x)
}

// convert returns a number of another type, and Stepped or Overflow.
func convert(imm, x Word) (Word, Outcome) {
	from, to, wraps := Number(imm>>8), Number(imm), imm&wrapping != 0
	var ok bool
	switch {
	case to >= Float32:
		return fromReal(to, widened(from, x)), Stepped
	case from >= Float32:
		if x, ok = truncated(toReal(x), to); !ok && !wraps {
			return 0, Overflow
		}
		return cut(to, x), Stepped
	// A number with the highest bit set fits a UInt64 only, a negative one everything else.
	case from == UInt64:
		ok = to == UInt64 || x >= 0 && x <= bounds[to][1]
	case to == UInt64:
		ok = x >= 0
	default:
		ok = bounds[to][0] <= x && x <= bounds[to][1]
	}
	if !ok && !wraps {
		return 0, Overflow
	}
	return cut(to, x), Stepped
}

// widened returns a number as a real.
func widened(from Number, x Word) float64 {
	switch {
	case from >= Float32:
		return toReal(x)
	case from == UInt64:
		return float64(uint64(x))
	}
	return float64(x)
}

// truncated returns a real, truncated towards zero, as an integer, and whether it fits.
func truncated(x float64, to Number) (Word, bool) {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, false
	}
	i, _ := big.NewFloat(x).Int(nil)
	switch {
	case to == UInt64:
		return Word(i.Uint64()), i.IsUint64()
	case !i.IsInt64():
		return 0, false
	}
	return i.Int64(), bounds[to][0] <= i.Int64() && i.Int64() <= bounds[to][1]
}
