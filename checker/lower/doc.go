// Package lower translates control-flow graphs of Boolean programs, with or without
// references, to programs of the object model (package checker/zom).
//
// What it is not: it decides nothing and assumes that boolprog.Check had no objection.
//
// Every node of a graph becomes a piece of code that begins with a visit, in front of which
// the enforce clause of the procedure is assumed; every piece is one step, calls and
// returns another. What a node evaluates lies in scratch slots, so that a parallel
// assignment reads everything before it writes anything:
//
//	b, g.x := g.x, *
//
//	t0 := global g        the object whose field is written
//	t1 := global g
//	t2 := t1.x            a null dereference, if t1 is null
//	t3 := any
//	b := move t2
//	t0.x := t3
//
// For procedures, live.go computes which slots and globals matter at each instruction:
// values that nobody reads again are left out of canonical forms.
package lower
