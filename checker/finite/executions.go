package finite

import (
	"slices"

	"c2bp/boolprog"
	"c2bp/internal/graph"
)

// This file bounds how often nodes are executed.

// unbounded is a number of executions without a known bound; sums of numbers stay below or at it.
const unbounded = 1 << 20

// executions returns, by procedure and node, how often the node is executed at most in a run: 0 if control
// never reaches it, unbounded in loops and recursion.
func executions(g *boolprog.Graph) [][]int {
	// 1. Within one activation: once, or any number of times in a cycle.
	nodes := make([][]int, len(g.Procs))
	callees := make([][]int, len(g.Procs))
	for i, p := range g.Procs {
		nodes[i] = once(p)
		for v, n := range p.Nodes {
			if n.Kind == boolprog.NodeCall && nodes[i][v] > 0 {
				callees[i] = append(callees[i], n.Callee.Index)
			}
		}
	}
	// 2. Count activations, callers first.
	calls := make([]int, len(g.Procs))
	calls[g.Main.Index] = 1
	components := graph.Components(len(g.Procs), []int{g.Main.Index}, func(i int) []int { return callees[i] })
	for _, c := range slices.Backward(components) {
		for _, i := range c {
			if len(c) > 1 || slices.Contains(callees[i], i) {
				calls[i] = unbounded
			}
		}
		for _, i := range c {
			for v, n := range g.Procs[i].Nodes {
				nodes[i][v] = times(nodes[i][v], calls[i])
				if n.Kind == boolprog.NodeCall {
					calls[n.Callee.Index] = min(unbounded, calls[n.Callee.Index]+nodes[i][v])
				}
			}
		}
	}
	// 3. Procedures that are never called.
	for i := range nodes {
		if calls[i] == 0 {
			clear(nodes[i])
		}
	}
	return nodes
}

// once returns how often one activation of p executes each node.
func once(p *boolprog.ProcGraph) []int {
	count := make([]int, len(p.Nodes))
	succ := func(v int) []int { return p.Nodes[v].Succ }
	for _, c := range graph.Components(len(p.Nodes), []int{p.Entry}, succ) {
		for _, v := range c {
			count[v] = 1
			if len(c) > 1 || slices.Contains(succ(v), v) {
				count[v] = unbounded
			}
		}
	}
	return count
}

// times multiplies two numbers of executions.
func times(a, b int) int { return min(unbounded, min(unbounded, a)*min(unbounded, b)) }
