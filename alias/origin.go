package alias

import (
	"slices"

	"c2bp/frontend/core"
)

// This file tells pointers from outside by where they come from. Each place that the program
// gets one from has an object of the kind Outside of its own, an origin: a call of a function
// without a body, an argument of the entry, a member of a struct that is outside of the program
// itself. All of them stand for the same memory; what an origin is good for is to find out as
// what one value may be followed, however it travels, and how far from where it led (follow.go).
//
//	d = get();             d -> origin 1                struct dev at 0
//	b = d->bus;            b -> origin 2                of struct dev, byte 8
//	q = container(b);      q -> origin 2, less 16
//
// What cannot be told apart has the first one, outside itself. In programs whose memory from
// outside is not typed (core.EnvironmentAny) all have.

// originKey is where a value from outside comes from.
type originKey struct {
	node   any // a statement or variable; nil of what is read from memory
	n      int // of which this is part n
	record *core.Record
	object int32 // 0 if it is outside
	cell   cell
}

// origin is the address of an object for k.
func (s *solver) origin(k originKey) int32 {
	if s.prog.Environment != core.EnvironmentTyped {
		return outsideAddress
	}
	n, known := s.origins[k]
	if !known {
		n = s.number(at(s.addObject(&Object{Kind: Outside, Name: "outside", Escaped: true, exact: true}), 0))
		s.origins[k] = n
	}
	return n
}

// readOutside is what a read of l gives if l is outside.
func (s *solver) readOutside(l *core.Mem) int32 {
	if t, ok := l.Typ.(core.Int); ok && t.Bits < s.pointers {
		return s.origin(originKey{node: pieces})
	}
	a := shownBy(l)
	return s.origin(originKey{record: a.shape.Record, cell: a.cell})
}

// madeArbitrary is what n gives location i. What is read at a volatile place is what lies there, in
// each read.
func (s *solver) madeArbitrary(n *core.Havoc, i int) int32 {
	switch l := n.Reads.(type) {
	case *core.Mem:
		return s.readOutside(l)
	case *core.VarRef:
		return s.origin(originKey{node: l.Var})
	}
	return s.origin(originKey{node: n, n: i})
}

// copiedOutside lets what a copy of bits bits of an object of type r, nil if that is not known,
// reads from object or, if that is 0, outside, flow to the place dst; only those bits of the
// object of which others may have set.
func (s *solver) copiedOutside(r *core.Record, dst address, bits int64, object int32, set func(cell) bool) {
	if s.prog.Environment != core.EnvironmentTyped || r == nil || bits > r.Size*8 {
		if set(cell{bits: bits}) {
			s.flow(known(s.origin(originKey{node: anywhere})), s.slot(dst.object, dst.cell(0, bits)))
		}
		return
	}
	eachScalar(r, func(a address, size int64) {
		c := a.cell(0, size*8)
		if !set(c) {
			return
		}
		v := s.origin(originKey{node: pieces})
		switch {
		case size*8 == int64(s.pointers):
			v = s.origin(originKey{record: r, object: object, cell: c})
		case size > largestScalar:
			v = s.origin(originKey{node: anywhere})
		}
		to := dst.add(a.off, a.stride, a.count)
		s.flow(known(v), s.slot(dst.object, to.cell(0, size*8)))
	})
}

// partOf stands in an originKey for what is read of memory outside, nobody knows where.
type partOf int

const (
	anywhere partOf = iota // a pointer, or several
	pieces                 // what is too small for one; put together they may be one
)

// eachScalar calls f with the scalars that r is made of, elements of an array in one.
func eachScalar(r *core.Record, f func(at address, size int64)) {
	var visit func(r *core.Record, at address)
	visit = func(r *core.Record, at address) {
		for _, m := range r.Members {
			a := at.add(m.Off, 0, 0)
			if m.Count > 1 {
				a = a.add(0, m.Size, closed(m.Count))
			}
			if m.Record != nil {
				visit(m.Record, a)
			} else {
				f(a, m.Size)
			}
		}
	}
	visit(r, address{})
}

// lend lets others put pointers into the bits c of object.
func (s *solver) lend(object int32, c cell) {
	if s.prog.Environment != core.EnvironmentTyped {
		s.flow(known(outsideAddress), s.slot(object, c))
		return
	}
	m := &s.memories[object]
	c, inside := c.in(s.objects[object].bits())
	if !inside || slices.Contains(m.lent, c) {
		return
	}
	m.lent = append(m.lent, c)
	views, links := m.views, m.links // neither is added to by what follows
	for _, p := range views {
		s.lendView(object, p)
	}
	for _, l := range links {
		s.lendLink(object, l)
	}
}

// isLent reports whether others may have put pointers into bits of c.
func (m *memory) isLent(c cell) bool {
	return slices.ContainsFunc(m.lent, func(d cell) bool { return c.overlaps(d) })
}

// lendView lets p, of object, hold what others have put there.
func (s *solver) lendView(object int32, p place) {
	if s.memories[object].isLent(p.cell) {
		s.insert(s.origin(originKey{object: object, cell: p.cell}), p.vertex)
	}
}

// lendLink lets what others have put into object flow along a link.
func (s *solver) lendLink(object int32, l link) {
	lent := s.memories[object].lent
	if len(lent) == 0 {
		return
	}
	from := address{off: l.off / 8, stride: l.stride / 8}
	dst := address{object: l.object, off: l.dst / 8, stride: l.dstStride / 8}
	s.copiedOutside(l.record, dst, l.bits, object, func(c cell) bool {
		c = c.shift(from)
		return slices.ContainsFunc(lent, func(d cell) bool { return c.overlaps(d) })
	})
}

// isOutside reports whether a is outside.
func (s *space) isOutside(a address) bool { return s.objects[a.object].Kind == Outside }
