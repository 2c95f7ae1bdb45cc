// Package ieee computes with floating-point numbers as bits: float and double are the
// binary32 and binary64 of IEEE 754, kept in the low 32 or all 64 bits of a number.
//
//	Apply(Add, 64, 0x3fe0000000000000, 0x3fd0000000000000)  is 0x3fe8000000000000: 0.5 + 0.25
//	Apply(Lt, 32, 0x80000000, 0)                            is 0: -0.0f < 0.0f does not hold
//
// Results are rounded to nearest, ties to even, once. Of the many NaNs an operation yields the one
// that SSE2 yields: the first operand that is a NaN, made quiet; if neither is, the NaN with the
// sign set and no payload. The packages core, interp and logic compute floating point with it, and
// it computes with the machine's, through Go.
package ieee

import (
	"math"
	"math/big"
)

// This file defines the operations.

// Op is an operation on floating-point numbers.
type Op int

const (
	Add Op = iota
	Sub
	Mul
	Div
	Mod       // x - n*y with n = x/y truncated: fmod
	Remainder // x - n*y with n = x/y rounded to nearest, ties to even
	CopySign  // x with the sign of y
	Neg       // x with the other sign, also if x is a NaN
	Abs       // without the sign, also of a NaN
	Sqrt
	Floor
	Ceil
	Trunc
	Round // to a whole number, ties away from zero
	Rint  // to a whole number, ties to even
	Eq    // 0 or 1, like the three that follow
	Lt    // like Eq and Le, 0 if an operand is a NaN
	Le
	Sign    // 1 if the sign is set
	FromInt // a number from an integer
	ToInt   // an integer from a number, truncated
	Resize  // a float from a double, or a double from a float
	numOps  // counts the above
)

// In the order of the constants.
var names = [...]string{"add", "sub", "mul", "div", "mod", "remainder", "copysign", "neg", "abs", "sqrt",
	"floor", "ceil", "trunc", "round", "rint", "eq", "lt", "le", "sign", "from", "to", "resize"}

// String returns the name of op: add, from.
func (op Op) String() string { return names[op] }

// Named returns the operation with that name; ok is false if there is none.
func Named(name string) (Op, bool) {
	for op := range numOps {
		if names[op] == name {
			return op, true
		}
	}
	return 0, false
}

// Arity returns the number of operands of op.
func (op Op) Arity() int {
	if op <= CopySign || op >= Eq && op <= Le {
		return 2
	}
	return 1
}

// IsTruth reports whether the result of op is 0 or 1, not a floating-point number.
func (op Op) IsTruth() bool { return op >= Eq && op <= Sign }

// IsConversion reports whether the operand and the result of op have different types.
func (op Op) IsConversion() bool { return op >= FromInt }

// Apply returns the result of op, not a conversion, for numbers of width bits; an operation with
// one operand ignores y.
func Apply(op Op, width int, x, y uint64) uint64 {
	// 1. Operations on the sign bit, also of NaNs.
	sign := uint64(1) << (width - 1)
	switch op {
	case CopySign:
		return x&^sign | y&sign
	case Neg:
		return x ^ sign
	case Abs:
		return x &^ sign
	case Sign:
		return x >> (width - 1) & 1
	}
	// 2. Comparisons, which are false for NaNs.
	a, b := number(x, width), number(y, width)
	switch op {
	// Go compares as C does: -0.0 and 0.0 are equal.
	case Eq:
		return truth(a == b)
	case Lt:
		return truth(a < b)
	case Le:
		return truth(a <= b)
	}
	// 3. A NaN among the operands is the result, the first one if both are, made quiet.
	if IsNaN(x, width) {
		return quiet(x, width)
	}
	if op.Arity() == 2 && IsNaN(y, width) {
		return quiet(y, width)
	}
	if width == 32 {
		// 4. Arithmetic. The operands were floats, so the conversion is exact.
		return bits32(apply32(op, float32(a), float32(b)))
	}
	return bits64(apply64(op, a, b))
}

// truth returns 1 for true and 0 for false.
func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// number returns the value of x: of a float as a double, which holds it exactly.
func number(x uint64, width int) float64 {
	if width == 32 {
		return float64(math.Float32frombits(uint32(x)))
	}
	return math.Float64frombits(x)
}

// bits64 returns the bits of v; of a NaN, which only an operation on other numbers can have made,
// those of SSE2's default NaN: the sign set and no payload.
func bits64(v float64) uint64 {
	if v != v {
		return 0xfff8_0000_0000_0000
	}
	return math.Float64bits(v)
}

// bits32 returns the bits of v, of a NaN likewise.
func bits32(v float32) uint64 {
	if v != v {
		return 0xffc0_0000
	}
	return uint64(math.Float32bits(v))
}

