package interp

import (
	"fmt"
	"math"
	"math/bits"

	"c2bp/frontend/core"
	"c2bp/ieee"
)

// This file evaluates compiled expressions.

// evaluation is the evaluation of expressions in one frame on behalf of one node. The first
// undefined operation is remembered in ub and op; values after it have no meaning.
type evaluation struct {
	frame   *Frame
	machine *Machine
	node    int
	quiet   bool // not a part of the run: neither accesses nor comparisons are observed
	ub      UB
	op      core.Expr
}

// value returns the value of c; that of an address is its number. All operands are evaluated, those
// of && and || among them, but only one of the two of ?:.
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
		x := v.value(c.x)
		// A view of the state makes pointers of the addresses that it has found.
		if c.pointer != c.x.pointer && !(v.quiet && c.x.op == opConstant) {
			v.machine.asNumber(x)
		}
		return convert(c.typ, x)
	case opNot:
		return truth(v.value(c.x) == 0)
	case opComplement:
		return normal(c.typ, ^v.value(c.x))
	case opOnes:
		// A negative value is kept in 64 bits: the shift drops the copies of its sign.
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

// read returns the value of c, a variable in memory or a Mem, which is at addr.
func (v *evaluation) read(c *code, addr uint64) int64 {
	m, s := v.machine, c.span
	// The span has the bytes between addr and the first byte of a bit-field.
	s.addr += addr
	// 1. Check the access.
	o, off, ub := m.locate(s)
	if ub != Defined {
		return v.check(c, 0, ub)
	}
	if !v.quiet && c.op == opMemory && !m.accessFits(o, off, c) {
		return v.check(c, 0, Impossible)
	}
	// 2. Load the value, and report the access.
	// Loading may ask for arbitrary bytes.
	x := m.load(o, off, s, c.pointer)
	if !c.pointer {
		m.numbersIn(o, off, s.size)
	}
	if m.forced && !v.quiet {
		m.noteStay(block{o, off, s.size}, c.from.(core.Loc))
	}
	if !v.quiet && m.options.OnAccess != nil {
		at := Place{Proc: v.frame.proc, Node: v.node, Depth: v.frame.depth}
		m.observe(Access{Place: at, Loc: c.from.(core.Loc), Object: o, Addr: s.addr, Size: s.size})
	}
	// 3. A bool has one of two values.
	if c.typ.Bool && x != 0 && x != 1 {
		return v.check(c, 1, BadBool)
	}
	return x
}

// move returns the address x plus n times size bytes. Adding nothing is defined for any pointer,
// also for null.
func (v *evaluation) move(c *code, x, n, size int64) int64 {
	if n == 0 || size == 0 {
		return x
	}
	// Greater distances leave every object, and could wrap around.
	if hi, lo := bits.Mul64(magnitude(n), magnitude(size)); hi != 0 || lo > maxObject {
		return v.check(c, x, BadPointer)
	}
	// The base must be in a live object, and so must the result, or just after it, unless it strays.
	to := x + n*size
	o := v.machine.liveAt(uint64(x))
	if o != nil && o.holds(uint64(to), 0) || v.machine.strays(uint64(x), uint64(to)) {
		return to
	}
	return v.check(c, x, BadPointer)
}

// magnitude returns the absolute value of x.
func magnitude(x int64) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}

// index returns the address of element c.y of the elements that c.x points to.
func (v *evaluation) index(c *code) int64 {
	x := v.value(c.x)
	i := v.value(c.y)
	if i < 0 && !c.y.typ.Signed {
		i = math.MaxInt64 // too great for any object in any case
	}
	// The bounds of the array, if they are known.
	// As in int a[3][4]: a[0][4] is within the object a, but not an element of a[0].
	if c.count > 0 && (i < 0 || i >= c.count) {
		return v.check(c, x, BadPointer)
	}
	return v.move(c, x, i, c.value)
}

// diff returns the difference of two addresses, in elements. It is undefined unless both are in one
// object (C11 6.5.6p9).
func (v *evaluation) diff(c *code) int64 {
	x := v.value(c.x)
	y := v.value(c.y)
	if c.value == 0 {
		return v.check(c, 0, DivisionByZero)
	}
	return v.check(c, normal(c.typ, (x-y)/c.value), v.related(x, y))
}

// related checks that the addresses x and y are in, or just after, one live object.
func (v *evaluation) related(x, y int64) UB {
	if o := v.machine.liveAt(uint64(x)); o == nil || o != v.machine.liveAt(uint64(y)) {
		return Unrelated
	}
	return Defined
}

// binary returns the value of c, a binary operation on integers.
func (v *evaluation) binary(c *code) int64 {
	x := v.value(c.x)
	y := v.value(c.y)
	t := c.x.typ
	// z is the result where ub is Defined.
	var z int64
	var ub UB
	switch c.binary {
	case core.Add:
		z, ub = add(t, x, y)
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

// float returns the value of c, a floating-point operation.
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
	// Operators with one operand, such as the negation, have no c.y.
	y := int64(0)
	if c.y != nil {
		y = v.value(c.y)
	}
	return int64(ieee.Apply(c.float, c.width, uint64(x), uint64(y)))
}

// compare returns the value of c, a comparison, and reports it to the observer. Equality of
// addresses is defined for all of them, order only within an object (C11 6.5.8p5).
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

// holds returns the outcome of a comparison of values of t, or of a logical operation.
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

// check remembers ub, the outcome of c, if it is the first and the program is not compiled so that it is defined. It
// returns z, so that the evaluation continues to its end.
func (v *evaluation) check(c *code, z int64, ub UB) int64 {
	if ub != Defined && v.ub == Defined && !v.wraps(ub) {
		v.ub, v.op = ub, c.from
	}
	return z
}

// wraps reports whether the program is compiled so that an operation which is undefined as ub says wraps around.
func (v *evaluation) wraps(ub UB) bool {
	return (ub == SignedOverflow || ub == ShiftOverflow) && v.machine.prog.NumbersWrap
}
