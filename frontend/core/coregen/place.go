package coregen

import "c2bp/frontend/core"

// This file finds places in memory, and pointers, by random walks from variables through members,
// elements and pointers.

// place is an lvalue.
type place struct {
	root  *core.Var
	addr  core.Expr // nil: the variable root itself
	bit   int       // offset in bits, of a bit-field
	shape *shape
	null  bool // a pointer that may be null
	// long marks a place that outlives the frame: pointers stored there should point to objects
	// that outlive it, too, and those read from there do.
	long   bool
	direct bool        // in the variable root: no pointer was followed
	guards []core.Expr // conditions under which the place exists: no null, indices in range
}

// loc returns the place as a location; its shape is a scalar.
func (p place) loc() core.Loc {
	if p.addr == nil {
		return p.root.Ref()
	}
	return &core.Mem{Addr: p.addr, Typ: p.shape.typ, Bit: p.bit}
}

// scope is the set of variables from which walks start.
type scope struct {
	*generator
	vars   []*core.Var
	proc   *core.Proc // nil in global predicates
	guards bool       // places may need guards
	total  bool       // for predicates: guards are not needed
}

// indices lists the variables that can be an index.
func (s scope) indices() (out []*core.Var) {
	for _, v := range s.vars {
		if v.Type == core.Type(core.Int32) {
			out = append(out, v)
		}
	}
	return out
}

// walk looks for a place of a wanted shape; ok is false if twenty walks find none. Such a place is
// x, s.m, p->m, p->next->val, a[i], *pp or (*pp)[2], whatever the types in scope allow.
func (s scope) walk(want func(*shape) bool) (p place, ok bool) {
	for range 20 {
		if p, ok = s.stroll(want); ok {
			return p, true
		}
	}
	return p, false
}

// stroll is one random walk.
func (s scope) stroll(want func(*shape) bool) (place, bool) {
	if len(s.vars) == 0 {
		return place{}, false
	}
	v := pick(s.generator, s.vars)
	b := s.world.bindings[v]
	if b == nil {
		return place{}, false
	}
	p := place{root: v, shape: b.shape, null: b.null, long: b.long || v.Kind == core.Global, direct: true}
	// Stop at a wanted place; at a wanted pointer or array, continue half of the time.
	for range 6 {
		if want(p.shape) && (p.shape.elem == nil || s.chance(2)) {
			return p, true
		}
		var ok bool
		if p, ok = s.step(p); !ok {
			break
		}
	}
	return p, want(p.shape)
}

// step continues from p to a part of it, or to the object that it points to.
func (s scope) step(p place) (place, bool) {
	switch t := p.shape; {
	case t.fields != nil:
		f := pick(s.generator, t.fields)
		p.addr = &core.Offset{X: s.address(p), Off: f.off, Field: f.name}
		p.bit, p.shape, p.null = f.bit, f.shape, f.shape.isPointer()
		return p, true
	case t.count > 0:
		return s.element(p), true
	case t.elem != nil:
		if !s.pass(&p) {
			return p, false
		}
		// The address of the new place is the value of the pointer.
		value := p.loc()
		// The object lies somewhere: from here on the place counts as one that outlives the
		// frame.
		p.addr, p.bit, p.shape = value, 0, t.elem
		p.null, p.long, p.direct = t.elem.isPointer(), true, false
		return p, true
	}
	return p, false
}

// pass reports whether the pointer p may be followed; it adds the guard for that.
func (s scope) pass(p *place) bool {
	switch {
	case !p.null || s.total:
	case s.guards:
		p.guards = append(p.guards[:len(p.guards):len(p.guards)],
			&core.Binary{Op: core.Ne, X: p.loc(), Y: core.Null(s.world.ptr)})
	default:
		// Without guards a pointer that may be null is followed in one of 40 cases only.
		return s.chance(40)
	}
	return true
}

// element returns an element of the array p.
func (s scope) element(p place) place {
	elem := p.shape.elem
	size := core.Bytes(elem.typ)
	i := s.rng.Int64N(p.shape.count)
	base := s.address(p)
	count := int64(0)
	if !s.total && i%2 == 0 { // predicates are defined for any index
		count = p.shape.count
	}
	p.addr = &core.Index{X: base, I: core.NewConst(i, core.Int64), Size: size, Count: count}
	// Sometimes a constant offset, sometimes a variable index, guarded.
	switch list := s.indices(); {
	case s.chance(3):
		p.addr = &core.Offset{X: base, Off: i * size}
	case s.chance(2) && len(list) > 0 && (s.total || s.guards):
		v := pick(s.generator, list).Ref()
		p.addr = &core.Index{X: base, I: v, Size: size, Count: count}
		if !s.total {
			p.guards = append(p.guards[:len(p.guards):len(p.guards)],
				&core.Binary{Op: core.Ge, X: v, Y: core.NewConst(0, core.Int32)},
				&core.Binary{Op: core.Lt, X: v, Y: core.NewConst(p.shape.count, core.Int32)})
		}
	}
	p.shape, p.null, p.bit = elem, elem.isPointer(), 0
	return p
}

