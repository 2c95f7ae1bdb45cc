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

	globals []group
	params  []group // the first of locals
	locals  []group // parameters and local variables
	results []group
	inputs  []group // what an entry copy is kept of: globals and params
	mods    []group // globals that a call may modify, rising
	fixed   []group // the other globals

	identity bdd.Ref // entry = current, for inputs
	enforce  bdd.Ref // states in which the enforce clause can be 1
	hidden   bdd.Ref // cube: current of locals and fixed

	edges   [][]edge    // by node; nil before the node is reached
	calls   []*callSite // by node; nil if it is no call
	callers []*callSite
	before  [][]int // by node: its predecessors; see preds

	summary    bdd.Ref
	increments []summaries
}

// declare lays out the procedures. It builds no decision diagrams and cannot fail.
func (s *Solution) declare() {
	first := 0
	mods := modified(s.graph, s.opts.mutation != shallowMods)
	for i, pg := range s.graph.Procs {
		s.procs = append(s.procs, s.newProc(pg, first, mods[i]))
		first += len(pg.Nodes)
	}
	s.path = make([]bdd.Ref, first)
	s.fresh = make([]bdd.Ref, first)
	s.fails = make([]bool, first)
	s.work = newWorklist(s.graph)
}

func (s *Solution) newProc(pg *boolprog.ProcGraph, first int, mods bitset) *proc {
	p := &proc{graph: pg, first: first, enc: encoder{s.m, &s.lay, pg}}
	for i := range pg.Vars {
		p.locals = append(p.locals, s.lay.local(i))
	}
	p.params = p.locals[:len(pg.Proc.Params)]
	for i := range pg.Proc.Results {
		p.results = append(p.results, s.lay.result(i))
	}
	for i := range s.graph.Globals {
		g := s.lay.global(i)
		p.globals = append(p.globals, g)
		if mods.has(i) {
			p.mods = append(p.mods, g)
		} else {
			p.fixed = append(p.fixed, g)
		}
	}
	p.inputs = slices.Concat(p.globals, p.params)
	p.edges = make([][]edge, len(pg.Nodes))
	p.calls = make([]*callSite, len(pg.Nodes))
	return p
}

// prepare builds what the procedures and call sites need of decision diagrams.
func (s *Solution) prepare() {
	for _, p := range s.procs {
		p.identity = s.identity(p.inputs)
		p.enforce = s.enforceOf(p)
		p.hidden = s.m.And(s.cube(p.locals, current), s.cube(p.fixed, current))
	}
	for _, p := range s.procs {
		for v, n := range p.graph.Nodes {
			if n.Kind == boolprog.NodeCall {
				c := s.newCallSite(p, v)
				p.calls[v] = c
				c.callee.callers = append(c.callee.callers, c)
			}
		}
	}
}

// scope lists the groups that make up a state of p.
func (s *Solution) scope(p *proc) []group { return slices.Concat(p.globals, p.locals, p.results) }

// enforceOf is the clause of p as a set of states. If it has choices in it, they
// are made anew at every node: a state passes if the clause can be 1.
func (s *Solution) enforceOf(p *proc) bdd.Ref {
	clause := p.graph.Proc.Enforce
	if clause == nil || s.opts.mutation == noEnforce {
		return bdd.True
	}
	set := p.enc.may(clause).one
	if s.opts.mutation == projectEarly && len(p.locals) > 0 {
		set = s.m.Exists(set, s.cube(p.locals[len(p.locals)-1:], current))
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
	levels := make([]int, len(groups))
	for i, g := range groups {
		levels[i] = s.lay.level(g, v)
	}
	return s.m.Cube(levels)
}

func (p *proc) keep(keep func(bdd.Ref)) {
	for _, r := range []bdd.Ref{p.identity, p.enforce, p.hidden, p.summary} {
		keep(r)
	}
	for _, out := range p.edges {
		for i := range out {
			keep(out[i].rel)
			keep(out[i].old)
		}
	}
	for _, c := range p.callers { // every call site is in one such list
		for _, r := range []bdd.Ref{c.args, c.binding, c.clobber, c.inside, c.leave, c.summary.rel, c.summary.old} {
			keep(r)
		}
	}
	for _, inc := range p.increments {
		keep(inc.rel)
	}
}

// id is the number of a point.
func (s *Solution) id(p Point) int { return s.procs[p.Proc].first + p.Node }

// procOf finds the procedure of a node number.
func (s *Solution) procOf(id int) *proc {
	i, found := slices.BinarySearchFunc(s.procs, id, func(p *proc, id int) int { return p.first - id })
	if !found {
		i--
	}
	return s.procs[i]
}
