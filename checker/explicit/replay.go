package explicit

import (
	"bytes"
	"fmt"

	"c2bp/checker/zom"
)

// This file executes the path to a node again. Nodes are canonical forms: objects change their
// names in them, and dead values are lost. Traces show states that keep both. Each state is
// compared with its node.

// InternalError is a defect of the engine that it detected itself.
type InternalError struct{ Why string }

func (e *InternalError) Error() string { return "internal error of the explicit engine: " + e.Why }

// invocation is the execution of a leg.
type invocation struct {
	g  *engine
	up *invocation // the caller, at its call
	leg
	at    int // index in path
	state *zom.State
	addrs []zom.Word          // by number of an object in the node path[at]: its address in state
	names map[zom.Word]string // names of the objects made since the entry
	named *int                // number of names that the trace has given
}

// enter begins a leg at the entry of its root.
func (g *engine) enter(l leg, up *invocation, named *int) (*invocation, error) {
	r := g.nodes[l.path[0]].root
	v := &invocation{g: g, up: up, leg: l, state: zom.NewState(g.prog), names: map[zom.Word]string{}, named: named}
	v.state.Blank()
	v.state.Start(r.proc)
	// Parameters that the pattern does not read are unknown here.
	for i := range g.prog.Procs[r.proc].Params {
		if r.witness != nil {
			v.state.SetSlot(0, int32(i), zom.Absent) // unless the pattern tells
		}
	}
	for _, p := range r.pattern {
		if p.at.param {
			v.state.SetSlot(0, p.at.Index, p.word)
		}
	}
	g.meetCells(v.state, r)
	if !v.arrived() {
		return nil, &InternalError{"a procedure starts in another state than it did"}
	}
	return v, nil
}

// root returns the root of the leg.
func (v *invocation) root() *root { return v.g.nodes[v.path[0]].root }

// arrived reports whether the state is that of the node path[at], and names the objects that are
// new.
func (v *invocation) arrived() bool {
	g := v.g
	// The state must contradict no need, and be a state of the node.
	g.now = v.state
	if !v.serves(v.needs[v.at]) || !v.isOne(v.path[v.at]) {
		return false
	}
	v.addrs = g.canon.Addresses(v.addrs[:0])
	for a := zom.Word(len(v.names)) + 1; a <= zom.Word(v.state.News()); a++ {
		v.names[a] = fmt.Sprintf("A%d", *v.named)
		*v.named++
	}
	return true
}

// serves reports whether the state contradicts no value of a need.
func (v *invocation) serves(n need) bool {
	for global, want := range n {
		if w := v.state.Globals[global]; (w == 0 || w == 1) && w != want {
			return false
		}
	}
	return true
}

// isOne reports whether the state of v is one of the states of a node: a global that is unknown in
// the node may be known here. Afterwards the latest form is that of the node.
func (v *invocation) isOne(id int32) bool {
	g := v.g
	// A global is unknown in the node, or at the entry of its root and not written since.
	node := g.at(&g.upper, id).Globals
	mark := v.state.Mark()
	// 1. Forget the globals that are unknown in the node.
	for i, w := range v.state.Globals {
		if (w == 0 || w == 1) && g.prog.Globals[i].Kind == zom.Bool && (node[i] == zom.Unknown || node[i] == zom.Absent && g.stillUnknown(v.root(), i)) {
			v.state.SetGlobal(int32(i), zom.Unknown)
		}
	}
	// 2. Compare the forms.
	want := g.formNow(id)
	g.now = v.state
	same := bytes.Equal(g.form(v.root()), want)
	v.state.Undo(mark)
	return same
}

