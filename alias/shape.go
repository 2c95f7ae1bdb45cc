package alias

import "c2bp/frontend/core"

// This file says which places may have a byte in common by their types: a place of type T lies in
// an object of type T, or of a struct, union or array that contains one (Burstall 1972). It is used
// where nothing else is known: for memory that the program did not make.

// typed is a range of bits of an object, as an access shows it: d->l.next is the bits from byte 8
// on of a struct dev. A wild one may be anywhere in anything: characters, and accesses that show no
// type.
type typed struct {
	shape core.Shape
	cell  cell // from the start of the object
	wild  bool
}

// characters is any place of characters, of whatever number.
var characters = typed{shape: core.Shape{Size: 1}, cell: cell{bits: 8}}

// texts stands for the type of what is copied if that is characters.
var texts = &core.Record{Name: "characters"}

// access is a typed place and the pointer that the start of the object is computed from: for
// d->l.next that is d, with start 0.
type access struct {
	typed
	base  core.Expr
	start int64 // bytes from base
	inRow bool  // at any multiple of its size from there, in the same array
}

// shownBy returns the largest object that l is seen to be a part of, and the place of l in it. It
// goes through arrays of known length, as in d->regs[i].ctl, but not through p[i].
//
//	d->l.next        struct dev, from byte 8 on, if l is at byte 8
//	p[i].x           struct elem, byte 0 on
//	*(int *)p        int
//	*(char *)p       anything; with charsApart, a character ([core.Program].CharsApart)
//	*((char *)w + i) that, or a byte of a number if w is declared to lead to numbers
func shownBy(l *core.Mem, charsApart bool) access {
	// 1. The scalar itself.
	size := core.Bytes(l.Typ)
	first, bits := bitRange(l.Typ, l.Bit)
	a := access{base: l.Addr}
	a.shape, a.cell = core.Shape{Size: size, Tag: l.Tag}, at(0, 0).cell(first, bits)
	a.wild = size <= 0 || size == 1 && !charsApart || !isScalar(l.Typ)
	switch {
	case l.Of != nil:
		a.shape, a.wild = shapeOf(l.Of), false
	case l.Chars && charsApart:
		a.typed = characters
	case l.PartOf > 0 && charsApart:
		return inNumber(l)
	}
	if x, ok := l.Addr.(*core.Index); ok && !a.wild && x.Size == size && x.Count == 0 {
		a.base, a.inRow = x.X, true
	}
	// 2. The structs that it is a member of, outermost last.
	at := at(0, 0)
	for e := l.Addr; ; {
		switch x := e.(type) {
		case *core.Offset:
			if x.Of != nil {
				a.shape, a.base, a.start, a.inRow = shapeOf(x.Of), x.X, x.Off-x.Member, false
				a.cell = at.add(x.Member, 0, 0).cell(first, bits)
				a.wild = size <= 0
			}
			at = at.add(x.Off, 0, 0)
			e = x.X
			continue
		case *core.Index:
			if x.Count > 0 {
				at = at.add(0, x.Size, elements(x.Count, x.Size))
				e = x.X
				continue
			}
		}
		return a
	}
}

// inNumber returns the access to l, a byte of a number: to the whole number, in the row of numbers that the program has a
// pointer to.
//
//	*((char *)words + (n >> 3))      8 bytes, at any multiple of 8 from words
func inNumber(l *core.Mem) access {
	a := access{typed: typed{shape: core.Shape{Size: l.PartOf}, cell: cell{bits: 8 * l.PartOf}}, base: l.Addr, inRow: true}
	for {
		switch x := a.base.(type) {
		case *core.Index:
			if x.Size == 1 && x.Count == 0 {
				a.base = x.X
				continue
			}
		case *core.Offset:
			if x.Of == nil {
				a.base = x.X
				continue
			}
		}
		return a
	}
}

// closed returns the number of elements of an array, 0 of one without an end.
func closed(count int64) int64 {
	if count >= core.OpenEnd {
		return 0
	}
	return count
}

