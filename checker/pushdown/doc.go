// Package pushdown shows Boolean programs, with or without references, as pushdown systems for package
// checker/temporal.
//
// What it is not: it decides nothing, and executes no statement itself (package checker/zom does).
//
// # Control locations and stack symbols
//
// A control location is a procedure with the node that it is about to execute and all that it can see: the
// globals, its variables, and the objects that these lead to, in canonical form. The top symbol of the stack only
// says that the procedure runs; a symbol below it is a caller that waits: its variables, and the objects that
// only it can see.
//
// # Calls
//
// A callee sees the objects that the globals and its arguments lead to. Those of them to which the caller's
// variables or objects of its own lead directly are cut points (Rot et al. 2012, §3): the callee's location holds
// a reference to each of them, so that they are known when it returns, whatever has become of the globals.
//
//	main: x -> A0 -> A1 <- g        p() is called: A0 is the caller's own, A1 is a cut point
//	p:    g -> A1 <- cut 1
//
// At the return, the caller's objects are put together with those that the callee sees: an object that the
// caller has as cut point k is that of reference k, and all others that the callee can see are new to it. Then
// everything is numbered canonically again. So the heap of a location is bounded if that which procedures
// can see is, whatever the number of objects on the stack.
//
// # States of a run
//
// A state is a moment before a statement, or at the end of a procedure. A run ends at the end of main, at an
// assertion that fails, and where null is dereferenced; then it stays there. An assume, enforce or constrain that
// does not hold makes it no run (temporal.Moves.Pruned), except where a C program exits.
//
// In the abstraction of a C program, whose statements carry those of C, several statements may be one of C. Only
// the moment before the first of them is a state: between them predicates have values that they never have
// together.
//
// Booleans that have arbitrary values and were not read are not decided, unless an atom mentions them.
//
// # Phases
//
//	system.go    moves; location.go: locations and their forms; call.go: callers on the stack, returns
//	atoms.go     the atoms of formulas; heap.go: the heap of a location, as these see it
//	parts.go     the nodes inside of a statement of C
//	observe.go   the atoms of states that were observed in another program
//	run.go       the steps of a run, for people; track.go: the names of objects on it
package pushdown
