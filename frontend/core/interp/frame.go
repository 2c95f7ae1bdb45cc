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
	values  []int64 // of formals, locals and ghosts, by slot
}

// Proc is the procedure that runs in f.
func (f *Frame) Proc() *core.Proc { return f.proc }

// Depth is the index of f on the stack; the entry's frame has 0.
func (f *Frame) Depth() int { return f.depth }

// Node is the index of the node that runs next in f; in a frame below the top it
// is the call that is under way.
func (f *Frame) Node() int { return f.node }

// Value is what v holds as seen from f: a global, a formal or local of f, or a
// ghost of its procedure that Options.Ghosts lists. It is nil for an opaque
// variable. Value is a fit lookup for [core.EvalMath].
func (f *Frame) Value(v *core.Var) *big.Int {
	t, ok := v.Type.(core.Int)
	if !ok {
		return nil
	}
	return toBig(t, *f.cell(v))
}

// Eval is the value of e in f, bit-precise. The error is a *[UBError] that names
// the node that runs next.
func (f *Frame) Eval(e core.Expr) (*big.Int, error) {
	x, t, err := f.eval(f.node, e)
	if err != nil {
		return nil, err
	}
	return toBig(t, x), nil
}

// eval evaluates e on behalf of node.
func (f *Frame) eval(node int, e core.Expr) (int64, core.Int, error) {
	v := evaluation{frame: f}
	x, t := v.value(e)
	if v.ub != Defined {
		return 0, t, &UBError{Kind: v.ub, Proc: f.proc, Node: node, Pos: f.proc.Nodes[node].Pos, Expr: v.op}
	}
	return x, t, nil
}

// holds evaluates a condition on behalf of node.
func (f *Frame) holds(node int, e core.Expr) (bool, error) {
	x, _, err := f.eval(node, e)
	return x != 0, err
}

// cell is where v is stored.
func (f *Frame) cell(v *core.Var) *int64 {
	slot, ok := f.machine.slots[v]
	if !ok {
		panic("interp: unknown variable " + v.Name)
	}
	if v.Kind == core.Global {
		return &f.machine.globals[slot]
	}
	if v.Proc != f.proc {
		panic("interp: " + v.Name + " is no variable of " + f.proc.Name)
	}
	return &f.values[slot]
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
