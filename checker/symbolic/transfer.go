package symbolic

import (
	"encoding/binary"
	"slices"

	"c2bp/boolprog"
	"c2bp/checker/bdd"
	"c2bp/checker/symbolic/flow"
	"c2bp/checker/symbolic/varorder"
)

// This file defines the transfer functions (Ball–Rajamani 2000, Table 2): the effect of each node
// on a state, as relations on its outgoing edges.

// Edge is a control-flow edge within a procedure, or the summary edge of a call.
type Edge struct {
	To     int32   // node of the same procedure
	Rel    bdd.Ref // over the current copies, and the next copies of Writes
	old    bdd.Ref // cube of the current copies that are written or dead after the edge
	check  bdd.Ref // conjunction of the enforce clauses that mention a written variable
	writes int32   // index of the groups that the edge writes and that are live after it; see Solution.Writes
}

// transfer is the transfer functions of a program that were built so far.
type transfer struct {
	edges []Edge  // within the procedures, node by node; see EdgesOf
	out   []int32 // by node number: where its edges begin; there is one more for the end

	sets   [3]flow.Set // memory for edge
	built  []Edge      // memory for buildEdges
	levels []int       // memory for cube
}

// Writes returns the groups that e writes and that are live after it.
func (s *Solution) Writes(e *Edge) []flow.Group { return s.live.members[e.writes] }

// EdgesOf returns the edges that leave the node with this number; none for a call. Edges that were
// not built yet are zero.
func (s *Solution) EdgesOf(id int) []Edge { return s.edges[s.out[id]:s.out[id+1]] }

// Outgoing returns the edges that leave node v of p, and builds them when the node is reached for
// the first time.
func (s *Solution) Outgoing(p *Proc, v int) []Edge {
	out := s.EdgesOf(p.First + v)
	if len(out) > 0 && out[0].old == bdd.False { // not built: a cube is never false
		copy(out, s.buildEdges(p, v))
	}
	return out
}

// buildEdges returns the edges that leave a node that is not a call. The slice is valid until the
// next call.
func (s *Solution) buildEdges(p *Proc, v int) []Edge {
	n := p.Graph.Nodes[v]
	x := &p.enc
	edges := s.built[:0]
	add := func(w int, rel bdd.Ref) { edges = append(edges, s.edge(p, v, w, rel)) }
	switch n.Kind {
	case boolprog.NodeSkip, boolprog.NodeDead:
		// Table 2, skip; a dead variable is written by the edge and has no relation: it becomes
		// arbitrary.
		for _, w := range n.Succ {
			add(w, bdd.True)
		}
	case boolprog.NodeAssume, boolprog.NodeAssert:
		// Only states in which the condition can be 1 pass; those in which an assertion fails have
		// been noted by run.
		add(n.Succ[0], x.may(n.Cond).one)
	case boolprog.NodeBranch:
		c := x.may(n.Cond)
		add(n.Succ[0], c.one)
		add(n.Succ[1], c.zero)
	case boolprog.NodeAssign:
		add(n.Succ[0], s.assignment(p, n))
	case boolprog.NodeReturn:
		// The result slots get the values returned, as far as a caller needs them.
		rel := bdd.True
		for i, e := range n.Values {
			if g := s.Layout.Result(i); s.IsTracked(p, n.Succ[0], g) {
				rel = s.m.And(rel, x.stores(g, varorder.Next, e))
			}
		}
		add(n.Succ[0], rel)
	case boolprog.NodeCall, boolprog.NodeExit:
	}
	s.built = edges
	return edges
}

// IsTracked reports whether states at node v of p are over g.
func (s *Solution) IsTracked(p *Proc, v int, g flow.Group) bool {
	return s.live.in(s.live.at(p.Graph.Index, v), g)
}

