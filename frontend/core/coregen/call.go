package coregen

import "c2bp/frontend/core"

// This file makes calls.

// maxCalls bounds the calls in one procedure: with more, random recursion rarely returns.
const maxCalls = 2

// stmtCall emits a call as a statement of its own: f(e); or v = f(e);
func (b *builder) stmtCall() {
	b.first = true
	b.call()
}

// call emits a call whose result is dropped or stored. The destination may have another type than
// the result: then, and in some cases although the types agree, ResultConv converts it, as C does
// in v = f(x).
func (b *builder) call() {
	if b.world != nil {
		b.callWithMemory()
		return
	}
	callee := b.callee()
	// A node is needed all the same: the statement has begun.
	if callee == nil {
		b.node(&core.Skip{})
		return
	}
	s := b.callOf(callee)
	// Store the result, in three of four cases.
	if t, ok := callee.RetType.(core.Int); ok && !b.chance(4) {
		v := b.target()
		s.Lhs = v.Ref()
		if u := v.Type.(core.Int); u != t || b.chance(4) {
			s.ResultConv = &u
		}
	}
	b.node(s)
}

// callResult emits a call and returns the temporary that holds its result, or nil if there is no
// procedure with one to call. So conditions depend on calls: if (f(x) > 3).
func (b *builder) callResult() *core.Var {
	callee := b.callee()
	if callee == nil {
		return nil
	}
	t, ok := callee.RetType.(core.Int)
	if !ok || t.Bool {
		return nil
	}
	// Only calls that need no guards can be in an expression.
	var s *core.Call
	if b.world == nil {
		s = b.callOf(callee)
	} else if c, ok := b.callTo(b.unguarded(), callee); ok && c.guards == nil {
		s = c.call
	} else {
		return nil
	}
	v := b.temp(t)
	s.Lhs = v.Ref()
	b.node(s)
	return v
}

// callee picks a procedure to call; those declared later are likelier, so that
// most recursion ends.
func (b *builder) callee() *core.Proc {
	procs := b.prog.Procs
	if b.calls >= maxCalls {
		return nil
	}
	b.calls++
	// Mostly leave out the procedures up to the present one.
	if !b.chance(6) {
		for i, p := range procs {
			if p == b.proc {
				procs = procs[i+1:]
				break
			}
		}
	}
	if len(procs) == 0 {
		return nil
	}
	return pick(b.generator, procs)
}

// callOf returns a call of callee without a destination.
func (b *builder) callOf(callee *core.Proc) *core.Call {
	s := &core.Call{Callee: callee}
	for _, f := range callee.Formals {
		// An opaque formal needs no argument.
		var arg core.Expr
		if t, ok := f.Type.(core.Int); ok {
			arg = b.terms().expr(t, b.rng.IntN(2))
		}
		s.Args = append(s.Args, arg)
	}
	return s
}
