// Package lower translates control-flow graphs of Boolean programs, with or without
// references, to programs of the object model (package checker/zom).
//
// What it is not: it decides nothing, and assumes that boolprog.Check has accepted the program.
//
// Every node of a graph becomes a piece of code that begins with a visit, before which the enforce
// clause of the procedure is assumed. Every piece is one step, and a call or return is another.
// Values that a node evaluates lie in scratch slots, so that a parallel assignment reads everything
// before it writes anything:
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
// live.go computes the live slots and globals at each instruction: values that nobody reads again
// are left out of canonical forms.
package lower
