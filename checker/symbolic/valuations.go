package symbolic

import (
	"context"
	"slices"

	"c2bp/boolprog"
	"c2bp/checker/bdd"
)

// This file defines what is known at a node as formulas: the reachable valuations, and
// the path edges.

// Valuations returns a formula over the names in scope that holds for exactly the
// valuations with which control reaches p; its form is an irredundant disjunction
// of conjunctions of literals. A global that a local hides has no name in p and
// does not occur. It fails like Solve.
func (s *Solution) Valuations(ctx context.Context, p Point) (e boolprog.Expr, err error) {
	err = s.within(ctx, func() {
		refs := map[int]*boolprog.Ref{} // by level
		s.named(s.procs[p.Proc], func(name string, g group) {
			if g != noGroup {
				refs[s.lay.level(g, current)] = &boolprog.Ref{Name: name}
			}
		})
		var nameless []int
		for l := range s.lay.levels() {
			if refs[l] == nil {
				nameless = append(nameless, l)
			}
		}
		set := s.m.Exists(s.path[s.id(p)], s.m.Cube(nameless))
		e = disjunction(s.m.Cover(set), refs)
	})
	return e, err
}

// PathEdges returns a formula that relates the entry of a procedure to one of its
// nodes: it holds for exactly the pairs of valuations such that the procedure, entered
// with the one, can reach p with the other. A Ref with Next, printed 'v, is what v held
// at the entry; it occurs for globals and parameters only. For example,
// with a global g that f negates, at the entry and at the exit of f
//
//	'g & g | !'g & !g
//	'g & !g | !'g & g
//
// What is not live is forgotten and arbitrary, with one exception: globals and
// parameters that no statement of the procedure and none of its callees writes are what
// they were at the entry, live or not. A global that a local hides does not occur.
//
// The form is a disjunction of conjunctions of literals or the negation of one, whichever
// is shorter, where that is short. Else it is the decision diagram,
//
//	v & A | !v & B
//
// for each node, and A or B, being formulas of nodes below, are the same pointers wherever
// they occur: the formula is no larger than the diagram, but what walks over it has to
// remember where it has been. Either is conjoined with v == 'v for what is not written. It
// fails like Solve.
func (s *Solution) PathEdges(ctx context.Context, p Point) (e boolprog.Expr, err error) {
	err = s.within(ctx, func() {
		q := s.procs[p.Proc]
		refs := map[int]*boolprog.Ref{} // by level
		var kept []string
		unwritten := s.unwritten(q)
		s.named(q, func(name string, g group) {
			if g == noGroup {
				return
			}
			refs[s.lay.level(g, current)] = &boolprog.Ref{Name: name}
			refs[s.lay.level(g, entry)] = &boolprog.Ref{Name: name, Next: true}
			if s.live.in(unwritten, g) {
				kept = append(kept, name)
			}
		})
		var nameless []int
		for l := range s.lay.levels() {
			if refs[l] == nil || s.opts.mutation == timeless && version(l%int(versions)) == entry {
				nameless = append(nameless, l)
			}
		}
		set := s.m.Exists(s.path[s.id(p)], s.m.Cube(nameless))
		if set == bdd.False {
			e = &boolprog.Const{Val: false}
			return
		}
		e = s.phrasing(refs).formula(set)
		for _, name := range kept {
			same := &boolprog.Binary{Op: boolprog.Eq, X: &boolprog.Ref{Name: name}, Y: &boolprog.Ref{Name: name, Next: true}}
			e = conjunction(e, same)
		}
	})
	return e, err
}

// unwritten is the globals and parameters that p does not write, nor what it calls.
func (s *Solution) unwritten(p *proc) bitset {
	set := slices.Clone(s.live.shared)
	for i := range p.graph.Proc.Params {
		s.live.put(set, s.lay.local(i))
	}
	written := s.live.newSet()
	for v := range p.graph.Nodes {
		set.minus(s.live.writes(written, p.graph.Index, v))
	}
	return set
}
