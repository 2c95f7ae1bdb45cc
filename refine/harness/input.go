package harness

import (
	"math/big"

	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
)

// This file records the results and stores of calls of functions without a body.

// after records the values from outside in the execution of node, which ended in e.
func (r *Recorder) after(e interp.Event, node *core.Node) {
	b := r.now
	// 1. Effects of a model, or a copy of bytes from outside.
	if m := r.current(b.depth); m != nil && node.Model != nil {
		r.modelled(m, b)
	} else if c, ok := node.Stmt.(*core.Copy); ok {
		r.copied(c, b)
	}
	// 2. A call whose result was not chosen, as no value was asked for, is an input all the same.
	switch s := node.Stmt.(type) {
	case *core.Skip, *core.Fill, *core.Havoc:
		if h, ok := s.(*core.Havoc); ok && byAssembly(h) {
			r.recording.assembly = append(r.recording.assembly, assembled{node.Pos, b.outputs, len(b.outputs)})
		}
		if node.Input != nil && !b.given { // of a type that has no values
			r.structure(r.input(e.Place, node.Input, nil, core.Int{}, false), b)
		}
	case *core.Call:
		if b.callee == nil {
			break
		}
		if !b.given {
			r.structure(r.input(e.Place, b.callee, nil, core.Int{}, false), b)
		}
		r.stored(b, node)
	}
	// 3. Variables that have been set.
	r.settle(e, node)
}

// copied records that the copied bytes keep their origins.
func (r *Recorder) copied(c *core.Copy, b *before) {
	to, from := r.object(b.dst), r.object(b.src)
	if to != nil && from != nil && b.size > 0 {
		r.memory.move(to, int64(b.dst.Uint64()-to.Start()), from, int64(b.src.Uint64()-from.Start()), b.size)
	}
}

// structure records that the result of in is the structure that b stores.
func (r *Recorder) structure(in *Input, b *before) {
	o := r.object(b.dst)
	if in == nil || o == nil || b.size == 0 {
		return
	}
	in.image = newImage(b.size)
	r.memory.supply(o, int64(b.dst.Uint64()-o.Start()), b.size, in.image)
}

// stored records the stores of the function without a body that b calls.
func (r *Recorder) stored(b *before, node *core.Node) {
	if len(b.stores) == 0 {
		return
	}
	if r.alone(b.callee) {
		r.gap("what "+nameOf(b.callee)+" stores in memory", node.Pos)
		return
	}
	in := &r.recording.Inputs[len(r.recording.Inputs)-1]
	// Each store must be at an address that the function knows.
	for _, s := range b.stores {
		// The address relative to an argument; null, or an address that is unknown, is a gap.
		o := r.object(s.addr)
		to, ok := r.locate(s.addr, b.args)
		if !ok || to.base == number || o == nil {
			r.gap("what "+nameOf(b.callee)+" stores in memory", node.Pos)
			continue
		}
		in.effects = append(in.effects, effect{to: to, size: s.image.size, image: s.image})
		r.memory.supply(o, int64(s.addr.Uint64()-o.Start()), s.image.size, s.image)
		delete(r.open.objects, o)
	}
}

// input records a call of f and its result, a value of t. It returns nil for a function that the
// harness does not define.
func (r *Recorder) input(at interp.Place, f *core.Proc, v *big.Int, t core.Int, pointer bool) *Input {
	r.now.given = true
	// A function that the library supplies cannot be told what to return.
	node := at.Proc.Nodes[at.Node]
	if r.alone(f) {
		if v != nil {
			r.gap("what "+nameOf(f)+" returns", node.Pos)
		}
		return nil
	}
	in := Input{Func: f, Value: v, Type: t, Pos: node.Pos, Text: node.Text, args: r.now.args, ways: r.now.ways}
	// A function without a name is shown by the pointer through which it is called.
	if c, ok := node.Stmt.(*core.Call); ok && c.Through != nil {
		in.through = core.CString(c.Through)
	}
	// Inputs of one statement may be supplied in either order.
	if at.Depth < len(r.stmts) {
		in.stmt = r.stmts[at.Depth]
	}
	r.addressOf(&in, pointer, r.now.args, node)
	r.recording.Inputs = append(r.recording.Inputs, in)
	return &r.recording.Inputs[len(r.recording.Inputs)-1]
}

// addressOf finds the place of the value of in, if it is an address. An address in an object of the
// program cannot be told to a C function. An integer is supplied as a number, even if an object is
// at that address.
func (r *Recorder) addressOf(in *Input, pointer bool, args arguments, node *core.Node) {
	if in.Value == nil || in.Value.Sign() == 0 {
		return
	}
	if !pointer {
		if in.Type.Bits >= r.recording.Program.Pointer().Bits && r.object(in.Value) != nil {
			r.gap("the address that "+in.Func.CName+" returns as a number", node.Pos)
		}
		return
	}
	p, ok := r.locate(in.Value, args)
	if !ok {
		r.gap("the address that "+in.Func.CName+" returns", node.Pos)
	}
	in.place = p
}