// elements returns the number of elements of size bytes that an access may be to, in an array of count: of one without an end, as many
// as there is room for after its start, as no access is before that.
func elements(count, size int64) int64 {
	if count >= core.OpenEnd && size > 0 {
		return limit / 2 / size
	}
	return count
}

// shapes answers which shapes may overlap, and memoizes the answers. A shape is a struct or union
// type, or the size of a scalar.
type shapes struct {
	unions []*core.Record // whose members overlap
	merged []laid
	parts  map[core.Shape]map[core.Shape]bool
	united map[[2]core.Shape]bool // inUnion
	akin   map[[2]core.Shape]bool // related
	within map[[2]*core.Record][]address
	// Distances of overlays, and places of numbers in records.
	distant map[pair][]address
	numbers map[core.Shape][]address
}

// newShapes makes the answers for a program with these structs and unions.
func newShapes(records []*core.Record) *shapes {
	s := &shapes{
		parts:  map[core.Shape]map[core.Shape]bool{},
		united: map[[2]core.Shape]bool{},
		akin:   map[[2]core.Shape]bool{},
		within: map[[2]*core.Record][]address{},

		distant: map[pair][]address{},
		numbers: map[core.Shape][]address{},
	}
	seen := map[*core.Record]bool{}
	// Collect the unions, in members too.
	var visit func(r *core.Record)
	visit = func(r *core.Record) {
		if r == nil || seen[r] {
			return
		}
		seen[r] = true
		if hasOverlap(r) {
			s.unions = append(s.unions, r)
		}
		for _, m := range r.Members {
			visit(m.Record)
		}
	}
	for _, r := range records {
		visit(r)
	}
	return s
}

// hasOverlap reports whether members of r overlap otherwise than as bit-fields of one word.
func hasOverlap(r *core.Record) bool {
	for i, m := range r.Members {
		for _, n := range r.Members[:i] {
			if overlapIn(m, n) {
				return true
			}
		}
	}
	return false
}

// overlapIn reports whether the members m and n of one record share bytes otherwise than as scalars
// of one size at one place.
func overlapIn(m, n core.Member) bool {
	same := m.Off == n.Off && m.Size == n.Size && m.Record == nil && n.Record == nil
	return !same && m.Off < n.Off+span(n) && n.Off < m.Off+span(m)
}

// span returns the number of bytes that a member takes.
func span(m core.Member) int64 {
	if m.Count >= core.OpenEnd {
		return limit
	}
	return m.Count * m.Size
}

// overlap reports whether a and b, places outside of the program, may share a bit.
func (s *shapes) overlap(a, b typed) bool {
	// 1. Anything, the same object, objects in a union, or one that the program lays over the other.
	switch {
	case a.wild || b.wild:
		return true
	case a.shape.Is(b.shape) && a.cell.overlaps(b.cell):
		return true
	case s.areLaid(a, b, false):
		return true
	}
	// 2. One object in the other.
	return s.holds(a, b) || s.holds(b, a)
}

// holds reports whether the object of inner may lie in that of outer so that the two places
// overlap.
func (s *shapes) holds(outer, inner typed) bool {
	switch {
	case outer.shape.Record == nil:
		return false
	case inner.shape.Record == nil:
		return s.hasScalar(outer.shape.Record, outer.cell, inner.shape)
	}
	for _, at := range s.placements(outer.shape.Record, inner.shape.Record) {
		if outer.cell.overlaps(inner.cell.shift(at)) {
			return true
		}
	}
	return false
}

// largestScalar is the size, in bytes, of the largest scalar that is not made of others: a complex
// number or a vector may be read by parts.
const largestScalar = 8