// assignment returns the relation of a parallel assignment: all right sides are read before any
// target is written, and only outcomes in which the constrain clause can be 1 remain.
func (s *Solution) assignment(p *Proc, n *boolprog.Node) bdd.Ref {
	// 1. Find the targets that the constrain clause mentions with their new values.
	var lost []flow.Group // only the constrain clause asks for them
	var asked map[flow.Group]bool
	if n.Assign.Constrain != nil {
		asked = map[flow.Group]bool{}
		boolprog.InspectRefs(n.Assign.Constrain, func(r *boolprog.Ref) { asked[p.enc.group(r)] = asked[p.enc.group(r)] || r.Next })
	}
	// 2. Conjoin the targets that are live afterwards, and those that only the clause needs.
	rel := bdd.True
	for i, r := range n.Assign.Lhs {
		g := p.enc.group(r)
		live := s.IsTracked(p, n.Succ[0], g)
		if !live && !asked[g] {
			continue
		}
		if !live {
			lost = append(lost, g)
		}
		rel = s.m.And(rel, p.enc.stores(g, varorder.Next, n.Assign.Rhs[i]))
	}
	// 3. Conjoin the clause, and project the targets that only it needs.
	if n.Assign.Constrain != nil {
		rel = s.m.And(rel, p.enc.may(n.Assign.Constrain).one)
	}
	return s.m.Exists(rel, s.cube(lost, varorder.Next))
}

// edge returns the edge from node v to node w of p with a relation.
func (s *Solution) edge(p *Proc, v, w int, rel bdd.Ref) Edge {
	// 1. Collect the variables that the node writes.
	l, i := s.live, p.Graph.Index
	writes := l.writes(s.sets[0], i, v)
	if p.Graph.Nodes[v].Kind == boolprog.NodeReturn {
		for k := range p.Graph.Nodes[v].Values {
			l.put(writes, s.Layout.Result(k))
		}
	}
	e := Edge{To: int32(w), Rel: rel, check: s.checks(p, writes)}
	// 2. A current copy is quantified if its variable is written, or dead after the edge. A next
	// copy is renamed if its variable is live after the edge.
	from, to := l.at(i, v), l.at(i, w)
	gone, kept := s.sets[1], s.sets[2]
	for k := range gone {
		gone[k] = from[k] &^ (to[k] &^ writes[k])
		kept[k] = writes[k] & to[k]
	}
	e.old = s.cubeOf(gone, varorder.Current)
	e.writes = l.numberOf(kept)
	return e
}

// Image returns the path edges at the target of e that the path edges d at its source lead to: Join
// in Ball–Rajamani 2000, Fig. 4.
func (s *Solution) Image(d bdd.Ref, e *Edge) bdd.Ref {
	d = s.m.AndExists(d, e.Rel, e.old)
	if e.writes != 0 {
		d = s.m.Rename(d, s.step)
	}
	return s.m.And(d, e.check)
}

// CallSite is a call statement. Its summary edge grows while the solver runs.
type CallSite struct {
	Caller, Callee *Proc
	Node           int
	reached        bool // some path edges of the call were propagated

	Args    bdd.Ref // over the caller's current copies × next copies of the callee's parameters
	Binding bdd.Ref // Args over the entry copies of the parameters, and results = targets
	Clobber bdd.Ref // cube: next copies of globals that the callee writes, and that a result overwrites or that are dead after the call
	inside  bdd.Ref // cube: entry copies of the callee's parameters, current copies of its results
	leave   bdd.Ref // cube: copies of the caller's variables that the callee does not see

	Summary Edge // with the summaries lifted so far
}

