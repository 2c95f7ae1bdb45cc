package explicit

import (
	"context"
	"fmt"

	"c2bp/boolprog"
	"c2bp/checker/zom"
	"c2bp/verdict"
)

// This file defines traces as the user sees them.

// Goal is the kind of event at the end of a trace.
type Goal int

// The goals.
const (
	Reach Goal = iota // control is at the point
	Fail              // the assertion there fails
	Null              // null is dereferenced there
)

// Target is a goal at a point.
type Target struct {
	Point
	Goal
}

// Trace is a run that was executed again. A call that is not on the way to the target is one step.
type Trace struct {
	s      *Solution
	target int
	legs   []leg
	steps  []verdict.Step
	origin []position // of each step
}

// position is the position of a step: its leg, and the index in the path of the leg.
type position struct{ leg, at int }

// node returns the first node of the search where the target is met, or nowhere.
func (s *Solution) node(t Target) int32 {
	f := &s.engine.found
	switch t.Goal {
	case Fail:
		return f.failed[t.Proc][t.Node]
	case Null:
		return f.nullUsed[t.Proc][t.Node]
	}
	return f.reached[t.Proc][t.Node]
}

// Trace returns a trace to the target with the shortest path, on which a call that is stepped over
// counts one; of several, to the first. If no target can be met, it is nil. It fails with ctx.Err()
// or an *InternalError.
func (s *Solution) Trace(ctx context.Context, targets []Target) (*Trace, error) {
	// 1. Choose the nearest target.
	// Distances are those of the search; see distance.
	best, length := nowhere, 0
	for i, t := range targets {
		id := s.node(t)
		if id == nowhere {
			continue
		}
		if n := s.engine.distance(id); best == nowhere || n < length {
			best, length = i, n
		}
	}
	if best == nowhere {
		return nil, nil
	}
	// 2. Go back from its node to the start, and execute the path.
	t := targets[best]
	id := s.node(t)
	return s.newTrace(ctx, s.engine.legsTo(id, s.engine.wanted(id, t.Goal, t.Node)), 0, best)
}

// newTrace executes legs and shows the steps of those from first on.
func (s *Solution) newTrace(ctx context.Context, legs []leg, first, target int) (*Trace, error) {
	t := &Trace{s: s, legs: legs, target: target}
	g := s.engine
	named := 0
	var v *invocation
	for i, l := range legs {
		// Enter the next leg at the call where the one before stands, and execute its path.
		u, err := g.enter(l, v, &named)
		if err != nil {
			return nil, err
		}
		v = u
		for {
			// Show a step where a statement begins.
			if i >= first && g.begins(v.path[v.at]) {
				t.steps = append(t.steps, t.step(v, i))
				t.origin = append(t.origin, position{i, v.at})
			}
			if v.at == len(v.path)-1 {
				break
			}
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if err := v.advance(); err != nil {
				return nil, err
			}
		}
	}
	return t, nil
}

// begins reports whether a statement begins at a node of the search.
func (g *engine) begins(id int32) bool {
	n := &g.nodes[id]
	code := g.prog.Procs[n.root.proc].Code
	in := &code[n.pc]
	if in.Op == zom.Call || in.Op == zom.Return || n.pc > 0 && code[n.pc-1].Op == zom.Call {
		return false
	}
	return g.graph.Procs[n.root.proc].Nodes[in.Node].Stmt != nil
}

// Target returns the index of the target that t leads to; 0 for the inside of a call.
func (t *Trace) Target() int { return t.target }

// Steps returns the executed statements.
func (t *Trace) Steps() []verdict.Step { return t.steps }

// Points returns the points of the steps.
func (t *Trace) Points() []Point {
	list := make([]Point, len(t.origin))
	for i, m := range t.origin {
		n := &t.s.engine.nodes[t.legs[m.leg].path[m.at]]
		list[i] = Point{n.root.proc, int(t.s.engine.prog.Procs[n.root.proc].Code[n.pc].Node)}
	}
	return list
}

// Expand returns the trace inside the call of step i, which must be collapsed. Objects that are
// made inside may have other names there than after the call.
func (t *Trace) Expand(ctx context.Context, i int) (*Trace, error) {
	if i < 0 || i >= len(t.steps) || !t.steps[i].Collapsed {
		return nil, fmt.Errorf("step %d is not a collapsed call", i)
	}
	// The inner trace is the outer legs up to the call, and a leg through the callee.
	m := t.origin[i]
	outer := t.legs[m.leg]
	after := outer.path[m.at+2]
	n := &t.s.engine.nodes[after]
	inner, _ := t.s.engine.back(n.exit, outer.inside[after])
	inner.edge = n.call
	legs := append(t.legs[:m.leg:m.leg], leg{outer.edge, outer.path[:m.at+2], outer.needs[:m.at+2], outer.inside}, inner)
	return t.s.newTrace(ctx, legs, len(legs)-1, 0)
}

// step returns the statement that v is at.
func (t *Trace) step(v *invocation, depth int) verdict.Step {
	g := v.g
	n := &g.nodes[v.path[v.at]]
	p := g.graph.Procs[n.root.proc]
	at := g.prog.Procs[n.root.proc].Code[n.pc].Node
	stmt := p.Nodes[at]
	st := stmt.Step(p.Proc.Name, depth)
	// A call is collapsed if the path passes over it.
	st.Collapsed = stmt.Kind == boolprog.NodeCall && v.at+2 < len(v.path)
	if stmt.Kind == boolprog.NodeBranch && st.Origin == "" && v.at+1 < len(v.path) && stmt.Succ[0] != stmt.Succ[1] {
		// The node after the branch tells the direction.
		next := &g.nodes[v.path[v.at+1]]
		st.Origin = "branch-false"
		if int(g.prog.Procs[n.root.proc].Code[next.pc].Node) == stmt.Succ[0] {
			st.Origin = "branch-true"
		}
	}
	st.Values, st.Heap = v.draw(p)
	return st
}

// mostDrawn is the number of objects that a step shows.
const mostDrawn = 200

// draw returns the variables in scope, and the objects that they lead to, breadth first.
func (v *invocation) draw(p *boolprog.ProcGraph) (vars []verdict.Value, heap []verdict.Object) {
	g := v.g
	var queue []object
	seen := map[object]bool{}
	show := func(name string, kind zom.Kind, x value) verdict.Value {
		text, o := x.show(kind)
		if o.made != nil && !seen[o] && len(queue) < mostDrawn {
			seen[o] = true
			queue = append(queue, o)
		}
		return verdict.Value{Name: name, Val: text}
	}
	// 1. Variables: globals that are not hidden, then parameters and locals.
	for i, s := range g.prog.Globals {
		if at, _ := p.Slot(s.Name); at.Global {
			vars = append(vars, show(s.Name, s.Kind, v.global(i)))
		}
	}
	slots := g.prog.Procs[v.root().proc].Slots
	for i := range p.Vars {
		vars = append(vars, show(slots[i].Name, slots[i].Kind, value{v.state.Slots(0, 0)[i], v}))
	}
	// 2. Objects in the order in which they are met; their fields may lead to more.
	for i := 0; i < len(queue); i++ {
		o := queue[i]
		class := g.prog.Classes[o.made.state.Class(o.at)]
		drawn := verdict.Object{Name: o.name(), Class: class.Name}
		for f, s := range class.Fields {
			drawn.Fields = append(drawn.Fields, show(s.Name, s.Kind, v.field(o, f)))
		}
		heap = append(heap, drawn)
	}
	return vars, heap
}