// IsNaN reports whether x is a NaN.
func IsNaN(x uint64, width int) bool { v := number(x, width); return v != v }

// quiet returns the NaN x with the bit set that makes it raise no exception: the highest one of its
// mantissa.
func quiet(x uint64, width int) uint64 { return x | 1<<(mantissa(width)-1) }

// mantissa returns the number of bits after the exponent, without the hidden one.
func mantissa(width int) int {
	if width == 32 {
		return 23
	}
	return 52
}

// apply64 returns the result of op on operands that are not NaNs.
func apply64(op Op, a, b float64) float64 {
	if r, ok := arithmetic(op, a, b); ok {
		return r
	}
	switch op {
	case Mod:
		return math.Mod(a, b)
	case Remainder:
		return math.Remainder(a, b)
	case Sqrt:
		return math.Sqrt(a)
	case Floor:
		return math.Floor(a)
	case Ceil:
		return math.Ceil(a)
	case Trunc:
		return math.Trunc(a)
	case Round:
		return math.Round(a)
	case Rint:
		return math.RoundToEven(a)
	}
	panic("ieee: no arithmetic: " + op.String())
}

// apply32 returns the result of op on floats. The four operations of arithmetic round once; the
// others are exact as doubles, except the square root, where a double has enough digits for a
// second rounding to change nothing.
func apply32(op Op, a, b float32) float32 {
	if r, ok := arithmetic(op, a, b); ok {
		return r
	}
	return float32(apply64(op, float64(a), float64(b)))
}

// arithmetic returns the result of one of the four operations; ok is false for another one.
func arithmetic[F float32 | float64](op Op, a, b F) (r F, ok bool) {
	switch op {
	case Add:
		return a + b, true
	case Sub:
		return a - b, true
	case Mul:
		return a * b, true
	case Div:
		return a / b, true
	}
	return 0, false
}

// FromBig returns v rounded to a number of width bits, once, to the nearest number with ties to
// even; it is infinite if v is too great.
func FromBig(v *big.Int, width int) uint64 {
	// Exact: the precision grows with v.
	f := new(big.Float).SetInt(v)
	if width == 32 {
		r, _ := f.Float32()
		return bits32(r)
	}
	r, _ := f.Float64()
	return bits64(r)
}

// FromInteger returns the integer in v, signed or not, rounded to a number of width bits.
func FromInteger(v int64, signed bool, width int) uint64 {
	switch {
	case width == 32 && signed:
		return bits32(float32(v))
	case width == 32:
		return bits32(float32(uint64(v)))
	case signed:
		return bits64(float64(v))
	}
	return bits64(float64(uint64(v)))
}

// Whole returns the whole part of x, truncated towards zero; ok is false if x is infinite or a NaN.
func Whole(x uint64, width int) (whole *big.Int, ok bool) {
	v := number(x, width)
	if math.IsInf(v, 0) || v != v {
		return nil, false
	}
	// Exact, however great x is.
	whole, _ = new(big.Float).SetFloat64(v).Int(nil)
	return whole, true
}

// Resized returns x, a number of from bits, as a number of to bits: 0.1 as a float is another
// number than as a double, and 1e300 is infinite as a float.
func Resized(x uint64, from, to int) uint64 {
	if from == to {
		return x
	}
	if IsNaN(x, from) { // the sign and the first bits of the payload stay
		// The payload keeps its upper bits: shorter mantissas lose the lower ones.
		sign, payload := x>>(from-1)&1, x&(1<<mantissa(from)-1)
		if to > from {
			payload <<= mantissa(to) - mantissa(from)
		} else {
			payload >>= mantissa(from) - mantissa(to)
		}
		return quiet(sign<<(to-1)|infinity(to)|payload, to)
	}
	if to == 32 {
		return bits32(float32(number(x, from)))
	}
	return bits64(number(x, from))
}

// infinity returns positive infinity.
func infinity(width int) uint64 {
	if width == 32 {
		return 0x7f80_0000
	}
	return 0x7ff0_0000_0000_0000
}

// Infinity returns positive infinity of width bits.
func Infinity(width int) uint64 { return infinity(width) }

// LeastNormal returns the least positive normal number of width bits, with the exponent 1 and zeros
// after it: 2^-126 or 2^-1022.
func LeastNormal(width int) uint64 { return 1 << mantissa(width) }

// QuietBit returns the bit that makes a NaN raise no exception.
func QuietBit(width int) uint64 { return 1 << (mantissa(width) - 1) }

// NaN returns a NaN without payload, quiet or signalling.
func NaN(width int, isQuiet bool) uint64 {
	if isQuiet {
		return infinity(width) | QuietBit(width)
	}
	return infinity(width) | QuietBit(width)>>1
}
