package checks

import (
	"math/big"

	"c2bp/frontend/core"
)

// This file has the conditions of arithmetic operators (C11 6.5p5, 6.5.5, 6.5.6, 6.5.7).

// Arithmetic returns the properties of kinds in s that x op y has, in the order in which they are to be
// asserted: a later one may rest on an earlier one. x and y have been converted: they have one type or, for a
// shift, are promoted. -x is 0 - x. Properties that hold for all operands of these forms are left out.
//
// In conditions with a case distinction x and y occur several times: they must be free of effects.
func (s Set) Arithmetic(op core.BinaryOp, x, y core.Expr) (list []Property) {
	t := x.Type().(core.Int)
	add := func(k Kind, name string, c Condition) {
		if s.Has(k) && !c.always() {
			list = append(list, Property{name, c})
		}
	}
	switch op {
	case core.Add, core.Sub, core.Mul:
		if t.Signed {
			add(Overflow, SignedOverflow, fits(op, x, y, t))
		}
	case core.Div, core.Rem:
		add(Division, DivisionByZero, plain(compare(core.Ne, y, big.NewInt(0))))
		if t.Signed {
			add(Division, QuotientRange, plain(either(compare(core.Ne, x, t.Min()), compare(core.Ne, y, big.NewInt(-1)))))
		}
	case core.Shl, core.Shr:
		add(Shift, ShiftAmount, plain(within(y, big.NewInt(0), big.NewInt(int64(t.Bits-1)))))
		if op == core.Shl && t.Signed {
			add(Shift, ShiftRange, plain(shifts(x, y, t)))
		}
	}
	return list
}

// fits returns the condition that x op y, one of + - *, is a value of the signed type t of x and y.
func fits(op core.BinaryOp, x, y core.Expr, t core.Int) Condition {
	// 1. The ranges decide.
	a, b := Range(x)
	c, d := Range(y)
	if lo, hi := arithmeticRange(op, a, b, c, d); t.Contains(lo) && t.Contains(hi) {
		return plain(truth(true))
	}
	// 2. One operand is a constant: a bound of the other one.
	if k, ok := y.(*core.Const); ok {
		return plain(fitsConstant(op, x, k.Val, t))
	}
	if k, ok := x.(*core.Const); ok {
		if op == core.Sub {
			// min <= k - y <= max
			return plain(within(y, new(big.Int).Sub(k.Val, t.Max()), new(big.Int).Sub(k.Val, t.Min())))
		}
		return plain(fitsConstant(op, y, k.Val, t))
	}
	// 3. In a type that holds all results.
	if t.Bits <= 32 {
		wide := func(e core.Expr) core.Expr { return &core.Conv{X: e, To: core.Int64} }
		return plain(within(&core.Binary{Op: op, X: wide(x), Y: wide(y)}, t.Min(), t.Max()))
	}
	// 4. By the distance to the ends of the range.
	if op == core.Mul {
		return fitsProduct(x, y, t)
	}
	return fitsSum(op, x, y, t)
}

// fitsConstant returns the condition that x op k is a value of t.
func fitsConstant(op core.BinaryOp, x core.Expr, k *big.Int, t core.Int) core.Expr {
	lo, hi := new(big.Int), new(big.Int)
	switch op {
	case core.Add:
		return within(x, lo.Sub(t.Min(), k), hi.Sub(t.Max(), k))
	case core.Sub:
		return within(x, lo.Add(t.Min(), k), hi.Add(t.Max(), k))
	}
	// min <= x * k <= max: quotients, rounded towards the inside.
	switch k.Sign() {
	case 0:
		return truth(true)
	case 1:
		return within(x, up(t.Min(), k), down(t.Max(), k))
	}
	return within(x, up(t.Max(), k), down(t.Min(), k))
}

// down returns the greatest integer that is at most x / y.
func down(x, y *big.Int) *big.Int {
	q, r := new(big.Int).QuoRem(x, y, new(big.Int))
	// The quotient is rounded towards 0: it is too great where it is negative.
	if r.Sign() != 0 && x.Sign()*y.Sign() < 0 {
		q.Sub(q, big.NewInt(1))
	}
	return q
}

