package interp

import (
	"fmt"
	"math"
	"math/bits"

	"c2bp/frontend/core"
	"c2bp/ieee"
)

// evaluation is the evaluation of expressions in one frame on behalf of one node.
// The first undefined operation is remembered in ub and op; what follows it means
// nothing.
type evaluation struct {
	frame   *Frame
	machine *Machine
	node    int
	quiet   bool // no part of the run: neither accesses nor comparisons are observed
	ub      UB
	op      core.Expr
}

// value is the value of c; that of an address is its number.
func (v *evaluation) value(c *code) int64 {
	switch c.op {
	case opConstant:
		return c.value
	case opRegister:
		return v.frame.values[c.slot]
	case opGlobal:
		return v.machine.globals[c.slot]
	case opLocalObject:
		return v.read(c, v.frame.objects[c.slot].start)
	case opGlobalObject:
		return v.read(c, v.machine.globalObjects[c.slot].start)
	case opMemory:
		return v.read(c, uint64(v.value(c.x)))
	case opLocalAddress:
		return int64(v.frame.objects[c.slot].start)
	case opGlobalAddress:
		return int64(v.machine.globalObjects[c.slot].start)
	case opProcAddress:
		return int64(v.machine.functions[c.slot].start)
	case opConvert:
		return convert(c.typ, v.value(c.x))
	case opNot:
		return truth(v.value(c.x) == 0)
	case opComplement:
		return normal(c.typ, ^v.value(c.x))
	case opOnes:
		return int64(bits.OnesCount64(uint64(v.value(c.x)) << (64 - c.x.typ.Bits)))
	case opNegate:
		z, ub := negate(c.typ, v.value(c.x))
		return v.check(c, z, ub)
	case opOffset:
		return v.move(c, v.value(c.x), c.value, 1)
	case opIndex:
		return v.index(c)
	case opDiff:
		return v.diff(c)
	case opCond:
		if v.value(c.x) != 0 {
			return v.value(c.y)
		}
		return v.value(c.z)
	case opCompare:
		return v.compare(c)
	case opFloat:
		return v.float(c)
	}
	return v.binary(c)
}

// read is the value of c, which is at addr.
func (v *evaluation) read(c *code, addr uint64) int64 {
	m, s := v.machine, c.span
	s.addr += addr
	o, off, ub := m.locate(s)
	if ub != Defined {
		return v.check(c, 0, ub)
	}
	if !v.quiet && c.op == opMemory && !m.fits(o, off-c.within, c.shape) {
		return v.check(c, 0, Impossible)
	}
	x := m.load(o, off, s, c.pointer)
	if !v.quiet && m.options.OnAccess != nil {
		at := Place{Proc: v.frame.proc, Node: v.node, Depth: v.frame.depth}
		m.observe(Access{Place: at, Loc: c.from.(core.Loc), Object: o, Addr: s.addr, Size: s.size})
	}
	if c.typ.Bool && x != 0 && x != 1 {
		return v.check(c, 1, BadBool)
	}
	return x
}

// move is the address x plus n times size bytes, as c says.
func (v *evaluation) move(c *code, x, n, size int64) int64 {
	if n == 0 || size == 0 {
		return x
	}
	o := v.machine.liveAt(uint64(x))
	if hi, lo := bits.Mul64(magnitude(n), magnitude(size)); o == nil || hi != 0 || lo > maxObject {
		return v.check(c, x, BadPointer)
	}
	to := x + n*size
	if !o.holds(uint64(to), 0) {
		return v.check(c, x, BadPointer)
	}
	return to
}

// magnitude is the absolute value of x.
func magnitude(x int64) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}

func (v *evaluation) index(c *code) int64 {
	x := v.value(c.x)
	i := v.value(c.y)
	if i < 0 && !c.y.typ.Signed {
		i = math.MaxInt64 // too great for any object in any case
	}
	if c.count > 0 && (i < 0 || i >= c.count) {
		return v.check(c, x, BadPointer)
	}
	return v.move(c, x, i, c.value)
}

func (v *evaluation) diff(c *code) int64 {
	x := v.value(c.x)
	y := v.value(c.y)
	if c.value == 0 {
		return v.check(c, 0, DivisionByZero)
	}
	return v.check(c, normal(c.typ, (x-y)/c.value), v.related(x, y))
}

// related checks that the addresses x and y are in, or just behind, one object.
func (v *evaluation) related(x, y int64) UB {
	if o := v.machine.liveAt(uint64(x)); o == nil || o != v.machine.liveAt(uint64(y)) {
		return Unrelated
	}
	return Defined
}

func (v *evaluation) binary(c *code) int64 {
	x := v.value(c.x)
	y := v.value(c.y)
	t := c.x.typ
	var z int64
	var ub UB
	switch c.binary {
	case core.Add:
		z, ub = v.machine.options.mutation.add(t, x, y)
	case core.Sub:
		z, ub = subtract(t, x, y)
	case core.Mul:
		z, ub = multiply(t, x, y)
	case core.Div, core.Rem:
		z, ub = divide(c.binary, t, x, y)
	case core.Shl, core.Shr:
		z, ub = shift(c.binary, t, x, y)
	case core.And:
		return x & y
	case core.Or:
		return x | y
	case core.Xor:
		return x ^ y
	default:
		return truth(holds(c.binary, t, x, y))
	}
	if ub != Defined {
		return v.check(c, z, ub)
	}
	return z
}

// apply is [ieee.Apply] under the mutations.
func (m mutation) apply(op ieee.Op, width int, x, y uint64) uint64 {
	switch {
	case m == orderedNaN && op == ieee.Eq && x == y:
		return 1
	case m == towardsZero && op == ieee.Div && width == 64:
		q := ieee.Apply(op, width, x, y)
		if back := ieee.Apply(ieee.Mul, width, q, y); ieee.Apply(ieee.Lt, width, x, back) == 1 {
			return q - 1
		}
		return q
	}
	return ieee.Apply(op, width, x, y)
}

// float is the value of c, a floating-point operation.
func (v *evaluation) float(c *code) int64 {
	x := v.value(c.x)
	switch c.float {
	case ieee.FromInt:
		return int64(ieee.FromInteger(x, c.x.typ.Signed, c.typ.Bits))
	case ieee.Resize:
		return int64(ieee.Resized(uint64(x), c.width, c.typ.Bits))
	case ieee.ToInt:
		whole, ok := ieee.Whole(uint64(x), c.width)
		if !ok || !c.typ.Contains(whole) {
			return v.check(c, 0, BadConversion)
		}
		return fromBig(whole)
	}
	y := int64(0)
	if c.y != nil {
		y = v.value(c.y)
	}
	return int64(v.machine.options.mutation.apply(c.float, c.width, uint64(x), uint64(y)))
}

func (v *evaluation) compare(c *code) int64 {
	x := v.value(c.x)
	y := v.value(c.y)
	if c.related {
		if ub := v.related(x, y); ub != Defined {
			v.check(c, 0, ub)
		}
	}
	if observe := v.machine.options.OnCompare; observe != nil && !v.quiet {
		observe(Comparison{Site: c.site, Type: c.x.typ, X: x, Y: y, evaluation: v, code: c})
	}
	return truth(holds(c.binary, c.x.typ, x, y))
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

// check remembers ub, the outcome of c, if it is the first.
func (v *evaluation) check(c *code, z int64, ub UB) int64 {
	if ub != Defined && v.ub == Defined {
		v.ub, v.op = ub, c.from
	}
	return z
}
