// Package backward finds predicates that rule out an infeasible path, by walking back along it with
// the atoms of its unsat core.
//
// At each step the frontier is a list of atoms, comparisons in terms of the procedure at hand, that
// together decide the conditions after it: weakest preconditions of single comparisons along the path
// (Ball–Millstein–Rajamani 2005, §4.2). Each atom is proposed as a predicate where it stands. An atom
// leaves the frontier when it becomes a constant, or when an input decides it.
//
// Across calls, a procedure has no words for its caller's variables. If a value came in through formal
// x, it is the symbolic constant 'x in the callee; so are globals and places in memory at the callee's
// entry (§4.1, §5.3). Such predicates are polymorphic: true at all calls. For
//
//	int inc(int x) { return x + 1; }
//	int main(void) {
//	    int i = nondet(), old = i;
//	    if (i > 0) i = inc(i);
//	    if (i == old) assert(i <= 0);
//	}
//
// the path through both branches has the core i == old, of which come
//
//	main   i == old                after the call
//	inc    \result == 'x + 1       at the return: the effect of inc
//	inc    x == 'x                 at the entry
//	main   i + 1 == old            before the call, what is needed if inc has that effect
//
// Before old = i the last says i + 1 == i, which is false: the path is explained.
//
// Predicates are proposals: by whichever set of them a program is abstracted, TRUE is TRUE. So this
// package may guess. That a path is gone is seen by trying.
//
// Files:
//
//	walk.go            the walk: frontier, styles of walking
//	precondition.go    preconditions of atoms before statements within a procedure
//	equations.go       atoms about the other side of an equation that the path requires
//	eliminate.go       what atoms say together without a place that an input decides
//	pointers.go        pointers replaced by the variables that they point to on the path
//	calls.go           from caller to callee at a return, and back at a call
//	provenance.go      ways by which values of a caller came into a callee
//	memory.go          words for a pointer that caller and callee both read from memory
//	snapshot.go        values of variables at the calls of a path
//	summary.go         effect of a callee on the path, as equations over symbolic constants
//	sums.go            the same for a sum of several places
//	effects.go         the same for places in memory, and structs that are passed and returned
//	argumentbound.go   bounds of a number that a callee changes by an argument
//	entry.go           loop invariants carried on to the start of the path; those that last
//	copyprop.go        predicates about a variable for all that it may be a copy of
//	compared.go        comparisons with a global pointer for all that the program compares with it
package backward