// hasScalar reports whether a scalar of shape x in r may have bits of c.
func (s *shapes) hasScalar(r *core.Record, c cell, x core.Shape) bool {
	for _, m := range r.Members {
		// 1. Only members that c overlaps count.
		all := cell{off: m.Off * 8, bits: min(span(m), limit) * 8}
		if m.Count == 0 || !all.overlaps(c) {
			continue
		}
		if m.Record == nil {
			if m.Shape().Is(x) || m.Size > largestScalar {
				return true
			}
			continue
		}
		// 2. A struct, or an array of them: in each element.
		inner := c.shift(address{off: -m.Off})
		if m.Count > 1 {
			inner = inner.shift(address{stride: m.Size})
		}
		if s.hasScalar(m.Record, inner, x) {
			return true
		}
	}
	return false
}

// placements lists the places in an object of type outer at which one of type inner may begin.
// Elements of an array are one place with a stride.
func (s *shapes) placements(outer, inner *core.Record) []address {
	key := [2]*core.Record{outer, inner}
	list, known := s.within[key]
	if known {
		return list
	}
	// The object itself, or parts of members.
	if outer == inner {
		list = append(list, address{})
	}
	for _, m := range outer.Members {
		if m.Record == nil || m.Count == 0 {
			continue
		}
		for _, a := range s.placements(m.Record, inner) {
			list = append(list, a.add(m.Off, 0, 0).add(0, m.Size, closed(m.Count)))
		}
	}
	s.within[key] = list
	return list
}

// shift returns c displaced by the distance, in bytes, of a from the start of its object.
func (c cell) shift(a address) cell {
	bytes := address{off: c.off >> 3, stride: c.stride >> 3, count: c.count}
	if c.stride == 0 {
		bytes.count = 0
	}
	rest := c.off & 7
	if a.stride == 0 {
		c.off += a.off * 8
		return c.modulo()
	}
	return bytes.add(a.off, a.stride, a.count).cell(rest, c.bits)
}

// partsOf returns the shapes of everything that an object of the shape may hold, itself included.
func (s *shapes) partsOf(x core.Shape) map[core.Shape]bool {
	parts, known := s.parts[x]
	if known {
		return parts
	}
	parts = map[core.Shape]bool{x: true}
	if x.Record != nil {
		for _, m := range x.Record.Members {
			if m.Count == 0 {
				continue
			}
			for p := range s.partsOf(m.Shape()) {
				parts[p] = true
			}
		}
	}
	s.parts[x] = parts
	return parts
}

// hasPart reports whether an object of shape x may hold one of shape y, or be one.
func (s *shapes) hasPart(x, y core.Shape) bool {
	parts := s.partsOf(x)
	if parts[y] || y.Record != nil {
		return parts[y]
	}
	// Scalars of one size may be one although only one has a tag.
	for p := range parts {
		if p.Is(y) {
			return true
		}
	}
	return false
}

// inUnion reports whether two members of a union that overlap have parts of these shapes.
func (s *shapes) inUnion(a, b core.Shape) bool {
	key := [2]core.Shape{a, b}
	yes, known := s.united[key]
	if !known {
		yes = s.findUnion(a, b)
		s.united[key] = yes
	}
	return yes
}

// findUnion computes inUnion.
func (s *shapes) findUnion(a, b core.Shape) bool {
	for _, u := range s.unions {
		for i, m := range u.Members {
			if !s.hasPart(m.Shape(), a) {
				continue
			}
			// Another member, which has a part of the other shape.
			for j, n := range u.Members {
				if i != j && overlapIn(m, n) && s.hasPart(n.Shape(), b) {
					return true
				}
			}
		}
	}
	return false
}

// related reports whether an object of one of the shapes may be in one of the other.
func (s *shapes) related(a, b core.Shape) bool {
	if a == b {
		return true
	}
	key := [2]core.Shape{a, b}
	yes, known := s.akin[key]
	if !known {
		yes = s.hasPart(a, b) || s.hasPart(b, a) || s.inUnion(a, b) || s.inUnion(b, a)
		s.akin[key] = yes
	}
	return yes
}
