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
	switch e := e.(type) {
	case *Const:
		return e.Val
	case *VarRef:
		v := lookup(e.Var)
		if v == nil {
			panic(fmt.Sprintf("core: %s %s has no value", e.Var.Kind, e.Var.Name))
		}
		return v
	case *Conv:
		return e.To.Convert(EvalMath(e.X, lookup))
	case *Cond:
		if EvalMath(e.C, lookup).Sign() != 0 {
			return EvalMath(e.X, lookup)
		}
		return EvalMath(e.Y, lookup)
	case *Unary:
		x := EvalMath(e.X, lookup)
		switch e.Op {
		case Not:
			return truth(x.Sign() == 0)
		case BitNot:
			return wrapUnsigned(e, new(big.Int).Not(x))
		case Neg:
			return wrapUnsigned(e, new(big.Int).Neg(x))
		}
	case *Binary:
		return evalBinary(e, EvalMath(e.X, lookup), EvalMath(e.Y, lookup))
	}
	panic(fmt.Sprintf("core: cannot evaluate %T", e))
}

func evalBinary(e *Binary, x, y *big.Int) *big.Int {
	z := new(big.Int)
	switch e.Op {
	case Add:
		return wrapUnsigned(e, z.Add(x, y))
	case Sub:
		return wrapUnsigned(e, z.Sub(x, y))
	case Mul:
		return wrapUnsigned(e, z.Mul(x, y))
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
		bits := e.X.Type().(Int).Bits
		if y.Sign() < 0 || y.Cmp(big.NewInt(int64(bits))) >= 0 {
			return z
		}
		if e.Op == Shr {
			return z.Rsh(x, uint(y.Uint64())) // rounds down, also for x < 0
		}
		return wrapUnsigned(e, z.Lsh(x, uint(y.Uint64())))
	case And:
		return z.And(x, y)
	case Or:
		return z.Or(x, y)
	case Xor:
		return z.Xor(x, y)
	case LAnd:
		return truth(x.Sign() != 0 && y.Sign() != 0)
	case LOr:
		return truth(x.Sign() != 0 || y.Sign() != 0)
	}
	return truth(compare(e.Op, x.Cmp(y)))
}

// compare is the outcome of a comparison whose operands are ordered as sign says.
func compare(op BinaryOp, sign int) bool {
	switch op {
	case Eq:
		return sign == 0
	case Ne:
		return sign != 0
	case Lt:
		return sign < 0
	case Le:
		return sign <= 0
	case Gt:
		return sign > 0
	case Ge:
		return sign >= 0
	}
	panic(fmt.Sprintf("core: %s is no comparison", op))
}

// wrapUnsigned is v, wrapped to the type of e if that is unsigned.
func wrapUnsigned(e Expr, v *big.Int) *big.Int {
	if t := e.Type().(Int); !t.Signed {
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
