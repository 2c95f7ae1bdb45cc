package frontend

import (
	"math/big"

	"c2bp/frontend/core"
)

// This file applies C's operators (C23 6.3.1, 6.5): promotions, the usual arithmetic conversions, and
// constant folding. Integer types are distinguished by width and sign alone, on which these rules
// depend.

// promote applies the integer promotions. A bit-field of less than 32 bits becomes an int, also if
// it is unsigned (C11 6.3.1.1p2).
func promote(x core.Expr) core.Expr {
	return convert(x, promoted(x.Type().(core.Int)))
}

// promoted returns the type to which the integer promotions convert t.
func promoted(t core.Int) core.Int {
	if t.Float {
		return t
	}
	// Types whose values int holds become int, narrow bit-fields included; then unsigned int.
	if t.Bool || core.Int32.Holds(t) {
		return core.Int32
	}
	if t.Bits <= 32 {
		return core.Uint32
	}
	return t
}

// commonType returns the type that the usual arithmetic conversions give to operands of types t and
// u. int and unsigned have unsigned, unsigned and long of 64 bits have long (C11 6.3.1.8).
func commonType(t, u core.Int) core.Int {
	t, u = promoted(t), promoted(u)
	// Floating-point types before integers, wider before narrower, unsigned before signed.
	switch {
	case t.Float && u.Float && u.Bits > t.Bits, u.Float && !t.Float:
		return u
	case t.Float:
		return t
	case t.Bits > u.Bits:
		return t
	case u.Bits > t.Bits:
		return u
	}
	return core.Int{Bits: t.Bits, Signed: t.Signed && u.Signed}
}

// convert returns x converted to t. Conversions that change nothing are dropped. Conversions that
// narrow and then widen stay two: (int)(char)x.
func convert(x core.Expr, t core.Int) core.Expr {
	from := x.Type().(core.Int)
	if from == t {
		return x
	}
	if from.Float || t.Float {
		return convertFloat(x, from, t)
	}
	// Constants are folded; an inner conversion that keeps all values is dropped.
	switch x := x.(type) {
	case *core.Const:
		return &core.Const{Val: t.Convert(x.Val), Typ: t}
	case *core.Conv:
		if inner := x.X.Type().(core.Int); from.Holds(inner) {
			return convert(x.X, t)
		}
	}
	return &core.Conv{X: x, To: t}
}

// unary applies -, ~ or ! to a C operand. ! of an integer needs no promotion, since it only asks
// for 0.
func unary(op core.UnaryOp, x core.Expr) core.Expr {
	if t, ok := x.Type().(core.Int); ok && t.Float {
		return floatUnary(op, x, t)
	}
	if op != core.Not {
		x = promote(x)
	}
	// Constants are folded, unless the result is undefined.
	if c, ok := x.(*core.Const); ok {
		v := new(big.Int)
		switch op {
		case core.Neg:
			v.Neg(c.Val)
		case core.BitNot:
			v.Not(c.Val)
		case core.Not:
			return truth(c.Val.Sign() == 0)
		}
		if !c.Typ.Signed || c.Typ.Contains(v) {
			return &core.Const{Val: c.Typ.Convert(v), Typ: c.Typ}
		}
	}
	return &core.Unary{Op: op, X: x}
}

// truth returns the int 1 or 0.
func truth(b bool) core.Expr {
	if b {
		return core.NewConst(1, core.Int32)
	}
	return core.NewConst(0, core.Int32)
}

// binary applies an arithmetic, shift, bit or comparison operator to C operands. The type of the
// result is that of the operands after the conversions: for shifts that of the left one, for
// comparisons int. It does not check for undefined behaviour; constants for which there is some are
// not folded.
func binary(op core.BinaryOp, x, y core.Expr) core.Expr {
	// 1. Convert the operands; those of shifts have no common type.
	if op.IsShift() {
		x, y = promote(x), promote(y)
	} else {
		t := commonType(x.Type().(core.Int), y.Type().(core.Int))
		x, y = convert(x, t), convert(y, t)
		if t.Float {
			return floatBinary(op, x, y, t)
		}
	}
	// 2. Fold constants.
	if c, ok := x.(*core.Const); ok {
		if d, ok := y.(*core.Const); ok {
			if r := fold(op, c, d); r != nil {
				return r
			}
		}
	}
	if z := undo(op, x, y); z != nil {
		return z
	}
	return &core.Binary{Op: op, X: x, Y: y}
}

// undo returns z for (z - c) + c and (z + c) - c, else nil: the value of i++ plus a constant is common.
// It is exact: unsigned arithmetic wraps back, and signed is assumed not to overflow.
func undo(op core.BinaryOp, x, y core.Expr) core.Expr {
	inner, ok1 := x.(*core.Binary)
	c, ok2 := y.(*core.Const)
	if !ok1 || !ok2 || !(inner.Op == core.Add && op == core.Sub || inner.Op == core.Sub && op == core.Add) {
		return nil
	}
	if d, ok := inner.Y.(*core.Const); ok && d.Val.Cmp(c.Val) == 0 {
		return inner.X
	}
	return nil
}

// fold returns the value of x op y, or nil if it is undefined. x and y have been converted, so they
// have one type unless op is a shift.
func fold(op core.BinaryOp, x, y *core.Const) core.Expr {
	a, b, v := x.Val, y.Val, new(big.Int)
	// The order of the results is that of the operators in package core.
	if op.IsComparison() {
		c := a.Cmp(b)
		return truth([...]bool{c == 0, c != 0, c < 0, c <= 0, c > 0, c >= 0}[op-core.Eq])
	}
	// Undefined (C23 6.5.8): the amount is negative, or not less than the width.
	if op.IsShift() && (b.Sign() < 0 || b.Cmp(big.NewInt(int64(x.Typ.Bits))) >= 0) {
		return nil
	}
	switch op {
	case core.Add:
		v.Add(a, b)
	case core.Sub:
		v.Sub(a, b)
	case core.Mul:
		v.Mul(a, b)
	case core.Div, core.Rem:
		// Undefined: division by zero, and a quotient out of range.
		if b.Sign() == 0 {
			return nil
		}
		q, r := new(big.Int).QuoRem(a, b, new(big.Int))
		if !x.Typ.Contains(q) {
			return nil
		}
		if v = q; op == core.Rem {
			v = r
		}
	case core.Shl:
		// Undefined for negative values.
		if v.Lsh(a, uint(b.Int64())); x.Typ.Signed && a.Sign() < 0 {
			return nil
		}
	// Of a negative number it shifts in ones, as gcc does.
	case core.Shr:
		v.Rsh(a, uint(b.Int64()))
	case core.And:
		v.And(a, b)
	case core.Or:
		v.Or(a, b)
	case core.Xor:
		v.Xor(a, b)
	default:
		return nil
	}
	// Undefined: signed overflow.
	if x.Typ.Signed && !x.Typ.Contains(v) {
		return nil
	}
	return &core.Const{Val: x.Typ.Convert(v), Typ: x.Typ}
}
