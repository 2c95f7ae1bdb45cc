package interp

import (
	"math/big"

	"c2bp/frontend/core"
)

// This file defines activations, and the places of the variables that they see.

// Frame is an activation of a procedure.
type Frame struct {
	machine *Machine
	depth   int
	proc    *core.Proc
	routine *routine
	node    int
	passed  int       // 1 + the node of an Assume whose condition has been found to hold
	values  []int64   // of formals, locals and ghosts outside of memory, by slot
	objects []*Object // of formals and locals in memory, by slot
	stack   []*Object // what Alloc with Stack made
	result  target    // of the call under way
}

// slot is the place of a variable: an index of values, or of objects.
type slot struct {
	index  int
	memory bool
}

// Proc returns the procedure that runs in f.
func (f *Frame) Proc() *core.Proc { return f.proc }

// Depth returns the index of f on the stack; the entry's frame has 0.
func (f *Frame) Depth() int { return f.depth }

// Node returns the index of the node that runs next in f; in a frame below the top it
// is the call that is under way.
func (f *Frame) Node() int { return f.node }

// Value returns the value of v as seen from f: of a global, a formal or local of f, or a ghost of
// its procedure that Options.Ghosts lists; of a pointer, the address. It is nil for a variable that
// is neither an integer nor a pointer.
func (f *Frame) Value(v *core.Var) *big.Int {
	t, ok := core.Word(v.Type)
	if !ok {
		return nil
	}
	s := f.slot(v)
	if s.memory {
		return f.machine.valueIn(f.objectIn(s, v), v)
	}
	return toBig(t, *f.cellIn(s, v))
}

// valueIn returns the value of the scalar variable v, which is o.
func (m *Machine) valueIn(o *Object, v *core.Var) *big.Int {
	t, _ := core.Word(v.Type)
	return toBig(t, m.peekSpan(spanOf(o.start, t, 0), pointerType(v.Type)))
}

// Eval returns the value of e in f, bit-precise. The error is a *[UBError] that names
// the node that runs next.
func (f *Frame) Eval(e core.Expr) (*big.Int, error) {
	v := f.evaluation(f.node)
	v.quiet = true
	c := f.machine.compile(f.proc, e)
	x := v.value(c)
	if err := v.err(); err != nil {
		return nil, err
	}
	return toBig(c.typ, x), nil
}

// evaluation prepares an evaluation on behalf of node.
func (f *Frame) evaluation(node int) evaluation {
	return evaluation{frame: f, machine: f.machine, node: node}
}

// eval evaluates e, of the node that runs next.
func (f *Frame) eval(e core.Expr) (int64, core.Int, error) {
	c := f.machine.codeOf(f.routine, e)
	x, err := f.run(f.node, c)
	return x, c.typ, err
}

// run evaluates c on behalf of node.
func (f *Frame) run(node int, c *code) (int64, error) {
	v := f.evaluation(node)
	x := v.value(c)
	if v.ub != Defined {
		return 0, v.err()
	}
	return x, nil
}

// err returns the undefined behaviour that v met, or nil.
func (v *evaluation) err() error {
	if v.ub == Defined {
		return nil
	}
	return v.frame.undefined(v.ub, v.node, v.op)
}

// undefined returns the error that says that e, of node, is undefined. The node need not be the one
// of f: a Branch evaluates conditions of its successors.
func (f *Frame) undefined(ub UB, node int, e core.Expr) error {
	return &UBError{Kind: ub, Proc: f.proc, Node: node, Pos: f.proc.Nodes[node].Pos, Expr: e}
}

// slot returns the slot of v.
func (f *Frame) slot(v *core.Var) slot { return f.machine.slotIn(f.proc, v) }

// cellIn returns the register of v, whose slot is s, and which is not in memory.
func (f *Frame) cellIn(s slot, v *core.Var) *int64 {
	if v.Kind == core.Global {
		return &f.machine.globals[s.index]
	}
	return &f.values[s.index]
}

// objectIn returns the memory of v, whose slot is s, and which is in memory.
func (f *Frame) objectIn(s slot, v *core.Var) *Object {
	if v.Kind == core.Global {
		return f.machine.globalObjects[s.index]
	}
	return f.objects[s.index]
}

// object returns the memory of v.
func (f *Frame) object(v *core.Var) *Object {
	s := f.slot(v)
	if !s.memory {
		panic("interp: " + v.Name + " is not in memory")
	}
	return f.objectIn(s, v)
}

// variable returns the place of v, a scalar that f can see, in memory or not.
func (f *Frame) variable(v *core.Var) place {
	t, ok := core.Word(v.Type)
	if !ok {
		panic("interp: " + v.Name + " is no scalar")
	}
	s := f.slot(v)
	if !s.memory {
		return place{cell: f.cellIn(s, v), span: span{typ: t}}
	}
	o := f.objectIn(s, v)
	return place{object: o, span: spanOf(o.start, t, 0), loc: v.Ref()}
}

// location returns the place of l, a scalar; its address is evaluated. It is undefined to ask for a
// place that cannot be written.
func (f *Frame) location(l core.Loc) (place, error) {
	return f.located(f.machine.codeOf(f.routine, l))
}

// located returns the place of c, a scalar location, to be written. It stays the same place
// whatever is evaluated or written after.
func (f *Frame) located(c *code) (place, error) {
	m := f.machine
	p := place{span: c.span}
	switch c.op {
	case opRegister:
		p.cell = &f.values[c.slot]
		return p, nil
	case opGlobal:
		p.cell = &m.globals[c.slot]
		return p, nil
	case opLocalObject:
		p.object = f.objects[c.slot]
		p.span.addr = p.object.start
		p.loc = c.from.(core.Loc)
		return p, nil
	case opGlobalObject:
		p.object = m.globalObjects[c.slot]
		p.span.addr = p.object.start
		p.loc = c.from.(core.Loc)
		return p, nil
	}
	// A place at an address: it must be in one live object that may be changed.
	a, err := f.run(f.node, c.x)
	if err != nil {
		return place{}, err
	}
	p.span.addr += uint64(a)
	p.loc = c.from.(core.Loc)
	var ub UB
	if p.object, p.off, ub = m.locate(p.span); ub == Defined && p.object.literal() {
		ub = ReadOnly
	}
	if ub == Defined && !m.accessFits(p.object, p.off, c) {
		ub = Impossible
	}
	if ub != Defined {
		return place{}, f.undefined(ub, f.node, p.loc)
	}
	return p, nil
}

// toBig returns the number that x represents as a value of t.
func toBig(t core.Int, x int64) *big.Int {
	if t.Signed {
		return big.NewInt(x)
	}
	return new(big.Int).SetUint64(uint64(x))
}

// fromBig returns the inverse of toBig for every type: v modulo 2^64, if v fits in 64 bits, signed
// or not.
func fromBig(v *big.Int) int64 {
	if v.IsInt64() {
		return v.Int64()
	}
	return int64(v.Uint64())
}
