// Package cex decides whether a counterexample of an abstraction is a run of the C program, and if
// not, which few of its conditions exclude each other.
//
// A path is the sequence of nodes of the core program that a trace of its abstraction goes through.
// Symbolic execution turns it into a path formula: one condition for each assumption and for the
// assertion that it violates, as terms over the state at the start and over inputs. If the formula
// is satisfiable, a model gives the inputs of a run. If not, an unsat core of it, in as short a
// segment of the path as possible, is why: a minimal part that is still unsatisfiable (QuickXplain,
// Junker 2004). For
//
//	int main(void) {
//	    int i = nondet(), n = nondet(), k = 0;
//	    if (n > 3) k = n;          // n0 > 3
//	    if (i < k) i = k;          // i0 < n0
//	    assert(i >= k);            // fails if n0 < n0
//	}
//
// the path through both branches has three conditions over the inputs i0 and n0, of which the last
// excludes itself: i and k both hold n0. The segment begins at i = k, as from no state before that
// the assertion can fail, and the core is the condition of the assertion alone.
//
// Files:
//
//	path.go          paths, steps and activations; their extraction from a trace
//	execute.go       symbolic execution of a path: variables, conditions, inputs
//	executecall.go   calls, returns, and procedures without a body
//	memory.go        reads of memory, carried back to the start of the path
//	fresh.go         what is known of the addresses of new objects
//	accessed.go      addresses, sizes and pointers that a path uses
//	unsatcore.go     feasibility; segments, minimal and late unsat cores, their cost
//	asked.go         questions that need not be asked
//	relevant.go      variables that matter to a part of a path that repeats
//	slice.go         conditions on which the end of a path does not depend (path slicing)
//	loopexits.go     conditions that ask how far a loop has counted, which cores had better not need
//	model.go         models that agree with C on products and bit operations
//	spell.go         expressions over formals and globals for terms over the start of a path
//	wrap.go          terms as if unsigned numbers did not wrap around
//
// Cores that hold because a loop cannot end so soon are seldom why a property holds: they say
// nothing of one round more. Cost ranks them last (loopexits.go).
package cex
