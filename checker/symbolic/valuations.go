package symbolic

import (
	"context"

	"c2bp/boolprog"
	"c2bp/checker/bdd"
)

// This file defines the reachable valuations of a node as a formula.

// Valuations returns a formula over the names in scope that holds for exactly the
// valuations with which control reaches p; its form is an irredundant disjunction
// of conjunctions of literals. A global that a local hides has no name in p and
// does not occur. It fails like Solve.
func (s *Solution) Valuations(ctx context.Context, p Point) (e boolprog.Expr, err error) {
	err = s.within(ctx, func() {
		names := map[int]string{} // by level
		s.named(s.procs[p.Proc], func(name string, g group) {
			if g != noGroup {
				names[s.lay.level(g, current)] = name
			}
		})
		var nameless []int
		for l := range s.lay.levels() {
			if _, ok := names[l]; !ok {
				nameless = append(nameless, l)
			}
		}
		set := s.m.Exists(s.path[s.id(p)], s.m.Cube(nameless))
		e = formula(s.m.Cover(set), names)
	})
	return e, err
}

// formula is the disjunction of the cubes.
func formula(cubes [][]bdd.Literal, names map[int]string) boolprog.Expr {
	var or boolprog.Expr = &boolprog.Const{Val: false}
	for i, c := range cubes {
		var and boolprog.Expr = &boolprog.Const{Val: true}
		for j, l := range c {
			var lit boolprog.Expr = &boolprog.Ref{Name: names[l.Level]}
			if !l.Val {
				lit = &boolprog.Not{X: lit}
			}
			if j == 0 {
				and = lit
			} else {
				and = &boolprog.Binary{Op: boolprog.And, X: and, Y: lit}
			}
		}
		if i == 0 {
			or = and
		} else {
			or = &boolprog.Binary{Op: boolprog.Or, X: or, Y: and}
		}
	}
	return or
}
