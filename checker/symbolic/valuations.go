package symbolic

import (
	"context"
	"slices"

	"c2bp/boolprog"
	"c2bp/checker/bdd"
	"c2bp/checker/symbolic/flow"
	"c2bp/checker/symbolic/varorder"
)

// This file returns the solution of a node as formulas: the reachable valuations, and the path
// edges.

// Valuations returns a formula over the names in scope that holds for exactly the valuations with
// which control reaches p. Its form is an irredundant disjunction of conjunctions of literals. A
// global that a local hides has no name in p and does not occur. Valuations fails like Solve.
func (s *Solution) Valuations(ctx context.Context, p Point) (e boolprog.Expr, err error) {
	err = s.Within(ctx, func() {
		// Project the copies that have no name: entry copies, hidden globals, other procedures'
		// slots.
		refs := map[int]*boolprog.Ref{} // by level
		s.Named(s.Procs[p.Proc], func(name string, g flow.Group) {
			if g != flow.NoGroup {
				refs[s.Layout.Level(g, varorder.Current)] = &boolprog.Ref{Name: name}
			}
		})
		var nameless []int
		for l := range s.Layout.Levels() {
			if refs[l] == nil {
				nameless = append(nameless, l)
			}
		}
		set := s.m.Exists(s.path[s.Number(p)], s.m.Cube(nameless))
		e = disjunction(s.m.Cover(set), refs)
	})
	return e, err
}

// PathEdges returns a formula that relates the entry of a procedure to one of its nodes. It holds
// for exactly the pairs of valuations such that the procedure, entered with the first, can reach p
// with the second. A Ref with Next, printed 'v, is the value of v at the entry; it occurs for
// globals and parameters only. For example, for a global g that f negates, at the entry and at the
// exit of f:
//
//	'g & g | !'g & !g
//	'g & !g | !'g & g
//
// Variables that are not live are forgotten and arbitrary, with one exception: globals and
// parameters that neither the procedure nor its callees write keep their values from the entry,
// live or not. A global that a local hides does not occur.
//
// The form is a disjunction of conjunctions of literals or the negation of one, whichever is
// shorter, where that is short. Otherwise it is the decision diagram,
//
//	v & A | !v & B
//
// for each node. A and B are formulas of nodes below, and the same pointers wherever they occur:
// the formula is no larger than the diagram, but a function that walks over it must remember the
// nodes that it has visited. Either form is conjoined with v == 'v for unwritten variables.
// PathEdges fails like Solve.
func (s *Solution) PathEdges(ctx context.Context, p Point) (e boolprog.Expr, err error) {
	err = s.Within(ctx, func() {
		q := s.Procs[p.Proc]
		// 1. Name the levels: current copies v, entry copies 'v.
		refs := map[int]*boolprog.Ref{} // by level
		var kept []string
		unwritten := s.unwritten(q)
		s.Named(q, func(name string, g flow.Group) {
			if g == flow.NoGroup {
				return
			}
			refs[s.Layout.Level(g, varorder.Current)] = &boolprog.Ref{Name: name}
			refs[s.Layout.Level(g, varorder.Entry)] = &boolprog.Ref{Name: name, Next: true}
			if s.live.in(unwritten, g) {
				kept = append(kept, name)
			}
		})
		var nameless []int
		for l := range s.Layout.Levels() {
			if refs[l] == nil {
				nameless = append(nameless, l)
			}
		}
		set := s.m.Exists(s.path[s.Number(p)], s.m.Cube(nameless))
		if set == bdd.False {
			e = &boolprog.Const{Val: false}
			return
		}
		e = s.formulas(refs).formula(set)
		for _, name := range kept {
			same := &boolprog.Binary{Op: boolprog.Eq, X: &boolprog.Ref{Name: name}, Y: &boolprog.Ref{Name: name, Next: true}}
			e = conjunction(e, same)
		}
	})
	return e, err
}

// unwritten returns the globals and parameters that neither p nor its callees write.
func (s *Solution) unwritten(p *Proc) flow.Set {
	set := slices.Clone(s.live.shared)
	for i := range p.Graph.Proc.Params {
		s.live.put(set, s.Layout.Local(i))
	}
	written := s.live.newSet()
	for v := range p.Graph.Nodes {
		set.Minus(s.live.writes(written, p.Graph.Index, v))
	}
	return set
}

// Named visits the variables in scope in p: globals that are not hidden, then parameters and
// locals. A global may be flow.NoGroup.
func (s *Solution) Named(p *Proc, visit func(name string, g flow.Group)) {
	for i, v := range s.Graph.Globals {
		if at, _ := p.Graph.Slot(v.Name); at.Global {
			visit(v.Name, s.Layout.Global[i])
		}
	}
	for i, v := range p.Graph.Vars {
		visit(v.Name, s.Layout.Local(i))
	}
}
