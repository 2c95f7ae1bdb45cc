package interp

import (
	"encoding/binary"

	"c2bp/frontend/core"
)

// This file defines how scalars are read from and written to memory.

// Access is one executed read or write of memory, for Options.OnAccess. The reads
// of conditions, which a Branch looks at first, are seen twice.
type Access struct {
	Place // the frame and the node
	// Loc is the scalar that is accessed: a Mem, or a VarRef of a variable in memory.
	// It is nil for accesses to blocks of bytes; then Base is the expression that
	// points to them, or also nil for what externals, Havoc with Region and the
	// passing of formals write.
	Loc    core.Loc
	Base   core.Expr
	Extern *core.Proc // the procedure without a body that writes, or nil
	Object *Object
	Addr   uint64
	Size   int64
	Write  bool
}

// span is the bytes of a scalar: size bytes from addr on, the first shift bits of which belong to
// another one.
type span struct {
	addr   uint64
	size   int64
	shift  uint
	typ    core.Int
	packed bool // aligned to bytes only
}

// spanOf returns the bytes of a scalar of type t that starts at a bit of the byte at addr. A
// bit-field of 5 bits from bit 14 on has two bytes from addr+1 on, with a shift of 6.
func spanOf(addr uint64, t core.Int, bit int) span {
	s := span{addr: addr + uint64(bit/8), shift: uint(bit % 8), typ: t}
	s.size = int64(int(s.shift)+t.Bits+7) / 8
	return s
}

// placeSpan returns the bytes of mem, a scalar, whose address is addr.
func placeSpan(addr uint64, mem *core.Mem) span {
	t, ok := core.Word(mem.Typ)
	if !ok {
		panic("interp: no scalar: " + core.ExprString(mem))
	}
	s := spanOf(addr, t, mem.Bit)
	s.packed = mem.Packed
	return s
}

// whole reports whether s has all bits of its bytes, as everything but bit-fields has.
func (s span) whole() bool {
	return s.shift == 0 && (s.typ.Bits == 8 || s.typ.Bits == 16 || s.typ.Bits == 32 || s.typ.Bits == 64)
}

// locate returns the object that s lies in and its offset there, if an access is defined; otherwise
// o is nil.
func (m *Machine) locate(s span) (o *Object, off int64, ub UB) {
	// All bytes must lie in one live object that is not a procedure.
	o = m.liveAt(s.addr)
	if o == nil || !o.holds(s.addr, s.size) || o.proc != nil {
		return nil, 0, BadAccess
	}
	if !m.aligned(s) {
		return nil, 0, Misaligned
	}
	return o, int64(s.addr - o.start), Defined
}

// aligned reports whether s has the alignment that its size demands: the size, but at most that of
// addresses. Bit-fields and members of packed structs have none.
func (m *Machine) aligned(s span) bool {
	return s.packed || !s.whole() || s.addr%uint64(min(int(s.size), m.pointer.Bits/8)) == 0
}

// load reads s at off of o, as a number of its type; of a bool, all bits. Bytes that are arbitrary
// are decided: from then on, each read gives the same.
func (m *Machine) load(o *Object, off int64, s span, pointer bool) int64 {
	if open := m.settle(o, off, s.size); open > 0 {
		m.decideSpan(o, off, s, pointer, open == s.size)
		m.numbersIn(o, off, s.size) // an address that was chosen
	}
	return s.decode(m.bytesAt(o, off, s.size).data)
}

// decode returns the number that the bytes represent. The bits of a bool are all taken. A bit-field
// of 64 bits that does not start at a byte takes nine bytes.
func (s span) decode(bytes []byte) int64 {
	var b [16]byte
	copy(b[:], bytes[:s.size])
	v := binary.LittleEndian.Uint64(b[:]) >> s.shift
	v |= binary.LittleEndian.Uint64(b[8:]) << (64 - s.shift)
	return normal(s.typ, int64(v))
}

