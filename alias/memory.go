package alias

import "c2bp/frontend/core"

// This file defines the solver's model of the contents of objects. A store to a cell goes into the
// cell's slot, a vertex; a load comes from the cell's view, another vertex; and there is an edge
// from each slot to every view whose cell overlaps. So loads and stores of different widths at
// different strides see each other, and those of different fields do not.

// memory is the contents of an object. Slots and views are found by their cells, and compared with
// each other when they are made.
type memory struct {
	slots, views []place
	slotOf       map[cell]int32
	viewOf       map[cell]int32
	links        []link
	linked       map[link]bool
	lent         []cell // cells in which others may have put pointers
	leaked       bool   // what is stored there escapes
}

// place is a cell and the vertex for it.
type place struct {
	cell   cell
	vertex int32
}

// link says that cells of this object may be copied to another object: bits bits from off on (and
// at every multiple of stride from there) to the place dst.
type link struct {
	off, stride, bits int64
	object            int32
	dst, dstStride    int64
	record            *core.Record // type of the object copied, if known
}

// maxSlots bounds the slots that links make in an object. Later ones are taken to be stores anywhere
// in it. An object that is copied within itself, at some distance, could get very many.
const maxSlots = 2000

// addObject registers an object and returns its index.
func (s *space) addObject(o *Object) int32 {
	o.id = int32(len(s.objects))
	s.objects = append(s.objects, o)
	s.memories = append(s.memories, memory{})
	return o.id
}

// slot returns the vertex for stores to c, -1 if c is outside of the object. The cell is restricted
// to the object first, so that stores beyond its end share the vertex of those in it.
func (s *solver) slot(object int32, c cell) int32 {
	c, ok := c.in(s.objects[object].bits())
	if !ok {
		return -1
	}
	m := &s.memories[object]
	if n, ok := m.slotOf[c]; ok {
		return n
	}
	// 1. Make the slot, with edges to the views that overlap.
	n := s.newVertex()
	if m.slotOf == nil {
		m.slotOf = map[cell]int32{}
	}
	m.slotOf[c] = n
	m.slots = append(m.slots, place{c, n})
	for _, v := range m.views {
		if sees(c, v.cell) {
			s.edge(n, v.vertex)
		}
	}
	if m.leaked {
		s.edge(n, s.escaped)
	}
	// 2. Copy it along the links of the object.
	for i := range m.links {
		s.transfers = append(s.transfers, transfer{object, int32(len(m.slots) - 1), int32(i)})
	}
	s.transfer()
	return n
}

// view returns the vertex for loads from c, -1 if c is outside of the object.
func (s *solver) view(object int32, c cell) int32 {
	c, ok := c.in(s.objects[object].bits())
	if !ok {
		return -1
	}
	m := &s.memories[object]
	if n, ok := m.viewOf[c]; ok {
		return n
	}
	// Make the view, with edges from the slots that overlap, and from outside if others have
	// written there.
	n := s.newVertex()
	if m.viewOf == nil {
		m.viewOf = map[cell]int32{}
	}
	m.viewOf[c] = n
	m.views = append(m.views, place{c, n})
	for _, p := range m.slots {
		if sees(p.cell, c) {
			s.edge(p.vertex, n)
		}
	}
	s.lendView(object, place{c, n})
	return n
}

// sees reports whether a load from view can yield a value that was stored in slot.
func sees(slot, view cell) bool { return slot.overlaps(view) }

// link adds a link to object.
func (s *solver) link(object int32, l link) {
	m := &s.memories[object]
	if m.linked[l] {
		return
	}
	if m.linked == nil {
		m.linked = map[link]bool{}
	}
	m.linked[l] = true
	m.links = append(m.links, l)
	// Copy the slots that there are, and what others have put into the object.
	for i := range m.slots {
		s.transfers = append(s.transfers, transfer{object, int32(i), int32(len(m.links) - 1)})
	}
	s.transfer()
	s.lendLink(object, l)
}

// transfer is a slot and a link of an object: a copy that is still to be made.
type transfer struct {
	object, slot, link int32
}

// transfer makes the copies on the list. New slots in the destinations put more copies on the list,
// as in a chain of struct assignments.
func (s *solver) transfer() {
	// A slot that a copy makes is copied on by the outermost call.
	if s.transferring {
		return
	}
	s.transferring = true
	for len(s.transfers) > 0 {
		// Copy one slot along one link; into an object with very many slots, anywhere.
		t := s.transfers[len(s.transfers)-1]
		s.transfers = s.transfers[:len(s.transfers)-1]
		m := &s.memories[t.object]
		from, l := m.slots[t.slot], m.links[t.link]
		full := len(s.memories[l.object].slots) > maxSlots
		for _, c := range l.image(from.cell) {
			if full {
				c = whole(s.objects[l.object].bits())
			}
			if n := s.slot(l.object, c); n >= 0 {
				s.edge(from.vertex, n)
			}
		}
	}
	s.transferring = false
}

// image returns the cells of l's destination that a value stored in c is copied to. For a copy of
// 24 bytes, struct elem tab[3], to byte 40 of another object, and 8 bytes per element:
//
//	{off 8 bytes, 8 bytes}                     {off 48 bytes, 8 bytes}
//	{off 0, stride 8 bytes, 4 bytes}           {off 40}, {off 48}, {off 56}, 4 bytes each
func (l link) image(c cell) []cell {
	if !c.overlaps(cell{off: l.off, stride: l.stride, bits: l.bits}) {
		return nil
	}
	// 1. Cells at a fixed distance, or so close to each other that they cover everything.
	g := gcd(c.stride, l.stride)
	first := c.off - l.off
	switch {
	case g == 0:
		return []cell{l.part(first, c.bits)}
	case g <= 8: // any byte of what is copied
		return []cell{l.part(0, l.bits)}
	}
	// 2. The copies of c in the bits copied begin at first + k*g: list them if they are few.
	first = mod(first, g)
	for first-g+c.bits > 0 {
		first -= g
	}
	if few := 4 * g; l.bits <= few {
		var out []cell
		for ; first < l.bits; first += g {
			out = append(out, l.part(first, c.bits))
		}
		return out
	}
	return []cell{cell{off: l.dst + first, stride: gcd(g, l.dstStride), bits: c.bits}.modulo()}
}

// part returns the cell at the destination of bits bits from first on, restricted to the bits that
// are copied.
func (l link) part(first, bits int64) cell {
	end := min(first+bits, l.bits)
	first = max(first, 0)
	return cell{off: l.dst + first, stride: l.dstStride, bits: end - first}.modulo()
}

// store lets vertex from flow to c.
func (s *solver) store(object int32, c cell, from int32) {
	if n := s.slot(object, c); n >= 0 {
		s.edge(from, n)
	}
}

// load lets c flow to vertex to.
func (s *solver) load(object int32, c cell, to int32) {
	if n := s.view(object, c); n >= 0 {
		s.edge(n, to)
	}
}

// leak lets all that is stored in object escape. That is no load: what others have put there has no origin for
// it, which would be one for all members.
func (s *solver) leak(object int32) {
	m := &s.memories[object]
	m.leaked = true
	for _, p := range m.slots {
		s.edge(p.vertex, s.escaped)
	}
}
