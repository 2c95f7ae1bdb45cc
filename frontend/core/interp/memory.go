package interp

import (
	"slices"

	"c2bp/frontend/core"
)

// This file defines the machine's memory: its objects, their addresses and lives,
// and their bytes, as far as these are not arbitrary still.

// memory is all objects of a run. Addresses are never reused. The contents of
// objects stay what they were when their lives end, for predicates that look at
// them; only the most recent dead objects are kept.
type memory struct {
	layout
	objects []*Object // by address; also some dead ones
	dead    int       // of these
	recent  *Object   // found last
	next    uint64    // the address of the next object, before alignment
	made    int
	bytes   int64  // of all live objects
	tokens  uint32 // arbitrary bytes made so far
	// resolved holds the bytes that were arbitrary and are decided, as far as there
	// may be copies of them.
	resolved map[uint32]byte
	copied   bool // an arbitrary byte was copied before it was decided
}

// layout is how a program's addresses are spread. Objects are so far apart that
// small steps out of one do not meet another; wider pointers allow for wider gaps.
type layout struct {
	pointer    core.Ptr
	first, gap uint64
	end        uint64 // no object reaches beyond
}

var (
	layout64 = layout{pointer: core.Ptr{Bits: 64}, first: 0x7000_0000_0000, gap: 1 << 20, end: 1 << 63}
	layout32 = layout{pointer: core.Ptr{Bits: 32}, first: 0x4000_0000, gap: 1 << 8, end: 0xf000_0000}
)

// maxBytes bounds the memory of a run, maxDead the dead objects kept.
const (
	maxBytes = 1 << 28
	maxDead  = 1 << 12
)

// newObject makes a live object with arbitrary contents; o says what it is.
func (m *Machine) newObject(o *Object, size int64, from origin) (*Object, error) {
	start := (m.next + 15) &^ 15
	if size > maxBytes || m.bytes+size > maxBytes || start+uint64(size) > m.end {
		return nil, &LimitError{What: "bytes of memory", Limit: maxBytes}
	}
	o.id, o.start, o.live, o.born = m.made, start, true, m.steps
	o.data = make([]byte, size)
	m.made++
	m.bytes += size
	m.next = start + uint64(size) + m.gap
	if o.proc == nil {
		m.forget(o, 0, size, from)
	}
	m.objects = append(m.objects, o)
	return o, nil
}

// kill ends the life of o.
func (m *Machine) kill(o *Object) {
	o.live = false
	m.bytes -= o.Size()
	m.dead++
	if o.known {
		m.known = slices.DeleteFunc(m.known, func(k *Object) bool { return k == o })
	}
	if m.dead > 2*maxDead {
		m.bury()
	}
}

// bury drops all dead objects but the youngest.
func (m *Machine) bury() {
	drop := m.dead - maxDead
	m.dead = maxDead
	m.objects = slices.DeleteFunc(m.objects, func(o *Object) bool {
		if o.live || drop == 0 {
			return false
		}
		drop--
		return true
	})
	m.recent = nil
}

// Object is the object, live or dead, that addr points into or just behind, or
// nil.
func (m *Machine) Object(addr uint64) *Object {
	if o := m.recent; o != nil && o.holds(addr, 0) {
		return o
	}
	i, found := slices.BinarySearchFunc(m.objects, addr, func(o *Object, a uint64) int {
		switch {
		case o.start < a:
			return -1
		case o.start > a:
			return 1
		}
		return 0
	})
	if !found {
		i--
	}
	if i < 0 || !m.objects[i].holds(addr, 0) {
		return nil
	}
	m.recent = m.objects[i]
	return m.recent
}

// Objects is all live objects, by address.
func (m *Machine) Objects() []*Object {
	var out []*Object
	for _, o := range m.objects {
		if o.live {
			out = append(out, o)
		}
	}
	return out
}

// liveAt is the live object that addr points into or just behind, or nil.
func (m *Machine) liveAt(addr uint64) *Object {
	if o := m.Object(addr); o != nil && o.live {
		return o
	}
	return nil
}

// origin says where arbitrary contents come from: whether they may contain
// addresses. It is the lowest bit of a byte's mark in Object.unknown.
type origin uint32

const (
	indeterminate origin = iota // nobody has set them since the object's life began
	outside                     // what is not part of the program has, or might have
)

// forget makes size bytes of o from off on arbitrary. What they held stays in
// o.data, to be offered as the old value.
func (m *Machine) forget(o *Object, off, size int64, from origin) {
	if size == 0 {
		return
	}
	o.own()
	if o.unknown == nil {
		o.unknown = make([]uint32, len(o.data))
	}
	for i := off; i < off+size; i++ {
		m.tokens++
		o.unknown[i] = m.tokens<<1 | uint32(from)
	}
}

// settle gives the bytes of o that were decided elsewhere, in a copy, their
// values, and reports how many of size bytes from off on are arbitrary still.
func (m *Machine) settle(o *Object, off, size int64) (open int64) {
	if o.unknown == nil {
		return 0
	}
	for i := off; i < off+size; i++ {
		if t := o.unknown[i]; t != 0 {
			if b, ok := m.resolved[t]; ok {
				o.own()
				o.data[i], o.unknown[i] = b, 0
				continue
			}
			open++
		}
	}
	return open
}

// decide gives byte i of o, which is arbitrary, its value.
func (m *Machine) decide(o *Object, i int64, b byte) {
	if m.copied {
		if m.resolved == nil {
			m.resolved = map[uint32]byte{}
		}
		m.resolved[o.unknown[i]] = b
	}
	o.own()
	o.data[i], o.unknown[i] = b, 0
}

// put stores bytes.
func (o *Object) put(off int64, bytes []byte) {
	o.own()
	copy(o.data[off:], bytes)
	if o.unknown != nil {
		clear(o.unknown[off : off+int64(len(bytes))])
	}
}

// chunk is a copy of bytes, decided or not.
type chunk struct {
	data    []byte
	unknown []uint32
}

func (m *Machine) take(o *Object, off, size int64) chunk {
	open := m.settle(o, off, size)
	c := chunk{data: slices.Clone(o.data[off : off+size])}
	if open > 0 {
		c.unknown = slices.Clone(o.unknown[off : off+size])
		m.copied = true
	}
	return c
}

func (o *Object) give(off int64, c chunk) {
	o.put(off, c.data)
	if c.unknown != nil {
		if o.unknown == nil {
			o.unknown = make([]uint32, len(o.data))
		}
		copy(o.unknown[off:], c.unknown)
	}
}