// decideSpan asks for the arbitrary bytes of s: for one value if all of them are arbitrary, else
// byte by byte.
func (m *Machine) decideSpan(o *Object, off int64, s span, pointer, all bool) {
	// One request for the scalar; the old value is offered if it is one of the type.
	if all && s.whole() {
		r := Request{Why: Contents, Object: o, Addr: s.addr, Owner: o.depth, Type: s.typ, Pointer: pointer}
		held := m.bytesAt(o, off, s.size)
		r.old = s.decode(held.data)
		// The old bytes of a bool may be any number.
		r.hasOld = convert(s.typ, r.old) == r.old
		// If nobody has set one of the bytes, the whole points nowhere.
		for _, mark := range held.unknown {
			r.Indeterminate = r.Indeterminate || origin(mark&1) == indeterminate
		}
		// The whole variable is read: its request names it.
		if o.v != nil && s.size == o.Size() {
			if _, scalar := core.Word(o.v.Type); scalar {
				r.Var = o.v
			}
		}
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], uint64(m.ask(&r)))
		for i := range s.size {
			m.decide(o, off+i, b[i])
		}
		return
	}
	// A request for each arbitrary byte.
	for i := off; i < off+s.size; i++ {
		c, at := m.part(o, i)
		if c.unknown == nil || c.unknown[at] == 0 {
			continue
		}
		v := m.ask(&Request{
			Why: Contents, Object: o, Addr: o.start + uint64(i), Owner: o.depth,
			Type: core.Uint8, old: int64(c.data[at]), hasOld: true,
			Indeterminate: origin(c.unknown[at]&1) == indeterminate,
		})
		m.decide(o, i, byte(v))
	}
}

// store writes v, a value of its type, to s at off of o.
func (m *Machine) store(o *Object, off int64, s span, v int64) {
	if s.whole() {
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], uint64(v))
		m.put(o, off, b[:s.size])
		return
	}
	if open := m.settle(o, off, s.size); open > 0 {
		m.decideSpan(o, off, s, false, false) // the bits beside the field
	}
	// Set the bits of the field one by one.
	for bit := range uint(s.typ.Bits) {
		at := s.shift + bit
		mask := byte(1) << (at % 8)
		// The bits beside the field keep their values.
		c, i := m.mine(o, off+int64(at/8))
		if uint64(v)>>bit&1 != 0 {
			c.data[i] |= mask
		} else {
			c.data[i] &^= mask
		}
	}
}

// observe reports an access to Options.OnAccess.
func (m *Machine) observe(a Access) {
	if m.options.OnAccess != nil {
		a.Extern = m.extern
		m.options.OnAccess(a)
	}
}

// place is the storage of a location: a register, or bytes at an address.
type place struct {
	cell   *int64
	object *Object
	off    int64
	span   span
	loc    core.Loc
}

// set stores x, a value of the location's type, and reports the access to memory.
func (p place) set(m *Machine, x int64) {
	if p.cell != nil {
		*p.cell = x
		return
	}
	m.cuts(p.object, p.off, p.span.size)
	m.store(p.object, p.off, p.span, x)
	if p.span.addr%uint64(m.pointer.Bits/8) != 0 && p.span.size == int64(m.pointer.Bits/8) {
		m.asNumber(x) // an address that is at an odd place
	}
	if m.forced {
		m.noteStay(block{p.object, p.off, p.span.size}, p.loc)
	}
	m.observe(Access{
		Place: m.Top().place(), Loc: p.loc, Object: p.object, Addr: p.span.addr, Size: p.span.size, Write: true,
	})
}

// old returns the stored value; ok is false if that is arbitrary.
func (p place) old(m *Machine) (v int64, ok bool) {
	if p.cell != nil {
		return *p.cell, true
	}
	if m.settle(p.object, p.off, p.span.size) > 0 {
		return 0, false
	}
	v = p.span.decode(m.bytesAt(p.object, p.off, p.span.size).data)
	return v, convert(p.span.typ, v) == v // it may be no bool
}
