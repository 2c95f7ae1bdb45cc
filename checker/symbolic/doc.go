// Package symbolic is Bebop (Ball–Rajamani 2000): it decides which nodes of a Boolean
// program, recursive or not, are reachable, and which assertions can fail.
// Control is explicit (a boolprog.Graph), data is in decision diagrams (package
// checker/bdd).
//
// What it is not: it knows no references (package checker/explicit does), it does
// not choose what to check, and it words no verdict; package checker does both.
//
// # Phases
//
//	flow/          numbers of variables and nodes, values read and written, calls, MOD sets
//	varorder/      the order of the BDD variables: hyperedges, FORCE, reuse of an order
//	live.go        live variables (live_sets.go, live_solve.go)
//	proc.go        static facts about procedures
//	encode.go      expressions as sets of states
//	transfer.go    edges and calls as relations
//	solve.go       the worklist algorithm: path edges and summaries
//	space.go       decision diagrams, GC roots, reordering
//	abort.go       cancellation, limits, broken invariants
//	valuations.go  the solution of a node as formulas (formula.go)
//	trace/         hierarchical traces: trace layers (BFS rings), paths, replay
//
// A [Solution] is the result. It exports the relations and summaries that package trace reads
// paths off; the other users need only its methods that take a [Point].
//
// # Copies of a variable
//
// Every variable has three adjacent levels (varorder.Layout): its value at the entry of
// the procedure, its current value, and its next value. Local variables of
// different procedures share levels, slot by slot, so the number of levels is that
// of the largest procedure and not that of the program. The three levels move as one when
// the order of the variables is chosen (varorder.Force), which decides the cost of a diagram: two
// numbers of k bits are equal in 3k nodes if the bits alternate, and in more than 2^k if
// one number follows the other. Relations that the statements do not show (a bit
// copied through a temporary, a branch or a call) make the diagrams grow: then they
// are sifted ([bdd.Manager.Reorder]), which seldom happens.
//
//	object                            over
//	path edges of a node              entry (inputs that may change) × current (live variables)
//	relation of an edge               current × next of the live variables it writes
//	summary of a procedure            current of the globals it reads × next of those it writes,
//	                                  entry of its parameters, current of its results
//	summary at a call                 current × next of what the call writes
//
// The relation of an edge does not mention variables that it does not write: the identity
// is never built. The image of a set of path edges quantifies the current copy of
// the written variables and of those that die, and moves the next copy into the place
// of the former, one renaming that keeps the order of the levels and is the same for
// all edges.
//
// # Facts by node
//
// Nodes are numbered through all procedures, and facts about them lie in slices by
// that number: flows, live sets, path edges, edges. Programs have as many nodes as
// statements; a map or an allocation for each of them takes longer than the decision
// diagrams do.
//
// # Forgotten variables
//
// Path edges are over the variables that are live (live.go): a value that nothing
// depends on any more is forgotten. So the inputs of a procedure, whose entry copies
// its path edges remember, are the globals and parameters it may read before it writes
// them, and its outputs are those that its callers may read; other globals occur neither in
// its path edges nor in its summaries: these are the patterns and effects of Zing
// (Andrews et al. 2004, §3.2). An input that the procedure cannot modify has no entry copy: its
// current copy is kept to the exit. Forgotten variables are arbitrary in [Solution.Valuations].
// Traces show the values that follow from the steps before.
//
// # The solver
//
// The worklist algorithm of Reps–Horwitz–Sagiv 1995, generalised as in Ball–Rajamani 2000,
// §3.1. Each node has its path edges and those of them that are not
// propagated yet, the frontier; only the frontier is propagated. New path edges of
// an exit node make an increment of the summary of the procedure, which is lifted
// to each call that has been reached, increment by increment. Inner loops are stable
// before outer ones iterate again (flow.Schedule).
//
// # Semantics
//
// Globals are arbitrary when the program starts; locals and results that are not
// set are arbitrary at every call; a clause "enforce" holds in every state at
// every node of its procedure, at its entry and right after a call has returned
// included, but not inside the callees. A conjunct of it is conjoined to a set of
// states as soon as the set is made by a statement that writes one of its variables,
// all of which are live there: nothing that it is about has been projected before.
//
// # Traces
//
// A trace is hierarchical: a call counts one step when it is taken by its summary.
// Traces are the shortest in this measure: a second pass (package trace), made only when a
// trace is wanted, partitions the path edges into rings by the length of the shortest
// hierarchical trajectory (Ball–Rajamani 2000, §3.2). A summarised call is expanded on
// demand. Before a trace is handed out, an interpreter that shares nothing with the decision
// diagrams executes it, each summary edge used on it once; a trace that it cannot execute is
// an internal error. The example of package trace shows a trace and the inside of one of its
// calls.
//
// # The oracle
//
// The tests compare the engine with brute force, package bpexec. The replayer evaluates
// expressions with that package, too; see package trace.
package symbolic
