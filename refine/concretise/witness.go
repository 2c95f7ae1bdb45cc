package concretise

import (
	"fmt"
	"math/big"
	"slices"

	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
	"c2bp/refine/algebra"
	"c2bp/refine/cex"
	"c2bp/refine/harness"
	"c2bp/verdict"
)

// This file records a run of the interpreter: as a path, and as a trace for people, which shows C
// statements and the values that they gave to variables.

// Witness is a run as it grows.
type Witness struct {
	Rec    *harness.Recorder              // the run
	Path   *cex.Path                      // the same as a path
	frame  *cex.Frame                     // the present activation
	ids    int                            // activations so far
	trace  []verdict.Step                 // the run for people
	global []verdict.Value                // values that globals were given so far
	local  map[*cex.Frame][]verdict.Value // those of variables of each activation under way
	tally  *tally                         // of its unlikely choices
}

// newWitness returns the witness of a run with given choices that has made no step.
func (c *Confirmer) newWitness(choices interp.Choices, options interp.Options) *Witness {
	t := newTally(choices)
	rec := harness.NewRecorder(c.Prog, t, options)
	t.machine = rec.Machine()
	w := &Witness{Rec: rec, Path: &cex.Path{}, local: map[*cex.Frame][]verdict.Value{}, tally: t}
	w.push(rec.Machine().Top().Proc(), -1)
	return w
}

// push starts an activation.
func (w *Witness) push(p *core.Proc, call int) {
	w.frame = cex.NewFrame(w.ids, p, w.frame, call)
	w.ids++
}

// arrive records the node that runs next.
func (w *Witness) arrive() {
	top := w.Rec.Machine().Top()
	w.Path.Steps = append(w.Path.Steps, cex.Step{Frame: w.frame, Node: top.Node()})
	// The trace shows the C statement, with the values that variables have before it.
	n := w.frame.Proc.Nodes[top.Node()]
	s := verdict.Step{
		Node: w.frame.Proc.NodeID(top.Node()), Proc: w.frame.Proc.Name, Pos: n.Pos, Depth: top.Depth(),
		Text: n.Text, Origin: n.Origin.String(),
		Values: slices.Concat(w.global, w.local[w.frame]),
	}
	switch n.Stmt.(type) {
	case *core.Skip, *core.Branch:
		s.Stmt = "skip"
	}
	w.trace = append(w.trace, s)
}

// step executes the node that runs next, and records it.
func (w *Witness) step() (interp.Event, error) {
	w.arrive()
	last := len(w.Path.Steps) - 1
	f := w.frame
	n := w.Path.Steps[last].CoreNode()
	ev, err := w.Rec.Step()
	if err != nil {
		return ev, err
	}
	w.Path.Steps[last].Computed = ev.Computed
	// What did it assign to?
	switch ev.Kind {
	// A call assigns to formals.
	case interp.Entered:
		w.push(w.Rec.Machine().Top().Proc(), last)
		w.Path.Steps[last].Enter = w.frame
		for _, v := range w.frame.Proc.Formals {
			w.assigned(v.Ref())
		}
	// A return assigns to the destination of the call.
	case interp.Left:
		f.Return = last
		delete(w.local, f)
		w.frame = f.Caller
		if c := w.Path.Steps[f.Call].Stmt().(*core.Call); c.Lhs != nil {
			w.assigned(c.Lhs)
		}
	case interp.Ran:
		if h, ok := n.Stmt.(*core.Havoc); !ok || !h.Begin { // an object that begins has no value yet
			for _, l := range core.Destinations(n.Stmt) {
				w.assigned(l)
			}
		}
	}
	// A condition that does not hold is shown with all that it reads.
	if st, ok := n.Stmt.(*core.Assert); ok && ev.Kind == interp.Failed {
		for _, l := range core.Locs(st.Cond) {
			w.assigned(l)
		}
		w.trace[len(w.trace)-1].Values = slices.Concat(w.global, w.local[f])
	}
	return ev, nil
}

// assigned records the value of l, if that is a scalar that people know by name.
func (w *Witness) assigned(l core.Loc) {
	if !algebra.IsScalar(l.Type()) || core.Mentions(l, func(v *core.Var) bool { return v.Kind == core.Temp }) {
		return
	}
	top := w.Rec.Machine().Top()
	if v := algebra.Variable(l); v != nil && v.Kind != core.Global && v.Kind != core.Local && v.Kind != core.Formal {
		return
	}
	// A value that cannot be read, as of a dangling pointer, is not shown.
	x, err := top.Eval(l)
	if err != nil {
		return
	}
	value := verdict.Value{Name: core.CString(l), Val: w.spell(x, l.Type())}
	if core.Mentions(l, func(v *core.Var) bool { return v.Kind != core.Global }) {
		w.local[w.frame] = with(w.local[w.frame], value)
	} else {
		w.global = with(w.global, value)
	}
}

// with returns list with v in the place of the value with its name, or at the end.
func with(list []verdict.Value, v verdict.Value) []verdict.Value {
	for i, x := range list {
		if x.Name == v.Name {
			list[i] = v
			return list
		}
	}
	return append(list, v)
}

// spell returns a value in text: addresses by the objects that they lie in.
//
//	&dev + 8 bytes          in a variable
//	object 3 + 4 bytes      in an allocation
//	&irq_handler            a function
func (w *Witness) spell(x *big.Int, t core.Type) string {
	if _, ok := t.(core.Ptr); !ok {
		return core.ValueString(x, t)
	}
	if x.Sign() == 0 {
		return "0"
	}
	o := w.Rec.Machine().Object(x.Uint64())
	if o == nil {
		return fmt.Sprintf("%#x", x)
	}
	// An object is named by its variable, function or allocation; one of the environment by the harness.
	off := x.Uint64() - o.Start()
	name := ""
	switch {
	case o.Var() != nil:
		name = "&" + o.Var().Name
	case o.Proc() != nil:
		return "&" + o.Proc().CName
	case o.Alloc() != nil:
		name = fmt.Sprintf("object %d", o.ID())
	default:
		return harness.Name(o, x.Uint64())
	}
	if off != 0 {
		name += fmt.Sprintf(" + %d bytes", off)
	}
	return name
}
