package symbolic

import (
	"slices"

	"c2bp/boolprog"
	"c2bp/checker/bdd"
)

// This file defines the transfer functions (Ball–Rajamani 2000, Table 2): what each node
// does to a state, as relations on the edges that leave it.

// edge is a control-flow edge within a procedure, the summary edge of a call
// included.
type edge struct {
	to     int32   // node of the same procedure
	rel    bdd.Ref // over the current copies, and the next copies of writes
	old    bdd.Ref // cube of the current copies that have no place behind the edge
	check  bdd.Ref // what the enforce clause of the procedure says of what is written
	writes int32   // what the edge changes and states behind it are over; see Solution.writes
}

// writes lists what e changes and states behind it are over.
func (s *Solution) writes(e *edge) []group { return s.live.members[e.writes] }

// edgesOf is the edges that leave a node, those of a call excepted. Those that were not
// built yet are zero.
func (s *Solution) edgesOf(id int) []edge { return s.edges[s.out[id]:s.out[id+1]] }

// outgoing is edgesOf a node v; the edges are built when it is reached for the first time.
func (s *Solution) outgoing(p *proc, v int) []edge {
	out := s.edgesOf(p.first + v)
	if len(out) > 0 && out[0].old == bdd.False { // a cube is not
		copy(out, s.buildEdges(p, v))
	}
	return out
}

func (s *Solution) buildEdges(p *proc, v int) []edge {
	n := p.graph.Nodes[v]
	x := &p.enc
	edges := s.built[:0]
	add := func(w int, rel bdd.Ref) { edges = append(edges, s.edge(p, v, w, rel)) }
	switch n.Kind {
	case boolprog.NodeSkip, boolprog.NodeDead:
		for _, w := range n.Succ {
			add(w, bdd.True)
		}
	case boolprog.NodeAssume, boolprog.NodeAssert:
		add(n.Succ[0], x.may(n.Cond).one)
	case boolprog.NodeBranch:
		c := x.may(n.Cond)
		add(n.Succ[0], c.one)
		add(n.Succ[1], c.zero)
	case boolprog.NodeAssign:
		add(n.Succ[0], s.assignment(p, n))
	case boolprog.NodeReturn:
		rel := bdd.True
		for i, e := range n.Values {
			if g := s.lay.result(i); s.isTracked(p, n.Succ[0], g) {
				rel = s.m.And(rel, x.stores(g, next, e))
			}
		}
		add(n.Succ[0], rel)
	case boolprog.NodeCall, boolprog.NodeExit:
	}
	s.built = edges
	return edges
}

// isTracked reports whether states at node v of p are over g.
func (s *Solution) isTracked(p *proc, v int, g group) bool {
	return s.live.in(s.live.at(p.graph.Index, v), g)
}

// assignment reads all, then writes all; of the outcomes it keeps those in which the
// constrain clause can be 1.
func (s *Solution) assignment(p *proc, n *boolprog.Node) bdd.Ref {
	var lost []group // only the constrain clause asks for them
	var asked map[group]bool
	if n.Assign.Constrain != nil {
		asked = map[group]bool{}
		boolprog.InspectRefs(n.Assign.Constrain, func(r *boolprog.Ref) { asked[p.enc.group(r)] = asked[p.enc.group(r)] || r.Next })
	}
	rel := bdd.True
	for i, r := range n.Assign.Lhs {
		g := p.enc.group(r)
		live := s.isTracked(p, n.Succ[0], g)
		if !live && !asked[g] {
			continue
		}
		if !live {
			lost = append(lost, g)
		}
		rel = s.m.And(rel, p.enc.stores(g, next, n.Assign.Rhs[i]))
	}
	if n.Assign.Constrain != nil {
		rel = s.m.And(rel, p.enc.may(n.Assign.Constrain).one)
	}
	return s.m.Exists(rel, s.cube(lost, next))
}

// edge is the edge from node v to node w of p with a relation.
func (s *Solution) edge(p *proc, v, w int, rel bdd.Ref) edge {
	l, i := s.live, p.graph.Index
	writes := l.writes(s.sets[0], i, v)
	if p.graph.Nodes[v].Kind == boolprog.NodeReturn {
		for k := range p.graph.Nodes[v].Values {
			l.put(writes, s.lay.result(k))
		}
	}
	e := edge{to: int32(w), rel: rel, check: s.checks(p, writes)}
	from, to := l.at(i, v), l.at(i, w)
	gone, kept := s.sets[1], s.sets[2]
	for k := range gone {
		gone[k] = from[k] &^ (to[k] &^ writes[k])
		kept[k] = writes[k] & to[k]
	}
	e.old = s.cubeOf(gone, current)
	e.writes = l.numberOf(kept)
	return e
}