// address returns the address of p.
func (s scope) address(p place) core.Expr {
	if p.addr != nil {
		return p.addr
	}
	return &core.AddrOf{Var: p.root, Typ: s.world.ptr}
}

// addressable reports whether a pointer may be set to the address of p.
func (s scope) addressable(p place) bool {
	// A bit-field has no address.
	if t, ok := p.shape.typ.(core.Int); ok && (p.bit != 0 || t.Bits%8 != 0) {
		return false
	}
	switch {
	// Predicates name addresses only of variables that lie in memory.
	case s.total && p.addr == nil:
		return p.root.InMemory()
	// Temporaries, symbolic constants and the result have no address.
	case p.direct && (p.root.Kind == core.Temp || p.root.Kind == core.Ghost || s.proc != nil && p.root == s.proc.Result):
		return false
	}
	return true
}

// want describes a pointer that is wanted.
type want struct {
	shape *shape // of the pointer
	null  bool   // it may be null
	long  bool   // it is to outlive the frame
}

// pointer returns a pointer as w describes it, and the conditions under which it is one; nil if it
// finds none.
func (s scope) pointer(w want) (core.Expr, []core.Expr) {
	// Now and then a pointer into the frame is stored where it outlives it: it dangles later.
	if s.chance(25) {
		w.long = false
	}
	for range 10 {
		if e, guards := s.somePointer(w); e != nil {
			return e, guards
		}
	}
	if w.null {
		return core.Null(s.world.ptr), nil
	}
	return nil, nil
}

// somePointer is one attempt to find a pointer: an address, or a place that holds one.
func (s scope) somePointer(w want) (core.Expr, []core.Expr) {
	switch n := s.rng.IntN(16); {
	case n == 0 && w.null:
		return core.Null(s.world.ptr), nil
	case n > 10 && w.shape == s.world.bytep && s.world.literal != nil:
		return &core.AddrOf{Var: s.world.literal, Typ: s.world.ptr}, nil
	case w.shape.sig != nil && n < 10:
		return s.procedure(w.shape.sig), nil
	case w.shape.elem != nil && n < 9:
		p, ok := s.walk(w.shape.elem.fitsAt)
		// A pointer into this frame is not good enough for a place that outlives it.
		if !ok || !s.addressable(p) || w.long && p.direct && !p.long {
			return nil, nil
		}
		return s.address(p), p.guards
	}
	// A place that holds such a pointer.
	p, ok := s.walk(w.shape.same)
	if !ok || w.long && !p.long {
		return nil, nil
	}
	if p.null && !w.null && !s.pass(&p) {
		return nil, nil
	}
	return p.loc(), p.guards
}

// procedure returns the address of a procedure of the signature.
func (s scope) procedure(sig *signature) core.Expr {
	var list []*core.Proc
	for _, p := range s.prog.Procs {
		if s.world.sigOf[p] == sig {
			list = append(list, p)
		}
	}
	// No such procedure: the pointer is null.
	if len(list) == 0 {
		return core.Null(s.world.ptr)
	}
	return &core.FuncAddr{Proc: pick(s.generator, list), Typ: s.world.ptr}
}

// integer returns the value of some place of integer type, of type t if possible and likely, and
// its guards; nil if it finds none.
func (s scope) integer(t core.Int) (core.Expr, []core.Expr) {
	p, ok := s.walk(func(x *shape) bool { return x.typ == core.Type(t) })
	if !ok {
		p, ok = s.walk((*shape).isInt)
	}
	if !ok {
		return nil, nil
	}
	return p.loc(), p.guards
}

// comparison returns a condition on pointers, and its guards; nil if it finds no pointer.
func (s scope) comparison() (core.Expr, []core.Expr) {
	p, ok := s.walk((*shape).isPointer)
	if !ok {
		return nil, nil
	}
	op := core.Eq
	if s.chance(2) {
		op = core.Ne
	}
	if s.chance(3) {
		return &core.Binary{Op: op, X: p.loc(), Y: core.Null(s.world.ptr)}, p.guards
	}
	if s.chance(12) && !s.total {
		return &core.Unary{Op: core.Not, X: p.loc()}, p.guards
		// !p instead of p == NULL.
	}
	y, guards := s.somePointer(want{shape: p.shape})
	if y == nil {
		return nil, nil
	}
	return &core.Binary{Op: op, X: p.loc(), Y: y}, append(p.guards[:len(p.guards):len(p.guards)], guards...)
}
