package interp

import (
	"math/big"

	"c2bp/frontend/core"
)

// Frame is an activation of a procedure.
type Frame struct {
	machine *Machine
	depth   int
	proc    *core.Proc
	node    int
	values  []int64   // of formals, locals and ghosts outside of memory, by slot
	objects []*Object // of formals and locals in memory, by slot
	stack   []*Object // what Alloc with Stack made
	result  target    // of the call under way
}

// slot says where a variable is kept: at an index of values, or of objects.
type slot struct {
	index  int
	memory bool
}

// Proc is the procedure that runs in f.
func (f *Frame) Proc() *core.Proc { return f.proc }

// Depth is the index of f on the stack; the entry's frame has 0.
func (f *Frame) Depth() int { return f.depth }

// Node is the index of the node that runs next in f; in a frame below the top it
// is the call that is under way.
func (f *Frame) Node() int { return f.node }

// Value is what v holds as seen from f: a global, a formal or local of f, or a
// ghost of its procedure that Options.Ghosts lists; of a pointer, the address. It
// is nil for a variable that is neither an integer nor a pointer.
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

// valueIn is the value of the scalar variable v, which is o.
func (m *Machine) valueIn(o *Object, v *core.Var) *big.Int {
	t, _ := core.Word(v.Type)
	return toBig(t, m.peekSpan(spanOf(o.start, t, 0), pointerType(v.Type)))
}

// Eval is the value of e in f, bit-precise. The error is a *[UBError] that names
// the node that runs next.
func (f *Frame) Eval(e core.Expr) (*big.Int, error) {
	v := evaluation{frame: f, node: f.node, quiet: true}
	x, t := v.value(e)
	if err := v.err(); err != nil {
		return nil, err
	}
	return toBig(t, x), nil
}

// eval evaluates e on behalf of node.
func (f *Frame) eval(node int, e core.Expr) (int64, core.Int, error) {
	v := evaluation{frame: f, node: node}
	x, t := v.value(e)
	return x, t, v.err()
}

// err is the undefined behaviour that v met, or nil.
func (v *evaluation) err() error {
	if v.ub == Defined {
		return nil
	}
	return v.frame.undefined(v.ub, v.node, v.op)
}

func (f *Frame) undefined(ub UB, node int, e core.Expr) error {
	return &UBError{Kind: ub, Proc: f.proc, Node: node, Pos: f.proc.Nodes[node].Pos, Expr: e}
}

// holds evaluates a condition on behalf of node.
func (f *Frame) holds(node int, e core.Expr) (bool, error) {
	x, _, err := f.eval(node, e)
	return x != 0, err
}

// slot is where v is kept.
func (f *Frame) slot(v *core.Var) slot {
	s, ok := f.machine.slots[v]
	if !ok {
		panic("interp: unknown variable " + v.Name)
	}
	if v.Kind != core.Global && v.Proc != f.proc {
		panic("interp: " + v.Name + " is no variable of " + f.proc.Name)
	}
	return s
}

// cellIn is the register of v, whose slot is s.
func (f *Frame) cellIn(s slot, v *core.Var) *int64 {
	if v.Kind == core.Global {
		return &f.machine.globals[s.index]
	}
	return &f.values[s.index]
}

// objectIn is the memory of v, whose slot is s.
func (f *Frame) objectIn(s slot, v *core.Var) *Object {
	if v.Kind == core.Global {
		return f.machine.globalObjects[s.index]
	}
	return f.objects[s.index]
}

// object is the memory of v.
func (f *Frame) object(v *core.Var) *Object {
	s := f.slot(v)
	if !s.memory {
		panic("interp: " + v.Name + " is not in memory")
	}
	return f.objectIn(s, v)
}

// variable is where v, a scalar, is stored.
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

// place is where l, a scalar, is stored; its address is evaluated.
func (f *Frame) location(l core.Loc) (place, error) {
	mem, ok := l.(*core.Mem)
	if !ok {
		p := f.variable(l.(*core.VarRef).Var)
		if p.cell == nil {
			p.loc = l
		}
		return p, nil
	}
	v := evaluation{frame: f, node: f.node}
	a, _ := v.value(mem.Addr)
	if err := v.err(); err != nil {
		return place{}, err
	}
	p := place{span: placeSpan(uint64(a), mem), loc: l}
	var ub UB
	if p.object, p.off, ub = f.machine.locate(p.span); ub == Defined && p.object.literal() {
		ub = ReadOnly
	}
	if ub != Defined {
		return place{}, f.undefined(ub, f.node, l)
	}
	return p, nil
}

// toBig is the number that the value x of t stands for.
func toBig(t core.Int, x int64) *big.Int {
	if t.Signed {
		return big.NewInt(x)
	}
	return new(big.Int).SetUint64(uint64(x))
}

// fromBig is the inverse of toBig for every type.
func fromBig(v *big.Int) int64 {
	if v.IsInt64() {
		return v.Int64()
	}
	return int64(v.Uint64())
}
