package symbolic

import (
	"slices"

	"c2bp/boolprog"
	"c2bp/checker/bdd"
)

// This file defines what the engine knows of a procedure before it runs.

// proc is a procedure. Nodes of all procedures are numbered through: node v has
// the number first+v.
type proc struct {
	graph *boolprog.ProcGraph
	first int
	enc   encoder

	inputs  []group // globals and parameters whose value at the entry matters
	changed []group // those of them that the procedure may modify: they have an entry copy
	outputs []group // globals that it may modify and results, if live at the exit
	clauses []clause

	identity bdd.Ref    // entry = current, for changed
	enforce  bdd.Ref    // states in which all clauses can be 1
	lift     *bdd.Shift // path edges at the exit to summaries; see summarise

	calls   []*callSite // by node; nil if it is no call
	callers []*callSite

	summary    bdd.Ref
	increments []summaries
}

// clause is a conjunct of the enforce of a procedure. If it has choices in it, they
// are made anew at every node: a state passes if the clause can be 1.
type clause struct {
	clauseUse
	set bdd.Ref
}

// declare lays out the procedures. It builds no decision diagrams and cannot fail.
func (s *Solution) declare() {
	nodes := 0
	for _, pg := range s.graph.Procs {
		s.first = append(s.first, nodes)
		nodes += len(pg.Nodes)
	}
	s.calls = newCallGraph(s.graph)
	s.work = newWorklist(s.graph, s.calls, s.opts.postorder)
	s.modified = modified(s.graph, s.calls, &s.lay, s.flows, true)
	mods := s.modified
	if s.opts.mutation == shallowMods {
		mods = modified(s.graph, s.calls, &s.lay, s.flows, false)
	}
	s.live = newLiveness(s.graph, s.calls, &s.lay, s.flows, mods, s.first, &s.work, s.opts)
	s.path, s.fresh = make([]bdd.Ref, nodes), make([]bdd.Ref, nodes)
	s.fails = make([]bool, nodes)
	s.out = make([]int32, 0, nodes+1)
	edges := int32(0)
	procs := make([]proc, len(s.graph.Procs)) // in one piece
	calls := make([]*callSite, nodes)
	for i, pg := range s.graph.Procs {
		from, to := s.first[i], s.first[i]+len(pg.Nodes)
		procs[i] = s.newProc(pg, from)
		procs[i].calls = calls[from:to]
		s.procs = append(s.procs, &procs[i])
		for _, n := range pg.Nodes {
			s.out = append(s.out, edges)
			if n.Kind != boolprog.NodeCall {
				edges += int32(len(n.Succ))
			}
		}
	}
	s.out = append(s.out, edges)
	s.edges = make([]edge, edges)
}

func (s *Solution) newProc(pg *boolprog.ProcGraph, first int) proc {
	p := proc{graph: pg, first: first, enc: encoder{s.m, &s.lay, pg}}
	l, i := s.live, pg.Index
	inputs, fixed := l.inputs(i), l.fixed(i)
	p.inputs = l.list(inputs)
	inputs.minus(fixed)
	p.changed = l.list(inputs)
	outputs := l.newSet()
	for _, g := range l.listAt(i, pg.Exit) {
		if s.isResult(g) || l.in(l.mods[i], g) {
			outputs.add(int(g))
		}
	}
	p.outputs = l.list(outputs)
	return p
}

func (s *Solution) isResult(g group) bool { return int(g) >= s.lay.globals+s.lay.locals }

// isFixed reports whether g is an input of p that p does not modify.
func (p *proc) isFixed(g group) bool {
	return slices.Contains(p.inputs, g) && !slices.Contains(p.changed, g)
}

// prepare builds what the procedures and call sites need of decision diagrams.
func (s *Solution) prepare() {
	for _, p := range s.procs {
		p.identity = s.identity(p.changed)
		p.enforce = bdd.True
		for _, u := range s.live.uses[p.graph.Index] {
			c := clause{u, p.enc.may(u.expr).one}
			if s.opts.mutation == projectEarly && len(p.graph.Vars) > 0 {
				c.set = s.m.Exists(c.set, s.cube([]group{s.lay.local(len(p.graph.Vars) - 1)}, current))
			}
			p.clauses = append(p.clauses, c)
			p.enforce = s.m.And(p.enforce, c.set)
		}
		p.lift = s.liftOf(p)
	}
	sites := make([]callSite, len(s.calls.calls))
	for i, x := range s.calls.calls {
		c, p := &sites[i], s.procs[x.caller]
		s.initCallSite(c, p, int(x.node))
		p.calls[x.node] = c
		c.callee.callers = append(c.callee.callers, c)
	}
}

// tracked lists the groups that states at node v of p are over.
func (s *Solution) tracked(p *proc, v int) []group { return s.live.listAt(p.graph.Index, v) }

// checks is the conjunction of the clauses of p that are about one of writes.
func (s *Solution) checks(p *proc, writes bitset) bdd.Ref {
	set := bdd.True
	for _, c := range p.clauses {
		if c.vars.meets(writes) {
			set = s.m.And(set, c.set)
		}
	}
	return set
}

// identity is the conjunction of entry = current over the groups, built from the
// bottom of the order upwards so that it takes linear time.
func (s *Solution) identity(groups []group) bdd.Ref {
	sorted := slices.Clone(groups)
	slices.SortFunc(sorted, func(a, b group) int { return s.lay.place[b] - s.lay.place[a] })
	f := bdd.True
	for _, g := range sorted {
		f = s.m.And(f, s.m.Eq(s.m.Var(s.lay.level(g, entry)), s.m.Var(s.lay.level(g, current))))
	}
	return f
}

// cube is the conjunction of one copy of each group.
func (s *Solution) cube(groups []group, v version) bdd.Ref {
	levels := s.levels[:0]
	for _, g := range groups {
		levels = append(levels, s.lay.level(g, v))
	}
	s.levels = levels
	return s.m.Cube(levels)
}

// cubeOf is cube of the members of a set.
func (s *Solution) cubeOf(set bitset, v version) bdd.Ref {
	levels := s.levels[:0]
	set.each(func(i int) { levels = append(levels, s.lay.level(group(i), v)) })
	s.levels = levels
	return s.m.Cube(levels)
}

// id is the number of a point.
func (s *Solution) id(p Point) int { return s.procs[p.Proc].first + p.Node }

// procOf finds the procedure of a node number.
func (s *Solution) procOf(id int) *proc { return s.procs[s.work.proc[id]] }
