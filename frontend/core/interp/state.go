package interp

import (
	"math/big"

	"c2bp/frontend/core"
)

// This file gives predicates a view of the states of a run.

// State returns the state as the expressions of f's procedure see it, for [core.EvalIn]. It is
// total: memory outside of all objects holds fixed values, and so do misaligned places, unless the
// program has packed structs; objects whose lives have ended keep their last contents. Contents
// that are still arbitrary are decided when they are looked at.
func (f *Frame) State() core.State {
	s := f.machine.State()
	s.Var, s.Addr = f.Value, f.address
	return s
}

// State is like [Frame.State] with the globals only, and valid also when no frame is left.
func (m *Machine) State() core.State {
	return core.State{
		Var: m.Global,
		Addr: func(v *core.Var) *big.Int {
			return new(big.Int).SetUint64(m.globalObjects[m.slots[v].index].start)
		},
		Func: func(p *core.Proc) *big.Int { return new(big.Int).SetUint64(m.functions[m.Prepared.functions[p]].start) },
		Load: m.peek,
	}
}

// address returns the address of v, a variable in memory that f can see.
func (f *Frame) address(v *core.Var) *big.Int {
	return new(big.Int).SetUint64(f.object(v).start)
}

// peek returns the value at an address, whatever that is. It is the Load of [core.State]: addr need
// not be an address of the machine, and typ must be of a scalar.
func (m *Machine) peek(addr *big.Int, typ core.Type, bit int) *big.Int {
	t, ok := core.Word(typ)
	if !ok {
		panic("interp: no scalar: " + typ.String())
	}
	if !addr.IsUint64() {
		return toBig(t, nowhere(spanOf(uint64(addr.Int64()), t, bit)))
	}
	s := spanOf(addr.Uint64(), t, bit)
	s.packed = m.packed // of this place it is not known
	return toBig(t, m.peekSpan(s, pointerType(typ)))
}

// peekSpan returns the value of s, or a fixed one where it is not in an object, dead ones included.
// It is no access of the run, but it decides arbitrary bytes.
func (m *Machine) peekSpan(s span, pointer bool) int64 {
	o := m.Object(s.addr)
	if o == nil || !o.holds(s.addr, s.size) || !m.aligned(s) {
		return nowhere(s)
	}
	return boolean(s.typ, m.load(o, int64(s.addr-o.start), s, pointer))
}

// nowhere returns the value of s where there is no memory: a small number that depends on the
// address, so that predicates at different addresses do not all agree. Reads that overlap agree,
// since each byte has one value.
func nowhere(s span) int64 {
	b := make([]byte, s.size)
	for i := range b {
		if a := s.addr + uint64(i); a%4 == 0 {
			b[i] = byte(a * 0x9e37_79b9_7f4a_7c15 >> 62)
		}
	}
	return boolean(s.typ, s.decode(b))
}

// boolean returns x, made 0 or 1 if t is bool.
func boolean(t core.Int, x int64) int64 {
	if t.Bool {
		return truth(x != 0)
	}
	return x
}

// pointerType reports whether t is the type of pointers.
func pointerType(t core.Type) bool {
	_, ok := t.(core.Ptr)
	return ok
}

// mostWords bounds the words of an object that Words looks at.
const mostWords = 1 << 14

// Words calls visit for the words of o, one pointer wide, that are not arbitrary, with their
// offsets.
func (m *Machine) Words(o *Object, visit func(off int64, v uint64)) {
	size := int64(m.pointer.Bits / 8)
	for off := int64(0); off+size <= min(o.size, mostWords*size); off += size {
		if m.settle(o, off, size) == 0 {
			s := span{addr: o.start + uint64(off), size: size, typ: core.Int{Bits: m.pointer.Bits}}
			visit(off, uint64(s.decode(m.bytesAt(o, off, size).data)))
		}
	}
}