// advance goes to the next node of the path.
func (v *invocation) advance() error {
	g, to := v.g, &v.g.nodes[v.path[v.at+1]]
	v.at++
	// 1. Over a call: apply its effect, and choose the unknown values of the path that is shown
	// inside.
	if to.call != nil {
		g.resume(v.state, to.exit, func(cell zom.Word) zom.Word { return v.here(to.call.cells[-cell-1]) })
		// Globals that the callee decided have the values of the inner path.
		for global, w := range v.inside[v.path[v.at]] {
			v.state.SetGlobal(global, w) // as on the way that is shown inside
		}
		if v.arrived() {
			v.forgetDead()
			return nil
		}
		return &InternalError{"a call ends in another state than it did"}
	}
	// 2. A step: try its outcomes until one leads to the node.
	g.now, g.under = v.state, v.path[v.at-1]
	mark := v.state.Mark()
	g.m.Rewind()
	for more := true; more; more = g.m.Next() {
		v.state.Undo(mark)
		g.meetCells(v.state, v.root())
		if g.m.Run(v.state, 0) == zom.Stepped && v.arrived() {
			return nil
		}
	}
	return &InternalError{"no step leads on along the path"}
}

// untold is the value of a global that an effect does not mention because it is dead.
const untold = zom.Absent + 1

// forgetDead marks the globals that a call may have written without its effect saying so.
func (v *invocation) forgetDead() {
	// Effects omit dead globals, which the callee may have written all the same.
	top := v.state.Top(0)
	live := v.g.prog.Procs[top.Proc].Globals[top.PC]
	for i := range v.state.Globals {
		if !live.Has(i) {
			v.state.SetGlobal(int32(i), untold)
		}
	}
}

// here returns the address in the state of the object that the node path[at] calls w.
func (v *invocation) here(w zom.Word) zom.Word {
	if w > 0 {
		return v.addrs[w-1]
	}
	return w
}

// object is an object of the heap: the one at an address of the invocation that made it.
type object struct {
	made *invocation
	at   zom.Word
}

// object returns the object that v has at an address. A cell of the entry belongs to a caller.
func (v *invocation) object(at zom.Word) object {
	// Climb to the invocation that made the object.
	for at < 0 {
		at = v.edge.cells[-at-1]
		v = v.up
		at = v.here(at)
	}
	return object{v, at}
}

func (o object) name() string { return o.made.names[o.at] }

// value is a word in the names of an invocation.
type value struct {
	word zom.Word
	of   *invocation
}

// global returns the value of a global: the one that the innermost of the invocations that wrote it
// has left there. The patterns do not tell, since a root may have read more after it returned this
// way, for other calls.
func (v *invocation) global(i int) value {
	// Climb to the invocation that wrote the global, or to main.
	u := v
	for u.state.Globals[i] == zom.Absent && u.up != nil {
		u = u.up
	}
	w := u.state.Globals[i]
	if w == zom.Absent {
		w = v.g.prog.Globals[i].Init
	}
	return value{w, u}
}

// field returns the value of a field of an object: the one that v or a caller of it wrote last.
func (v *invocation) field(o object, f int) value {
	// From the innermost invocation outwards, until the one that made the object.
	for u := v; u != o.made; u = u.up {
		for j := range u.root().cells {
			if at := -zom.Word(j + 1); u.state.Olds() > j && u.state.Written(at) && u.object(at) == o {
				if w := u.state.Field(at, int32(f)); w != zom.Absent {
					return value{w, u}
				}
			}
		}
	}
	return value{o.made.state.Field(o.at, int32(f)), o.made}
}

// show returns the text of a value, and the object that it refers to, if any.
func (x value) show(kind zom.Kind) (text string, o object) {
	switch {
	case x.word == zom.Absent, x.word == untold: // a parameter that nobody reads; a global
		return "*", o
	case kind == zom.Ref && x.word == zom.Null:
		return "null", o
	case kind == zom.Ref:
		o = x.of.object(x.word)
		return o.name(), o
	case kind == zom.Bool && x.word == zom.Unknown:
		return "*", o
	}
	return fmt.Sprint(x.word), o
}
