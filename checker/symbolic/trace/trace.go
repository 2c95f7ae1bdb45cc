package trace

import (
	"context"
	"fmt"
	"slices"

	"c2bp/boolprog"
	"c2bp/boolprog/bpexec"
	"c2bp/checker/bdd"
	"c2bp/checker/symbolic"
	"c2bp/checker/symbolic/flow"
	"c2bp/verdict"
)

// This file defines traces as the user sees them.

// Target is the end of a trace: a node, or the failure of the assertion there.
type Target struct {
	symbolic.Point
	Fails bool
}

// Finder finds traces in a solution. It keeps results of one search that another can use, and is
// not safe for concurrent use.
type Finder struct {
	*symbolic.Solution
	m        *bdd.Manager
	opts     Options
	whole    *rings          // of the program; nil before the first trace
	replayed map[string]bool // summary edges that the interpreter has executed
	before   *flow.Relation  // predecessors of nodes
	avoid    []bool          // by node number: nodes that Options.Avoid names, or nil

	spare       *rings        // memory for the next search
	changed     []flow.Group  // memory for changes
	keyRoom     []byte        // memory for key
	literalRoom []bdd.Literal // memory for cubes
}

// Options configures a Finder. The zero value is ready for use.
type Options struct {
	FewRounds bool                   // traces have the fewest loop rounds instead of the fewest steps: for large programs
	Avoid     func(node string) bool // with FewRounds: nodes that count as a loop round, too; nil is none
	WayOnly   bool                   // traces show no values, which take long to find in a large program
}

// NewFinder returns a finder of traces in s.
func NewFinder(s *symbolic.Solution, opts Options) *Finder {
	f := &Finder{Solution: s, m: s.Manager(), opts: opts, replayed: map[string]bool{}}
	f.avoid = f.avoided()
	s.AddRoots(f)
	return f
}

// Keep names the diagrams of the program's rings.
func (s *Finder) Keep(keep func(bdd.Ref)) {
	if s.whole != nil {
		s.whole.Keep(keep)
	}
}

// Trace is a hierarchical trace that the replayer has executed. It starts at the entry of main or,
// if it is the result of Expand, at that of the procedure called.
type Trace struct {
	s        *Finder
	target   int
	limit    int64 // increments of summaries that it uses have lower numbers
	depth    int   // of the first step
	path     []*traceState
	dontCare [][]bool          // by trace state and group: don't-care values; nil if no values are shown
	shown    []int             // index in path of each step
	known    [][]bpexec.Values // by trace state and group: the values to show; nil if none are shown
	outer    []bpexec.Values   // values of globals at the call that t is the inside of, or nil
}

// Trace returns a shortest hierarchical trace to one of the targets, to the first one of several at
// the same distance. Unreachable targets are ignored; if none is reachable, the trace is nil. It
// fails like symbolic.Solve, and with a *symbolic.InternalError if the engine contradicts itself.
func (s *Finder) Trace(ctx context.Context, targets []Target) (t *Trace, err error) {
	failed := s.Within(ctx, func() {
		// 1. Keep the targets that are reachable.
		var goals []goal
		var index []int
		for i, x := range targets {
			g := goal{s.Number(x.Point), s.reaches(x)}
			// The solver has decided already which targets can be met.
			if s.m.And(s.At(g.id), g.set) != bdd.False {
				goals, index = append(goals, g), append(index, i)
			}
		}
		if goals == nil {
			return
		}
		// 2. Search the nearest, and read a path off the rings.
		r := s.programRings()
		s.PushRoots(r)
		best, dist := r.search(goals)
		g := goals[best]
		path := r.backwards(g.id, dist, s.m.And(r.at(g.id, dist), g.set))
		r.room = room{} // the path stays
		// 3. Find its summary edges and don't-care values, and replay it.
		s.addUses(path, noLimit)
		free := s.dontCaresOf(r, path, g.set, func(int, flow.Group) bool { return false })
		t = s.newTrace(path, free, noLimit, 0, nil)
		t.target = index[best]
		err = s.replay(t, targets[t.target].Fails)
	})
	// A failure of the computation comes before one of the replay.
	if failed != nil {
		err = failed
	}
	if err != nil {
		return nil, err
	}
	return t, nil
}

// reaches returns the set of states at its node in which a target is met.
func (s *Finder) reaches(x Target) bdd.Ref {
	if x.Fails {
		return s.Failing(s.Procs[x.Proc], x.Node)
	}
	return bdd.True
}

// dontCaresOf returns findDontCares, or nil if no values are to be shown.
func (s *Finder) dontCaresOf(r *rings, path []*traceState, end bdd.Ref, bound func(moment int, g flow.Group) bool) [][]bool {
	if s.opts.WayOnly {
		return nil
	}
	return findDontCares(r, path, end, bound)
}

// newTrace makes a trace of a path.
func (s *Finder) newTrace(path []*traceState, free [][]bool, limit int64, depth int, outer []bpexec.Values) *Trace {
	t := &Trace{s: s, limit: limit, depth: depth, path: path, dontCare: free, outer: outer}
	for i, m := range path {
		if m.proc.Graph.Nodes[m.node].Stmt != nil { // not the end of a procedure
			t.shown = append(t.shown, i)
		}
		if free != nil {
			t.known = append(t.known, t.knownAt(i))
		}
	}
	return t
}

