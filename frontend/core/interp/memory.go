package interp

import (
	"math"
	"slices"

	"c2bp/frontend/core"
)

// This file defines the machine's memory: its objects, their addresses and lives, and their bytes,
// as far as these are decided.

// memory holds all objects of a run. Addresses are never reused. Objects keep their contents when
// their lives end, for predicates that look at them; only the most recent dead objects are kept.
type memory struct {
	layout
	objects []*Object // by address; also some dead ones. Copies of the machine may share the list
	bodies  []*body   // by Object.index
	vacant  []int     // indices of bodies that no object has
	epoch   *epoch    // see body.go
	dead    int       // number of dead ones among objects
	recent  *Object   // the object found last
	next    uint64    // the address of the next object, before alignment
	made    int       // number of objects made
	bytes   int64     // of memory that all live objects take
	tokens  uint64    // arbitrary bytes made so far
	envs    int       // number of objects of the environment
	// resolved holds the bytes that were arbitrary and are decided, as far as there
	// may be copies of them.
	resolved decisions
	copied   bool // an arbitrary byte was copied before it was decided
}

// layout is the address space of a program. Objects are so far apart that small steps out of one do
// not meet another; wider pointers allow for wider gaps.
type layout struct {
	pointer    core.Ptr
	first, gap uint64
	end        uint64 // no object reaches beyond
	largest    int64  // object, as the difference of two of its addresses is a number

	// The environment's objects are after end, and none reaches beyond envEnd. Each reaches
	// envBelow and envAbove bytes below and above the place in it that is pointed to first.
	envFirst, envEnd   uint64
	envBelow, envAbove uint64
}

var (
	layout64 = layout{
		pointer: core.Ptr{Bits: 64}, first: 0x7000_0000_0000, gap: 1 << 20, end: 1 << 62, largest: math.MaxInt64,
		envFirst: 1 << 62, envEnd: 1 << 63, envBelow: 1 << 20, envAbove: 1 << 32,
	}
	layout32 = layout{
		pointer: core.Ptr{Bits: 32}, first: 0x4000_0000, gap: 1 << 8, end: 0xc000_0000, largest: math.MaxInt32,
		envFirst: 0xc000_0000, envEnd: 0xf000_0000, envBelow: 1 << 14, envAbove: 1 << 18,
	}
)

// maxBytes bounds the memory of a run, maxDead the dead objects kept, maxObject the size of
// an object, which C bounds, too, and maxTokens the arbitrary bytes.
const (
	maxBytes  = 1 << 28
	maxDead   = 1 << 12
	maxObject = 1 << 60
	maxTokens = 1 << 62
)

// newObject makes o a live object of size bytes with arbitrary contents, and returns it. The caller
// has set depth, and one of v, alloc and proc unless o is the external object; if there is no room,
// o is no object of the machine.
func (m *Machine) newObject(o *Object, size int64, from origin) (*Object, error) {
	// Every address is aligned for all types.
	start := (m.next + 15) &^ 15
	dense := size <= denseSize && !(m.options.tiny && size > 0)
	switch {
	case m.full() || dense && m.bytes+size > maxBytes:
		return nil, outOfMemory
	case size > m.largest:
		return nil, &LimitError{What: "bytes in an object", Limit: int(m.largest)}
	case size > maxObject || start+uint64(size) > m.end:
		return nil, &LimitError{What: "bytes of addresses", Limit: int(min(m.end-m.first, math.MaxInt))}
	}
	// Addresses only ascend: no object gets an address that another one had.
	m.next = start + uint64(size) + m.gap
	if b := m.embody(o); dense {
		b.data, b.held = make([]byte, size), size
	} else {
		b.sparse = m.newSparse()
	}
	m.add(o, start, size, from)
	return o, nil
}

// add makes o, which has a body, a live object of size bytes at start.
func (m *Machine) add(o *Object, start uint64, size int64, from origin) {
	o.id, o.start, o.size, o.born = m.made, start, size, m.steps
	b := m.body(o)
	b.live = true
	m.made++
	m.bytes += b.held
	// A procedure has no bytes.
	if o.proc == nil {
		m.forget(o, 0, size, from)
	}
	// Objects are sorted by address, and those of the environment have the highest addresses. Not
	// all that were made are still there.
	at := len(m.objects)
	for at > 0 && m.objects[at-1].start > start {
		at--
	}
	m.objects = slices.Insert(m.objects, at, o)
}

var outOfMemory = &LimitError{What: "bytes of memory", Limit: maxBytes}

// full reports whether the run takes more than it may.
func (m *Machine) full() bool { return m.bytes > maxBytes || m.tokens > maxTokens }

// kill ends the life of o. Its contents stay, for predicates, but it is no longer known: an
// arbitrary pointer does not point to a dead object.
func (m *Machine) kill(o *Object) {
	b := m.change(o)
	b.live = false
	m.bytes -= b.held
	m.dead++
	if b.known { // copies may share the list
		m.known = slices.DeleteFunc(slices.Clone(m.known), func(k *Object) bool { return k == o })
	}
	// Dropping half of them at a time keeps the cost per object constant.
	if m.dead > 2*maxDead {
		m.bury()
	}
}

// bury drops all dead objects but the youngest.
func (m *Machine) bury() {
	drop := m.dead - maxDead
	m.dead = maxDead
	m.objects = slices.DeleteFunc(slices.Clone(m.objects), func(o *Object) bool {
		if m.body(o).live || drop == 0 {
			return false
		}
		drop--
		m.vacate(o)
		return true
	})
	// It may be one of those.
	m.recent = nil
}