// image is the set of path edges that e makes of the path edges d.
func (s *Solution) image(d bdd.Ref, e *edge) bdd.Ref {
	d = s.m.AndExists(d, e.rel, e.old)
	if e.writes != 0 {
		d = s.m.Rename(d, s.step)
	}
	return s.m.And(d, e.check)
}

// callSite is a call statement. Its summary edge grows while the solver runs.
type callSite struct {
	caller, callee *proc
	node           int
	reached        bool

	args    bdd.Ref // caller's current × next of the callee's parameters
	binding bdd.Ref // the same over the entry copy of the parameters, and the results: see lift
	clobber bdd.Ref // cube: next of what the callee stores in globals and the call or nobody after it keeps
	inside  bdd.Ref // cube: entry of the callee's parameters, current of its results
	leave   bdd.Ref // cube: what of the caller a callee does not see

	summary edge // what has been lifted so far
}

func (s *Solution) initCallSite(c *callSite, p *proc, v int) {
	n := p.graph.Nodes[v]
	callee := s.procs[n.Callee.Index]
	*c = callSite{caller: p, callee: callee, node: v, args: bdd.True, binding: bdd.True}
	c.summary = s.edge(p, v, n.Succ[0], bdd.False)
	params := s.params(callee)
	for i, e := range n.Call.Args {
		if g := s.lay.local(i); slices.Contains(params, g) {
			c.args = s.m.And(c.args, p.enc.stores(g, next, e))
			c.binding = s.m.And(c.binding, p.enc.stores(g, entry, e))
		}
	}
	var results, lost []group
	for i, r := range n.Call.Lhs {
		if r.Name == "_" {
			continue
		}
		g := p.enc.group(r)
		if slices.Contains(callee.outputs, g) && s.opts.mutation != keepClobber {
			lost = append(lost, g)
		}
		if slices.Contains(s.writes(&c.summary), g) {
			c.binding = s.m.And(c.binding, s.m.Eq(
				s.m.Var(s.lay.level(g, next)), s.m.Var(s.lay.level(s.lay.result(i), current))))
		}
	}
	for _, g := range callee.outputs {
		switch {
		case s.isResult(g):
			results = append(results, g)
		case !slices.Contains(s.writes(&c.summary), g) && !slices.Contains(lost, g):
			lost = append(lost, g)
		}
	}
	hidden := s.sets[0] // of the caller's variables
	copy(hidden, s.live.at(p.graph.Index, v))
	for _, g := range callee.inputs {
		if s.lay.isGlobal(g) {
			s.live.drop(hidden, g)
		}
	}
	c.clobber = s.cube(lost, next)
	c.inside = s.m.And(s.cube(params, entry), s.cube(results, current))
	c.leave = s.m.And(s.cube(p.changed, entry), s.cubeOf(hidden, current))
}

// params lists the parameters of p that are inputs.
func (s *Solution) params(p *proc) (list []group) {
	for _, g := range p.inputs {
		if !s.lay.isGlobal(g) {
			list = append(list, g)
		}
	}
	return list
}

// entered is the set of path edges at the callee's entry that the path edges d of
// the call start: the states in which the callee can be called, each paired with
// itself.
func (s *Solution) entered(c *callSite, d bdd.Ref) bdd.Ref {
	states := s.m.Rename(s.m.AndExists(d, c.args, c.leave), s.step)
	return s.m.And(s.m.And(states, c.callee.enforce), c.callee.identity)
}

// lift turns summaries of the callee into the relation of the call: parameters get
// the values of the arguments, and the variables on the left the results.
func (s *Solution) lift(c *callSite, summaries bdd.Ref) bdd.Ref {
	return s.m.AndExists(s.m.Exists(summaries, c.clobber), c.binding, c.inside)
}

// summarise turns path edges at the exit into summaries of the procedure.
func (s *Solution) summarise(p *proc, d bdd.Ref) bdd.Ref { return s.m.Rename(d, p.lift) }
