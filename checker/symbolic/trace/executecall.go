package trace

import (
	"slices"

	"c2bp/boolprog"
	"c2bp/checker/symbolic/flow"
)

// This file executes calls for the replayer, entered or stepped over.

// replayCall executes a call that is entered or stepped over. The path inside is executed on its
// own; see replaySummary.
func (s *Finder) replayCall(m, after *traceState, n *boolprog.Node, changed []flow.Group) error {
	callee := s.Procs[n.Callee.Index]
	// 1. The inputs of the callee: those of the state entered, or of the summary edge.
	in := after.state
	if m.move == over {
		in = m.use.entry
		if m.use.callee != callee {
			return refuse(m, "the summary is another procedure's")
		}
	}
	for _, g := range s.Tracked(callee, callee.Graph.Entry) {
		i := int(g) - s.Layout.Globals
		switch {
		// Globals pass through unchanged; parameters get a possible value of their argument.
		case s.Layout.IsGlobal(g):
			if s.value(m, g) != in[g] {
				return refuse(m, "a global changes on the way into the call")
			}
		case i < len(n.Call.Args) && !s.stored(m, n.Call.Args[i], in[g]):
			return refuse(m, "argument %d cannot have this value", i+1)
		}
	}
	// 2. Control: to the callee's entry, or to the node after the call.
	if m.move == into {
		if after.proc != callee || after.node != callee.Graph.Entry {
			return refuse(m, "the call does not lead to the entry of the procedure called")
		}
		return nil
	}
	if after.proc != m.proc || after.node != n.Succ[0] {
		return refuse(m, "the call does not return to the statement behind it")
	}
	return s.replayReturn(m, after, n, changed)
}

// replayReturn compares the state after a call with the outputs of its summary edge.
func (s *Finder) replayReturn(m, after *traceState, n *boolprog.Node, changed []flow.Group) error {
	// 1. Globals get the callee's values, and then the targets its results.
	want := map[flow.Group]bool{}
	for _, g := range m.use.callee.Outputs {
		if s.Layout.IsGlobal(g) {
			want[g] = m.use.exit[g]
		}
	}
	for i, r := range n.Call.Lhs {
		if r.Name == "_" {
			continue
		}
		g := m.proc.Group(r)
		delete(want, g)
		if slices.Contains(m.use.callee.Outputs, s.Layout.Result(i)) {
			want[g] = m.use.exit[s.Layout.Result(i)]
		}
	}
	// 2. Compare the variables that the call may write, and those that it does not.
	for _, g := range s.Tracked(after.proc, after.node) {
		// Variables that the call cannot write are compared by unchanged.
		if !slices.Contains(changed, g) {
			continue
		}
		if val, known := want[g]; !known || val != after.state[g] {
			return refuse(m, "%s does not hold what the procedure returned", s.nameOf(m.proc, g))
		}
	}
	return s.unchanged(m, after, changed)
}
