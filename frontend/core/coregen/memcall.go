package coregen

import "c2bp/frontend/core"

// This file makes calls in programs with memory.

// memoryCall is a call with everything but its destination.
type memoryCall struct {
	call   *core.Call
	result *shape
	guards []core.Expr
}

// arguments makes arguments for sig; ok is false if it finds no value for one. A struct is passed
// by value: the argument is its address.
func (b *builder) arguments(c *memoryCall, s scope, sig *signature) (ok bool) {
	for i, f := range sig.formals {
		var e core.Expr
		var guards []core.Expr
		switch {
		case f.isInt():
			t := b.terms()
			if s.guards {
				t = b.rich(&guards)
			}
			e = t.expr(f.typ.(core.Int), b.rng.IntN(2))
		case f.isPointer():
			e, guards = s.pointer(want{shape: f, null: sig.null[i]})
		default:
			e, guards = s.pointer(want{shape: b.world.pointerTo(f)})
		}
		if e == nil {
			return false
		}
		c.call.Args = append(c.call.Args, e)
		// All arguments must exist where the call is made.
		c.guards = join(c.guards, guards)
	}
	c.result = sig.result
	return true
}

// callTo makes a call of p, without a destination.
func (b *builder) callTo(s scope, p *core.Proc) (*memoryCall, bool) {
	c := &memoryCall{call: &core.Call{Callee: p}}
	// The formal n says how many arguments follow: an int, and a pointer to int.
	if p.Name == "va" {
		n := b.rng.Int64N(3)
		c.call.Args = []core.Expr{core.NewConst(n, core.Int32)}
		if n > 0 {
			c.call.Extra = append(c.call.Extra, b.terms().expr(core.Int32, 1))
		}
		if n > 1 {
			e, guards := s.pointer(want{shape: b.world.intp})
			if e == nil {
				return nil, false
			}
			c.call.Extra, c.guards = append(c.call.Extra, e), guards
		}
		return c, true
	}
	return c, b.arguments(c, s, b.world.sigOf[p])
}

// callWithMemory emits a call whose result is dropped or stored in some place.
func (b *builder) callWithMemory() {
	callee := b.callee()
	if callee == nil {
		b.node(&core.Skip{})
		return
	}
	s := b.scope(true)
	if c, ok := b.callTo(s, callee); ok {
		b.finishCall(s, c)
		return
	}
	b.node(&core.Skip{})
}

// indirectCall emits a call through a pointer to procedures, in a variable, member or element:
//
//	v = p->op(e);  tab[i](e);
//
// In some cases the target is the address of a procedure, so that an analysis sees it at once.
func (b *builder) indirectCall() {
	s := b.scope(true)
	p, ok := s.walk(func(x *shape) bool { return x.sig != nil })
	if !ok || b.calls > maxCalls || !s.pass(&p) {
		b.node(&core.Skip{})
		return
	}
	b.calls++
	c := &memoryCall{call: &core.Call{Target: p.loc(), RetType: core.Void{}}, guards: p.guards}
	if r := p.shape.sig.result; r != nil {
		c.call.RetType = r.typ
	}
	if b.chance(8) { // a call of a procedure that the analysis can see at once
		c.call.Target = b.unguarded().procedure(p.shape.sig)
	}
	if !b.arguments(c, s, p.shape.sig) {
		b.node(&core.Skip{})
		return
	}
	b.finishCall(s, c)
}

// finishCall emits c with a destination, perhaps, where its guards hold.
func (b *builder) finishCall(s scope, c *memoryCall) {
	if r := c.result; r != nil && !b.chance(5) {
		b.destination(s, c)
	}
	b.statement(c.guards, c.call)
}

// destination gives c a destination, if it finds one.
func (b *builder) destination(s scope, c *memoryCall) {
	r := c.result
	switch {
	case r.isInt():
		// An integer result goes to an integer place of any type.
		p, ok := s.walk((*shape).isInt)
		if !ok {
			return
		}
		c.call.Lhs, c.guards = p.loc(), join(c.guards, p.guards)
		// A place of another type needs a conversion.
		if t := p.shape.typ.(core.Int); t != r.typ || b.chance(4) {
			c.call.ResultConv = &t
		}
	case r.isPointer():
		// A pointer may come back as null, so only a place that may be null is a
		// destination.
		if p, ok := s.walk(r.same); ok && p.null {
			c.call.Lhs, c.guards = p.loc(), join(c.guards, p.guards)
		}
	default:
		// The destination of a struct is given by its address.
		if p, ok := s.walk(r.same); ok {
			c.call.Lhs, c.guards = &core.Mem{Addr: s.address(p), Typ: r.typ}, join(c.guards, p.guards)
		}
	}
}

// setMemoryResult assigns to the result variable, which is no number.
func (b *builder) setMemoryResult() {
	r := b.proc.Result
	s := b.unguarded()
	t := b.world.bindings[r].shape
	w := want{shape: t, null: true, long: true}
	if t.fields != nil {
		w = want{shape: b.world.pointerTo(t)}
	}
	e, _ := s.pointer(w)
	switch {
	// Nothing was found: the result keeps its value.
	case e == nil:
	case t.fields != nil:
		b.emit(b.copyOf(&core.AddrOf{Var: r, Typ: b.world.ptr}, e, t))
	default:
		b.emit(assign(r, e))
	}
}
