package interp

import "c2bp/frontend/core"

// This file executes calls and returns.

// target is the destination of the result of a call.
type target struct {
	call  *core.Call
	place place // of a scalar
	addr  uint64
	size  int64 // of other results
}

// argument is an evaluated argument: a scalar, or the contents of an aggregate.
type argument struct {
	scalar int64
	bytes  chunk
}

// call executes s in f. Of a procedure with a body it makes the frame, and its nodes are executed
// by the next steps; a call of any other is complete when it returns.
func (m *Machine) call(f *Frame, s *core.Call) (Kind, error) {
	// 1. Evaluate the callee, the address of the destination, and the arguments.
	callee, err := f.callee(s)
	if err != nil {
		return Ran, err
	}
	if err := f.prepareResult(s); err != nil {
		return Ran, err
	}
	args, err := m.arguments(f, callee, s)
	if err != nil {
		return Ran, err
	}
	// 2. Execute a procedure without a body at once.
	if !callee.HasBody() {
		if err := m.external(f, callee, args); err != nil {
			return Ran, err
		}
		f.node = f.proc.Nodes[f.node].Succ[0]
		return Ran, nil
	}
	// 3. Make a frame for any other, pass the arguments, and ask for the values of its locals.
	if len(m.stack) >= m.options.MaxFrames {
		return Ran, &LimitError{What: "frames", Limit: m.options.MaxFrames}
	}
	// The arguments have been evaluated before: the new frame is on top from here on, and errors,
	// requests and accesses are about it.
	g, err := m.push(callee)
	if err != nil {
		return Ran, err
	}
	if err := m.pass(g, args); err != nil {
		return Ran, err
	}
	m.enter(g)
	return Entered, nil
}

// callee returns the procedure that s calls. A call through a pointer is undefined unless that is
// the address of a procedure of the type that it is called with (C11 6.5.2.2p9).
func (f *Frame) callee(s *core.Call) (*core.Proc, error) {
	if s.Callee != nil {
		return s.Callee, nil
	}
	a, _, err := f.eval(s.Target)
	if err != nil {
		return nil, err
	}
	o := f.machine.liveAt(uint64(a))
	if o == nil || o.proc == nil || !fits(o.proc, s) {
		return nil, f.undefined(BadCall, f.node, s.Target)
	}
	return o.proc, nil
}

// fits reports whether s, a call through a pointer, may call p. An argument that is an address fits
// a formal of aggregate type, too.
func fits(p *core.Proc, s *core.Call) bool {
	if len(p.Formals) != len(s.Args) || p.RetType != s.RetType {
		return false
	}
	// A body that does not take more arguments cannot be given any.
	if len(s.Extra) > 0 && p.HasBody() && p.Variadic == nil {
		return false
	}
	for i, a := range s.Args {
		// The argument for an aggregate is its address; an opaque one has none.
		switch t := p.Formals[i].Type.(type) {
		case core.Agg:
			if a == nil || !pointerType(a.Type()) {
				return false
			}
		case core.Opaque:
			if a != nil {
				return false
			}
		default:
			if a == nil || a.Type() != t {
				return false
			}
		}
	}
	return true
}

// prepareResult evaluates the address of the destination of s, before the call: in a[i] = f(), f
// may change i. Whether the object there still lives is checked when the result is stored.
func (f *Frame) prepareResult(s *core.Call) error {
	f.result = target{call: s}
	if s.Lhs == nil {
		return nil
	}
	var err error
	// A scalar has a place; of anything else, keep address and size.
	if _, scalar := core.Word(s.Lhs.Type()); scalar {
		f.result.place, err = f.location(s.Lhs)
		return err
	}
	f.result.size = core.Bytes(s.Lhs.Type())
	switch l := s.Lhs.(type) {
	case *core.VarRef:
		f.result.addr = f.object(l.Var).start
	case *core.Mem:
		var b block
		// An empty struct has an address, but no bytes to store.
		if b, err = f.target(l.Addr, f.result.size); err == nil && b.size > 0 {
			f.result.addr = b.object.start + uint64(b.off)
		}
	}
	return err
}

// arguments evaluates the arguments of s, then the extra ones: element i is that of s.Args[i], and
// those after len(s.Args) are of s.Extra. An aggregate is copied. The argument for an opaque formal
// is zero and not used.
func (m *Machine) arguments(f *Frame, callee *core.Proc, s *core.Call) ([]argument, error) {
	args := make([]argument, len(s.Args)+len(s.Extra))
	for i, e := range append(s.Args[:len(s.Args):len(s.Args)], s.Extra...) {
		if e == nil {
			continue
		}
		if i < len(s.Args) {
			// A struct by value: copy the object at the address.
			if t, ok := callee.Formals[i].Type.(core.Agg); ok {
				b, err := f.block(e, t.Size)
				if err != nil {
					return nil, err
				}
				args[i].bytes = m.read(f, b, e)
				continue
			}
		}
		x, _, err := f.eval(e)
		if err != nil {
			return nil, err
		}
		args[i].scalar = x
	}
	return args, nil
}

