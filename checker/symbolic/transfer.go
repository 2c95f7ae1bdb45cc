package symbolic

import (
	"slices"

	"c2bp/boolprog"
	"c2bp/checker/bdd"
)

// This file defines the transfer functions (seed 001, Table 2): what each node
// does to a state, as relations on the edges that leave it.

// edge is a control-flow edge within a procedure, the summary edge of a call
// included.
type edge struct {
	to     int     // node of the same procedure
	rel    bdd.Ref // over the current copies, and the next copies of writes
	writes []group // what the edge changes; all else it leaves alone
	old    bdd.Ref // cube of the current copies of writes
}

// outgoing returns the edges that leave node v, a call's summary excepted. They
// are built when a node is reached for the first time.
func (s *Solution) outgoing(p *proc, v int) []edge {
	if p.edges[v] == nil {
		p.edges[v] = s.buildEdges(p, p.graph.Nodes[v])
	}
	return p.edges[v]
}

func (s *Solution) buildEdges(p *proc, n *boolprog.Node) []edge {
	x := &p.enc
	edges := make([]edge, 0, len(n.Succ))
	switch n.Kind {
	case boolprog.NodeSkip:
		for _, w := range n.Succ {
			edges = append(edges, s.edge(w, bdd.True, nil))
		}
	case boolprog.NodeAssume, boolprog.NodeAssert:
		edges = append(edges, s.edge(n.Succ[0], x.may(n.Cond).one, nil))
	case boolprog.NodeBranch:
		c := x.may(n.Cond)
		edges = append(edges, s.edge(n.Succ[0], c.one, nil), s.edge(n.Succ[1], c.zero, nil))
	case boolprog.NodeAssign:
		edges = append(edges, s.assignEdge(p, n))
	case boolprog.NodeDead:
		var vars []group
		for _, r := range n.Dead.Vars {
			vars = append(vars, x.group(r))
		}
		edges = append(edges, s.edge(n.Succ[0], bdd.True, vars))
	case boolprog.NodeReturn:
		var results []group
		rel := bdd.True
		for i, e := range n.Values {
			g := s.lay.result(i)
			results = append(results, g)
			rel = s.m.And(rel, x.stores(g, next, e))
		}
		edges = append(edges, s.edge(n.Succ[0], rel, results))
	case boolprog.NodeCall, boolprog.NodeExit:
	}
	return edges
}

// assignEdge reads all, then writes all; of the outcomes it keeps those in which
// the constrain clause can be 1.
func (s *Solution) assignEdge(p *proc, n *boolprog.Node) edge {
	var targets []group
	rel := bdd.True
	for i, r := range n.Assign.Lhs {
		g := p.enc.group(r)
		targets = append(targets, g)
		rel = s.m.And(rel, p.enc.stores(g, next, n.Assign.Rhs[i]))
	}
	if n.Assign.Constrain != nil {
		rel = s.m.And(rel, p.enc.may(n.Assign.Constrain).one)
	}
	return s.edge(n.Succ[0], rel, targets)
}

func (s *Solution) edge(to int, rel bdd.Ref, writes []group) edge {
	return edge{to, rel, writes, s.cube(writes, current)}
}

// image is the set of path edges that e makes of the path edges d, before the
// enforce clause of the procedure is conjoined.
func (s *Solution) image(d bdd.Ref, e *edge) bdd.Ref {
	if len(e.writes) == 0 {
		return s.m.And(d, e.rel)
	}
	return s.m.Rename(s.m.AndExists(d, e.rel, e.old), s.shift.step)
}

// callSite is a call statement. Its summary edge grows while the solver runs.
type callSite struct {
	caller, callee *proc
	node           int
	reached        bool

	args      bdd.Ref // caller's current × next of the callee's parameters
	binding   bdd.Ref // the same over the entry copy of the parameters, and the results: see bind
	clobbered []group // globals the callee may modify and a result overwrites
	clobber   bdd.Ref // cube: next of clobbered
	inside    bdd.Ref // cube: entry of the callee's parameters, current of its results
	leave     bdd.Ref // cube: what of the caller a callee does not see

	summary edge // what has been lifted so far
}

func (s *Solution) newCallSite(p *proc, v int) *callSite {
	n := p.graph.Nodes[v]
	callee := s.procs[n.Callee.Index]
	c := &callSite{caller: p, callee: callee, node: v, args: bdd.True, binding: bdd.True}
	for i, e := range n.Call.Args {
		c.args = s.m.And(c.args, p.enc.stores(s.lay.local(i), next, e))
		c.binding = s.m.And(c.binding, p.enc.stores(s.lay.local(i), entry, e))
	}
	writes := slices.Clone(callee.mods)
	for i, r := range n.Call.Lhs {
		if r.Name == "_" {
			continue
		}
		g := p.enc.group(r)
		if slices.Contains(callee.mods, g) && s.opts.mutation != keepClobber {
			c.clobbered = append(c.clobbered, g)
		} else if !slices.Contains(writes, g) {
			writes = append(writes, g)
		}
		c.binding = s.m.And(c.binding, s.m.Eq(
			s.m.Var(s.lay.level(g, next)), s.m.Var(s.lay.level(s.lay.result(i), current))))
	}
	c.clobber = s.cube(c.clobbered, next)
	c.inside = s.m.And(s.cube(callee.params, entry), s.cube(callee.results, current))
	c.leave = s.m.And(s.cube(p.inputs, entry), s.m.And(s.cube(p.locals, current), s.cube(p.results, current)))
	c.summary = s.edge(n.Succ[0], bdd.False, writes)
	return c
}

// overwrites reports whether the value of g at the callee's exit is lost because a
// result of the call is stored in g.
func (c *callSite) overwrites(g group) bool { return slices.Contains(c.clobbered, g) }

// entered is the set of path edges at the callee's entry that the path edges d of
// the call start: the states in which the callee can be called, each paired with
// itself.
func (s *Solution) entered(c *callSite, d bdd.Ref) bdd.Ref {
	states := s.m.Rename(s.m.AndExists(d, c.args, c.leave), s.shift.step)
	return s.m.And(states, c.callee.identity)
}

// lift turns summaries of the callee into the relation of the call: parameters get
// the values of the arguments, and the variables on the left the results.
func (s *Solution) lift(c *callSite, summaries bdd.Ref) bdd.Ref {
	return s.m.AndExists(s.m.Exists(summaries, c.clobber), c.binding, c.inside)
}

// summarise turns path edges at the exit into summaries of the procedure: its
// locals, and the globals that it cannot have modified, are projected, and what
// was the entry and current copy of the globals becomes the current and next copy
// of its callers.
func (s *Solution) summarise(p *proc, d bdd.Ref) bdd.Ref {
	return s.m.Rename(s.m.Exists(d, p.hidden), s.shift.lift)
}
