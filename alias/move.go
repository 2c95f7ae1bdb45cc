package alias

// This file defines the effect of arithmetic on addresses. With an address tab+8 in an array of 80
// bytes:
//
//	movePointer  p + i*16           tab+8+16k
//	moveElement  &p->row[i]         tab+8+16k; outside, or in a larger object of which no access leaves an array, 0 <= k <= the
//	                                elements of row, so that the last one is no element
//	moveInteger  n + 16             tab+24, where n is p as an integer
//	mix          n * 3, n ^ m       tab+?, or any number
//	mask         n & ~7             tab+?
//	negate       -n                 tab+?, or any number
//	widen        (long)(int)n       tab+?, or any number
//	wrap         (unsigned)n        tab+8: a piece of the address
//	shrink       (char)n            tab+8: likewise
//	cast         (int *)n           tab+8
//	piece        bytes of n         tab+8, or of a number

// moveMode is a kind of arithmetic.
type moveMode uint8

const (
	movePointer moveMode = iota // pointer arithmetic: the result is in the same object
	moveElement                 // likewise, to an element of an array or its end
	moveInteger                 // addition to an integer as wide as a pointer
	mix                         // other arithmetic: any address in the object, or elsewhere
	mask                        // setting or clearing low bits, as of tagged pointers
	negate                      // the sign alone
	widen                       // conversion of a narrow integer, a piece of an address, to a wide one
	wrap                        // conversion to a narrow unsigned integer
	shrink                      // conversion to an integer of at most twelve bits
	cast                        // conversion of an integer to a pointer
	piece                       // reading it together with other bytes
)

// move is a displacement by off bytes and 0 to count-1 times stride, or any multiple of stride if
// count is 0.
type move struct {
	mode               moveMode
	off, stride, count int64
}

// apply returns the result of m for address a, an address in o; ok is false if that leads nowhere.
// Arithmetic that mixes addresses may also yield a number, see [solver.moveSet].
//
// A number is no address in any object until it is cast to a pointer: then it is an address outside
// of the program, as that of a device, or leads to exposed objects (expose.go). A small number
// leads nowhere. Pointer arithmetic on null yields nothing, as it is undefined.
func (m move) apply(a address, o *Object) (_ address, ok bool) {
	// 1. Addresses without offsets, and numbers.
	switch o.Kind {
	case Function:
		return a, true
	case Outside:
		if !o.exact { // offsets mean nothing
			return a, true
		}
	// A number becomes an address by a cast only.
	case number:
		switch m.mode {
		case cast:
			if o.exact {
				return at(outsideObject, 0), true
			}
			return at(outsideObject, 0).anywhere(), true
		case shrink:
			return at(smallObject, 0), true
		}
		return a, true
	// A sum of small numbers may be any number, as may one whose bytes are small numbers.
	case small:
		// 2. Addresses in objects of the program, and outside if offsets are known.
		switch m.mode {
		case moveInteger, mix, wrap, piece:
			return at(numberObject, 0).anywhere(), true
		}
		return a, true
	// Pointer arithmetic on null is undefined; small displacements of the integer 0 are small.
	case zero:
		still := m.off == 0 && m.stride == 0 && m.mode != mix
		switch {
		case still || m.mode == movePointer || m.mode == moveElement:
			return a, still
		case m.mode == moveInteger && abs(m.off) < pageSize:
			return at(smallObject, 0), true
		}
		return at(numberObject, 0).anywhere(), true
	// Arithmetic makes a number of it again.
	case guess:
		switch m.mode {
		case moveInteger, mix, wrap, negate:
			return at(numberObject, 0).anywhere(), true
		}
		return a, true
	}
	switch m.mode {
	case mix, mask, negate, widen:
		return a.anywhere(), true
	// Of an object that is the array, the bounds would only make more addresses.
	case movePointer, moveElement:
		if m.mode == moveElement && o.Kind != Outside {
			// An array without an end may go on to the end of the object.
			if start := a.off + m.off; start >= 0 && start < o.Size && m.stride > 0 {
				m.count = min(m.count, (o.Size-start)/m.stride+1)
			}
			if !o.arrays || o.Size == 0 || a.off == 0 && m.off == 0 && m.stride*m.count >= o.Size {
				m.count = 0
			}
		}
		a = a.add(m.off, m.stride, m.count)
		if o.Size > 0 && !a.isBounded() && a.off+a.stride > o.Size {
			a.stride = 0 // another multiple would lead out of the object
		}
	case moveInteger:
		a = a.add(m.off, m.stride, m.count)
	}
	return a, true
}

// scrambles reports whether the result of m may be a number that is unrelated to the address in o
// that it was computed from, and so may be the address of another object.
func (m move) scrambles(o *Object) bool {
	return m.mode == mix && o.Kind < number || (m.mode == widen || m.mode == negate) && o.Kind > Outside && o.Kind < number
}

// moveKey identifies the vertex of a displaced vertex.
type moveKey struct {
	vertex int32
	move   move
}

// displaced returns a vertex that includes the addresses in n, moved. A move that changes nothing
// needs none.
func (s *solver) displaced(n int32, m move) int32 {
	if n < 0 || m == (move{}) || m == (move{mode: moveInteger}) {
		return n
	}
	key := moveKey{n, m}
	if to, ok := s.moved[key]; ok {
		return to
	}
	to := s.newVertex()
	s.moved[key] = to
	s.rule(n, rule{kind: moveRule, other: to, off: m.off, stride: m.stride, count: m.count, bit: int64(m.mode), bits: int64(to)})
	return to
}

// spread is the results of one move in one object. In a loop such as
//
//	while (*p) p = p + 16;
//
// there would be no end of offsets, so after a few they are merged: tab, tab+16, …, tab+112 become
// tab+16k.
type spread struct {
	seen   []address // the different ones, while they are few
	merged address   // includes all of them; valid when there are no seen
}

// spreadKey identifies a spread: the vertex that the move fills, and the object.
type spreadKey struct {
	vertex, object int32
}

// fewOffsets is the number of addresses in one object that a move makes before they are merged.
const fewOffsets = 8

// fewOutside is the same for pointers from outside, of which there are many: their offsets matter only
// for the distances of the types that they are dereferenced as.
const fewOutside = 3

// spread returns a, or the address that it has been merged into, as a result of the move to vertex
// n.
func (s *solver) spread(n int32, a address) address {
	if a.object <= guessObject && a.object != outsideObject {
		return a
	}
	key := spreadKey{n, a.object}
	p := s.spreads[key]
	if p == nil {
		p = &spread{}
		s.spreads[key] = p
	}
	// 1. The addresses are merged already.
	if p.merged.stride != 0 {
		p.merged = p.merged.merge(a)
		return p.merged
	}
	// 2. There are few.
	for _, b := range p.seen {
		if a == b {
			return a
		}
	}
	p.seen = append(p.seen, a)
	few := fewOffsets
	if s.isOutside(a) {
		few = fewOutside
	}
	if len(p.seen) <= few {
		return a
	}
	// 3. Merge them.
	p.merged = a
	for _, b := range p.seen {
		p.merged = p.merged.merge(b)
	}
	p.seen = nil
	s.widened = true
	return p.merged
}

// merge returns the addresses of a and b, of one object, and those between them at the same
// distance.
func (a address) merge(b address) address {
	if a != b {
		a.stride, a.count = gcd(gcd(a.stride, b.stride), abs(a.off-b.off)), 0
		a.off = mod(a.off, a.stride)
	}
	return a
}
