package symbolic

import (
	"slices"

	"c2bp/boolprog"
	"c2bp/checker/bdd"
	"c2bp/checker/symbolic/flow"
	"c2bp/checker/symbolic/varorder"
)

// This file defines the static facts about a procedure.

// Proc is a procedure. Nodes are numbered through all procedures: node v has the number First+v.
type Proc struct {
	Graph *boolprog.ProcGraph
	First int // number of its first node
	enc   encoder

	Inputs  []flow.Group // globals and parameters whose value at the entry matters
	Changed []flow.Group // inputs that the procedure may modify: they have an entry copy
	Outputs []flow.Group // globals that it may modify, and results, that are live at the exit
	Clauses []Clause

	Identity bdd.Ref    // entry = current, for Changed
	Enforce  bdd.Ref    // states in which all clauses can be 1
	lift     *bdd.Shift // renames path edges at the exit to summaries; see summarise

	Calls   []*CallSite // by node; nil if it is not a call
	Callers []*CallSite

	summary    bdd.Ref // all increments
	Increments []Increment
}

// Clause is a conjunct of the enforce clause of a procedure. Choices in it are made anew at every
// node: a state passes if the clause can be 1.
type Clause struct {
	ClauseUse
	Set bdd.Ref // states in which it can be 1
}

// declare creates the procedures and computes their static facts. It builds no decision diagrams
// and cannot fail.
func (s *Solution) declare() {
	// 1. Number the nodes.
	nodes := 0
	var first []int // by procedure: number of its first node
	for _, pg := range s.Graph.Procs {
		first = append(first, nodes)
		nodes += len(pg.Nodes)
	}
	// 2. Compute the order of the nodes, MOD sets and live variables.
	s.calls = flow.NewCallGraph(s.Graph)
	s.Schedule = flow.NewSchedule(s.Graph, s.calls, s.opts.Postorder)
	mods := flow.Modified(s.Graph, s.calls, s.Layout.Numbering, s.flows)
	s.live = newLiveness(s.Graph, s.calls, &s.Layout, s.flows, mods, first, s.Schedule, s.opts)
	s.path = make([]bdd.Ref, nodes)
	s.fails = make([]bool, nodes)
	// 3. Create the procedures, and reserve the edges of their nodes.
	s.out = make([]int32, 0, nodes+1)
	edges := int32(0)
	procs := make([]Proc, len(s.Graph.Procs)) // in one piece
	calls := make([]*CallSite, nodes)
	for i, pg := range s.Graph.Procs {
		from, to := first[i], first[i]+len(pg.Nodes)
		procs[i] = s.newProc(pg, from)
		procs[i].Calls = calls[from:to]
		s.Procs = append(s.Procs, &procs[i])
		for _, n := range pg.Nodes {
			s.out = append(s.out, edges)
			if n.Kind != boolprog.NodeCall {
				edges += int32(len(n.Succ))
			}
		}
	}
	s.out = append(s.out, edges)
	s.edges = make([]Edge, edges)
}

// newProc creates a procedure; its first node has the number first.
func (s *Solution) newProc(pg *boolprog.ProcGraph, first int) Proc {
	p := Proc{Graph: pg, First: first, enc: encoder{s.m, &s.Layout, pg}}
	l, i := s.live, pg.Index
	// Inputs that p may modify get entry copies; the others are kept in current copies.
	inputs, fixed := l.inputs(i), l.fixed(i)
	p.Inputs = l.list(inputs)
	inputs.Minus(fixed)
	p.Changed = l.list(inputs)
	// Outputs are live at the exit, and may differ from the values at the entry.
	outputs := l.newSet()
	for _, g := range l.listAt(i, pg.Exit) {
		if s.Layout.IsResult(g) || l.in(l.mods[i], g) {
			outputs.Add(int(g))
		}
	}
	p.Outputs = l.list(outputs)
	return p
}

// isFixed reports whether g is an input of p that p does not modify.
func (p *Proc) isFixed(g flow.Group) bool {
	return slices.Contains(p.Inputs, g) && !slices.Contains(p.Changed, g)
}

// prepare builds the diagrams that procedures and call sites need.
func (s *Solution) prepare() {
	// 1. Procedures: identity, enforce clause, and the renaming to summaries.
	for _, p := range s.Procs {
		p.Identity = s.identity(p.Changed)
		p.Enforce = bdd.True
		for _, u := range s.live.uses[p.Graph.Index] {
			c := Clause{u, p.enc.may(u.Expr).one}
			p.Clauses = append(p.Clauses, c)
			p.Enforce = s.m.And(p.Enforce, c.Set)
		}
		p.lift = s.liftOf(p)
	}
	// 2. Call sites, in program order.
	sites := make([]CallSite, len(s.calls.Calls))
	for i, x := range s.calls.Calls {
		c, p := &sites[i], s.Procs[x.Caller]
		s.initCallSite(c, p, int(x.Node))
		p.Calls[x.Node] = c
		c.Callee.Callers = append(c.Callee.Callers, c)
	}
}

// Modified returns the globals that p may modify.
func (s *Solution) Modified(p *Proc) []flow.Group { return s.live.list(s.live.mods[p.Graph.Index]) }

// LiveAt returns the set of groups that states at node v of p are over. It is shared.
func (s *Solution) LiveAt(p *Proc, v int) flow.Set { return s.live.at(p.Graph.Index, v) }

// Group returns the variable that a name denotes in p.
func (p *Proc) Group(r *boolprog.Ref) flow.Group { return p.enc.group(r) }

// Tracked returns the groups that states at node v of p are over. The slice is shared.
func (s *Solution) Tracked(p *Proc, v int) []flow.Group { return s.live.listAt(p.Graph.Index, v) }

// checks returns the conjunction of the clauses of p that mention one of writes.
func (s *Solution) checks(p *Proc, writes flow.Set) bdd.Ref {
	set := bdd.True
	for _, c := range p.Clauses {
		if c.Vars.Meets(writes) {
			set = s.m.And(set, c.Set)
		}
	}
	return set
}

// identity returns the conjunction of entry = current over the groups. It is built from the bottom
// of the order upwards, which takes linear time.
func (s *Solution) identity(groups []flow.Group) bdd.Ref {
	sorted := slices.Clone(groups)
	slices.SortFunc(sorted, func(a, b flow.Group) int { return s.Layout.Place[b] - s.Layout.Place[a] })
	f := bdd.True
	for _, g := range sorted {
		f = s.m.And(f, s.m.Eq(s.m.Var(s.Layout.Level(g, varorder.Entry)), s.m.Var(s.Layout.Level(g, varorder.Current))))
	}
	return f
}

// cube returns the conjunction of one copy of each group.
func (s *Solution) cube(groups []flow.Group, v varorder.Version) bdd.Ref {
	levels := s.levels[:0]
	for _, g := range groups {
		levels = append(levels, s.Layout.Level(g, v))
	}
	s.levels = levels
	return s.m.Cube(levels)
}

// cubeOf returns the cube of the members of a set.
func (s *Solution) cubeOf(set flow.Set, v varorder.Version) bdd.Ref {
	levels := s.levels[:0]
	set.Each(func(i int) { levels = append(levels, s.Layout.Level(flow.Group(i), v)) })
	s.levels = levels
	return s.m.Cube(levels)
}

// Number returns the node number of a point.
func (s *Solution) Number(p Point) int { return s.Procs[p.Proc].First + p.Node }

// ProcOf returns the procedure of the node with this number.
func (s *Solution) ProcOf(id int) *Proc { return s.Procs[s.Schedule.Proc[id]] }
