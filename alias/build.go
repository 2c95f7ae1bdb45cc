package alias

import "c2bp/frontend/core"

// This file makes the constraints of statements.

// build makes the constraints of the whole program.
func (s *solver) build() {
	s.initialise()
	for _, p := range s.prog.Procs {
		for _, n := range p.Nodes {
			s.stmt(n.Stmt)
			s.observe(n.Stmt)
		}
	}
}

// stmt makes the constraints of a statement.
func (s *solver) stmt(stmt core.Stmt) {
	switch n := stmt.(type) {
	case *core.Assign:
		for i, e := range n.Rhs {
			s.assign(n.Lhs[i], s.value(e))
		}
	// Ranges of bytes.
	case *core.Copy:
		record := n.Of
		if n.Chars && s.prog.CharsApart {
			record = texts
		}
		s.copy(s.ref(n.Dst), s.ref(n.Src), min(lengthOf(s.prog, n.Dst, n.Size), lengthOf(s.prog, n.Src, n.Size)), record)
	case *core.Fill:
		s.fill(n)
	case *core.Data:
		s.storeTo(s.ref(n.Dst), 0, extent(int64(len(n.Bytes))), known(numberAddress))
	// A new object, which holds nothing but where it may be read before it is set.
	case *core.Alloc:
		s.assign(n.Lhs, known(s.number(at(s.site[n], 0))))
		s.unset(s.site[n], n.Unset)
	case *core.Havoc:
		s.havoc(n)
	case *core.Call:
		s.call(n)
	}
}

// sizeOf returns the value of e, a number of bytes, in bits: unbounded if it is not constant.
func sizeOf(e core.Expr) int64 {
	k, ok := constant(e)
	return bitsOf(k, ok)
}

// lengthOf returns the bits that size bytes from at on have, as [core.BytesFrom] bounds them if arrays are apart
// ([core.Program].ArraysApart).
func lengthOf(prog *core.Program, at, size core.Expr) int64 {
	if !prog.ArraysApart {
		return sizeOf(size)
	}
	return bitsOf(core.BytesFrom(at, size))
}

// bitsOf returns the bits of k bytes, unbounded if ok is false.
func bitsOf(k int64, ok bool) int64 {
	switch {
	case !ok:
		return unbounded
	case k <= 0:
		return 0
	}
	return extent(k)
}

// fill makes the constraints of n. Arbitrary bytes come from outside, or from values that are not
// followed; other bytes are a number, and 0 is null as well.
func (s *solver) fill(n *core.Fill) {
	bits := lengthOf(s.prog, n.Dst, n.Size)
	if bits == 0 {
		return
	}
	v := known(s.origin(originKey{node: n}))
	if n.Byte != nil {
		v = s.value(n.Byte)
		// 0xff in each byte is -1.
		if k, ok := constant(n.Byte); !ok || k&0xff != 0xff {
			v = s.move(v, move{mode: piece})
		}
	}
	s.storeTo(s.ref(n.Dst), 0, bits, v)
	if n.Byte == nil {
		s.storeTo(s.ref(n.Dst), 0, bits, in(s.unfollowed))
	}
}

// havoc makes the constraints of n: its locations get values from outside and the values that types
// that are not followed may carry. A variable that begins to live holds no addresses, except where
// it may be read before it is set.
func (s *solver) havoc(n *core.Havoc) {
	// 1. Variables begin to live.
	if n.Begin {
		for i, r := range n.Unset {
			if v := n.Locs[i].(*core.VarRef).Var; v.InMemory() {
				s.unset(s.object(v), r)
			} else if r != nil {
				s.assign(n.Locs[i], known(s.madeArbitrary(n, i)))
			}
		}
		return
	}
	// 2. The values of n.From flow to the locations, or are lost if there are none.
	for _, x := range n.From {
		if len(n.Locs) == 0 {
			s.lose(x)
		}
		for _, l := range n.Locs {
			s.assign(l, s.move(s.source(x), move{mode: mix}))
		}
	}
	// 3. The locations become arbitrary.
	for i, l := range n.Locs {
		outside := known(s.madeArbitrary(n, i))
		if n.Reads != nil {
			s.assign(l, s.value(n.Reads))
		}
		switch t := l.Type().(type) {
		case core.Int:
			s.assign(l, outside)
			if !s.narrow(t) {
				s.assign(l, known(numberAddress))
			}
		case core.Ptr:
			s.assign(l, outside)
		default:
			s.assign(l, known(numberAddress))
		}
		s.assign(l, in(s.unfollowed))
	}
	// 4. So does all memory whose address is taken.
	if n.Region {
		s.havocRegion()
	}
}

