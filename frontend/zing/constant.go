package zing

import "math"

// This file evaluates constant expressions.

// constant returns the value of a checked integer expression of literals, members of enums and sizes
// of array types. It reports false if e has other parts, or does not fit in a long.
func constant(e Expr) (int64, bool) {
	switch e := e.(type) {
	case *IntLit:
		return literalValue(e)
	case *Selector:
		m, ok := e.Symbol.(*EnumMember)
		if !ok {
			return 0, false
		}
		return int64(m.Value), true
	case *Sizeof:
		if e.Of == nil {
			return 0, false
		}
		return int64(e.Of.Size), true
	case *Convert:
		return constant(e.X)
	case *Unary:
		x, ok := constant(e.X)
		switch {
		case !ok || e.Op == Not || e.Op == Neg && x == math.MinInt64:
			return 0, false
		case e.Op == Neg:
			return -x, true
		case e.Op == Com:
			return ^x, true
		}
		return x, true
	case *Binary:
		x, ok1 := constant(e.X)
		y, ok2 := constant(e.Y)
		if !ok1 || !ok2 {
			return 0, false
		}
		return constantOp(e.Op, x, y)
	}
	return 0, false
}

func literalValue(e *IntLit) (int64, bool) {
	switch {
	case e.Neg:
		return int64(-e.Abs), true
	case e.Abs > math.MaxInt64:
		return 0, false
	}
	return int64(e.Abs), true
}

// constantOp evaluates a binary operator on integers.
func constantOp(op BinaryOp, x, y int64) (int64, bool) {
	// No operator overflows a long on values that fit in an int, and others are not asked for.
	const most = 1 << 31
	if x > most || x < -most || y > most || y < -most {
		return 0, false
	}
	switch op {
	case Mul:
		return x * y, true
	case Div, Rem:
		if y == 0 {
			return 0, false
		}
		if op == Div {
			return x / y, true
		}
		return x % y, true
	case Add:
		return x + y, true
	case Sub:
		return x - y, true
	case Shl:
		return int64(int32(x) << (y & 31)), true
	case Shr:
		return x >> (y & 31), true
	case And:
		return x & y, true
	case Or:
		return x | y, true
	case Xor:
		return x ^ y, true
	}
	return 0, false
}
