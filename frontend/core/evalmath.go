package core

import (
	"fmt"
	"math/big"
)

// EvalMath is the value of e in the mathematical reading of integers
// (--ints=math), the one that predicates have; lookup gives the values of the
// variables and its results are not changed.
//
//   - Signed arithmetic is unbounded: the result of + - * - << may be no value of
//     its type. Unsigned + - * - ~ << wrap to the type. Conversions are exact.
//   - Comparisons compare the numbers.
//   - / and % truncate towards zero, as in C; x / 0 is 0 and x % 0 is x.
//   - ~ & | ^ work on two's complement, of unbounded width if signed.
//   - x << y is x·2^y and x >> y is ⌊x / 2^y⌋; for y outside [0, bits of x) both
//     are 0.
//   - && and || evaluate both operands, ?: one of two.
//
// Where C leaves the value undefined, the choice made here is total and fixed,
// and of no meaning. Where the evaluation in C is defined, this is its value.
// EvalMath panics on expressions that [Validate] would reject in a node (but for
// ?:) and on variables without a value.
func EvalMath(e Expr, lookup func(*Var) *big.Int) *big.Int {
	v, _ := evalMath(e, lookup)
	return v
}

// evalMath is the value of e and its type; asking e for its type at every
// operator would take quadratic time.
func evalMath(e Expr, lookup func(*Var) *big.Int) (*big.Int, Int) {
	switch e := e.(type) {
	case *Const:
		return e.Val, e.Typ
	case *VarRef:
		v := lookup(e.Var)
		if v == nil {
			panic(fmt.Sprintf("core: %s %s has no value", e.Var.Kind, e.Var.Name))
		}
		return v, e.Var.Type.(Int)
	case *Conv:
		x, _ := evalMath(e.X, lookup)
		return e.To.Convert(x), e.To
	case *Cond:
		if c, _ := evalMath(e.C, lookup); c.Sign() != 0 {
			return evalMath(e.X, lookup)
		}
		return evalMath(e.Y, lookup)
	case *Unary:
		x, t := evalMath(e.X, lookup)
		switch e.Op {
		case Not:
			return truth(x.Sign() == 0), Int32
		case BitNot:
			return wrapUnsigned(t, new(big.Int).Not(x)), t
		case Neg:
			return wrapUnsigned(t, new(big.Int).Neg(x)), t
		}
	case *Binary:
		x, t := evalMath(e.X, lookup)
		y, _ := evalMath(e.Y, lookup)
		if e.Op.IsComparison() || e.Op.IsLogical() {
			return truth(holds(e.Op, x, y)), Int32
		}
		return arithmetic(e.Op, t, x, y), t
	}
	panic(fmt.Sprintf("core: cannot evaluate %T", e))
}

// arithmetic applies op to x, of type t, and y.
func arithmetic(op BinaryOp, t Int, x, y *big.Int) *big.Int {
	z := new(big.Int)
	switch op {
	case Add:
		return wrapUnsigned(t, z.Add(x, y))
	case Sub:
		return wrapUnsigned(t, z.Sub(x, y))
	case Mul:
		return wrapUnsigned(t, z.Mul(x, y))
	case Div:
		if y.Sign() == 0 {
			return z
		}
		return z.Quo(x, y)
	case Rem:
		if y.Sign() == 0 {
			return x
		}
		return z.Rem(x, y)
	case Shl, Shr:
		if y.Sign() < 0 || y.Cmp(big.NewInt(int64(t.Bits))) >= 0 {
			return z
		}
		if op == Shr {
			return z.Rsh(x, uint(y.Uint64())) // rounds down, also for x < 0
		}
		return wrapUnsigned(t, z.Lsh(x, uint(y.Uint64())))
	case And:
		return z.And(x, y)
	case Or:
		return z.Or(x, y)
	case Xor:
		return z.Xor(x, y)
	}
	panic(fmt.Sprintf("core: unknown operator %d", op))
}

// holds is the outcome of a comparison or of a logical operation.
func holds(op BinaryOp, x, y *big.Int) bool {
	switch op {
	case Eq:
		return x.Cmp(y) == 0
	case Ne:
		return x.Cmp(y) != 0
	case Lt:
		return x.Cmp(y) < 0
	case Le:
		return x.Cmp(y) <= 0
	case Gt:
		return x.Cmp(y) > 0
	case Ge:
		return x.Cmp(y) >= 0
	case LAnd:
		return x.Sign() != 0 && y.Sign() != 0
	case LOr:
		return x.Sign() != 0 || y.Sign() != 0
	}
	panic(fmt.Sprintf("core: %s is no condition", op))
}

// wrapUnsigned is v, wrapped to t if that is unsigned.
func wrapUnsigned(t Int, v *big.Int) *big.Int {
	if !t.Signed {
		return t.Convert(v)
	}
	return v
}

func truth(b bool) *big.Int {
	if b {
		return big.NewInt(1)
	}
	return new(big.Int)
}
