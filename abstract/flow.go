package abstract

import (
	"slices"

	"c2bp/frontend/core"
	"c2bp/internal/graph"
)

// This file computes the facts about a graph that shape needs: predecessors, immediate
// postdominators, and the branches that are heads of loops. An edge is retreating if it leads to a
// node that is not later in reverse postorder.

// flow is the control flow of a procedure.
type flow struct {
	proc  *core.Proc
	preds [][]int
	ipdom []int // immediate postdominator, none where the exit is not reached
	order []int // position in a reverse postorder from the entry; none if unreachable
}

// newFlow computes the flow of p.
func newFlow(p *core.Proc) *flow {
	f := &flow{proc: p, preds: make([][]int, len(p.Nodes))}
	succ := func(n int) []int { return p.Nodes[n].Succ }
	// 1. Order the nodes, and collect predecessors among those that are reached.
	rpo := graph.ReversePostorder(len(p.Nodes), 0, succ)
	f.order = make([]int, len(p.Nodes))
	for i := range f.order {
		f.order[i] = none
	}
	for i, n := range rpo {
		f.order[n] = i
		for _, m := range p.Nodes[n].Succ {
			f.preds[m] = append(f.preds[m], n)
		}
	}
	// 2. Postdominators are dominators of the reversed graph.
	pred := func(n int) []int { return f.preds[n] }
	f.ipdom = graph.Dominators(len(p.Nodes), p.Exit(), pred, succ)
	return f
}

// onlyPred reports whether a, a node with one successor, is entered from n alone.
func (f *flow) onlyPred(a, n int) bool {
	return len(f.preds[a]) == 1 && f.preds[a][0] == n && len(f.proc.Nodes[a].Succ) == 1
}

// while recognises a two-way branch at the head of a loop: the body arm leads back to n without
// passing the exit arm, and the exit arm does not lead into the body.
func (f *flow) while(n int) (body, exit int, ok bool) {
	succ := f.proc.Nodes[n].Succ
	if len(succ) != 2 {
		return 0, 0, false
	}
	// One arm is in the loop and the other is not.
	loop := f.naturalLoop(n)
	in0, in1 := loop[succ[0]], loop[succ[1]]
	switch {
	case in0 && !in1:
		return succ[0], succ[1], true
	case in1 && !in0:
		return succ[1], succ[0], true
	}
	return 0, 0, false
}

// Loops lists the loops of a procedure, heads included, as sets of nodes: one for each node that a
// retreating edge leads to.
func Loops(p *core.Proc) (loops []map[int]bool) {
	f := newFlow(p)
	for head := range p.Nodes {
		if body := f.naturalLoop(head); len(body) > 0 || slices.Contains(p.Nodes[head].Succ, head) {
			body[head] = true
			loops = append(loops, body)
		}
	}
	return loops
}

// naturalLoop returns the set of nodes that reach a retreating edge into n without going through n;
// it is empty if there is no such edge.
func (f *flow) naturalLoop(n int) map[int]bool {
	loop := map[int]bool{}
	var stack []int
	// 1. Start from the retreating edges.
	for _, p := range f.preds[n] {
		if f.order[p] >= f.order[n] {
			stack = append(stack, p)
		}
	}
	// 2. Go back to nodes that come after n in the order.
	for len(stack) > 0 {
		m := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if m == n || loop[m] || f.order[m] < f.order[n] {
			continue
		}
		loop[m] = true
		stack = append(stack, f.preds[m]...)
	}
	return loop
}
