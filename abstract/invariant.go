package abstract

import (
	"c2bp/boolprog"
	"c2bp/prover/cubes"
)

// This file places the infeasible cubes: valuations of the predicates in scope that no state has. A
// cube over global predicates alone, or over local ones alone, is excluded by enforce, which holds
// at every node of the procedure. A cube that mixes both must not be: between the return of a
// callee and the caller's update the globals are new and the locals stale, and enforce would
// exclude a real execution. Mixed cubes are excluded by assume where both are up to date: at entry,
// after an assignment or havoc, and after the update that follows a call.

// invariant is the infeasible cubes of a procedure, over its predicates in scope.
type invariant struct {
	pure  []cubes.Cube
	mixed []cubes.Cube
}

// splitInfeasible classifies cubes; the first nglobal predicates are the global ones.
//
//	{x < 3} & {x > 5}, x local             pure: excluded by enforce
//	{g == 1} & {g == 2}, g global          pure
//	{x == g} & {x == 1} & {g == 2}         mixed: excluded by assume
func splitInfeasible(cubes []cubes.Cube, nglobal int) invariant {
	var inv invariant
	for _, c := range cubes {
		// Which kinds of predicates does the cube mention?
		global, local := false, false
		for _, l := range c.Literals() {
			if l.Pred < nglobal {
				global = true
			} else {
				local = true
			}
		}
		if global && local {
			inv.mixed = append(inv.mixed, c)
		} else {
			inv.pure = append(inv.pure, c)
		}
	}
	return inv
}

// enforce returns the condition for the head of the procedure, nil if there is none.
func (inv invariant) enforce(reads []boolprog.Expr) boolprog.Expr {
	if len(inv.pure) == 0 {
		return nil
	}
	return excluded(inv.pure, reads)
}

// assumeMixed returns the assumption that excludes the mixed cubes with a predicate for which
// changed is true; nil if there are none.
func (inv invariant) assumeMixed(reads []boolprog.Expr, changed func(int) bool) *boolprog.Stmt {
	var cubes []cubes.Cube
	// Only a cube with a changed predicate can have become true.
	for _, c := range inv.mixed {
		for _, l := range c.Literals() {
			if changed(l.Pred) {
				cubes = append(cubes, c)
				break
			}
		}
	}
	if len(cubes) == 0 {
		return nil
	}
	return &boolprog.Stmt{Op: &boolprog.Assume{Cond: excluded(cubes, reads)}}
}
