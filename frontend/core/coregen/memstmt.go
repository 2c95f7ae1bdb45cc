package coregen

import (
	"c2bp/frontend/core"
)

// This file makes the statements of programs with memory.

// guarded emits nodes that run only where the conditions hold, one after the other:
//
//	if (c1) if (c2) emit
//
// The nodes of all outcomes are pending afterwards.
func (b *builder) guarded(conditions []core.Expr, emit func()) {
	var others []int
	// Where a condition is false, the rest is skipped.
	for _, c := range conditions {
		others = append(others, b.fork(c)...)
	}
	emit()
	b.pending = append(b.pending, others...)
}

// statement emits s, guarded. In one of 25 cases the guards are left out: then the run may become
// undefined.
func (b *builder) statement(guards []core.Expr, s core.Stmt) {
	if len(guards) > 0 && b.chance(25) {
		guards = nil
	}
	b.guarded(guards, func() { b.node(s) })
}

// rich returns terms that read memory; they add to guards the conditions for that.
func (b *builder) rich(guards *[]core.Expr) terms {
	t := b.terms()
	s := b.scope(true)
	t.places = func(typ core.Int) core.Expr {
		e, more := s.integer(typ)
		*guards = append(*guards, more...)
		return e
	}
	return t
}

// memoryStmt emits a statement about memory.
func (b *builder) memoryStmt() {
	// Statements with their weights; stmt makes calls, too.
	kinds := []struct {
		weight int
		make   func()
	}{
		{8, b.storeInt}, {7, b.storePointer}, {2, b.copyStruct}, {1, b.copyPart}, {2, b.fillPart},
		{3, b.push}, {2, b.drop}, {2, b.scratch}, {1, b.traverse}, {3, b.pun}, {2, b.pointerAsInt}, {1, b.stepThroughArray},
		{3, b.indirectCall}, {2, b.swap}, {1, b.havocPlace}, {1, b.bytewise}, {1, b.containerOf}, {2, b.difference},
		{1, b.readText},
		{3, b.callWithMemory},
	}
	// Draw a kind with a probability in proportion to its weight.
	sum := 0
	for _, k := range kinds {
		sum += k.weight
	}
	n := b.rng.IntN(sum)
	for _, k := range kinds {
		if n -= k.weight; n < 0 {
			k.make()
			return
		}
	}
}

// storeInt assigns a number to some place:
//
//	x = e;  p->m = e;  a[i] = e;  s.b = e;     with a bit-field b
func (b *builder) storeInt() {
	p, ok := b.scope(true).walk((*shape).isInt)
	if !ok {
		b.node(&core.Skip{})
		return
	}
	guards := p.guards
	e := b.rich(&guards).expr(p.shape.typ.(core.Int), 1+b.rng.IntN(2))
	b.statement(guards, &core.Assign{Lhs: []core.Loc{p.loc()}, Rhs: []core.Expr{e}})
}

// storePointer sets some pointer:
//
//	p = &x;  p->next = q;  tab[1] = f;  *pp = NULL;
//
// A place that outlives the frame mostly gets a pointer that does, too.
func (b *builder) storePointer() {
	s := b.scope(true)
	p, ok := s.walk((*shape).isPointer)
	if !ok {
		b.node(&core.Skip{})
		return
	}
	e, guards := s.pointer(want{shape: p.shape, null: p.null, long: p.long})
	if e == nil {
		b.node(&core.Skip{})
		return
	}
	b.statement(join(p.guards, guards), &core.Assign{Lhs: []core.Loc{p.loc()}, Rhs: []core.Expr{e}})
}

// join returns the elements of x and y in a new list.
func join(x, y []core.Expr) []core.Expr { return append(x[:len(x):len(x)], y...) }

// copyStruct assigns a struct, perhaps to itself:
//
//	*p = s;  s = p->in;
func (b *builder) copyStruct() {
	s := b.scope(true)
	t := pick(b.generator, b.world.structs)
	dst, ok := s.walk(t.same)
	src, ok2 := s.walk(t.same)
	// A struct that lives on should not get pointers into the frame from a local one.
	if !ok || !ok2 || dst.long && src.direct && !src.long && !b.chance(20) {
		b.node(&core.Skip{})
		return
	}
	b.statement(join(dst.guards, src.guards), b.copyOf(s.address(dst), s.address(src), t))
}

