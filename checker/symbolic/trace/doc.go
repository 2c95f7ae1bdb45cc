// Package trace finds hierarchical traces in the solutions of package symbolic: the second pass of
// Bebop (Ball–Rajamani 2000, §3.2).
//
//	rings.go         the partition of path edges into trace layers (BFS rings) by distance
//	looprounds.go    layers by loop rounds, for large programs
//	path.go          a concrete path, read off the rings backwards
//	state.go         trace states, of which a path consists
//	expand.go        summary edges as pairs of valuations, and the path inside one
//	dontcare.go      values on a path that do not matter, shown as "*"
//	trace.go         Finder, Trace: paths as the user sees them
//	replay.go        the replayer, which executes every trace before it is handed out
//	execute.go       the replayer's statements
//	executecall.go   the replayer's calls
//
// # From path edges to a trace
//
// The solver says that a node is reachable, not how. A Finder searches the solution once more,
// breadth first: ring d of a node is the set of path edges that a shortest hierarchical trajectory
// of d steps reaches, where a call that is stepped over by its summary counts one step. For
//
//	void main() begin g := *; f(); if (g) then L: skip; fi end
//
// the rings up to L are
//
//	ring 0   g := *          the entry of main
//	ring 1   f()
//	ring 2   if (g)          over the call; the entry of f
//	ring 3   L: skip
//
// A path is read off backwards: from a state of the last ring to a predecessor in the ring before,
// found as a satisfying valuation of ring & relation & successor. It is a list of trace states, which
// give a value to every variable that its node tracks. Values that the engine has forgotten are
// recomputed from the steps before, and values that do not matter are found and shown as "*".
//
// # Calls
//
// A call on a path is entered, if the path ends inside, or stepped over. The inside of a call that
// was stepped over is searched when Expand asks for it: with rings within the procedure only, and
// with those summaries that the solver had found before the one to be explained. So an explanation
// never needs itself, and full expansion ends, after 2^N steps perhaps.
//
// # Large programs
//
// With Options.FewRounds, distance counts loop rounds and entered calls in place of steps. There are
// few rings then, and each is found by one pass over the nodes in weak topological order. The
// traces are not the shortest, but go round each loop as rarely as possible.
//
// # What the replayer shares
//
// The replayer uses no decision diagrams and no relations. It takes from the engine the control-flow
// graph, the numbering of variables, the live variables of each node and the MOD sets. It evaluates
// expressions with package bpexec, which is also the oracle that the tests compare the engine with
// (agree_test.go of package symbolic): an error in bpexec.Eval could escape both. Package refexec,
// which evaluates by itself, checks bpexec.
package trace
