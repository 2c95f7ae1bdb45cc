package alias

// This file defines what arithmetic does to addresses.

// moveMode says what kind of arithmetic it is.
type moveMode uint8

const (
	movePointer moveMode = iota // pointer arithmetic: the result is in the same object
	moveInteger                 // addition to an integer as wide as a pointer
	mix                         // other arithmetic: any address in the object, or elsewhere
	mask                        // setting or clearing low bits, as of tagged pointers
	negate                      // the sign alone
	widen                       // conversion of a narrow integer, a piece of an address, to a wide one
	wrap                        // conversion to a narrow unsigned integer
	shrink                      // conversion to an integer of at most twelve bits
	cast                        // conversion of an integer to a pointer
)

// move is a displacement by off bytes and 0 to count-1 times stride, or if count is 0
// any multiple of stride.
type move struct {
	mode               moveMode
	off, stride, count int64
}

// apply is where address a gets by m; ok is false if that is nowhere. Arithmetic that
// mixes addresses may also give a number, see [solver.moveSet].
//
// A number is no address in any object until it is cast to a pointer: then it is one
// outside of the program, as that of a device, or leads to what is exposed (expose.go).
// A small number leads nowhere. What pointer arithmetic makes of null is nothing, as that
// is undefined.
func (m move) apply(a address, o *Object) (_ address, ok bool) {
	switch o.Kind {
	case Function:
		return a, true
	case Outside:
		if !o.exact { // offsets mean nothing
			return a, true
		}
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
	case small:
		switch m.mode {
		case moveInteger, mix, wrap:
			return at(numberObject, 0).anywhere(), true
		}
		return a, true
	case zero:
		still := m.off == 0 && m.stride == 0 && m.mode != mix
		switch {
		case still || m.mode == movePointer:
			return a, still
		case m.mode == moveInteger && abs(m.off) < pageSize:
			return at(smallObject, 0), true
		}
		return at(numberObject, 0).anywhere(), true
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
	case movePointer:
		a = a.add(m.off, m.stride, m.count)
		if o.Size > 0 && !a.isBounded() && a.off+a.stride > o.Size {
			a.stride = 0 // another multiple would lead out of the object
		}
	case moveInteger:
		a = a.add(m.off, m.stride, m.count)
	}
	return a, true
}

// scrambles reports whether the result of m may be a number that has nothing to do with
// the address in o that it was computed from: the address of another object, for all one
// knows.
func (m move) scrambles(o *Object) bool {
	return m.mode == mix && o.Kind < number || (m.mode == widen || m.mode == negate) && o.Kind > Outside && o.Kind < number
}

// moveKey identifies the vertex of a displaced vertex.
type moveKey struct {
	vertex int32
	move   move
}

// displaced is a vertex that includes what is in n, moved.
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
	s.rule(n, rule{kind: moveRule, other: to, off: m.off, stride: m.stride, bit: int64(m.mode), bits: int64(to)})
	return to
}

// spread is what one move has made of addresses in one object. In a loop such as
// p = p + 16 there would be no end of offsets, so after a few they are merged.
type spread struct {
	seen   []address // the different ones, while they are few
	merged address   // includes all of them; valid when there are no seen
}

type spreadKey struct {
	vertex, object int32
}

// fewOffsets is how many addresses in one object a move makes before they are merged.
const fewOffsets = 8

// fewOutside is the same for pointers from outside, of which there are many: only the distance of
// what they are followed as matters.
const fewOutside = 3

// spread returns a, or what it has been merged with, as a result of the move to
// vertex n.
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
	if p.merged.stride != 0 {
		p.merged = p.merged.merge(a)
		return p.merged
	}
	for _, b := range p.seen {
		if a == b {
			return a
		}
	}
	p.seen = append(p.seen, a)
	switch outside := s.isOutside(a); {
	case outside && len(p.seen) > fewOutside:
		p.merged, p.seen, s.widened = a.anywhere(), nil, true
		return p.merged
	case outside || len(p.seen) <= fewOffsets:
		return a
	}
	p.merged = a
	for _, b := range p.seen {
		p.merged = p.merged.merge(b)
	}
	p.seen = nil
	s.widened = true
	return p.merged
}

// merge is the addresses of a and b, of one object, and those between at the same
// distance.
func (a address) merge(b address) address {
	if a != b {
		a.stride = gcd(gcd(a.stride, b.stride), abs(a.off-b.off))
		a.off = mod(a.off, a.stride)
	}
	return a
}
