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
// # What the replayer shares
//
// The replayer uses no decision diagrams and no relations. It takes from the engine the control-flow
// graph, the numbering of variables, the live variables of each node and the MOD sets. It evaluates
// expressions with package bpexec, which is also the oracle that the tests compare the engine with
// (agree_test.go of package symbolic): an error in bpexec.Eval could escape both. Package refexec,
// which evaluates by itself, checks bpexec.
package trace
