// Package alias finds out, for every procedure, what a call of it may change. The
// abstraction asks: which predicates of the caller can a call affect? The less,
// the more survives a call:
//
//	int locked, n;                        release writes: locked
//	void release(void) { locked = 0; }    step    writes: locked, n, [region]
//	int step(int *p) { release(); *p = 1; return n++; }
//
// so that n == old holds after release() if it held before.
//
// A procedure's effect has two parts, both transitive over the call graph: the
// global variables it may write by name, and whether it may write the *region*,
// the set of all variables whose address is taken, globals and locals of any
// procedure alike. The core language knows no pointers, hence one region for all
// of them; a write to the region is a write to each of its members. A procedure
// without a body writes the region and nothing else.
//
// The analysis is flow-insensitive: it unites the effects of all statements,
// reachable or not. Procedures that call each other (a strongly connected
// component of the call graph) have one effect. Its cost is linear in the size
// of the program, but for the sets, of one bit for each global and component.
//
// What a procedure writes of its own formals and locals, by name, does not
// concern its caller, not even under recursion: those are other variables of the
// same name. That a region write of the callee reaches a caller's address-taken
// local does.
//
// Later this package will hold points-to sets and several regions
// (inclusion-based analysis); the questions will stay the same.
package alias