// copyOf returns the copy of a struct of type t.
func (b *builder) copyOf(dst, src core.Expr, t *shape) *core.Copy {
	return &core.Copy{Dst: dst, Src: src, Size: core.NewConst(core.Bytes(t.typ), core.Uint64), Parts: t.parts(0)}
}

// parts lists the scalars of t; of a union, one member.
func (t *shape) parts(off int64) (out []core.Part) {
	switch {
	case t.isScalar():
		return []core.Part{{Off: off, Typ: t.typ, Count: 1}}
	case t.count > 0 && t.elem.isScalar():
		return []core.Part{{Off: off, Typ: t.elem.typ, Count: t.count}}
	case t.count > 0:
		for i := range t.count {
			out = append(out, t.elem.parts(off+i*core.Bytes(t.elem.typ))...)
		}
	}
	end := int64(0) // in bits
	for _, f := range t.fields {
		// Of members that overlap, in a union, the first one counts.
		start := 8*f.off + int64(f.bit)
		if start < end {
			continue
		}
		if n, ok := f.shape.typ.(core.Int); ok {
			end = start + int64(n.Bits)
			out = append(out, core.Part{Off: off + f.off, Typ: n, Bit: f.bit, Count: 1})
			continue
		}
		end = start + 8*core.Bytes(f.shape.typ)
		out = append(out, f.shape.parts(off+f.off)...)
	}
	return out
}

// copyPart emits a memcpy of a part of a struct, or of one array to another:
//
//	memcpy(&p->m, a, n);
//
// Where the types of source and destination agree, the copy has a list of its scalars, otherwise it
// is one of bytes.
func (b *builder) copyPart() {
	s := b.scope(true)
	isPart := func(x *shape) bool { return x.typ == core.Type(core.Int32) || x.count > 0 && x.elem.isInt() }
	dst, ok := s.walk(isPart)
	src, ok2 := s.walk(isPart)
	if !ok || !ok2 || !s.addressable(dst) || !s.addressable(src) {
		b.node(&core.Skip{})
		return
	}
	// Copy the size of the smaller one.
	size := min(core.Bytes(dst.shape.typ), core.Bytes(src.shape.typ))
	c := &core.Copy{Dst: s.address(dst), Src: s.address(src), Size: core.NewConst(size, core.Uint64)}
	// Two ints, or two arrays of one element type.
	if dst.shape.elem == nil && src.shape.elem == nil || dst.shape.elem != nil && src.shape.elem != nil && dst.shape.elem.same(src.shape.elem) {
		elem := dst.shape
		if elem.elem != nil {
			elem = elem.elem
		}
		c.Parts = []core.Part{{Typ: elem.typ, Count: size / core.Bytes(elem.typ)}}
	}
	b.statement(join(dst.guards, src.guards), c)
}

// fillPart emits a memset, or makes bytes arbitrary:
//
//	memset(p, 0, sizeof *p);  memset(a, 3, sizeof a);
//	read(a, sizeof a);                          from a device
func (b *builder) fillPart() {
	s := b.scope(true)
	arbitrary := b.chance(3)
	p, ok := s.walk(func(x *shape) bool {
		return x.fields != nil && !arbitrary || x.count > 0 && x.elem.isInt() || x.typ == core.Type(core.Int32)
	})
	if !ok || p.shape.isInt() && !s.addressable(p) {
		b.node(&core.Skip{})
		return
	}
	f := &core.Fill{Dst: s.address(p), Size: core.NewConst(core.Bytes(p.shape.typ), core.Uint64)}
	switch {
	case arbitrary:
		f.Why = "read from a device"
	case p.shape.fields == nil:
		f.Byte = b.constant(core.Uint8)
	default:
		f.Byte = core.NewConst(0, core.Uint8) // a pointer of other bytes would be useless
	}
	b.statement(p.guards, f)
}