// unset lets the given bytes of object hold pointers from outside.
func (s *solver) unset(object int32, bytes core.Ranges) {
	for _, r := range bytes {
		// A range without an end is everything from its start on.
		c := cell{off: r.Off * 8, bits: unbounded}
		if r.End < core.Far {
			c.bits = (r.End - r.Off) * 8
		}
		s.lend(object, c)
	}
}

// isScalar reports whether t is an integer, a pointer or a floating-point number.
func isScalar(t core.Type) bool {
	_, ok := core.Word(t)
	return ok
}

// havocRegion makes all objects escape whose addresses are taken. It does so once, for all
// statements that havoc the region.
func (s *solver) havocRegion() {
	if s.regionKnown {
		return
	}
	s.regionKnown = true
	for i, o := range s.objects {
		if inRegion(o) || isLiteral(o) {
			s.insert(s.number(at(int32(i), 0)), s.escaped)
		}
	}
}

// inRegion reports whether a Havoc of the region changes o.
func inRegion(o *Object) bool {
	return o.Kind == Allocation || o.Kind == Variable && o.Var.AddrTaken && !o.Var.Literal
}

// isLiteral reports whether o is a string literal, which nobody changes.
func isLiteral(o *Object) bool { return o.Kind == Variable && o.Var.Literal }

// copy lets bits bits at src flow to dst. If one of the places is not known, it copies through a
// buffer, an object of its own.
func (s *solver) copy(dst, src ref, bits int64, record *core.Record) {
	if bits == 0 {
		return
	}
	// 1. Both places are known.
	if src.vertex < 0 && dst.vertex < 0 {
		s.copyBetween(dst.address(), src.address(), bits, record)
		return
	}
	// 2. Fill the buffer from src, by a rule if src is relative to the addresses in a vertex.
	n := s.newBuffer(bits)
	if src.vertex < 0 {
		s.copyBetween(at(n, 0), src.address(), bits, record)
	} else {
		s.rule(src.vertex, rule{kind: sourceRule, other: n, off: src.off, stride: src.stride, bits: bits, record: record})
	}
	// 3. Likewise from the buffer to dst.
	if dst.vertex < 0 {
		s.copyBetween(dst.address(), at(n, 0), bits, record)
	} else {
		s.rule(dst.vertex, rule{kind: destRule, other: n, off: dst.off, stride: dst.stride, bits: bits, record: record})
	}
}

// newBuffer adds an object for bits bits that are copied.
func (s *solver) newBuffer(bits int64) int32 {
	b := &Object{Kind: buffer, Name: "copy"}
	if bits < unbounded {
		b.Size = bits / 8
	}
	return s.addObject(b)
}

// address returns the address of r, a known place.
func (r ref) address() address { return address{r.object, r.off, r.stride, r.count} }

// copyBetween copies bits bits between known places. record is the type of the object copied, nil
// if it is not known.
func (s *solver) copyBetween(dst, src address, bits int64, record *core.Record) {
	from, to := s.objects[src.object], s.objects[dst.object]
	switch {
	case !from.holdsBytes() || !to.holdsBytes():
	// Pointers from outside get into the destination.
	case from.Kind == Outside:
		if to.Kind != Outside {
			s.copiedOutside(record, dst, bits, 0, func(cell) bool { return true })
		}
	// The contents of the source escape.
	case to.Kind == Outside:
		s.load(src.object, src.cell(0, bits), s.escaped)
	default:
		s.link(src.object, link{src.off * 8, src.stride * 8, bits, dst.object, dst.off * 8, dst.stride * 8, record})
	}
}

// holdsBytes reports whether o has contents.
func (o *Object) holdsBytes() bool { return o.isMemory() || o.Kind == buffer }
