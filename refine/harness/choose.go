package harness

import (
	"math/big"

	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
)

// This file sorts the choices of a run: inputs that a C function can supply, and what
// nobody supplies.

// Branch implements [interp.Choices].
func (r *Recorder) Branch(at interp.Place, next []int) int {
	chosen := r.choices.Branch(at, next)
	node := at.Proc.Nodes[at.Node]
	switch {
	case node.Input != nil && node.Input.Assembly:
		r.jumped(node, chosen)
	case node.Input != nil && len(node.Succ) == 2:
		v := big.NewInt(0)
		if chosen == node.Succ[0] {
			v.SetInt64(1)
		}
		r.input(at, node.Input, v, core.Int32, false)
	case node.Model != nil:
		r.choice(at)
	case node.Caller != nil: // the calls say what was chosen
	case len(next) > 1:
		r.gap("the way that the run takes in "+quoted(node), node.Pos)
	}
	return chosen
}

// External implements [interp.Externals].
func (r *Recorder) External(c interp.ExternalCall) []interp.Write {
	x, ok := r.choices.(interp.Externals)
	if !ok {
		return nil
	}
	writes := x.External(c)
	for _, w := range writes {
		s := store{addr: new(big.Int).SetUint64(w.Addr), image: newImage(w.Size)}
		if w.Bytes != nil {
			s.image = knownImage(w.Bytes[:w.Size])
		}
		r.now.stores = append(r.now.stores, s)
	}
	return writes
}

// choice notes that a model has made one.
func (r *Recorder) choice(at interp.Place) {
	if m := r.current(at.Depth); m != nil {
		m.open = true
	}
}

// Value implements [interp.Choices].
func (r *Recorder) Value(q interp.Request) *big.Int {
	v := r.choices.Value(q)
	if v == nil {
		return nil
	}
	r.made(q, v)
	node := q.Proc.Nodes[q.Node]
	switch q.Why {
	case interp.InitGlobal:
		if q.Var.Foreign {
			r.recording.foreign[q.Var] = v
			return v
		}
		r.leave(q, "the initial value of "+q.Var.Name)
	case interp.InitFormal:
		r.argument(q, q.Var, v)
	case interp.InitLocal:
		if q.Var.Kind != core.Temp {
			r.leave(q, uninitialised(q.Var))
		}
	case interp.Havocked:
		r.havocked(q, v, node)
	case interp.RegionHavocked:
		r.leave(q, "what "+r.doer(node)+" stores in "+q.Var.Name)
	case interp.ExternalResult:
		if r.now.callee != nil {
			r.input(q.Place, r.now.callee, v, q.Type, q.Pointer)
		}
	case interp.Contents:
		r.contents(q, v, node)
	}
	return v
}

// havocked notes the value of a location that a Havoc names.
func (r *Recorder) havocked(q interp.Request, v *big.Int, node *core.Node) {
	h, _ := node.Stmt.(*core.Havoc)
	begins := h != nil && h.Begin
	switch formal := r.formalOf(q); {
	case node.Caller != nil:
	case node.Input != nil:
		r.input(q.Place, node.Input, v, q.Type, q.Pointer)
	case node.Model != nil && !begins:
		r.choice(q.Place)
		if q.Object != nil {
			r.now.stores = append(r.now.stores, store{new(big.Int).SetUint64(q.Addr), littleEndian(v, q.Type)})
		}
	case formal != nil:
		r.argument(q, formal, v)
	case h != nil && byAssembly(h):
		r.assembled(q, v, node)
	case begins && q.Var != nil:
		r.leave(q, uninitialised(q.Var))
	case h != nil && q.Var != nil:
		r.leave(q, arbitrary(h.Why, node))
	case h != nil:
		r.gap(arbitrary(h.Why, node), node.Pos)
	}
}

// arbitrary words what a Havoc because of why stores.
func arbitrary(why string, node *core.Node) string {
	if why == "" {
		return "an arbitrary value in " + quoted(node)
	}
	return "an arbitrary value (" + why + ") in " + quoted(node)
}

// formalOf is the formal of the entry function that the procedure made by the front end
// chooses a value for, or nil.
func (r *Recorder) formalOf(q interp.Request) *core.Var {
	p := r.recording.Program.Entry
	if q.Proc != p || p == r.entry || q.Var == nil {
		return nil
	}
	for _, n := range p.Nodes {
		c, ok := n.Stmt.(*core.Call)
		if !ok || c.Callee != r.entry {
			continue
		}
		for i, a := range c.Args {
			if ref, ok := a.(*core.VarRef); ok && ref.Var == q.Var && i < len(r.entry.Formals) {
				return r.entry.Formals[i]
			}
		}
	}
	return nil
}

// argument notes the argument v of the entry function for formal. Only what starts C's
// main can choose its arguments.
func (r *Recorder) argument(q interp.Request, formal *core.Var, v *big.Int) {
	if r.entry.CName == "main" {
		r.leave(q, "the argument "+formal.Name+" of main")
		return
	}
	r.recording.arguments[formal] = v
	if q.Pointer {
		if _, ok := r.outside(v); !ok {
			r.gap("the address in the argument "+formal.Name+" of "+r.entry.CName, r.entry.Pos)
		}
	}
}

// outside is where the pointer v leads in memory that the program does not define, or a
// number. It reports false if that is in an object of the program.
func (r *Recorder) outside(v *big.Int) (place, bool) {
	o := r.object(v)
	switch {
	case o == nil || v.Sign() == 0:
		return place{}, true
	case o.External():
		return r.recording.lent(o).at(v), true
	}
	return place{}, false
}

// contents notes contents of memory that nobody wrote.
func (r *Recorder) contents(q interp.Request, v *big.Int, node *core.Node) {
	o := q.Object
	if l := r.recording.lent(o); l != nil {
		l.use(int64(q.Addr-o.Start()), core.Bytes(q.Type))
	}
	at, known := place{}, true
	if q.Pointer {
		at, known = r.outside(v)
	}
	r.decided = &decided{q, v, at}
	if known && r.memory.decide(o, int64(q.Addr-o.Start()), v, q.Type, at) {
		return
	}
	what := "contents of memory"
	switch {
	case o.Var() != nil && (q.Indeterminate || o.Unset()):
		what = uninitialised(o.Var())
	case o.Var() != nil:
		what = "what is stored in " + variableName(o.Var()) + " from outside"
	case o.Alloc() != nil && (q.Indeterminate || o.Unset()):
		what = "the contents of newly allocated memory"
	case o.Alloc() != nil:
		what = "what is stored in allocated memory from outside"
	}
	r.gap(what+", read in "+quoted(node), node.Pos)
}

// doer names who does what node does.
func (r *Recorder) doer(node *core.Node) string {
	if r.now.callee != nil {
		return nameOf(r.now.callee)
	}
	if h, ok := node.Stmt.(*core.Havoc); ok && h.Why != "" {
		return h.Why
	}
	return quoted(node)
}

func uninitialised(v *core.Var) string {
	return "the value of the uninitialised variable " + variableName(v)
}

// variableName is v as the C program calls it.
func variableName(v *core.Var) string {
	if v.Name == `\result` {
		return "that holds the result"
	}
	return v.Name
}

// quoted is the C text of a node, in quotes and not long.
func quoted(node *core.Node) string {
	const most = 60
	text := node.Text
	if text == "" {
		text = core.StmtString(node.Stmt)
	}
	if len(text) > most {
		text = text[:most] + "..."
	}
	return `"` + text + `"`
}