// Object returns the object, live or dead, that addr points into or just after, or nil.
func (m *Machine) Object(addr uint64) *Object {
	// Most accesses are to the object of the one before.
	if o := m.recent; o != nil && o.holds(addr, 0) {
		return o
	}
	// Find the last object that starts at or before addr.
	i, found := slices.BinarySearchFunc(m.objects, addr, func(o *Object, a uint64) int {
		switch {
		case o.start < a:
			return -1
		case o.start > a:
			return 1
		}
		return 0
	})
	// The search without a hit ends at the first object after addr.
	if !found {
		i--
	}
	if i < 0 || !m.objects[i].holds(addr, 0) {
		return nil
	}
	m.recent = m.objects[i]
	return m.recent
}

// Objects returns all live objects, by address.
func (m *Machine) Objects() []*Object {
	var out []*Object
	for _, o := range m.objects {
		if m.body(o).live {
			out = append(out, o)
		}
	}
	return out
}

// liveAt returns the live object that addr points into or just after, or nil.
func (m *Machine) liveAt(addr uint64) *Object {
	if o := m.Object(addr); o != nil && m.body(o).live {
		return o
	}
	return nil
}

// origin tells where arbitrary contents come from: whether they may contain addresses. It is the
// lowest bit of a byte's mark in contents.unknown.
type origin uint64

const (
	indeterminate origin = iota // nobody has set them since the object's life began
	outside                     // code outside of the program has, or might have
)

// marks returns the mark of the first of size arbitrary bytes, which are new; the others have the
// marks after it, in steps of markStep. No mark is 0, and none is used for two bytes that may
// differ.
func (m *Machine) marks(size int64, from origin) uint64 {
	first := m.tokens + 1
	m.tokens += uint64(size)
	return first<<1 | uint64(from)
}

// forget makes size bytes of o from off on arbitrary. Their old contents stay in their place, to be
// offered as the old value; of large objects only those of few bytes.
func (m *Machine) forget(o *Object, off, size int64, from origin) {
	if size == 0 {
		return
	}
	// A large stretch gets one mark; else each byte gets its own.
	mark := m.marks(size, from)
	if !m.few(o, size) {
		m.lay(o, stretch{start: off, mark: mark}, size)
		return
	}
	for size > 0 {
		c, at := m.mine(o, off)
		if c.unknown == nil {
			c.unknown = make([]uint64, len(c.data))
		}
		n := min(size, int64(len(c.data))-at)
		for i := at; i < at+n; i++ {
			c.unknown[i] = mark
			mark += markStep
		}
		off, size = off+n, size-n
	}
}

// settle gives the bytes of o that were decided in a copy their values, and returns the number of
// the size bytes from off on that are still arbitrary.
func (m *Machine) settle(o *Object, off, size int64) (open int64) {
	for size > 0 {
		// Looking at bytes that are shared with a copy does not clone them.
		c, at := m.part(o, off)
		n := min(size, int64(len(c.data))-at)
		if c.unknown != nil {
			for i := at; i < at+n; i++ {
				t := c.unknown[i]
				if t == 0 {
					continue
				}
				// A copy of this byte was decided.
				if b, ok := m.resolved.find(t); ok {
					// Bytes that are shared with a copy of the machine are cloned before the write.
					c, _ = m.mine(o, off)
					c.data[i], c.unknown[i] = b, 0
					continue
				}
				open++
			}
		}
		off, size = off+n, size-n
	}
	return open
}

// decide gives byte i of o, which is arbitrary, its value. Copies of the byte will find it in
// resolved:
//
//	memcpy(&q, &p, sizeof p)     q has the marks of p: the bytes are arbitrary, but the same
//	if (p.n == 3)                asks for n of p, say 3; resolved keeps the byte of each mark
//	    q.n                      settled by resolved: 3
func (m *Machine) decide(o *Object, i int64, b byte) {
	c, at := m.mine(o, i)
	// Without a copy of any arbitrary byte nobody else has the mark.
	if m.copied {
		m.resolved.add(c.unknown[at], b, m.epoch)
	}
	c.data[at], c.unknown[at] = b, 0
}

// put stores bytes in o from off on, page by page, and makes them decided.
func (m *Machine) put(o *Object, off int64, bytes []byte) {
	for {
		c, at := m.mine(o, off)
		n := copy(c.data[at:], bytes)
		if c.unknown != nil {
			clear(c.unknown[at : at+int64(n)])
		}
		if n == len(bytes) {
			return
		}
		off, bytes = off+int64(n), bytes[n:]
	}
}

// bytesAt returns the size bytes of o from off on, and their marks, nil if there are none. They are
// to be read only.
func (m *Machine) bytesAt(o *Object, off, size int64) contents {
	c, at := m.part(o, off)
	if at+size <= int64(len(c.data)) {
		out := contents{data: c.data[at : at+size]}
		if c.unknown != nil {
			out.unknown = c.unknown[at : at+size]
		}
		return out
	}
	out := contents{data: make([]byte, size), unknown: make([]uint64, size)} // they are in two pages
	for i := range size {
		c, at := m.part(o, off+i)
		out.data[i] = c.data[at]
		if c.unknown != nil {
			out.unknown[i] = c.unknown[at]
		}
	}
	return out
}
