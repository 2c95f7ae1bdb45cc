package symbolic

import (
	"slices"

	"c2bp/boolprog"
)

// This file defines how the replayer executes calls, entered or stepped over.

// replayCall enters a call or steps over it; what happens inside is executed
// elsewhere.
func (s *Solution) replayCall(m, after *moment, n *boolprog.Node, changed []group) error {
	callee := s.procs[n.Callee.Index]
	in := after.state
	if m.move == over {
		in = m.use.entry
		if m.use.callee != callee {
			return refuse(m, "the summary is another procedure's")
		}
	}
	for _, g := range s.tracked(callee, callee.graph.Entry) {
		i := int(g) - s.lay.globals
		switch {
		case s.lay.isGlobal(g):
			if s.value(m, g) != in[g] {
				return refuse(m, "a global changes on the way into the call")
			}
		case i < len(n.Call.Args) && !s.stored(m, n.Call.Args[i], in[g]):
			return refuse(m, "argument %d cannot have this value", i+1)
		}
	}
	if m.move == into {
		if after.proc != callee || after.node != callee.graph.Entry {
			return refuse(m, "the call does not lead to the entry of the procedure called")
		}
		return nil
	}
	if after.proc != m.proc || after.node != n.Succ[0] {
		return refuse(m, "the call does not return to the statement behind it")
	}
	return s.replayReturn(m, after, n, changed)
}

// replayReturn compares the state behind a call with the outputs of the callee.
func (s *Solution) replayReturn(m, after *moment, n *boolprog.Node, changed []group) error {
	want := map[group]bool{}
	for _, g := range m.use.callee.outputs {
		if s.lay.isGlobal(g) {
			want[g] = m.use.exit[g]
		}
	}
	for i, r := range n.Call.Lhs {
		if r.Name == "_" {
			continue
		}
		g := m.proc.enc.group(r)
		delete(want, g)
		if slices.Contains(m.use.callee.outputs, s.lay.result(i)) {
			want[g] = m.use.exit[s.lay.result(i)]
		}
	}
	for _, g := range s.tracked(after.proc, after.node) {
		if !slices.Contains(changed, g) {
			continue
		}
		if val, known := want[g]; !known || val != after.state[g] {
			return refuse(m, "%s does not hold what the procedure returned", s.nameOf(m.proc, g))
		}
	}
	return s.unchanged(m, after, changed)
}
