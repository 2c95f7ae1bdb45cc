package symbolic

import (
	"slices"

	"c2bp/boolprog"
)

// This file defines the static facts about the control-flow and call graphs: the
// order in which the worklist is served, and which globals a call may modify.

// worklist is a set of node numbers that yields the one of highest priority:
// callees before callers, so that a summary is as complete as it gets before its
// callers go on, and within a procedure in a weak topological order (wto.go).
type worklist struct {
	rank []int32 // by node number; -1 if it is not reachable in the graph
	proc []int32 // by node number
	node []int32 // by rank
	heap []int32 // of ranks
}

func newWorklist(g *boolprog.Graph, calls *callGraph, reversePostorder bool) worklist {
	var w worklist
	first := make([]int, len(g.Procs))
	total, largest := 0, 0
	for i, p := range g.Procs {
		first[i] = total
		total += len(p.Nodes)
		largest = max(largest, len(p.Nodes))
	}
	w.rank, w.proc, w.node = make([]int32, total), make([]int32, total), make([]int32, 0, total)
	for i := range w.rank {
		w.rank[i] = -1
	}
	weak := newWeak(largest)
	for _, i := range calleesFirst(g, calls) {
		p := g.Procs[i]
		succ := func(v int) []int { return p.Nodes[v].Succ }
		var order []int
		if reversePostorder {
			order = postorder(len(p.Nodes), p.Entry, succ)
			slices.Reverse(order)
		} else {
			order = weak.order(len(p.Nodes), p.Entry, succ)
		}
		for _, v := range order {
			id := int32(first[i] + v)
			w.rank[id] = int32(len(w.node))
			w.proc[id] = int32(i)
			w.node = append(w.node, id)
		}
	}
	return w
}

// calleesFirst lists the procedures that main calls, directly or not, each after
// its callees but for recursion.
func calleesFirst(g *boolprog.Graph, calls *callGraph) []int {
	return postorder(len(g.Procs), g.Main.Index, calls.callees.of)
}

// postorder lists the nodes reachable from the root in the order in which a
// depth-first search leaves them. It keeps its own stack.
func postorder[number int | int32](n, root int, succ func(int) []number) []int {
	var order []int
	seen := make([]bool, n)
	seen[root] = true
	stack := []frame{{root, 0}}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if out := succ(top.node); top.next < len(out) {
			w := int(out[top.next])
			top.next++
			if !seen[w] {
				seen[w] = true
				stack = append(stack, frame{w, 0})
			}
			continue
		}
		order = append(order, top.node)
		stack = stack[:len(stack)-1]
	}
	return order
}

// byProc is the reachable nodes of each procedure, in their order; procedures that are
// not called have none.
func (w *worklist) byProc(procs int) [][]int32 {
	out := make([][]int32, procs)
	for from := 0; from < len(w.node); {
		to := from + 1
		for to < len(w.node) && w.proc[w.node[to]] == w.proc[w.node[from]] {
			to++
		}
		out[w.proc[w.node[from]]] = w.node[from:to]
		from = to
	}
	return out
}

// heads tells, by node number, to which nodes control goes back in the order; first is
// the number of the first node of each procedure.
func (w *worklist) heads(g *boolprog.Graph, first []int) []bool {
	heads := make([]bool, len(w.rank))
	for _, id := range w.node {
		i := w.proc[id]
		for _, v := range g.Procs[i].Nodes[int(id)-first[i]].Succ {
			if to := first[i] + v; w.rank[to] <= w.rank[id] {
				heads[to] = true
			}
		}
	}
	return heads
}

func (w *worklist) empty() bool { return len(w.heap) == 0 }

// push adds a node that is not in the list.
func (w *worklist) push(id int) {
	h := append(w.heap, w.rank[id])
	i := len(h) - 1
	for i > 0 && h[(i-1)/2] > h[i] {
		h[(i-1)/2], h[i] = h[i], h[(i-1)/2]
		i = (i - 1) / 2
	}
	w.heap = h
}

func (w *worklist) pop() int {
	h := w.heap
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
	return int(w.node[top])
}

// modified computes for each procedure the globals that it, or a procedure it
// calls directly or not, may modify (Ball–Rajamani 2000, §3.3: mod sets), as groups. The
// tests leave out the indirect part on purpose.
func modified(g *boolprog.Graph, calls *callGraph, lay *layout, f *flows, transitive bool) []bitset {
	mods := make([]bitset, len(g.Procs))
	words := (lay.groups() + 63) / 64
	sets := make(bitset, words*len(g.Procs))
	var work []int
	queued := make([]bool, len(g.Procs))
	id := 0
	for i, p := range g.Procs {
		mods[i] = sets[i*words : (i+1)*words]
		for range p.Nodes {
			for _, x := range f.at(id) {
				if t := group(x.target); x.kind == stored && t != noGroup && lay.isGlobal(t) {
					mods[i].add(int(t))
				}
			}
			id++
		}
		work, queued[i] = append(work, i), true
	}
	for transitive && len(work) > 0 {
		i := work[len(work)-1]
		work, queued[i] = work[:len(work)-1], false
		for _, c := range calls.callers.of(i) {
			if mods[c].union(mods[i]) && !queued[c] {
				work, queued[c] = append(work, int(c)), true
			}
		}
	}
	return mods
}
