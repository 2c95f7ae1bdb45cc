package core

import (
	"fmt"
	"math/big"
)

// This file evaluates expressions in the mathematical reading of integers.

// EvalMath returns the value of e in the mathematical reading of integers
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
//   - Floating point is exact, see package ieee; a number that the integer type does not
//     hold, or none, becomes 0.
//
// Where C leaves the value undefined, the choice made here is total and fixed,
// and of no meaning. Where the evaluation in C is defined, this is its value.
// EvalMath panics on expressions that [Validate] would reject in a node (but for
// ?:), on variables without a value, and on memory: see [EvalIn].
func EvalMath(e Expr, lookup func(*Var) *big.Int) *big.Int {
	return EvalIn(e, State{Var: lookup})
}

// State gives meaning to the parts of expressions that depend on it. A function for a part that the
// expressions do not contain may be nil. Results are not changed.
type State struct {
	Var  func(*Var) *big.Int  // the value of a variable of type Int or Ptr
	Addr func(*Var) *big.Int  // the address of a variable
	Func func(*Proc) *big.Int // the address of a procedure
	// Load is the value of type Int or Ptr at an address, wherever that points to; bit
	// is [Mem.Bit].
	Load func(addr *big.Int, typ Type, bit int) *big.Int
}

// EvalIn is EvalMath with memory. Addresses are numbers: Offset, Index and Diff
// compute without bounds and without wrapping around; ToPtr takes the number modulo
// the width of addresses.
func EvalIn(e Expr, s State) *big.Int {
	v, _ := s.eval(e)
	return v
}

// eval returns the value of e and the integer type that holds it (of an address, the unsigned one);
// asking e for its type at every operator would take quadratic time. The number may be one of e or
// of s, so it must not be changed.
func (s State) eval(e Expr) (*big.Int, Int) {
	switch e := e.(type) {
	case *Const:
		return e.Val, e.Typ
	case *VarRef:
		v := s.Var(e.Var)
		t, ok := Word(e.Var.Type)
		if v == nil || !ok {
			panic(fmt.Sprintf("core: %s %s has no value", e.Var.Kind, e.Var.Name))
		}
		return v, t
	case *Mem:
		a, _ := s.eval(e.Addr)
		t, _ := Word(e.Typ)
		return s.Load(a, e.Typ, e.Bit), t
	case *AddrOf:
		return s.Addr(e.Var), e.Typ.Word()
	case *FuncAddr:
		return s.Func(e.Proc), e.Typ.Word()
	case *Offset:
		x, t := s.eval(e.X)
		return new(big.Int).Add(x, big.NewInt(e.Off)), t
	case *Index:
		x, t := s.eval(e.X)
		i, _ := s.eval(e.I)
		i = new(big.Int).Mul(i, big.NewInt(e.Size))
		return i.Add(i, x), t
	case *Diff:
		x, _ := s.eval(e.X)
		y, _ := s.eval(e.Y)
		d := new(big.Int).Sub(x, y)
		return d.Quo(d, big.NewInt(e.Size)), e.Typ
	case *ToPtr:
		x, _ := s.eval(e.X)
		return e.Typ.Word().Convert(x), e.Typ.Word()
	case *ToInt:
		x, _ := s.eval(e.X)
		return e.To.Convert(x), e.To
	case *Conv:
		x, _ := s.eval(e.X)
		return e.To.Convert(x), e.To
	// Only one branch is evaluated.
	case *Cond:
		if c, _ := s.eval(e.C); c.Sign() != 0 {
			return s.eval(e.X)
		}
		return s.eval(e.Y)
	case *Float:
		return s.float(e), e.Typ
	case *Unary:
		x, t := s.eval(e.X)
		switch e.Op {
		case Not:
			return truth(x.Sign() == 0), Int32
		case BitNot:
			return wrapUnsigned(t, new(big.Int).Not(x)), t
		case Neg:
			return wrapUnsigned(t, new(big.Int).Neg(x)), t
		case Ones:
			return OnesIn(x, t.Bits), Int32
		}
	case *Binary:
		x, t := s.eval(e.X)
		y, _ := s.eval(e.Y)
		if e.Op.IsComparison() || e.Op.IsLogical() {
			return truth(holds(e.Op, x, y)), Int32
		}
		return arithmetic(e.Op, t, x, y), t
	}
	panic(fmt.Sprintf("core: cannot evaluate %T", e))
}

// arithmetic applies op to x, of type t, and y. Both stay as they are; the result may be x.
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
		// Shifts out of range are 0, as documented.
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

// holds returns the outcome of a comparison or of a logical operation.
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

// wrapUnsigned returns v, wrapped to t if t is unsigned. In this reading signed numbers have no
// bounds.
func wrapUnsigned(t Int, v *big.Int) *big.Int {
	if !t.Signed {
		return t.Convert(v)
	}
	return v
}

// truth returns 1 for true and 0 for false.
func truth(b bool) *big.Int {
	if b {
		return big.NewInt(1)
	}
	return new(big.Int)
}

// OnesIn returns the number of ones in the bits of x, a value of a type of that width.
func OnesIn(x *big.Int, width int) *big.Int {
	n := 0
	for i := range width { // Bit is that of two's complement, also for negative numbers
		n += int(x.Bit(i))
	}
	return big.NewInt(int64(n))
}
