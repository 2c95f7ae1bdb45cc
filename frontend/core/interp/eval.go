package interp

import (
	"fmt"
	"math"

	"c2bp/frontend/core"
)

// evaluation is the evaluation of expressions in one frame on behalf of one node.
// The first undefined operation is remembered in ub and op; what follows it means
// nothing.
type evaluation struct {
	frame *Frame
	node  int
	quiet bool // no part of the run: accesses are not observed
	ub    UB
	op    core.Expr
}

// value is the value of e and its type; that of an address is its number.
func (v *evaluation) value(e core.Expr) (int64, core.Int) {
	switch e := e.(type) {
	case *core.Const:
		return fromBig(e.Val), e.Typ
	case *core.VarRef:
		return v.variable(e)
	case *core.Conv:
		x, _ := v.value(e.X)
		return convert(e.To, x), e.To
	case *core.Unary:
		return v.unary(e)
	case *core.Binary:
		return v.binary(e)
	case *core.Mem:
		a, _ := v.value(e.Addr)
		return v.read(e, placeSpan(uint64(a), e), pointerType(e.Typ))
	case *core.AddrOf:
		return int64(v.frame.object(e.Var).start), e.Typ.Word()
	case *core.FuncAddr:
		return int64(v.frame.machine.functions[e.Proc].start), e.Typ.Word()
	case *core.Offset:
		x, t := v.value(e.X)
		return v.move(e, x, e.Off, 1), t
	case *core.Index:
		return v.index(e)
	case *core.Diff:
		return v.diff(e)
	case *core.ToPtr:
		x, _ := v.value(e.X)
		return convert(e.Typ.Word(), x), e.Typ.Word()
	case *core.ToInt:
		x, _ := v.value(e.X)
		return convert(e.To, x), e.To
	case *core.Cond:
		if c, _ := v.value(e.C); c != 0 {
			return v.value(e.X)
		}
		return v.value(e.Y)
	}
	panic(fmt.Sprintf("interp: cannot evaluate %T", e))
}

func (v *evaluation) variable(e *core.VarRef) (int64, core.Int) {
	f := v.frame
	s := f.slot(e.Var)
	if s.memory {
		t, _ := core.Word(e.Var.Type)
		return v.read(e, spanOf(f.objectIn(s, e.Var).start, t, 0), pointerType(e.Var.Type))
	}
	t, _ := core.Word(e.Var.Type)
	return *f.cellIn(s, e.Var), t
}

// read is the value of l, which is at s.
func (v *evaluation) read(l core.Loc, s span, pointer bool) (int64, core.Int) {
	m, t := v.frame.machine, s.typ
	o, off, ub := m.locate(s)
	if ub != Defined {
		return v.check(l, 0, ub), t
	}
	x := m.load(o, off, s, pointer)
	if !v.quiet {
		at := Place{Proc: v.frame.proc, Node: v.node, Depth: v.frame.depth}
		m.observe(Access{Place: at, Loc: l, Object: o, Addr: s.addr, Size: s.size})
	}
	if t.Bool && x != 0 && x != 1 {
		return v.check(l, 1, BadBool), t
	}
	return x, t
}

// move is the address x plus n times size bytes, as e says.
func (v *evaluation) move(e core.Expr, x, n, size int64) int64 {
	if n == 0 || size == 0 {
		return x
	}
	o := v.frame.machine.liveAt(uint64(x))
	if o == nil || n > maxBytes || n < -maxBytes || size > maxBytes {
		return v.check(e, x, BadPointer)
	}
	to := x + n*size
	if !o.holds(uint64(to), 0) {
		return v.check(e, x, BadPointer)
	}
	return to
}

func (v *evaluation) index(e *core.Index) (int64, core.Int) {
	x, t := v.value(e.X)
	i, of := v.value(e.I)
	if i < 0 && !of.Signed {
		i = math.MaxInt64 // too great for any object in any case
	}
	if e.Count > 0 && (i < 0 || i >= e.Count) {
		return v.check(e, x, BadPointer), t
	}
	if v.frame.machine.options.mutation == unscaled {
		return v.move(e, x, i, 1), t
	}
	return v.move(e, x, i, e.Size), t
}

func (v *evaluation) diff(e *core.Diff) (int64, core.Int) {
	x, _ := v.value(e.X)
	y, _ := v.value(e.Y)
	if e.Size == 0 {
		return v.check(e, 0, DivisionByZero), e.Typ
	}
	return v.check(e, normal(e.Typ, (x-y)/e.Size), v.related(x, y)), e.Typ
}

// related checks that the addresses x and y are in, or just behind, one object.
func (v *evaluation) related(x, y int64) UB {
	m := v.frame.machine
	if o := m.liveAt(uint64(x)); o == nil || o != m.liveAt(uint64(y)) {
		return Unrelated
	}
	return Defined
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
	case core.Lt, core.Le, core.Gt, core.Ge:
		if !t.Signed && pointerType(e.X.Type()) {
			ub = v.related(x, y)
		}
		return v.check(e, truth(holds(e.Op, t, x, y)), ub), core.Int32
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
