package harness

import (
	"math/big"

	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
)

// This file classifies the choices of a run: inputs that a C function can supply, and values that
// nothing supplies.

// Branch implements [interp.Choices].
func (r *Recorder) Branch(at interp.Place, next []int) int {
	chosen := r.choices.Branch(at, next)
	node := at.Proc.Nodes[at.Node]
	switch {
	// A branch may be that of asm goto, of an input that is 0 or 1, of a model, of a function that
	// calls back, or of the program.
	case node.Input != nil && node.Input.Assembly:
		r.jumped(node, chosen)
	case node.Input != nil && len(node.Succ) == 2:
		// A Boolean result decides this branch.
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

// choice records that a model has made a choice.
func (r *Recorder) choice(at interp.Place) {
	if m := r.current(at.Depth); m != nil {
		m.open = true
	}
}

// Value implements [interp.Choices].
func (r *Recorder) Value(q interp.Request) *big.Int {
	// 1. The value is the one that the replay chooses.
	v := r.choices.Value(q)
	if v == nil {
		return nil
	}
	r.made(q, v)
	// 2. Who can supply it depends on why the machine asks.
	node := q.Proc.Nodes[q.Node]
	switch q.Why {
	case interp.InitGlobal:
		// A variable that is only declared has its value by a definition in the harness.
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

// havocked records the value of a location in a Havoc.
func (r *Recorder) havocked(q interp.Request, v *big.Int, node *core.Node) {
	h, _ := node.Stmt.(*core.Havoc)
	begins := h != nil && h.Begin
	// The first case that applies: callbacks, results, models, arguments, assembly, the rest.
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

// arbitrary describes the value that a Havoc stores, by its reason.
//
//	an arbitrary value (volatile) in "x = status;"
func arbitrary(why string, node *core.Node) string {
	if why == "" {
		return "an arbitrary value in " + quoted(node)
	}
	return "an arbitrary value (" + why + ") in " + quoted(node)
}

// formalOf returns the formal of the entry function for which the front end's procedure chooses a
// value, or nil.
func (r *Recorder) formalOf(q interp.Request) *core.Var {
	p := r.recording.Program.Entry
	if q.Proc != p || p == r.entry || q.Var == nil {
		return nil
	}
	// The value is passed on in the call of the entry function.
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

// argument records the argument v of the entry function for formal. The arguments of C's main can
// only be chosen by its caller.
func (r *Recorder) argument(q interp.Request, formal *core.Var, v *big.Int) {
	if r.entry.CName == "main" {
		r.leave(q, "the argument "+formal.Name+" of main")
		return
	}
	r.recording.arguments[formal] = v
	switch {
	case q.Pointer:
		if _, ok := r.outside(v); !ok {
			r.gap("the address in the argument "+formal.Name+" of "+r.entry.CName, r.entry.Pos)
		}
	// The harness passes it as a number.
	case r.isAddress(q, v):
		r.gap("the address in the argument "+formal.Name+" of "+r.entry.CName, r.entry.Pos)
	}
}

// isAddress reports whether v is the answer to a request for a pointer, or for an integer that is the address of an
// object of the environment.
func (r *Recorder) isAddress(q interp.Request, v *big.Int) bool {
	if q.Pointer || q.Type.Bits < r.recording.Program.Pointer().Bits {
		return q.Pointer
	}
	o := r.object(v)
	return o != nil && o.Environment()
}

// outside returns the place of the pointer v in memory that the program does not define, or a
// number. It reports false for an address in an object of the program.
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

// contents records contents of memory that the program has not written.
func (r *Recorder) contents(q interp.Request, v *big.Int, node *core.Node) {
	// 1. Memory outside of the program is defined by the harness, with these contents.
	o := q.Object
	// The use of a byte makes its object as large.
	if l := r.recording.lent(o); l != nil {
		l.use(int64(q.Addr-o.Start()), core.Bytes(q.Type))
	}
	// 2. Bytes with a known origin get their values there.
	at, known := place{}, true
	if r.isAddress(q, v) {
		at, known = r.outside(v)
	}
	r.decided = &decided{q, v, at}
	if known && r.memory.decide(o, int64(q.Addr-o.Start()), v, q.Type, at) {
		return
	}
	// 3. Other contents are a gap.
	what := "contents of memory"
	switch {
	case o.Var() != nil && (q.Indeterminate || q.Unset()):
		what = uninitialised(o.Var())
	case o.Var() != nil:
		what = "what is stored in " + variableName(o.Var()) + " from outside"
	case o.Alloc() != nil && (q.Indeterminate || q.Unset()):
		what = "the contents of newly allocated memory"
	case o.Alloc() != nil:
		what = "what is stored in allocated memory from outside"
	}
	r.gap(what+", read in "+quoted(node), node.Pos)
}

// doer describes who executes node, for people.
//
//	ioctl
//	an unknown function, called through a pointer,
//	"x = READ_ONCE(dev->state);"
func (r *Recorder) doer(node *core.Node) string {
	if r.now.callee != nil {
		return nameOf(r.now.callee)
	}
	if h, ok := node.Stmt.(*core.Havoc); ok && h.Why != "" {
		return h.Why
	}
	return quoted(node)
}

// uninitialised describes the value of v, for people.
//
//	the value of the uninitialised variable x
func uninitialised(v *core.Var) string {
	return "the value of the uninitialised variable " + variableName(v)
}

// variableName returns the name of v in the C program.
func variableName(v *core.Var) string {
	if v.Name == `\result` {
		return "that holds the result"
	}
	return v.Name
}

// quoted returns the C text of a node in quotes, shortened.
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
