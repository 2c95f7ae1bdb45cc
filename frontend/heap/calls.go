package heap

import (
	"c2bp/frontend/core"
	"c2bp/internal/graph"
)

// This file looks at the call graph.

// findRecursive finds the procedures that may have several activations at a time.
func (in *instrumenter) findRecursive() {
	// 1. The call graph. Calls through pointers are resolved, but for those that lead nowhere.
	index := map[*core.Proc]int{}
	roots := make([]int, len(in.prog.Procs))
	for i, q := range in.prog.Procs {
		index[q], roots[i] = i, i
	}
	callees := make([][]int, len(roots))
	for i, q := range in.prog.Procs {
		for _, n := range q.Nodes {
			if c, ok := n.Stmt.(*core.Call); ok && c.Callee != nil {
				callees[i] = append(callees[i], index[c.Callee])
				in.recursive[q] = in.recursive[q] || c.Callee == q
			}
		}
	}
	// 2. Its cycles.
	for _, component := range graph.Components(len(roots), roots, func(i int) []int { return callees[i] }) {
		for _, i := range component {
			q := in.prog.Procs[i]
			in.recursive[q] = in.recursive[q] || len(component) > 1
		}
	}
}
