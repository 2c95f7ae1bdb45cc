package symbolic

import (
	"context"
	"fmt"
	"slices"

	"c2bp/boolprog"
	"c2bp/boolprog/bpexec"
	"c2bp/checker/bdd"
	"c2bp/verdict"
)

// This file defines traces as the user sees them.

// Target is what a trace leads to: a node, or the failure of the assertion there.
type Target struct {
	Point
	Fails bool
}

// Trace is a hierarchical trace that the interpreter has executed. It starts at
// the entry of main, or after Expand at that of the procedure called.
type Trace struct {
	s      *Solution
	target int
	limit  int64 // summaries used have lower numbers
	depth  int   // of the first step
	path   []*moment
	free   [][]bool          // by moment and group; nil if no values are shown
	shown  []int             // index in path of each step
	known  [][]bpexec.Values // by moment and group: what to show; nil like free
	outer  []bpexec.Values   // of globals at the call that t is the inside of, or nil
}

// Trace returns a shortest hierarchical trace to one of the targets; of several at
// the same distance it takes the first. Targets that are not reachable are passed
// over; if none is, the result is nil. It fails like Solve, and with a
// *InternalError if the engine contradicts itself.
func (s *Solution) Trace(ctx context.Context, targets []Target) (t *Trace, err error) {
	failed := s.within(ctx, func() {
		var goals []goal
		var index []int
		for i, x := range targets {
			g := goal{s.id(x.Point), s.reaches(x)}
			if s.m.And(s.path[g.id], g.set) != bdd.False {
				goals, index = append(goals, g), append(index, i)
			}
		}
		if goals == nil {
			return
		}
		r := s.programRings()
		s.roots = append(s.roots, r)
		best, dist := r.search(goals)
		g := goals[best]
		path := r.backwards(g.id, dist, s.m.And(r.at(g.id, dist), g.set))
		r.room = room{} // the path stays
		s.addUses(path, noLimit)
		free := s.freeIn(r, path, g.set, func(int, group) bool { return false })
		t = s.newTrace(path, free, noLimit, 0, nil)
		t.target = index[best]
		err = s.replay(t, targets[t.target].Fails)
	})
	if failed != nil {
		err = failed
	}
	if err != nil {
		return nil, err
	}
	return t, nil
}

// reaches is the set of states at its node in which a target is met.
func (s *Solution) reaches(x Target) bdd.Ref {
	if x.Fails {
		return s.failing(s.procs[x.Proc], x.Node)
	}
	return bdd.True
}

// freeIn is freeSpans if values are to be shown.
func (s *Solution) freeIn(r *rings, path []*moment, end bdd.Ref, bound func(moment int, g group) bool) [][]bool {
	if s.opts.WayOnly {
		return nil
	}
	return freeSpans(r, path, end, bound)
}

func (s *Solution) newTrace(path []*moment, free [][]bool, limit int64, depth int, outer []bpexec.Values) *Trace {
	t := &Trace{s: s, limit: limit, depth: depth, path: path, free: free, outer: outer}
	for i, m := range path {
		if m.proc.graph.Nodes[m.node].Stmt != nil { // not the end of a procedure
			t.shown = append(t.shown, i)
		}
		if free != nil {
			t.known = append(t.known, t.knownAt(i))
		}
	}
	return t
}

// knownAt is the values that variables can have at moment i. What is not live there the
// engine has forgotten; as far as the steps before tell, it is found again.
func (t *Trace) knownAt(i int) []bpexec.Values {
	s, m := t.s, t.path[i]
	out := make([]bpexec.Values, s.lay.groups())
	for g := range out {
		out[g] = bpexec.Can0 | bpexec.Can1
	}
	if i == 0 && t.outer != nil {
		copy(out[:s.lay.globals], t.outer)
	}
	if i > 0 {
		t.carry(out, t.path[i-1], t.known[i-1])
	}
	for _, g := range s.tracked(m.proc, m.node) {
		switch {
		case t.free[i][g]:
			out[g] = bpexec.Can0 | bpexec.Can1
		case m.state[g]:
			out[g] = bpexec.Can1
		default:
			out[g] = bpexec.Can0
		}
	}
	return out
}

// knownOf is what was found out about moment i, if values are to be shown.
func (t *Trace) knownOf(i int) []bpexec.Values {
	if t.known == nil {
		return nil
	}
	return t.known[i]
}

