package coregen

import "c2bp/frontend/core"

// This file makes statements about lists and allocated objects, and statements that access memory
// as another type than it has.

// allocate emits v := malloc(…), which may fail, and then the nodes that run if it does not:
//
//	if (*) v = malloc(size); else v = NULL;
//	if (v != NULL) { then }
func (b *builder) allocate(v *core.Var, size int64, stack bool, then func()) {
	// Both outcomes of malloc: an object, or null.
	at := b.node(&core.Branch{})
	b.node(&core.Alloc{Lhs: v.Ref(), Size: core.NewConst(size, core.Uint64), Stack: stack})
	yes := b.pending
	b.pending = []int{at}
	b.node(assign(v, core.Null(b.world.ptr)))
	b.pending = append(b.pending, yes...)
	b.guarded([]core.Expr{&core.Binary{Op: core.Ne, X: v.Ref(), Y: core.Null(b.world.ptr)}}, then)
}

// nodePointer finds a place for a pointer to a node, one that may be null.
func (b *builder) nodePointer() (place, bool) {
	p, ok := b.scope(true).walk(b.world.nodep.same)
	return p, ok && p.null
}

// push emits the allocation of a node, and puts it in front of a list:
//
//	n = malloc(sizeof *n);
//	if (n != NULL) { memset(n, 0, sizeof *n); n->val = e; n->next = head; head = n; }
//
// Without the memset, members other than val and next are not initialised. head is any place for a
// pointer to a node: the global, a member, a variable that another pointer reaches.
func (b *builder) push() {
	head, ok := b.nodePointer()
	if !ok {
		b.node(&core.Skip{})
		return
	}
	n := b.newTemp(b.world.nodep)
	t := b.world.node
	member := func(i int) *core.Mem {
		f := t.fields[i]
		return &core.Mem{Addr: &core.Offset{X: n.Ref(), Off: f.off, Field: f.name}, Typ: f.shape.typ}
	}
	store := func(l core.Loc, e core.Expr) {
		b.emit(&core.Assign{Lhs: []core.Loc{l}, Rhs: []core.Expr{e}})
	}
	// If there is memory: clear the node, mostly, set its value, and link it in.
	b.allocate(n, core.Bytes(t.typ), false, func() {
		// In one of three cases the node is not cleared.
		if !b.chance(3) {
			b.emit(&core.Fill{Dst: n.Ref(), Size: core.NewConst(core.Bytes(t.typ), core.Uint64), Byte: core.NewConst(0, core.Uint8)})
		}
		var guards []core.Expr
		e := b.rich(&guards).expr(core.Int32, 1)
		b.guarded(guards, func() { store(member(0), e) })
		b.guarded(head.guards, func() {
			store(member(1), head.loc())
			store(head.loc(), n.Ref())
		})
	})
}

// scratch allocates an int, uses it and frees it, perhaps:
//
//	p = malloc(4); if (p != NULL) { *p = e; v = *p; }
//	free(p);
//
// An object of alloca is not freed.
func (b *builder) scratch() {
	n := b.newTemp(b.world.intp)
	stack := b.chance(3)
	at := &core.Mem{Addr: n.Ref(), Typ: core.Int32}
	b.allocate(n, 4, stack, func() {
		b.emit(&core.Assign{Lhs: []core.Loc{at}, Rhs: []core.Expr{b.terms().expr(core.Int32, 1)}})
		v := b.target()
		b.emit(assign(v, convert(at, v.Type.(core.Int))))
	})
	if !stack && !b.chance(4) { // or a leak
		b.emit(&core.Free{Ptr: n.Ref()})
	}
}

// drop takes the first element from a list and perhaps frees it:
//
//	if (head != NULL) { n = head; head = n->next; free(n); }
//
// The element may be a variable, or other pointers to it may remain: then the free, or a later
// access, is undefined.
func (b *builder) drop() {
	head, ok := b.nodePointer()
	if !ok {
		b.node(&core.Skip{})
		return
	}
	n := b.newTemp(b.world.nodep)
	some := &core.Binary{Op: core.Ne, X: head.loc(), Y: core.Null(b.world.ptr)}
	// The second member of a node is next.
	next := b.world.node.fields[1]
	b.guarded(append(head.guards[:len(head.guards):len(head.guards)], some), func() {
		b.node(assign(n, head.loc()))
		b.emit(&core.Assign{Lhs: []core.Loc{head.loc()},
			Rhs: []core.Expr{&core.Mem{Addr: &core.Offset{X: n.Ref(), Off: next.off, Field: next.name}, Typ: b.world.ptr}}})
		if b.chance(3) { // mostly it is a variable's: only now and then try
			b.emit(&core.Free{Ptr: n.Ref()})
		}
	})
}

