package zingtest

import (
	"cmp"
	"math"
	"math/big"
	"strings"

	"c2bp/frontend/zing"
)

// This file computes with numbers: integers exactly, and then it asks whether the result fits.

// bounds returns the least and the greatest value of an integer type.
func bounds(t *zing.Type) (lo, hi *big.Int) {
	signed := func(bits uint) (lo, hi *big.Int) {
		half := new(big.Int).Lsh(big.NewInt(1), bits-1)
		return new(big.Int).Neg(half), new(big.Int).Sub(half, big.NewInt(1))
	}
	unsigned := func(bits uint) (lo, hi *big.Int) {
		return new(big.Int), new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), bits), big.NewInt(1))
	}
	switch t.Kind {
	case zing.KindByte:
		return unsigned(8)
	case zing.KindSByte:
		return signed(8)
	case zing.KindShort:
		return signed(16)
	case zing.KindUShort:
		return unsigned(16)
	case zing.KindUInt:
		return unsigned(32)
	case zing.KindLong:
		return signed(64)
	case zing.KindULong:
		return unsigned(64)
	}
	return signed(32) // int, enums and ranges
}

// exact returns an integer value as a big one.
func exact(v value) *big.Int {
	if u, is := v.(uint64); is {
		return new(big.Int).SetUint64(u)
	}
	return big.NewInt(v.(int64))
}

// fit returns an integer as a value of type t. One that does not fit is an overflow, or wraps if
// that is not checked.
func (r *run) fit(x *big.Int, t *zing.Type, at zing.Node) value {
	lo, hi := bounds(t)
	if x.Cmp(lo) < 0 || x.Cmp(hi) > 0 {
		if !r.options.Unchecked {
			panic(&Failure{Kind: Overflow, Pos: at.Pos()})
		}
		// Mod is not negative, so the result lies from lo to hi.
		width := new(big.Int).Add(new(big.Int).Sub(hi, lo), big.NewInt(1))
		x = new(big.Int).Add(new(big.Int).Mod(new(big.Int).Sub(x, lo), width), lo)
	}
	if x.IsInt64() {
		return x.Int64()
	}
	return x.Uint64()
}

// integerLiteral returns the value of a literal.
func integerLiteral(e *zing.IntLit) value {
	switch {
	case e.Neg:
		return -int64(e.Abs)
	case e.Abs > math.MaxInt64:
		return e.Abs
	}
	return int64(e.Abs)
}

// unary applies an operator before its operand.
func (r *run) unary(e *zing.Unary) value {
	x := r.eval(e.X)
	switch x := x.(type) {
	case bool:
		return !x
	case float64:
		if e.Op == zing.Neg {
			return -x
		}
		return x
	}
	switch e.Op {
	case zing.Neg:
		return r.fit(new(big.Int).Neg(exact(x)), e.Type, e)
	case zing.Com:
		_, hi := bounds(e.Type)
		complement := new(big.Int).Not(exact(x))
		if complement.Sign() < 0 && strings.HasPrefix(e.Type.Name, "u") {
			complement.Add(complement, hi).Add(complement, big.NewInt(1))
		}
		return r.fit(complement, e.Type, e)
	}
	return x
}

// arithmetic applies an operator to two numbers, or concatenates strings.
func (r *run) arithmetic(e *zing.Binary, x, y value) value {
	switch a := x.(type) {
	case float64:
		return rounded(realResult(e.Op, a, y.(float64)), e.Type)
	case string, nil:
		return text(x) + text(y)
	}
	return r.integers(e, exact(x), exact(y))
}

// text returns a string; null is the empty one.
func text(v value) string {
	s, _ := v.(string)
	return s
}

// integers applies an operator to two integers of the type of the result.
func (r *run) integers(e *zing.Binary, x, y *big.Int) value {
	z := new(big.Int)
	switch e.Op {
	case zing.Mul:
		z.Mul(x, y)
	case zing.Add:
		z.Add(x, y)
	case zing.Sub:
		z.Sub(x, y)
	case zing.And:
		z.And(x, y)
	case zing.Or:
		z.Or(x, y)
	case zing.Xor:
		z.Xor(x, y)
	case zing.Div, zing.Rem:
		return r.divide(e, x, y)
	case zing.Shl, zing.Shr:
		return r.shift(e, x, y)
	}
	return r.fit(z, e.Type, e)
}

