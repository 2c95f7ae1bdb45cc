package interp

import (
	"fmt"

	"c2bp/frontend/core"
)

// evaluation is the evaluation of expressions in one frame. The first undefined
// operation is remembered in ub and op; what follows it means nothing.
type evaluation struct {
	frame *Frame
	ub    UB
	op    core.Expr
}

// value is the value of e and its type.
func (v *evaluation) value(e core.Expr) (int64, core.Int) {
	switch e := e.(type) {
	case *core.Const:
		return fromBig(e.Val), e.Typ
	case *core.VarRef:
		return *v.frame.cell(e.Var), e.Var.Type.(core.Int)
	case *core.Conv:
		x, _ := v.value(e.X)
		return convert(e.To, x), e.To
	case *core.Unary:
		return v.unary(e)
	case *core.Binary:
		return v.binary(e)
	case *core.Cond:
		if c, _ := v.value(e.C); c != 0 {
			return v.value(e.X)
		}
		return v.value(e.Y)
	}
	panic(fmt.Sprintf("interp: cannot evaluate %T", e))
}

func (v *evaluation) unary(e *core.Unary) (int64, core.Int) {
	x, t := v.value(e.X)
	switch e.Op {
	case core.Not:
		return truth(x == 0), core.Int32
	case core.BitNot:
		return normal(t, ^x), t
	}
	z, ub := negate(t, x)
	return v.check(e, z, ub), t
}

func (v *evaluation) binary(e *core.Binary) (int64, core.Int) {
	x, t := v.value(e.X)
	y, _ := v.value(e.Y)
	var z int64
	var ub UB
	switch e.Op {
	case core.Add:
		z, ub = v.frame.machine.options.mutation.add(t, x, y)
	case core.Sub:
		z, ub = subtract(t, x, y)
	case core.Mul:
		z, ub = multiply(t, x, y)
	case core.Div, core.Rem:
		z, ub = divide(e.Op, t, x, y)
	case core.Shl, core.Shr:
		z, ub = shift(e.Op, t, x, y)
	case core.And:
		z = x & y
	case core.Or:
		z = x | y
	case core.Xor:
		z = x ^ y
	default:
		return truth(holds(e.Op, t, x, y)), core.Int32
	}
	return v.check(e, z, ub), t
}

// holds is the outcome of a comparison or of a logical operation.
func holds(op core.BinaryOp, t core.Int, x, y int64) bool {
	switch op {
	case core.Eq:
		return x == y
	case core.Ne:
		return x != y
	case core.Lt:
		return less(t, x, y)
	case core.Le:
		return !less(t, y, x)
	case core.Gt:
		return less(t, y, x)
	case core.Ge:
		return !less(t, x, y)
	case core.LAnd:
		return x != 0 && y != 0
	case core.LOr:
		return x != 0 || y != 0
	}
	panic(fmt.Sprintf("interp: unknown operator %d", op))
}

// check remembers ub, the outcome of e, if it is the first.
func (v *evaluation) check(e core.Expr, z int64, ub UB) int64 {
	if ub != Defined && v.ub == Defined {
		v.ub, v.op = ub, e
	}
	return z
}