// traverse walks along a list and reads or writes its elements:
//
//	for (c = p; c != NULL; c = c->next) c->val = e;
//
// The list may be a ring: then the loop does not end.
func (b *builder) traverse() {
	p, guards := b.scope(true).pointer(want{shape: b.world.nodep, null: true})
	t := b.world.node
	c := b.newTemp(b.world.nodep)
	b.guarded(guards, func() { b.node(assign(c, p)) })
	if guards != nil {
		return // c is not always set
	}
	head := len(b.proc.Nodes)
	// The head of the loop is its test; the body goes back to it.
	other := b.fork(&core.Binary{Op: core.Ne, X: c.Ref(), Y: core.Null(b.world.ptr)})
	val := &core.Mem{Addr: &core.Offset{X: c.Ref(), Off: t.fields[0].off, Field: t.fields[0].name}, Typ: core.Int32}
	if b.chance(2) {
		b.emit(&core.Assign{Lhs: []core.Loc{val}, Rhs: []core.Expr{b.terms().expr(core.Int32, 1)}})
	} else {
		v := b.target()
		b.emit(assign(v, convert(val, v.Type.(core.Int))))
	}
	b.emit(assign(c, &core.Mem{Addr: &core.Offset{X: c.Ref(), Off: t.fields[1].off, Field: t.fields[1].name}, Typ: b.world.ptr}))
	b.arrive(head)
	b.pending = other
}

// pun reads or writes an integer in part, or as another type of its size:
//
//	*((short *)&x + 1) = 5;
//	v = ((unsigned char *)&x)[2];
//
// An analysis that tells objects in memory apart by the types of accesses misses such a write.
func (b *builder) pun() {
	s := b.scope(true)
	p, ok := s.walk(func(x *shape) bool {
		t, isInt := x.typ.(core.Int)
		return isInt && t.Bits >= 16 && t.Bits%8 == 0
	})
	if !ok || !s.addressable(p) {
		b.node(&core.Skip{})
		return
	}
	size := core.Bytes(p.shape.typ)
	// Choose an integer type that is not wider, and a place of it in the scalar.
	part := core.Int{Bits: int(8 << b.rng.IntN(int(size/2)%3+1)), Signed: b.chance(2)}
	n := int64(part.Bits / 8)
	at := &core.Mem{Addr: &core.Offset{X: s.address(p), Off: n * b.rng.Int64N(size/n)}, Typ: part}
	// A constant index in the place of a constant offset, which is the same place.
	if b.chance(3) {
		at.Addr = &core.Index{X: s.address(p), I: core.NewConst(b.rng.Int64N(size/n), core.Int32), Size: n}
	}
	if b.chance(2) {
		b.statement(p.guards, &core.Assign{Lhs: []core.Loc{at}, Rhs: []core.Expr{b.constant(part)}})
		return
	}
	v := b.target()
	b.statement(p.guards, assign(v, convert(at, v.Type.(core.Int))))
}

