package explicit

import (
	"context"
	"fmt"
	"slices"

	"c2bp/boolprog"
	"c2bp/checker/zom"
	"c2bp/verdict"
)

// This file finds traces without summaries: the states are searched once more, breadth first, up to the
// first that meets a target, and the path to it is executed again from the start. Canonical forms have
// lost the names of objects and dead values; the execution keeps both.

// WholeTrace is a run with all the steps of all procedures.
type WholeTrace struct {
	target int
	steps  []verdict.Step
	points []Point
}

// Target returns the index of the target that t leads to.
func (t *WholeTrace) Target() int { return t.target }

// Steps returns the executed statements; no call among them is collapsed.
func (t *WholeTrace) Steps() []verdict.Step { return t.steps }

// Points returns the points of the steps.
func (t *WholeTrace) Points() []Point { return t.points }

// Expand fails, since no call is collapsed.
func (t *WholeTrace) Expand(_ context.Context, i int) (*WholeTrace, error) {
	return nil, fmt.Errorf("step %d is not a collapsed call", i)
}

// move is a step to a state: the state before, and the choices that lead on.
type move struct {
	from    int32 // number of the state, or nowhere
	process int32
	choices []int32
}

// nearest is a search for the first states that meet targets.
type nearest struct {
	*Whole
	m       *zom.Machine
	s       *zom.State
	canon   zom.Canon
	table   *table
	moves   []move // by number of the state
	targets []Target
	visited []Point // by the step under way

	all      bool // go on after the first target
	arrivals []arrival
}

// arrival is the first step that meets a target, which is given by its index.
type arrival struct {
	last   move
	target int
}

// Trace returns a trace with the fewest steps to one of the targets; of several that are as near, to
// the first. If no target is known to be met, it is nil. It fails with ctx.Err() or an *InternalError.
func (w *Whole) Trace(ctx context.Context, targets []Target) (*WholeTrace, error) {
	// 1. One that was kept.
	for _, k := range w.kept {
		if i := slices.Index(targets, k.to); i >= 0 {
			t := *k.trace
			t.target = i
			return &t, nil
		}
	}
	if !slices.ContainsFunc(targets, w.met) {
		return nil, nil
	}
	// 2. Another search.
	again := &Whole{found: newFindings(w.graph), graph: w.graph, prog: w.prog, opts: w.opts}
	x := again.nearest(targets)
	err := x.search(ctx)
	switch {
	case err != nil:
		return nil, err
	case len(x.arrivals) == 0:
		return nil, &InternalError{"a target that was met is not met again"}
	}
	return w.execute(x, x.arrivals[0])
}

// nearest returns a search for the first state that meets one of the targets. It records its findings in w.
func (w *Whole) nearest(targets []Target) *nearest {
	x := &nearest{Whole: w, m: zom.NewMachine(w.prog), s: zom.NewState(w.prog), table: newTable(), targets: targets}
	x.m.Visited = func(p, node int32) {
		w.found.reached[p][node] = 0
		x.visited = append(x.visited, Point{int(p), int(node)})
	}
	return x
}

// met reports whether the search has found a target.
func (w *Whole) met(t Target) bool {
	switch t.Goal {
	case Fail:
		return w.CanFail(t.Point)
	case Null:
		return w.UsesNull(t.Point)
	}
	return w.Reached(t.Point)
}

// search finds the step that meets a target first or, if all are wanted, the first one for each target. It
// fails at a limit, or with ctx.Err().
func (x *nearest) search(ctx context.Context) error {
	// 1. The start.
	x.s.Start(x.m.Main())
	if err := x.add(move{from: nowhere}); err != nil {
		return err
	}
	// 2. All steps of each state, in the order in which the states were reached.
	for id := int32(0); int(id) < len(x.moves); id++ {
		(&zom.Reader{In: x.table.key(id)}).Whole(x.s)
		mark := x.s.Mark()
		for p := range x.s.Procs {
			if x.s.Top(p) == nil {
				continue
			}
			x.m.Rewind()
			for more := true; more; more = x.m.Next() {
				x.s.Undo(mark)
				x.visited = x.visited[:0]
				if x.Steps%4096 == 0 && ctx.Err() != nil {
					return ctx.Err()
				}
				x.Steps++
				if err := x.tooManySteps(); err != nil {
					return err
				}
				o := x.m.Run(x.s, p)
				here := move{id, int32(p), x.m.Choices()}
				x.note(o, p)
				for i := x.hit(o, p); i >= 0; i = x.hit(o, p) {
					here.choices = slices.Clone(here.choices)
					x.arrivals = append(x.arrivals, arrival{here, i})
					if !x.all {
						return nil
					}
				}
				if o != zom.Stepped {
					continue
				}
				if err := x.add(here); err != nil {
					return err
				}
			}
			x.s.Undo(mark)
		}
	}
	return nil
}

// add notes the present state and the way to it, unless it was seen. It fails at a limit.
func (x *nearest) add(m move) error {
	x.canon.Whole(x.s)
	if _, isNew := x.table.insert(x.canon.Out); isNew {
		m.choices = slices.Clone(m.choices)
		x.moves = append(x.moves, m)
	}
	x.States, x.Bytes = x.table.size(), x.table.bytes
	return x.limits(x.s, &x.canon)
}

// note records the outcome of a step of a process.
func (x *nearest) note(o zom.Outcome, process int) {
	switch at := x.m.Record.Node; o {
	case zom.Failed:
		x.found.failed[x.s.Top(process).Proc][at] = 0
	case zom.NullUsed:
		x.found.nullUsed[x.s.Top(process).Proc][at] = 0
	}
}