// knownAt returns the possible values of variables at trace state i. Values that the engine has
// forgotten are recomputed as far as the earlier steps determine them.
func (t *Trace) knownAt(i int) []bpexec.Values {
	s, m := t.s, t.path[i]
	out := make([]bpexec.Values, s.Layout.Groups())
	// 1. At first everything is possible, except the globals of the call outside.
	for g := range out {
		out[g] = bpexec.Can0 | bpexec.Can1
	}
	if i == 0 && t.outer != nil {
		copy(out[:s.Layout.Globals], t.outer)
	}
	// 2. Carry the values over the step before.
	if i > 0 {
		t.carry(out, t.path[i-1], t.known[i-1])
	}
	// 3. Tracked variables have the values of the path.
	for _, g := range s.Tracked(m.proc, m.node) {
		switch {
		case t.dontCare[i][g]:
			out[g] = bpexec.Can0 | bpexec.Can1
		case m.state[g]:
			out[g] = bpexec.Can1
		default:
			out[g] = bpexec.Can0
		}
	}
	return out
}

// knownOf returns the possible values at trace state i; nil if no values are shown.
func (t *Trace) knownOf(i int) []bpexec.Values {
	if t.known == nil {
		return nil
	}
	return t.known[i]
}

// carry puts into out the values that variables have after the step from m if they have the values
// before at m.
func (t *Trace) carry(out []bpexec.Values, m *traceState, before []bpexec.Values) {
	s := t.s
	n := m.proc.Graph.Nodes[m.node]
	// value evaluates over sets, so that unknown values stay unknown.
	value := func(e boolprog.Expr) bpexec.Values {
		return bpexec.EvalSets(e, func(r *boolprog.Ref) bpexec.Values { return before[m.proc.Group(r)] })
	}
	// Into a call: globals stay, parameters get the arguments.
	if m.move == into {
		copy(out[:s.Layout.Globals], before)
		for k, e := range n.Call.Args {
			out[s.Layout.Local(k)] = value(e)
		}
		return
	}
	// Otherwise variables that are not written stay, and targets get the values of the right sides.
	changed := s.changes(m)
	for g := range out {
		if !slices.Contains(changed, flow.Group(g)) {
			out[g] = before[g]
		}
	}
	if n.Kind == boolprog.NodeAssign {
		for k, r := range n.Assign.Lhs {
			if g := m.proc.Group(r); g != flow.NoGroup {
				out[g] = value(n.Assign.Rhs[k])
			}
		}
	}
}

// Target returns the index of the target that t leads to, among those that Finder.Trace was called
// with; 0 for an expanded call.
func (t *Trace) Target() int { return t.target }

// Expand returns the trace inside the call of step i, which must be collapsed: a shortest path from
// the entry of the procedure to its exit with the effect of step i. It fails like Finder.Trace.
func (t *Trace) Expand(ctx context.Context, i int) (inner *Trace, err error) {
	if i < 0 || i >= len(t.shown) || t.path[t.shown[i]].move != over {
		return nil, fmt.Errorf("step %d is not a collapsed call", i)
	}
	s, at := t.s, t.shown[i]
	m := t.path[at]
	failed := s.Within(ctx, func() {
		// Find the path inside the summary edge, and its don't-care values.
		r, path := s.inside(m.use)
		// A value at an end of the inner path must be kept if it is a parameter, or a global whose
		// value the outer trace shows.
		bound := func(j int, g flow.Group) bool {
			outer := at
			if j > 0 {
				outer = at + 1
			}
			if s.Layout.IsGlobal(g) {
				at := t.path[outer]
				lost := !s.IsTracked(at.proc, at.node, g) || j > 0 && s.overwrites(m.site, g)
				return !lost && !t.dontCare[outer][g]
			}
			return j == 0 && slices.Contains(m.site.Callee.Inputs, g)
		}
		inner = s.newTrace(path, s.dontCaresOf(r, path, bdd.True, bound), m.use.number, t.depth+m.depth+1, t.knownOf(at))
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

// Steps returns the steps of t with their values.
func (t *Trace) Steps() []verdict.Step {
	steps := make([]verdict.Step, len(t.shown))
	// The end of a procedure has no statement and is not shown.
	for i, at := range t.shown {
		steps[i] = t.step(at)
	}
	return steps
}

// Points returns the nodes of the steps.
func (t *Trace) Points() []symbolic.Point {
	points := make([]symbolic.Point, len(t.shown))
	for i, at := range t.shown {
		points[i] = symbolic.Point{Proc: t.path[at].proc.Graph.Index, Node: t.path[at].node}
	}
	return points
}

// step returns the step at an index of the path.
func (t *Trace) step(at int) verdict.Step {
	s, m := t.s, t.path[at]
	n := m.proc.Graph.Nodes[m.node]
	// A branch without an annotation shows the direction that it takes.
	st := n.Step(m.proc.Graph.Proc.Name, t.depth+m.depth)
	st.Collapsed = m.move == over
	st.Values = t.values(at)
	if n.Kind == boolprog.NodeBranch && st.Origin == "" && m.move == along {
		st.Origin = "branch-true"
		if m.edge == &s.EdgesOf(m.proc.First + m.node)[1] {
			st.Origin = "branch-false"
		}
	}
	return st
}

// values returns the variables in scope with their values, globals first. Locals hide globals.
func (t *Trace) values(at int) []verdict.Value {
	if t.known == nil {
		return nil
	}
	var out []verdict.Value
	t.s.Named(t.path[at].proc, func(name string, g flow.Group) {
		val := "*"
		// A value is definite, or shown as "*".
		switch {
		case g == flow.NoGroup:
		case t.known[at][g] == bpexec.Can0:
			val = "0"
		case t.known[at][g] == bpexec.Can1:
			val = "1"
		}
		out = append(out, verdict.Value{Name: name, Val: val})
	})
	return out
}
