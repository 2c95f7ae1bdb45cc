package interp

import "encoding/binary"

// This file notes where a run depends on the numbers of addresses. The system chooses them: a run that depends only on
// the objects that its pointers lead to goes on alike wherever these are.
//
//	p = malloc(8); if (p == q) …        does not depend on them
//	if ((unsigned long)p & 16) …        does
//	memcpy(&x, &p, 8)                   does not, but reading x as a number does

// Numeric returns the number of steps after which the run last depended on the number of an address of an object that
// might be elsewhere; 0 if it never did. It is noted with Options.Renamed only.
func (m *Machine) Numeric() int { return m.numeric }

// movable returns the object, live or dead, that an address leads into or just after, if it is one that the program
// has made; nil otherwise. Objects that live as long as the run, and those outside of the program, stay where they are.
func (m *Machine) movable(addr uint64) *Object {
	if addr < m.first || addr >= m.end {
		return nil
	}
	if o := m.Object(addr); o != nil && !o.stays() {
		return o
	}
	return nil
}

// stays reports whether o has its address in all runs that are compared.
func (o *Object) stays() bool { return o.depth < 0 && o.alloc == nil }

// asNumber notes that the run depends on a number, if it is the address of a movable object.
func (m *Machine) asNumber(v int64) {
	if m.options.Renamed && m.movable(uint64(v)) != nil {
		m.depend()
	}
}

// depend notes that the present step depends on the number of an address.
func (m *Machine) depend() { m.numeric = m.steps + 1 }

// numbersIn notes that the run reads bytes of o as a number, if a word that they are in is the address of a movable
// object.
func (m *Machine) numbersIn(o *Object, off, size int64) {
	if !m.options.Renamed || size == 0 {
		return
	}
	width := int64(m.pointer.Bits / 8)
	for at := off &^ (width - 1); at < off+size; at += width {
		if m.addressIn(o, at) {
			m.depend()
			return
		}
	}
}

// cuts notes that the run reads or writes bytes of o in which a part of the address of a movable object is, and
// another part is not.
func (m *Machine) cuts(o *Object, off, size int64) {
	if !m.options.Renamed || size == 0 {
		return
	}
	width := int64(m.pointer.Bits / 8)
	for _, edge := range []int64{off, off + size} {
		if at := edge &^ (width - 1); at != edge && m.addressIn(o, at) {
			m.depend()
		}
	}
}

// shifted notes that size bytes of o from off on are copied to a place that is aligned otherwise, if they hold the
// address of a movable object.
func (m *Machine) shifted(o *Object, off, size, to int64) {
	if width := int64(m.pointer.Bits / 8); (off-to)%width != 0 {
		m.numbersIn(o, off, size)
	}
}

// addressIn reports whether the word of o at off, which is aligned, is the address of a movable object.
func (m *Machine) addressIn(o *Object, off int64) bool {
	width := int64(m.pointer.Bits / 8)
	if off+width > o.size || m.settle(o, off, width) > 0 {
		return false
	}
	return m.movable(m.wordOf(m.bytesAt(o, off, width).data)) != nil
}

// wordOf returns the number that the first bytes of data are, as many as an address has.
func (m *Machine) wordOf(data []byte) uint64 {
	if m.pointer.Bits == 32 {
		return uint64(binary.LittleEndian.Uint32(data))
	}
	return binary.LittleEndian.Uint64(data)
}