// hit returns the index of the first target that the step with outcome o of a process meets, and none did
// before; or -1.
func (x *nearest) hit(o zom.Outcome, process int) int {
	for i, t := range x.targets {
		if x.meets(t, o, process) && !slices.ContainsFunc(x.arrivals, func(a arrival) bool { return a.target == i }) {
			return i
		}
	}
	return -1
}

// meets reports whether the step with outcome o of a process meets t.
func (x *nearest) meets(t Target, o zom.Outcome, process int) bool {
	switch t.Goal {
	case Fail, Null:
		want := zom.Failed
		if t.Goal == Null {
			want = zom.NullUsed
		}
		return o == want && t.Point == Point{int(x.s.Top(process).Proc), int(x.m.Record.Node)}
	}
	return slices.Contains(x.visited, t.Point)
}

// execute makes the steps of the run to a target from the start on.
func (w *Whole) execute(x *nearest, a arrival) (*WholeTrace, error) {
	// 1. Collect the moves, from the end to the start.
	path := []move{a.last}
	var states []int32
	for id := a.last.from; id != nowhere; id = x.moves[id].from {
		path = append(path, x.moves[id])
		states = append(states, id)
	}
	path = path[:len(path)-1] // the start is no move
	slices.Reverse(path)
	slices.Reverse(states)
	// 2. Execute them. Control is where it was. (Values may differ that nobody reads: a global that is dead
	// at a call is written as 0, and may count as live in the callee because of other calls.)
	t := &WholeTrace{target: a.target}
	was := zom.NewState(w.prog)
	x.s.Reset()
	x.s.Start(x.m.Main())
	for i, m := range path {
		(&zom.Reader{In: x.table.key(states[i])}).Whole(was)
		if !slices.EqualFunc(x.s.Procs, was.Procs, sameControl) {
			return nil, &InternalError{"a run comes to another place than it did"}
		}
		p := int(m.process)
		top := *x.s.Top(p)
		shown := w.show(t, x.s, p)
		x.m.Rewind()
		x.m.Follow(m.choices)
		if o := x.m.Run(x.s, p); o == zom.Stepped && shown {
			w.direct(t, top, x.s.Top(p))
		}
	}
	return t, nil
}

// sameControl reports whether two processes have the same frames, apart from their slots.
func sameControl(p, q zom.Process) bool { return slices.Equal(p.Frames, q.Frames) }

// show adds the statement that a process is about to execute to t, and reports whether one begins.
func (w *Whole) show(t *WholeTrace, s *zom.State, process int) bool {
	top := s.Top(process)
	code := w.prog.Procs[top.Proc].Code
	in := &code[top.PC]
	p := w.graph.Procs[top.Proc]
	n := p.Nodes[in.Node]
	// A call begins with its arguments, if it has any.
	inside := in.Op == zom.Call && top.PC > 0 && code[top.PC-1].Node == in.Node
	if inside || in.Op == zom.Return || top.PC > 0 && code[top.PC-1].Op == zom.Call || n.Stmt == nil {
		return false
	}
	st := n.Step(p.Proc.Name, len(s.Procs[process].Frames)-1)
	st.Values, st.Heap = w.draw(s, process, p)
	t.steps = append(t.steps, st)
	t.points = append(t.points, Point{int(top.Proc), int(in.Node)})
	return true
}

// direct notes the direction of the last step, if it was a branch.
func (w *Whole) direct(t *WholeTrace, from zom.Frame, to *zom.Frame) {
	at := t.points[len(t.points)-1]
	n := w.graph.Procs[at.Proc].Nodes[at.Node]
	st := &t.steps[len(t.steps)-1]
	if n.Kind != boolprog.NodeBranch || st.Origin != "" || n.Succ[0] == n.Succ[1] {
		return
	}
	st.Origin = "branch-false"
	if int(w.prog.Procs[from.Proc].Code[to.PC].Node) == n.Succ[0] {
		st.Origin = "branch-true"
	}
}

// draw returns the variables in scope, and the objects that they lead to, breadth first.
func (w *Whole) draw(s *zom.State, process int, p *boolprog.ProcGraph) (vars []verdict.Value, heap []verdict.Object) {
	var queue []zom.Word
	show := func(slot *zom.Slot, x zom.Word) verdict.Value {
		v := verdict.Value{Name: slot.Name}
		switch {
		case x == zom.Undecided, slot.Kind == zom.Bool && x == zom.Unknown:
			v.Val = "*"
		case slot.Kind == zom.Ref && x == zom.Null:
			v.Val = "null"
		case slot.Kind == zom.Ref:
			v.Val = objectName(x)
			if !slices.Contains(queue, x) && len(queue) < mostDrawn {
				queue = append(queue, x)
			}
		default:
			v.Val = fmt.Sprint(x)
		}
		return v
	}
	// 1. Variables: globals that are not hidden, then parameters and locals.
	for i := range w.prog.Globals {
		if at, _ := p.Slot(w.prog.Globals[i].Name); at.Global {
			vars = append(vars, show(&w.prog.Globals[i], s.Globals[i]))
		}
	}
	slots := s.Slots(process, len(s.Procs[process].Frames)-1)
	for i := range p.Vars {
		vars = append(vars, show(&w.prog.Procs[p.Index].Slots[i], slots[i]))
	}
	// 2. Objects in the order in which they are met; their fields may lead to more.
	for i := 0; i < len(queue); i++ {
		class := w.prog.Classes[s.Class(queue[i])]
		o := verdict.Object{Name: objectName(queue[i]), Class: class.Name}
		for f := range class.Fields {
			o.Fields = append(o.Fields, show(&class.Fields[f], s.Field(queue[i], int32(f))))
		}
		heap = append(heap, o)
	}
	return vars, heap
}

// objectName names the object at an address: A0 is the first that was made.
func objectName(at zom.Word) string { return fmt.Sprintf("A%d", at-1) }