// extraSlot is the distance in bytes of two arguments after the formals.
const extraSlot = 8

// pass stores the arguments in the formals of g, which was just made.
func (m *Machine) pass(g *Frame, args []argument) error {
	caller := m.stack[g.depth-1]
	s := caller.result.call
	// 1. The formals.
	for i, v := range g.proc.Formals {
		// Passing is no access of the program's text: it has no location.
		if _, scalar := core.Word(v.Type); scalar {
			p := g.variable(v)
			p.loc = nil
			p.set(m, args[i].scalar)
		} else if o := g.object(v); args[i].bytes.size > 0 {
			m.write(g, block{object: o, size: args[i].bytes.length()}, args[i].bytes, nil)
		}
	}
	// 2. The extra arguments: an object of the right size in the place of the one that was made.
	v := g.proc.Variadic
	if v == nil {
		return nil
	}
	// Their number is that of this call, while push has made an object of unknownSize bytes.
	index := m.slots[v].index
	m.kill(g.objects[index])
	o, err := m.newObject(&Object{v: v, depth: g.depth}, extraSlot*int64(len(s.Extra)), indeterminate)
	if err != nil {
		return err
	}
	g.objects[index] = o
	for i, e := range s.Extra {
		if e == nil {
			continue
		}
		// Arguments narrower than a slot leave the bytes after them indeterminate.
		t, _ := core.Word(e.Type())
		off := extraSlot * int64(i)
		p := place{object: o, off: off, span: spanOf(o.start+uint64(off), t, 0)}
		p.set(m, args[len(s.Args)+i].scalar)
	}
	return nil
}

// deliver stores the scalar result x of the call under way in f, converted to the type of the
// destination. The call must use its result.
func (f *Frame) deliver(x int64) {
	s := f.result.call
	if s.ResultConv != nil {
		x = convert(*s.ResultConv, x)
	}
	f.result.place.set(f.machine, x)
}

// resultBlock returns the destination of a result that is no scalar. The callee may have ended the
// life of the object that it was in; then storing there is undefined.
func (f *Frame) resultBlock() (block, error) {
	b, ub := f.machine.blockAt(f.result.addr, f.result.size)
	if ub != Defined {
		return block{}, f.undefined(ub, f.node, f.result.call.Lhs)
	}
	return b, nil
}

// leave pops f and lets its caller continue after the call. Without a caller the run is finished.
func (m *Machine) leave(f *Frame) (Kind, error) {
	// 1. Read the result before the frame, and its objects, are gone.
	var x int64
	var bytes chunk
	caller := m.below(f)
	wanted := caller != nil && caller.result.call.Lhs != nil && f.proc.Result != nil
	if wanted {
		if _, scalar := core.Word(f.proc.Result.Type); scalar {
			var err error
			if x, err = f.run(f.node, f.routine.result); err != nil {
				return Ran, err
			}
		} else {
			o := f.object(f.proc.Result)
			bytes = m.read(f, block{object: o, size: o.Size()}, nil)
		}
	}
	// 2. End the activation.
	m.pop(f)
	if caller == nil {
		return Finished, nil
	}
	if wanted {
		if err := caller.receive(x, bytes); err != nil {
			return Ran, err
		}
	}
	// A call has one successor.
	caller.node = caller.proc.Nodes[caller.node].Succ[0]
	return Left, nil
}

// receive stores the result of the call under way: x or, if it is no scalar, bytes.
func (f *Frame) receive(x int64, bytes chunk) error {
	if _, scalar := core.Word(f.result.call.Lhs.Type()); scalar {
		// The callee has ended the life of the object that the address led to.
		if p := f.result.place; p.object != nil && !f.machine.Live(p.object) {
			return f.undefined(BadAccess, f.node, f.result.call.Lhs)
		}
		f.deliver(x)
		return nil
	}
	b, err := f.resultBlock()
	if err == nil {
		f.machine.write(f, b, bytes, addressOf(f.result.call.Lhs))
	}
	return err
}

// addressOf returns the expression that points to l, nil for a variable.
func addressOf(l core.Loc) core.Expr {
	if mem, ok := l.(*core.Mem); ok {
		return mem.Addr
	}
	return nil
}

// below returns the frame that called f, or nil.
func (m *Machine) below(f *Frame) *Frame {
	if f.depth == 0 {
		return nil
	}
	return m.stack[f.depth-1]
}

// pop ends the activation f, the top one, and the lives of its variables and of the objects that it
// has allocated on the stack. Pointers to them may remain; following one is undefined.
func (m *Machine) pop(f *Frame) {
	m.stack = m.stack[:f.depth]
	for _, list := range [][]*Object{f.objects, f.stack} {
		for _, o := range list {
			m.kill(o)
		}
	}
}