// pointerAsInt converts a pointer to a number, perhaps marks it in a low bit, and converts it back
// to a pointer:
//
//	u = (uintptr_t)q; u = u + 2; u = u - 2; p = (T *)u;
//
// In some cases the number is read from, or written to, the memory of the pointer:
//
//	u = *(uintptr_t *)&p; *(uintptr_t *)&p = u;
//
// An analysis that follows assignments between pointers only loses the target.
func (b *builder) pointerAsInt() {
	s := b.scope(true)
	p, ok := s.walk((*shape).isPointer)
	if !ok {
		b.node(&core.Skip{})
		return
	}
	// uintptr_t
	word := core.Int{Bits: b.world.ptr.Bits}
	u := b.newTemp(intShape(word))
	// q is a pointer that p may hold.
	from, guards := s.pointer(want{shape: p.shape, null: p.null, long: p.long})
	if from == nil {
		b.node(&core.Skip{})
		return
	}
	bin := func(op core.BinaryOp, v int64) core.Expr {
		return &core.Binary{Op: op, X: u.Ref(), Y: core.NewConst(v, word)}
	}
	b.guarded(join(p.guards, guards), func() {
		mem, isMem := p.loc().(*core.Mem)
		if isMem && b.chance(3) && !p.null { // read the bits of a pointer as a number
			b.node(assign(u, &core.Mem{Addr: mem.Addr, Typ: word}))
		} else {
			b.node(assign(u, &core.ToInt{X: from, To: word}))
		}
		if b.chance(3) {
			b.emit(assign(u, bin(core.Add, 2)))
			b.emit(assign(u, bin(core.Sub, 2)))
		}
		if isMem && b.chance(3) {
			b.emit(&core.Assign{Lhs: []core.Loc{&core.Mem{Addr: mem.Addr, Typ: word}}, Rhs: []core.Expr{u.Ref()}})
			return
		}
		b.emit(&core.Assign{Lhs: []core.Loc{p.loc()}, Rhs: []core.Expr{&core.ToPtr{X: u.Ref(), Typ: b.world.ptr}}})
	})
}

// stepThroughArray points to the beginning of an array, stores, steps, stores:
//
//	c = a; *c = e; c = c + 1; *c = e; c = c + 1;
//
// In the end c may point after the last element.
func (b *builder) stepThroughArray() {
	s := b.scope(true)
	p, ok := s.walk(func(x *shape) bool { return x.count > 0 && x.elem.isInt() })
	if !ok || !s.addressable(p) {
		b.node(&core.Skip{})
		return
	}
	t := p.shape.elem.typ.(core.Int)
	// c serves for elements of any integer type: core pointers do not tell their targets.
	c := b.newTemp(b.world.intp)
	at := &core.Mem{Addr: c.Ref(), Typ: t}
	b.guarded(p.guards, func() {
		b.node(assign(c, s.address(p)))
		for range min(2, p.shape.count) {
			b.emit(&core.Assign{Lhs: []core.Loc{at}, Rhs: []core.Expr{b.terms().expr(t, 1)}})
			b.emit(assign(c, &core.Index{X: c.Ref(), I: core.NewConst(1, core.Int32), Size: core.Bytes(t)}))
		}
	})
}

// bytewise copies a scalar byte by byte in a loop:
//
//	for (i = 0, from = src, to = &x; i < sizeof x; i++) to[i] = from[i];
//
// The bytes are of type unsigned char, which may access any object (C11 6.5p7). If x is a pointer,
// an analysis has to put its target together from them.
func (b *builder) bytewise() {
	s := b.scope(true)
	p, ok := s.walk(func(x *shape) bool { return x.isPointer() || x.typ == core.Type(core.Int32) })
	if !ok || !s.addressable(p) {
		b.node(&core.Skip{})
		return
	}
	// 1. Find a source of the same type.
	var src core.Expr
	var guards []core.Expr
	if p.shape.isPointer() {
		q, found := s.walk(p.shape.same)
		if !found || !s.addressable(q) || q.null && !p.null || p.long && !q.long {
			b.node(&core.Skip{})
			return
		}
		src, guards = s.address(q), q.guards
	} else if src, guards = s.pointer(want{shape: b.world.intp}); src == nil {
		b.node(&core.Skip{})
		return
	}
	// 2. Emit the loop.
	i, from, to := b.newTemp(intShape(core.Int32)), b.newTemp(b.world.bytep), b.newTemp(b.world.bytep)
	b.guarded(join(p.guards, guards), func() {
		b.node(assign(i, core.NewConst(0, core.Int32)))
		b.node(assign(from, src))
		b.node(assign(to, s.address(p)))
		head := len(b.proc.Nodes)
		other := b.fork(&core.Binary{Op: core.Lt, X: i.Ref(), Y: core.NewConst(core.Bytes(p.shape.typ), core.Int32)})
		at := func(v *core.Var) *core.Mem {
			return &core.Mem{Addr: &core.Index{X: v.Ref(), I: i.Ref(), Size: 1}, Typ: core.Uint8}
		}
		b.emit(&core.Assign{Lhs: []core.Loc{at(to)}, Rhs: []core.Expr{at(from)}})
		b.emit(assign(i, &core.Binary{Op: core.Add, X: i.Ref(), Y: core.NewConst(1, core.Int32)}))
		b.arrive(head)
		b.pending = other
	})
}