// up returns the least integer that is at least x / y.
func up(x, y *big.Int) *big.Int {
	q := down(new(big.Int).Neg(x), y)
	return q.Neg(q)
}

// fitsSum is fits for + and - of variables of the widest type. Depending on the sign of y, x + y can only
// leave the range at one end, and the distance of y to that end is a value of t.
func fitsSum(op core.BinaryOp, x, y core.Expr, t core.Int) Condition {
	from := func(end *big.Int, op core.BinaryOp) core.Expr {
		return &core.Binary{Op: op, X: constant(end, t), Y: y}
	}
	atLeast := func(bound core.Expr) Condition { return plain(&core.Binary{Op: core.Ge, X: x, Y: bound}) }
	atMost := func(bound core.Expr) Condition { return plain(&core.Binary{Op: core.Le, X: x, Y: bound}) }
	negative := compare(core.Lt, y, big.NewInt(0))
	if op == core.Add {
		return choose(negative, atLeast(from(t.Min(), core.Sub)), atMost(from(t.Max(), core.Sub)))
	}
	return choose(negative, atMost(from(t.Max(), core.Add)), atLeast(from(t.Min(), core.Add)))
}

// fitsProduct is fits for * of variables of the widest type. C's division rounds towards 0, which is to the
// inside for each of these quotients:
//
//	y > 0    min / y <= x <= max / y
//	y = 0    always
//	y = -1   -max <= x
//	y < -1   max / y <= x <= min / y
func fitsProduct(x, y core.Expr, t core.Int) Condition {
	quotient := func(end *big.Int) core.Expr { return &core.Binary{Op: core.Div, X: constant(end, t), Y: y} }
	between := func(lo, hi core.Expr) Condition {
		return when(&core.Binary{Op: core.Ge, X: x, Y: lo}, plain(&core.Binary{Op: core.Le, X: x, Y: hi}), plain(truth(false)))
	}
	positive := choose(compare(core.Eq, y, big.NewInt(0)), plain(truth(true)), between(quotient(t.Min()), quotient(t.Max())))
	minusOne := plain(compare(core.Ge, x, new(big.Int).Neg(t.Max())))
	negative := choose(compare(core.Eq, y, big.NewInt(-1)), minusOne, between(quotient(t.Max()), quotient(t.Min())))
	return choose(compare(core.Lt, y, big.NewInt(0)), negative, positive)
}

// choose is when, without the case that a constant c excludes.
func choose(c core.Expr, yes, no Condition) Condition {
	if k, ok := c.(*core.Const); ok {
		if k.Val.Sign() != 0 {
			return yes
		}
		return no
	}
	return when(c, yes, no)
}

// shifts returns the condition that x << y is a value of the signed type t of x, for a y from 0 to the width
// less 1: x is not negative, and x * 2^y is at most max. Others than these amounts have another property.
func shifts(x, y core.Expr, t core.Int) core.Expr {
	// 1. By a constant: a bound of x.
	if k, ok := y.(*core.Const); ok {
		if k.Val.Sign() < 0 || k.Val.Cmp(big.NewInt(int64(t.Bits))) >= 0 {
			return truth(true) // its amount is out of range
		}
		return within(x, new(big.Int), new(big.Int).Rsh(t.Max(), uint(k.Val.Int64())))
	}
	// 2. Of a constant: a bound of y, the number of bits that are free above it.
	if k, ok := x.(*core.Const); ok {
		switch k.Val.Sign() {
		case -1:
			return truth(false)
		case 0:
			return truth(true)
		}
		return compare(core.Le, y, big.NewInt(int64(t.Bits-1-k.Val.BitLen())))
	}
	// 3. As unsigned numbers, of which negative ones are greater than max.
	u := core.Int{Bits: t.Bits}
	return &core.Binary{Op: core.Le, X: &core.Conv{X: x, To: u}, Y: &core.Binary{Op: core.Shr, X: constant(t.Max(), u), Y: y}}
}
