package alias

import (
	"slices"

	"c2bp/frontend/core"
)

// This file distinguishes pointers from outside by their origins. Each place from which the program
// gets one has an object of the kind Outside of its own, an origin: a call of a function without a
// body, an argument of the entry, a member of a struct that is outside of the program itself. All
// of them represent the same memory; origins serve to find the types that one value may be
// dereferenced as, however it travels, and their distances from where it led (follow.go).
//
//	d = get();             d -> origin 1                struct dev at 0
//	b = d->bus;            b -> origin 2                of struct dev, byte 8
//	q = container(b);      q -> origin 2, less 16
//
// Values that cannot be distinguished have the first origin, outside itself. In programs whose
// memory from outside is not typed (core.EnvironmentAny) all have.

// originKey identifies the source of a value from outside: a statement, formal or global, or the
// place that the value is read from, a member of a type outside or bits of an object that others
// may write to.
type originKey struct {
	node   any // a statement or variable; nil of a value that is read from memory
	n      int // the part of node
	record *core.Record
	tag    string // of a place without a record: that of its shape
	object int32  // 0 if it is outside
	cell   cell
}

// origin returns the address of the origin for k. Without types, there is but one origin.
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

// readOutside returns the value of a read of l if l is outside.
func (s *solver) readOutside(l *core.Mem) int32 {
	if t, ok := l.Typ.(core.Int); ok && t.Bits < s.pointers {
		return s.origin(originKey{node: pieces})
	}
	a := shownBy(l, s.prog.CharsApart)
	n := s.origin(originKey{record: a.shape.Record, tag: a.shape.Tag, cell: a.cell})
	if _, isInt := l.Typ.(core.Int); !isInt {
		s.noNumbers[n] = true
	}
	return n
}

// madeArbitrary returns the value that n gives to its location i. All reads at a volatile place
// yield the value that lies there, so that they share an origin.
func (s *solver) madeArbitrary(n *core.Havoc, i int) int32 {
	switch l := n.Reads.(type) {
	case *core.Mem:
		return s.readOutside(l)
	case *core.VarRef:
		return s.origin(originKey{node: l.Var})
	}
	return s.origin(originKey{node: n, n: i})
}

// copiedOutside lets the values that a copy reads from object or, if that is 0, outside, flow to
// the place dst. bits is the length of the copy, r the type of the object copied, nil if it is not
// known. Only cells for which set is true count: those that others may have set.
func (s *solver) copiedOutside(r *core.Record, dst address, bits int64, object int32, set func(cell) bool) {
	// 1. Characters hold no pointers, unless pieces are put together. Of other types nothing may be known: any pointer
	// may be anywhere.
	if r == texts {
		if set(cell{bits: bits}) {
			s.flow(known(s.origin(originKey{node: pieces})), s.slot(dst.object, dst.cell(0, bits)))
		}
		return
	}
	if s.prog.Environment != core.EnvironmentTyped || r == nil || bits > r.Size*8 {
		if set(cell{bits: bits}) {
			s.flow(known(s.origin(originKey{node: anywhere})), s.slot(dst.object, dst.cell(0, bits)))
		}
		return
	}
	// 2. Each scalar of the type has an origin of its own.
	eachScalar(r, func(a address, x core.Shape) {
		size := x.Size
		c := a.cell(0, size*8)
		if !set(c) {
			return
		}
		v := s.origin(originKey{node: pieces})
		switch {
		case size*8 == int64(s.pointers):
			v = s.origin(originKey{record: r, object: object, cell: c})
			s.noNumbers[v] = true
		case size > largestScalar:
			v = s.origin(originKey{node: anywhere})
		}
		to := dst.add(a.off, a.stride, a.count)
		s.flow(known(v), s.slot(dst.object, to.cell(0, size*8)))
	})
}

// partOf stands in an originKey for values that are read from unknown places outside.
type partOf int

const (
	anywhere partOf = iota // a pointer, or several
	pieces                 // values that are too small for one; put together they may be one
)

// eachScalar calls f with the scalars that r is made of, the elements of an array in one call.
func eachScalar(r *core.Record, f func(at address, x core.Shape)) {
	var visit func(r *core.Record, at address)
	visit = func(r *core.Record, at address) {
		for _, m := range r.Members {
			if m.Count == 0 {
				continue
			}
			a := at.add(m.Off, 0, 0)
			// The elements of an array are at any multiple of their size.
			if m.Count > 1 {
				a = a.add(0, m.Size, closed(m.Count))
			}
			if m.Record != nil {
				visit(m.Record, a)
			} else {
				f(a, m.Shape())
			}
		}
	}
	visit(r, address{})
}

// lend lets others put pointers into the bits c of object. Loads from there yield pointers from
// outside, each cell with an origin of its own.
func (s *solver) lend(object int32, c cell) {
	if s.prog.Environment != core.EnvironmentTyped {
		s.flow(known(outsideAddress), s.slot(object, c))
		return
	}
	// 1. Note the bits, once.
	m := &s.memories[object]
	c, inside := c.in(s.objects[object].bits())
	if !inside || slices.Contains(m.lent, c) {
		return
	}
	m.lent = append(m.lent, c)
	// 2. Loads and copies from there may yield pointers from outside.
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

// lendView lets p, a view of object, hold pointers that others have put there.
func (s *solver) lendView(object int32, p place) {
	if s.memories[object].isLent(p.cell) {
		s.insert(s.origin(originKey{object: object, cell: p.cell}), p.vertex)
	}
}

// lendLink lets pointers that others have put into object flow along a link.
func (s *solver) lendLink(object int32, l link) {
	lent := s.memories[object].lent
	if len(lent) == 0 {
		return
	}
	// The cells of the copy that others have written to.
	from := address{off: l.off / 8, stride: l.stride / 8}
	dst := address{object: l.object, off: l.dst / 8, stride: l.dstStride / 8}
	s.copiedOutside(l.record, dst, l.bits, object, func(c cell) bool {
		c = c.shift(from)
		return slices.ContainsFunc(lent, func(d cell) bool { return c.overlaps(d) })
	})
}

// isOutside reports whether a is outside.
func (s *space) isOutside(a address) bool { return s.objects[a.object].Kind == Outside }