// swap exchanges two ints through pointers, in one assignment or in three:
//
//	*p, *q = *q, *p;
//	t = *p; *p = *q; *q = t;
//
// The two may be one place: an analysis that takes them for different errs.
func (b *builder) swap() {
	s := b.scope(true)
	isInt := intShape(core.Int32).same
	p, ok := s.walk(isInt)
	q, ok2 := s.walk(isInt)
	if !ok || !ok2 {
		b.node(&core.Skip{})
		return
	}
	b.guarded(join(p.guards, q.guards), func() {
		// Two targets of one assignment must not be one variable; through a pointer they
		// may meet.
		if b.chance(2) && p.loc() != q.loc() && (p.addr != nil || q.addr != nil) {
			b.node(&core.Assign{Lhs: []core.Loc{p.loc(), q.loc()}, Rhs: []core.Expr{q.loc(), p.loc()}})
			return
		}
		t := b.newTemp(p.shape)
		b.node(assign(t, p.loc()))
		b.emit(&core.Assign{Lhs: []core.Loc{p.loc()}, Rhs: []core.Expr{q.loc()}})
		b.emit(&core.Assign{Lhs: []core.Loc{q.loc()}, Rhs: []core.Expr{t.Ref()}})
	})
}

// havocPlace gives an arbitrary value to a place, or to a double, or to all memory, as assembly
// does.
func (b *builder) havocPlace() {
	if b.chance(4) {
		b.node(&core.Havoc{Region: true, Why: "assembly"})
		return
	}
	p, ok := b.scope(true).walk(func(x *shape) bool { return x.fields == nil && x.count == 0 })
	if !ok {
		b.node(&core.Skip{})
		return
	}
	b.statement(p.guards, &core.Havoc{Locs: []core.Loc{p.loc()}})
}

// containerOf goes from the address of a member back to the struct and stores there, as Linux's
// container_of does:
//
//	t = (char *)p + offsetof(struct node, m);
//	*(int *)(t - offsetof(struct node, m)) = e;
//
// An analysis that takes &p->m for a pointer into m alone misses the write of val.
func (b *builder) containerOf() {
	s := b.scope(true)
	p, guards := s.pointer(want{shape: b.world.nodep})
	if p == nil {
		b.node(&core.Skip{})
		return
	}
	// Go to a member other than the first, and back.
	f := b.world.node.fields[1+b.rng.IntN(len(b.world.node.fields)-1)]
	t := b.newTemp(b.world.bytep)
	b.guarded(guards, func() {
		b.node(assign(t, &core.Offset{X: p, Off: f.off, Field: f.name}))
		// The struct's first member is an int: val.
		back := &core.Offset{X: t.Ref(), Off: -f.off}
		b.emit(&core.Assign{
			Lhs: []core.Loc{&core.Mem{Addr: back, Typ: core.Int32}}, Rhs: []core.Expr{b.terms().expr(core.Int32, 1)},
		})
	})
}

// difference subtracts or orders two pointers into one array, its end included:
//
//	v = &a[i] - &a[j];  v = &a[i] < &a[j];
func (b *builder) difference() {
	s := b.scope(true)
	p, ok := s.walk(func(x *shape) bool { return x.count > 0 })
	if !ok || !s.addressable(p) {
		b.node(&core.Skip{})
		return
	}
	size := core.Bytes(p.shape.elem.typ)
	// The address of an element, or the end of the array.
	at := func() core.Expr {
		return &core.Index{X: s.address(p), I: core.NewConst(b.rng.Int64N(p.shape.count+1), core.Int32), Size: size}
	}
	var e core.Expr = &core.Diff{X: at(), Y: at(), Size: size, Typ: core.Int{Bits: b.world.ptr.Bits, Signed: true}}
	if b.chance(2) {
		e = &core.Binary{Op: core.Lt, X: at(), Y: at()}
	}
	v := b.target()
	b.statement(p.guards, assign(v, convert(e, v.Type.(core.Int))))
}

// readText reads a byte of the string literal through a pointer:
//
//	t = "ab\1"; v = t[2];
func (b *builder) readText() {
	if b.world.literal == nil {
		b.node(&core.Skip{})
		return
	}
	t, v := b.newTemp(b.world.bytep), b.target()
	b.node(assign(t, &core.AddrOf{Var: b.world.literal, Typ: b.world.ptr}))
	at := &core.Index{X: t.Ref(), I: core.NewConst(b.rng.Int64N(4), core.Int32), Size: 1}
	b.emit(assign(v, convert(&core.Mem{Addr: at, Typ: core.Uint8}, v.Type.(core.Int))))
}
