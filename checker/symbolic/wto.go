package symbolic

import "slices"

// This file defines the weak topological order in which the nodes of a procedure are
// served (Bourdoncle 1993): every loop is a consecutive stretch of it that begins with
// the loop's head, so with the first node of the order that has work, inner loops are
// stable before outer loops go round again, and what follows a loop waits for it.

// weakOrder lists the nodes reachable from the root in a weak topological order. It
// recurses once per level of loop nesting.
func weakOrder(n, root int, succ func(int) []int) []int { return newWeak(n).order(n, root, succ) }

// weak is the state of a computation: Tarjan's strongly connected components, again
// within each of them without its head. It can be used for one graph after the other.
type weak struct {
	succ    func(int) []int
	inside  []int // by node: how deep the innermost loop found so far is that it is in
	index   []int // by node: when it was met in the present search; 0 is not yet
	low     []int
	onStack []bool
	clock   int
	out     []int // in reverse

	frames  []frame // of the searches under way, inner ones behind outer ones
	stack   []int   // likewise: the nodes that are not in a component yet
	members []int   // likewise: of the components that are being closed
}

// frame is a node and how many of its successors were followed.
type frame struct{ node, next int }

// newWeak is for graphs of at most n nodes.
func newWeak(n int) *weak {
	return &weak{inside: make([]int, n), index: make([]int, n), low: make([]int, n), onStack: make([]bool, n)}
}

// order is weakOrder. The list is good until the next call.
func (w *weak) order(n, root int, succ func(int) []int) []int {
	w.succ, w.clock, w.out = succ, 0, w.out[:0]
	w.inside, w.index, w.low, w.onStack = w.inside[:n], w.index[:n], w.low[:n], w.onStack[:n]
	clear(w.inside)
	clear(w.index)
	w.component(root, 1)
	slices.Reverse(w.out)
	return w.out
}

// component appends, in reverse order, the nodes that are reached from root without
// leaving the nodes at least depth-1 deep.
func (w *weak) component(root, depth int) {
	outer := len(w.frames) // those below are of outer searches
	w.enter(root)
	for len(w.frames) > outer {
		top := &w.frames[len(w.frames)-1]
		v := top.node
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

// enter begins with node v.
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

// close appends a strongly connected component with head v, its inner loops in their
// order.
func (w *weak) close(v int, members []int, depth int) {
	for _, u := range members {
		w.onStack[u] = false
		w.inside[u] = depth
		w.index[u] = 0
	}
	w.inside[v] = depth + len(w.inside) // out of the way of what follows
	if len(members) > 1 {
		for _, u := range w.succ(v) {
			if w.inside[u] == depth && w.index[u] == 0 {
				w.component(u, depth+1)
			}
		}
	}
	for _, u := range members {
		w.inside[u] = 2 * len(w.inside) // done
	}
	w.out = append(w.out, v)
}
