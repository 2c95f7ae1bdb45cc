package flow

import "slices"

// This file computes the weak topological order in which the nodes of a procedure are served
// (Bourdoncle 1993). Every loop is a consecutive segment of the order that begins with the loop
// head. Serving the first node with work therefore makes inner loops stable before outer loops
// iterate again, and the code after a loop waits for the loop.

// weakOrder lists the nodes reachable from root in a weak topological order. It recurses once per
// level of loop nesting.
func weakOrder(n, root int, succ func(int) []int) []int { return newWeak(n).order(n, root, succ) }

// weak is the state of the computation: Tarjan's strongly connected components, computed again
// within each component without its head. It can be reused for other graphs.
type weak struct {
	succ    func(int) []int
	inside  []int // by node: depth of the innermost loop found so far that contains it
	index   []int // by node: time of its discovery in the present search; 0 is not yet
	low     []int // by node: lowest index of a node on the stack that it reaches; see Tarjan 1972
	onStack []bool
	clock   int
	out     []int // the order, reversed

	frames  []frame // depth-first stacks of the searches under way, inner ones after outer ones
	stack   []int   // likewise: nodes that are not in a component yet
	members []int   // likewise: members of the components that are being closed
}

// frame is a node of a depth-first search and the number of its successors that were followed.
type frame struct{ node, next int }

// newWeak returns a state for graphs of at most n nodes.
func newWeak(n int) *weak {
	return &weak{inside: make([]int, n), index: make([]int, n), low: make([]int, n), onStack: make([]bool, n)}
}

// order returns the weak order of a graph like weakOrder. The slice is valid until the next call.
func (w *weak) order(n, root int, succ func(int) []int) []int {
	w.succ, w.clock, w.out = succ, 0, w.out[:0]
	w.inside, w.index, w.low, w.onStack = w.inside[:n], w.index[:n], w.low[:n], w.onStack[:n]
	clear(w.inside)
	clear(w.index)
	w.component(root, 1)
	slices.Reverse(w.out)
	return w.out
}

// component appends, in reverse order, the nodes that are reachable from root without leaving the
// nodes at depth-1 or deeper.
func (w *weak) component(root, depth int) {
	outer := len(w.frames) // those below are of outer searches
	w.enter(root)
	for len(w.frames) > outer {
		top := &w.frames[len(w.frames)-1]
		v := top.node
		// Follow the next successor. Only nodes of this search's region count: those at depth-1.
		if out := w.succ(v); top.next < len(out) {
			u := out[top.next]
			top.next++
			switch {
			case w.inside[u] != depth-1:
			case w.index[u] == 0:
				w.enter(u)
			case w.onStack[u]:
				w.low[v] = min(w.low[v], w.index[u])
			}
			continue
		}
		// All successors of v are followed: pass its low index to the parent, and close a component
		// if v is the head of one.
		w.frames = w.frames[:len(w.frames)-1]
		if len(w.frames) > outer {
			p := w.frames[len(w.frames)-1].node
			w.low[p] = min(w.low[p], w.low[v])
		}
		if w.low[v] == w.index[v] {
			w.cut(v, depth)
		}
	}
}

// enter discovers node v.
func (w *weak) enter(v int) {
	w.clock++
	w.index[v], w.low[v] = w.clock, w.clock
	w.onStack[v] = true
	w.stack = append(w.stack, v)
	w.frames = append(w.frames, frame{v, 0})
}

// cut takes the strongly connected component with head v off the stack and appends it.
func (w *weak) cut(v, depth int) {
	at := len(w.stack) - 1
	for w.stack[at] != v {
		at--
	}
	first := len(w.members)
	w.members = append(w.members, w.stack[at:]...)
	w.stack = w.stack[:at]
	w.close(v, w.members[first:], depth)
	w.members = w.members[:first]
}

// close appends a strongly connected component with head v; its inner loops are in weak order, too.
func (w *weak) close(v int, members []int, depth int) {
	// 1. Make the members a region of their own, one deeper, without the head.
	for _, u := range members {
		w.onStack[u] = false
		w.inside[u] = depth
		w.index[u] = 0
	}
	w.inside[v] = depth + len(w.inside) // out of the way of what follows
	// 2. Search that region from the head's successors: this finds the inner loops.
	if len(members) > 1 {
		for _, u := range w.succ(v) {
			if w.inside[u] == depth && w.index[u] == 0 {
				w.component(u, depth+1)
			}
		}
	}
	// 3. Take the members out of all regions. The head is appended last, since the order is
	// reversed.
	for _, u := range members {
		w.inside[u] = 2 * len(w.inside) // done
	}
	w.out = append(w.out, v)
}
