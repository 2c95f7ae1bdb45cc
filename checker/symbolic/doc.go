// Package symbolic is Bebop (seed 001): it decides which nodes of a Boolean
// program, recursive or not, are reachable, and which assertions can fail.
// Control is explicit (a boolprog.Graph), data is in decision diagrams (package
// checker/bdd).
//
// What it is not: it knows no references (package checker/explicit does), it does
// not choose what to check, and it words no verdict; package checker does both.
//
// # Phases
//
//	graph ── transfer.go ──▶ edges with relations ── solve.go ──▶ path edges, summaries
//	path edges ── valuations.go ──▶ formulas over names
//	path edges ── rings.go ──▶ rings ── trace.go ──▶ Trace ── replay.go ──▶ checked Trace
//
// # Copies of a variable
//
// Every variable has three adjacent levels (layout.go): its value at the entry of
// the procedure, its current value, and its next value. Local variables of
// different procedures share levels, slot by slot, so the number of levels is that
// of the largest procedure and not that of the program.
//
//	object                            over
//	path edges of a node              entry (globals, parameters) × current (globals, locals)
//	relation of an edge               current × next of the variables it writes
//	summary of a procedure            current × next of the globals it may modify,
//	                                  entry of its parameters, current of its results
//	summary at a call                 current × next of what the call writes
//
// What an edge does not write, its relation does not mention: the identity is
// never built. The image of a set of path edges quantifies the current copy of
// the written variables and moves the next copy into its place, one renaming that
// keeps the order of the levels and is the same for all edges.
//
// # The solver
//
// The worklist algorithm of Reps, Horwitz and Sagiv, generalised as in seed 001,
// section 3.1. Each node has its path edges and those of them that are not
// propagated yet, the frontier; only the frontier is propagated. New path edges of
// an exit node make an increment of the summary of the procedure, which is lifted
// to each call that has been reached, increment by increment.
//
// # Semantics
//
// Globals are arbitrary when the program starts; locals and results that are not
// set are arbitrary at every call; a clause "enforce" holds in every state at
// every node of its procedure, at its entry and right after a call has returned
// included, but not inside the callees. It is conjoined to a set of states as soon
// as the set is made and before anything is projected from it.
//
// # Traces
//
// A trace is hierarchical: a call counts one step when it is taken by its summary.
// Traces are the shortest in this measure: a second pass, made only when a trace
// is wanted, partitions the path edges into rings by the length of the shortest
// hierarchical trajectory (seed 001, section 3.2). A summarised call is expanded on
// demand ([Trace.Expand]). Before a trace is handed out, an interpreter that
// shares nothing with the decision diagrams executes it, each summary edge used on
// it once; a trace that it cannot execute is an internal error.
//
// The example of this package shows a trace and the inside of one of its calls.
package symbolic