// initCallSite makes c the call at node v of p.
func (s *Solution) initCallSite(c *CallSite, p *Proc, v int) {
	n := p.Graph.Nodes[v]
	callee := s.Procs[n.Callee.Index]
	*c = CallSite{Caller: p, Callee: callee, Node: v, Args: bdd.True, Binding: bdd.True}
	c.Summary = s.edge(p, v, n.Succ[0], bdd.False)
	params := s.params(callee)
	// 1. Relate the callee's parameters, as far as it reads them, to the arguments.
	for i, e := range n.Call.Args {
		if g := s.Layout.Local(i); slices.Contains(params, g) {
			c.Args = s.m.And(c.Args, p.enc.stores(g, varorder.Next, e))
			c.Binding = s.m.And(c.Binding, p.enc.stores(g, varorder.Entry, e))
		}
	}
	// 2. Relate the targets of the call to the callee's results. A global that is a target loses
	// the value that the callee gave it.
	var results, lost []flow.Group
	for i, r := range n.Call.Lhs {
		if r.Name == "_" {
			continue
		}
		g := p.enc.group(r)
		if slices.Contains(callee.Outputs, g) {
			lost = append(lost, g)
		}
		if slices.Contains(s.Writes(&c.Summary), g) {
			c.Binding = s.m.And(c.Binding, s.m.Eq(
				s.m.Var(s.Layout.Level(g, varorder.Next)), s.m.Var(s.Layout.Level(s.Layout.Result(i), varorder.Current))))
		}
	}
	// 3. Globals that are dead after the call lose their value, too.
	for _, g := range callee.Outputs {
		switch {
		case s.Layout.IsResult(g):
			results = append(results, g)
		case !slices.Contains(s.Writes(&c.Summary), g) && !slices.Contains(lost, g):
			lost = append(lost, g)
		}
	}
	// 4. The callee does not see the caller's locals, nor globals that are not its inputs.
	hidden := s.sets[0] // of the caller's variables
	copy(hidden, s.live.at(p.Graph.Index, v))
	for _, g := range callee.Inputs {
		if s.Layout.IsGlobal(g) {
			s.live.drop(hidden, g)
		}
	}
	c.Clobber = s.cube(lost, varorder.Next)
	c.inside = s.m.And(s.cube(params, varorder.Entry), s.cube(results, varorder.Current))
	c.leave = s.m.And(s.cube(p.Changed, varorder.Entry), s.cubeOf(hidden, varorder.Current))
}

// params returns the parameters of p that are inputs.
func (s *Solution) params(p *Proc) (list []flow.Group) {
	for _, g := range p.Inputs {
		if !s.Layout.IsGlobal(g) {
			list = append(list, g)
		}
	}
	return list
}

// Entered returns the path edges at the callee's entry that the path edges d of the call start: the
// states in which the callee can be called, each paired with itself.
func (s *Solution) Entered(c *CallSite, d bdd.Ref) bdd.Ref {
	states := s.m.Rename(s.m.AndExists(d, c.Args, c.leave), s.step)
	return s.m.And(s.m.And(states, c.Callee.Enforce), c.Callee.Identity)
}

// Lift turns summaries of the callee into the relation of the call: parameters get the values of
// the arguments, and the targets those of the results.
func (s *Solution) Lift(c *CallSite, summaries bdd.Ref) bdd.Ref {
	return s.m.AndExists(s.m.Exists(summaries, c.Clobber), c.Binding, c.inside)
}

// summarise turns path edges at the exit of p into summaries of p.
func (s *Solution) summarise(p *Proc, d bdd.Ref) bdd.Ref { return s.m.Rename(d, p.lift) }

// liftOf returns the renaming that turns path edges at the exit of p into summaries: from the
// callee's copies to those of its callers. The value of a global at the entry becomes a current
// copy, its value at the exit a next copy; parameters become entry copies. An input that p does not
// modify has only a current copy in p.
func (s *Solution) liftOf(p *Proc) *bdd.Shift {
	// 1. List the renamed levels.
	var from, to []int
	move := func(g flow.Group, v, w varorder.Version) {
		from, to = append(from, s.Layout.Level(g, v)), append(to, s.Layout.Level(g, w))
	}
	for _, g := range p.Inputs {
		switch {
		case !s.Layout.IsGlobal(g) && p.isFixed(g):
			move(g, varorder.Current, varorder.Entry)
		case s.Layout.IsGlobal(g) && !p.isFixed(g):
			move(g, varorder.Entry, varorder.Current)
		}
	}
	for _, g := range p.Outputs {
		if s.Layout.IsGlobal(g) {
			move(g, varorder.Current, varorder.Next)
		}
	}
	// 2. Procedures with the same renaming share one Shift.
	var key []byte
	for i := range from {
		key = binary.AppendUvarint(binary.AppendUvarint(key, uint64(from[i])), uint64(to[i]))
	}
	if s.lifts[string(key)] == nil {
		s.lifts[string(key)] = s.m.NewSparseShift(from, to)
	}
	return s.lifts[string(key)]
}
