// Package shylockcheck decides properties of Shylock programs (package frontend/shylock): recursive procedures
// that make any number of objects. It follows Rot et al. 2012.
//
// # Heaps that are bounded, and stacks that are not
//
// A program may have infinitely many objects: those of
//
//	p :: x := new; p
//
// are all alive, a local of each caller refers to one. But a procedure sees only the objects that globals and
// its own locals lead to. If their number is bounded, and that of objects which hang below those of callers
// (see hiddenPerVisible), the program is a finite pushdown system: control locations are visible heaps, and the
// stack has, for each caller, its heap at the call. No identity of an object has a meaning of its own, so a new
// object takes the least one that is not in use, and heaps are equal if they are isomorphic.
//
// The heap of a callee and that of its caller have identities of their own, then, and a return must glue
// them. For this the call gives a variable of its own to each cut point: an object at which what the caller
// alone sees touches what the callee sees. The callee cannot read these variables. At the return they tell
// which objects of the one heap are which of the other; everything else that the callee leaves gets a new name.
//
//	caller             callee              after  g := new        after the return
//	x → A → B ← g      c1, g → 1           c1 → 1, g → 2          x → A → B   g → C
//
// # Steps
//
//	statement          step of a run
//	x := y, x.f := y   one; x := y.f.g is x := y.f; x := x.g
//	[c], if, while     one for each evaluation of the condition
//	p(x), y := p(x)    the call is one, with its arguments; the return is one, with the result
//	return x           one
//	;  +               none
//
// # Phases
//
//	heap.go      heaps, reachability, canonical form
//	program.go   programs as points and moves; step.go: moves on heaps
//	call.go      cut points, calls, gluing
//	concrete.go  the concrete semantics, by which runs are made again before they are shown
//	space.go     the pushdown system, on the fly
//	reach.go     failures that can be reached, by a shortest run; check.go: the verdict
//	atoms.go     formulas about heaps; ltl.go: the verdict on one, by package checker/temporal
//	run.go       runs written out; trace.go: runs as traces
package shylockcheck
