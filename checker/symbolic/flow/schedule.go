package flow

import (
	"c2bp/boolprog"
	"c2bp/internal/graph"
)

// This file defines the order in which the worklist serves nodes.

// Schedule is the order in which the nodes of a program are served: callees before callers, so that
// a summary is as complete as possible before its callers continue, and within a procedure in a
// weak topological order (wto.go).
type Schedule struct {
	Rank []int32 // by node number; -1 if it is not reachable in the graph
	Proc []int32 // by node number: its procedure
	Node []int32 // by rank: the node number
}

// Worklist is a set of node numbers. Pop takes out the first in the order of the schedule.
type Worklist struct {
	*Schedule
	heap []int32 // a binary heap of ranks
}

// NewSchedule computes the schedule of g. With reversePostorder, the nodes of a procedure are in
// reverse postorder instead.
func NewSchedule(g *boolprog.Graph, calls *CallGraph, reversePostorder bool) *Schedule {
	w := &Schedule{}
	first := make([]int, len(g.Procs))
	// 1. Number the nodes.
	total, largest := 0, 0
	for i, p := range g.Procs {
		first[i] = total
		total += len(p.Nodes)
		largest = max(largest, len(p.Nodes))
	}
	w.Rank, w.Proc, w.Node = make([]int32, total), make([]int32, total), make([]int32, 0, total)
	for i := range w.Rank {
		w.Rank[i] = -1
	}
	// 2. Append the nodes of each procedure, callees first.
	weak := newWeak(largest)
	for _, i := range calleesFirst(g, calls) {
		p := g.Procs[i]
		succ := func(v int) []int { return p.Nodes[v].Succ }
		var order []int
		if reversePostorder {
			order = graph.ReversePostorder(len(p.Nodes), p.Entry, succ)
		} else {
			order = weak.order(len(p.Nodes), p.Entry, succ)
		}
		for _, v := range order {
			id := int32(first[i] + v)
			w.Rank[id] = int32(len(w.Node))
			w.Proc[id] = i
			w.Node = append(w.Node, id)
		}
	}
	return w
}

// calleesFirst lists the procedures that main calls, directly or indirectly, callees before callers
// except in recursion.
func calleesFirst(g *boolprog.Graph, calls *CallGraph) []int32 {
	callees := func(p int32) []int32 { return calls.Callees.Of(int(p)) }
	return graph.Postorder(len(g.Procs), []int32{int32(g.Main.Index)}, callees)
}

// ByProc returns, by procedure, its reachable nodes in the order of the schedule; a procedure that
// is never called has none. The slices are shared.
func (w *Schedule) ByProc(procs int) [][]int32 {
	out := make([][]int32, procs)
	for from := 0; from < len(w.Node); {
		to := from + 1
		for to < len(w.Node) && w.Proc[w.Node[to]] == w.Proc[w.Node[from]] {
			to++
		}
		out[w.Proc[w.Node[from]]] = w.Node[from:to]
		from = to
	}
	return out
}

// Heads reports, by node number, which nodes are loop heads: targets of an edge that leads back in
// the order. first is the number of the first node of each procedure.
func (w *Schedule) Heads(g *boolprog.Graph, first []int) []bool {
	heads := make([]bool, len(w.Rank))
	for _, id := range w.Node {
		i := w.Proc[id]
		for _, v := range g.Procs[i].Nodes[int(id)-first[i]].Succ {
			if to := first[i] + v; w.Rank[to] <= w.Rank[id] {
				heads[to] = true
			}
		}
	}
	return heads
}

// Empty reports whether no node waits.
func (w *Worklist) Empty() bool { return len(w.heap) == 0 }

// Push adds a node that is not in the list.
func (w *Worklist) Push(id int) {
	h := append(w.heap, w.Rank[id])
	i := len(h) - 1
	// Sift up.
	for i > 0 && h[(i-1)/2] > h[i] {
		h[(i-1)/2], h[i] = h[i], h[(i-1)/2]
		i = (i - 1) / 2
	}
	w.heap = h
}

// Pop takes out the node of the lowest rank.
func (w *Worklist) Pop() int {
	h := w.heap
	// Move the last rank to the top and sift it down.
	top, last := h[0], len(h)-1
	h[0] = h[last]
	h = h[:last]
	for i := 0; ; {
		c := 2*i + 1
		if c+1 < last && h[c+1] < h[c] {
			c++
		}
		if c >= last || h[i] <= h[c] {
			break
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
	w.heap = h
	return int(w.Node[top])
}
