package checks

import (
	"math/big"

	"c2bp/frontend/core"
)

// This file bounds the values of expressions by their types and operators.

// Range returns bounds of the value of x, an expression of an integer type: lo <= x <= hi in every state in
// which C defines x. They need not be the best ones, and are within the type of x.
//
//	(int32)c        -128 … 127, for a char c
//	(int32)c + 1    -127 … 128
//	x % 8           -7 … 7; x & 15: 0 … 15
func Range(x core.Expr) (lo, hi *big.Int) { return rangeTo(x, deepest) }

// deepest is the number of operators in each other that are looked at: each operand of a long sum is asked for.
const deepest = 12

// rangeTo is Range by depth operators in each other.
func rangeTo(x core.Expr, depth int) (lo, hi *big.Int) {
	t := x.Type().(core.Int)
	if depth > 0 {
		lo, hi = operatorRange(x, t, depth-1)
	}
	// Whatever leaves the type has wrapped around, or is undefined; a float has any bits.
	if lo == nil || !t.Contains(lo) || !t.Contains(hi) {
		return t.Min(), t.Max()
	}
	return lo, hi
}

// operatorRange returns the range that follows from the operator of x, and depth others in each other, as numbers without bounds; nil if
// nothing follows.
func operatorRange(x core.Expr, t core.Int, depth int) (lo, hi *big.Int) {
	if t.Float {
		return nil, nil
	}
	switch x := x.(type) {
	case *core.Const:
		return x.Val, x.Val
	case *core.Conv:
		if from, ok := x.X.Type().(core.Int); ok && !from.Float && !t.Bool {
			return rangeTo(x.X, depth)
		}
	case *core.Unary:
		switch x.Op {
		case core.Not:
			return big.NewInt(0), big.NewInt(1)
		case core.Neg:
			lo, hi = rangeTo(x.X, depth)
			return new(big.Int).Neg(hi), new(big.Int).Neg(lo)
		}
	case *core.Binary:
		if x.Op.IsComparison() || x.Op.IsLogical() {
			return big.NewInt(0), big.NewInt(1)
		}
		return binaryRange(x, depth)
	}
	return nil, nil
}

// binaryRange is operatorRange for an arithmetic operator.
func binaryRange(x *core.Binary, depth int) (lo, hi *big.Int) {
	a, b := rangeTo(x.X, depth)
	c, d := rangeTo(x.Y, depth)
	switch x.Op {
	case core.Add, core.Sub, core.Mul:
		return arithmeticRange(x.Op, a, b, c, d)
	case core.And:
		// Bits of a number that is not negative: no more than it.
		switch {
		case a.Sign() >= 0 && c.Sign() >= 0:
			return big.NewInt(0), least(b, d)
		case a.Sign() >= 0:
			return big.NewInt(0), b
		case c.Sign() >= 0:
			return big.NewInt(0), d
		}
	case core.Rem:
		// The remainder is less than the divisor, and has the sign of the dividend.
		if c.Sign() > 0 {
			most := new(big.Int).Sub(d, big.NewInt(1))
			lo, hi = new(big.Int).Neg(most), most
			if a.Sign() >= 0 {
				lo, hi = big.NewInt(0), least(b, most)
			}
			return lo, hi
		}
	case core.Div:
		// By at least 1: it comes nearer to 0.
		if c.Sign() > 0 {
			return least(a, big.NewInt(0)), greatest(b, big.NewInt(0))
		}
	case core.Shr:
		if c.Sign() >= 0 && c.Cmp(d) == 0 && c.IsInt64() && c.Int64() < 64 {
			n := uint(c.Int64())
			return new(big.Int).Rsh(a, n), new(big.Int).Rsh(b, n)
		}
	}
	return nil, nil
}

// arithmeticRange returns the least and the greatest result of op, one of + - *, of a number from a to b
// and one from c to d. The extremes are at the corners.
func arithmeticRange(op core.BinaryOp, a, b, c, d *big.Int) (lo, hi *big.Int) {
	for _, x := range []*big.Int{a, b} {
		for _, y := range []*big.Int{c, d} {
			z := new(big.Int)
			switch op {
			case core.Add:
				z.Add(x, y)
			case core.Sub:
				z.Sub(x, y)
			default:
				z.Mul(x, y)
			}
			if lo == nil {
				lo, hi = z, z
			}
			lo, hi = least(lo, z), greatest(hi, z)
		}
	}
	return lo, hi
}

// least returns the lesser of two numbers.
func least(x, y *big.Int) *big.Int {
	if x.Cmp(y) < 0 {
		return x
	}
	return y
}

// greatest returns the greater of two numbers.
func greatest(x, y *big.Int) *big.Int {
	if x.Cmp(y) > 0 {
		return x
	}
	return y
}
