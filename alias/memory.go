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
	blurred      bool   // the only slot is that of the whole object
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

// The slots that links may make in an object before it is blurred: as many as there are words of four
// bytes, and some more, but never more than mostSlots, and unsizedSlots if the size is not known. Members need
// no more; pieces of members do, in an object that is copied to itself at some distance, or to others and back,
// and each would be copied on.
const (
	slotsBesides = 64
	mostSlots    = 2000
	unsizedSlots = 500
)

// manySlots reports whether the object is to be blurred.
func (s *solver) manySlots(object int32) bool {
	n := int64(len(s.memories[object].slots))
	if s.fewSlots > 0 {
		return n > s.fewSlots
	}
	size := s.objects[object].Size
	if size == 0 {
		return n > unsizedSlots
	}
	return n > min(slotsBesides+size/4, mostSlots)
}

// addObject registers an object and returns its index.
func (s *space) addObject(o *Object) int32 {
	o.id = int32(len(s.objects))
	s.objects = append(s.objects, o)
	s.memories = append(s.memories, memory{})
	return o.id
}

// slot returns the vertex for stores to c, -1 if c is outside of the object. The cell is restricted
// to the object first, so that stores beyond its end share the vertex of those in it. In a blurred
// object, all stores share one.
func (s *solver) slot(object int32, c cell) int32 {
	c, ok := c.in(s.objects[object].bits())
	if !ok {
		return -1
	}
	m := &s.memories[object]
	if m.blurred {
		return m.slots[0].vertex
	}
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
		s.see(m, place{c, n}, v)
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
		s.see(m, p, place{c, n})
	}
	s.lendView(object, place{c, n})
	return n
}

// see lets the view yield what is stored in the slot if their cells overlap, or the number that it is a piece of if
// it is.
func (s *solver) see(m *memory, slot, view place) {
	switch {
	case !slot.cell.overlaps(view.cell):
	case s.gathers(m, slot.cell, view.cell):
		s.edge(s.displaced(slot.vertex, move{mode: piece}), view.vertex)
	default:
		s.edge(slot.vertex, view.vertex)
	}
}

// gathers reports whether a load from view puts its value together from small pieces, one of which was stored in
// slot. Those of a store whose place is not known were taken for pieces when they were stored (keep), and loads whose
// place is not known are taken to lead to whole values. Bytes in a blurred object may have been stored on their own.
func (s *solver) gathers(m *memory, slot, view cell) bool {
	if m.blurred {
		return view.isRun() || view.bits > smallBits
	}
	return isPieceOf(slot) && view.bits > max(slot.bits, smallBits) && view.bits <= int64(s.pointers)
}

// isPieceOf reports whether what is stored in c is so small that an address may consist of several small numbers of
// this size: of the halves of one that has 64 bits, at least one is not small.
func isPieceOf(c cell) bool { return !c.isRun() && c.bits < 32 }

// keep lets vertex from flow to the slot for stores to c, as pieces where the slot has several of them.
func (s *solver) keep(object int32, c cell, from int32) {
	n := s.slot(object, c)
	if n >= 0 {
		s.edge(s.vertexOf(s.pieces(object, c, in(from))), n)
	}
}

// pieces returns v, which is stored in c: as pieces where the slot has several of them. Loads of several of them
// together see no slots of their own.
func (s *solver) pieces(object int32, c cell, v value) value {
	whole, _ := c.in(s.objects[object].bits())
	if c.bits < 32 && (s.memories[object].blurred || whole.isRun() || whole.bits > c.bits) {
		return s.move(v, move{mode: piece})
	}
	return v
}

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

// blur takes all stores to object, those that there are and later ones, to be stores anywhere in it. The
// contents of its slots are merged, so that each link copies one slot from now on.
func (s *solver) blur(object int32) {
	m := &s.memories[object]
	m.blurred, s.widened = true, true
	// 1. Merge the slots, with the next vertices that are merged; all views see the one that is left.
	n := s.newVertex()
	for _, p := range m.slots {
		s.same = append(s.same, [2]int32{n, p.vertex})
	}
	for _, v := range m.views {
		s.see(m, place{whole(s.objects[object].bits()), n}, v)
	}
	if m.leaked {
		s.edge(n, s.escaped)
	}
	// 2. Forget the others. Copies of them that are still to be made are made of the one that is left.
	m.slots = []place{{whole(s.objects[object].bits()), n}}
	m.slotOf = nil
	for i := range m.links {
		s.transfers = append(s.transfers, transfer{object, 0, int32(i)})
	}
}

// transfer makes the copies on the list. New slots in the destinations put more copies on the list,
// as in a chain of struct assignments. It ends: links are not added meanwhile, and an object gets a bounded
// number of slots, each of which is copied along each link once, before it is blurred.
func (s *solver) transfer() {
	// A slot that a copy makes is copied on by the outermost call.
	if s.transferring {
		return
	}
	s.transferring = true
	for len(s.transfers) > 0 {
		// Copy one slot along one link, unless the slot is gone.
		t := s.transfers[len(s.transfers)-1]
		s.transfers = s.transfers[:len(s.transfers)-1]
		m := &s.memories[t.object]
		if int(t.slot) >= len(m.slots) {
			continue
		}
		from, l := m.slots[t.slot], m.links[t.link]
		for _, c := range l.image(from.cell) {
			if !s.memories[l.object].blurred && s.manySlots(l.object) {
				s.blur(l.object)
			}
			// Bytes that are copied from a blurred object, or to no certain place, may come in any order.
			n := from.vertex
			if m.blurred || isPieceOf(from.cell) && c.bits > from.cell.bits {
				n = s.displaced(n, move{mode: piece})
			}
			s.keep(l.object, c, n)
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
	// 1. Cells at a fixed distance, or so close to each other that they cover everything: above all stores
	// of unknown length, which are longer than any distance.
	g := gcd(c.stride, l.stride)
	first := c.off - l.off
	switch {
	case g == 0:
		return []cell{l.part(first, c.bits)}
	case g <= 8 || c.bits >= g: // any byte of what is copied
		return []cell{l.part(0, l.bits)}
	}
	// 2. The copies of c in the bits copied begin at first + k*g, and do not touch: list them if they are few.
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