// carry puts into out what variables hold after m if they held before before.
func (t *Trace) carry(out []bpexec.Values, m *moment, before []bpexec.Values) {
	s := t.s
	n := m.proc.graph.Nodes[m.node]
	value := func(e boolprog.Expr) bpexec.Values {
		return bpexec.EvalSets(e, func(r *boolprog.Ref) bpexec.Values { return before[m.proc.enc.group(r)] })
	}
	if m.move == into {
		copy(out[:s.lay.globals], before)
		for k, e := range n.Call.Args {
			out[s.lay.local(k)] = value(e)
		}
		return
	}
	changed := s.changes(m)
	for g := range out {
		if !slices.Contains(changed, group(g)) {
			out[g] = before[g]
		}
	}
	if n.Kind == boolprog.NodeAssign {
		for k, r := range n.Assign.Lhs {
			if g := m.proc.enc.group(r); g != noGroup {
				out[g] = value(n.Assign.Rhs[k])
			}
		}
	}
}

// Target is the index of the target that t leads to, among those that Trace was
// called with; 0 for an expanded call.
func (t *Trace) Target() int { return t.target }

// Expand returns what happens inside the call of step i, which must be collapsed:
// a shortest path from the entry of the procedure to its exit with the effect that
// step i has. It fails like Trace.
func (t *Trace) Expand(ctx context.Context, i int) (inner *Trace, err error) {
	if i < 0 || i >= len(t.shown) || t.path[t.shown[i]].move != over {
		return nil, fmt.Errorf("step %d is not a collapsed call", i)
	}
	s, at := t.s, t.shown[i]
	m := t.path[at]
	failed := s.within(ctx, func() {
		r, path := s.inside(m.use)
		bound := func(j int, g group) bool {
			outer := at
			if j > 0 {
				outer = at + 1
			}
			if s.lay.isGlobal(g) {
				at := t.path[outer]
				lost := !s.isTracked(at.proc, at.node, g) || j > 0 && s.overwrites(m.site, g)
				return !lost && !t.free[outer][g]
			}
			return j == 0 && slices.Contains(m.site.callee.inputs, g)
		}
		inner = s.newTrace(path, s.freeIn(r, path, bdd.True, bound), m.use.number, t.depth+m.depth+1, t.knownOf(at))
		err = s.replay(inner, false)
	})
	if failed != nil {
		err = failed
	}
	if err != nil {
		return nil, err
	}
	return inner, nil
}

// Steps renders t.
func (t *Trace) Steps() []verdict.Step {
	steps := make([]verdict.Step, len(t.shown))
	for i, at := range t.shown {
		steps[i] = t.step(at)
	}
	return steps
}

func (t *Trace) step(at int) verdict.Step {
	s, m := t.s, t.path[at]
	n := m.proc.graph.Nodes[m.node]
	st := n.Step(m.proc.graph.Proc.Name, t.depth+m.depth)
	st.Collapsed = m.move == over
	st.Values = t.values(at)
	if n.Kind == boolprog.NodeBranch && st.Origin == "" && m.move == along {
		st.Origin = "branch-true"
		if m.edge == &s.edgesOf(m.proc.first + m.node)[1] {
			st.Origin = "branch-false"
		}
	}
	return st
}

// values lists the variables in scope, globals first; locals hide globals.
func (t *Trace) values(at int) []verdict.Value {
	if t.known == nil {
		return nil
	}
	var out []verdict.Value
	t.s.named(t.path[at].proc, func(name string, g group) {
		val := "*"
		switch {
		case g == noGroup:
		case t.known[at][g] == bpexec.Can0:
			val = "0"
		case t.known[at][g] == bpexec.Can1:
			val = "1"
		}
		out = append(out, verdict.Value{Name: name, Val: val})
	})
	return out
}

// named visits the variables in scope in p: globals that are not hidden, then
// parameters and locals. Some globals have no group.
func (s *Solution) named(p *proc, visit func(name string, g group)) {
	for i, v := range s.graph.Globals {
		if at, _ := p.graph.Slot(v.Name); at.Global {
			visit(v.Name, s.lay.global[i])
		}
	}
	for i, v := range p.graph.Vars {
		visit(v.Name, s.lay.local(i))
	}
}
