package symbolic

import "slices"

// This file defines the weak topological order in which the nodes of a procedure are
// served (Bourdoncle 1993): every loop is a consecutive stretch of it that begins with
// the loop's head, so with the first node of the order that has work, inner loops are
// stable before outer loops go round again, and what follows a loop waits for it.

// weakOrder lists the nodes reachable from the root in a weak topological order. It
// recurses once per level of loop nesting.
func weakOrder(n, root int, succ func(int) []int) []int {
	w := &weak{succ: succ, inside: make([]int, n), index: make([]int, n), low: make([]int, n), onStack: make([]bool, n)}
	w.component(root, 1)
	slices.Reverse(w.out)
	return w.out
}

// weak is the state of a computation: Tarjan's strongly connected components, again
// within each of them without its head.
type weak struct {
	succ    func(int) []int
	inside  []int // by node: how deep the innermost loop found so far is that it is in
	index   []int // by node: when it was met in the present search; 0 is not yet
	low     []int
	onStack []bool
	clock   int
	out     []int // in reverse
}

// component appends, in reverse order, the nodes that are reached from root without
// leaving the nodes at least depth-1 deep.
func (w *weak) component(root, depth int) {
	type frame struct{ node, next int }
	var stack []int
	enter := func(v int) frame {
		w.clock++
		w.index[v], w.low[v] = w.clock, w.clock
		w.onStack[v] = true
		stack = append(stack, v)
		return frame{v, 0}
	}
	frames := []frame{enter(root)}
	for len(frames) > 0 {
		top := &frames[len(frames)-1]
		v := top.node
		if out := w.succ(v); top.next < len(out) {
			u := out[top.next]
			top.next++
			switch {
			case w.inside[u] != depth-1:
			case w.index[u] == 0:
				frames = append(frames, enter(u))
			case w.onStack[u]:
				w.low[v] = min(w.low[v], w.index[u])
			}
			continue
		}
		frames = frames[:len(frames)-1]
		if len(frames) > 0 {
			p := frames[len(frames)-1].node
			w.low[p] = min(w.low[p], w.low[v])
		}
		if w.low[v] != w.index[v] {
			continue
		}
		at := len(stack) - 1
		for stack[at] != v {
			at--
		}
		members := slices.Clone(stack[at:])
		stack = stack[:at]
		w.close(v, members, depth)
	}
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