// divide divides, truncating toward zero; the least number divided by -1 is an overflow always.
func (r *run) divide(e *zing.Binary, x, y *big.Int) value {
	if y.Sign() == 0 {
		panic(&Failure{Kind: DivideByZero, Pos: e.Pos()})
	}
	quotient, remainder := new(big.Int).QuoRem(x, y, new(big.Int))
	if _, hi := bounds(e.Type); quotient.Cmp(hi) > 0 {
		panic(&Failure{Kind: Overflow, Pos: e.Pos()})
	}
	if e.Op == zing.Rem {
		return r.fit(remainder, e.Type, e)
	}
	return r.fit(quotient, e.Type, e)
}

// shift shifts by the low bits of the distance; bits that are shifted out are lost.
func (r *run) shift(e *zing.Binary, x, y *big.Int) value {
	lo, hi := bounds(e.Type)
	bits := new(big.Int).Sub(hi, lo).BitLen()
	distance := uint(new(big.Int).And(y, big.NewInt(int64(bits-1))).Uint64())
	if e.Op == zing.Shr {
		return r.fit(new(big.Int).Rsh(x, distance), e.Type, e)
	}
	wrapping := &run{machine: &machine{options: Options{Unchecked: true}}}
	return wrapping.fit(new(big.Int).Lsh(x, distance), e.Type, e)
}

// realResult applies an operator to two reals.
func realResult(op zing.BinaryOp, x, y float64) float64 {
	switch op {
	case zing.Mul:
		return x * y
	case zing.Div:
		return x / y
	case zing.Rem:
		return math.Mod(x, y)
	case zing.Add:
		return x + y
	}
	return x - y
}

// rounded returns a real as a value of type t.
func rounded(x float64, t *zing.Type) value {
	if t.Kind == zing.KindFloat {
		return float64(float32(x))
	}
	return x
}

// convert converts a number or an enum value to a numeric type.
func (r *run) convert(v value, from, to *zing.Type, at zing.Node) value {
	switch real := v.(type) {
	case float64:
		if !to.IsInteger() {
			return rounded(real, to)
		}
		if math.IsNaN(real) || math.IsInf(real, 0) {
			panic(&Failure{Kind: Overflow, Pos: at.Pos()})
		}
		whole, _ := big.NewFloat(real).Int(nil)
		return r.fit(whole, to, at)
	}
	if to.IsInteger() {
		return r.fit(exact(v), to, at)
	}
	x, _ := new(big.Float).SetInt(exact(v)).Float64()
	return rounded(x, to)
}

// less reports whether number x is less than number y.
func less(x, y value) bool {
	if a, is := x.(float64); is {
		return a < y.(float64)
	}
	return exact(x).Cmp(exact(y)) < 0
}

// compare orders two values of one type: numbers by size, references by age, structs field by field,
// null first. It returns 0 if they are equal.
func compare(x, y value) int {
	switch a := x.(type) {
	case nil:
		if y == nil {
			return 0
		}
		return -1
	case bool:
		b := y.(bool)
		switch {
		case a == b:
			return 0
		case b:
			return -1
		}
		return 1
	case structure:
		for i, b := range y.(structure) {
			if c := compare(a[i], b); c != 0 {
				return c
			}
		}
		return 0
	}
	if y == nil {
		return 1
	}
	switch a := x.(type) {
	case string:
		return strings.Compare(a, y.(string))
	case ref:
		return cmp.Compare(a, y.(ref))
	case float64:
		// A number that is none differs from all, itself included.
		b := y.(float64)
		switch {
		case a == b:
			return 0
		case a > b:
			return 1
		}
		return -1
	}
	return exact(x).Cmp(exact(y))
}
