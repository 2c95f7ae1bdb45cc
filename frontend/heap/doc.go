// Package heap makes properties of the lives of objects that a program allocates: it puts assertions into the
// core program, in front of what ends or uses an object.
//
//	C              core                     with checks
//	p = malloc(4)  p := alloc 4             p := alloc 4;  maybe, if state is none: watch, state := p, alive
//	free(p)        free p                   assert state != freed || p != watch       double free
//	                                        if (state == alive && p == watch) state := freed
//	                                        free p
//
// One object is watched. A run chooses it, if any, when it is allocated, so a property that holds for the one that
// is watched holds for all of them.
//
// Trade-offs. That the assertions are part of the program before it is abstracted has the price of two more
// global variables, and the merit that weakest preconditions, traces and certificates know nothing of lives. Only
// sites are watched whose objects an assertion may be about, by the points-to sets, and only statements get an
// assertion that may be about one that is watched.
//
// What is watched is an object, not an address. A new object may lie where the one that is watched was until it was
// freed; from then on nothing is watched, since its address means another object. So an old pointer that is used
// for the new object is not noticed, and the ledger says so. Where realloc leaves an object in its place it counts as
// another one, too.
//
// Not covered, each with its line in the ledger: pointers from outside, which may lead to what was freed before;
// objects of the program that functions without a body free; and frees of a pointer that may lead into an object
// where no expression says so.
//
//	heap.go    Check: the watch, and its states
//	watch.go   choice and end of the watch at the nodes of a procedure
//	inside.go  addresses in the object that is watched
//	access.go  what must hold where memory is accessed
//	free.go    what must hold where an object is freed
//	leak.go    what must hold at the end of the program
//	ledger.go  the lines of the ledger
package heap
