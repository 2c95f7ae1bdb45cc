package alias

// This file defines two small tools: the strongly connected components of a
// graph, and sets of small integers.

// components returns the strongly connected components of the graph over nodes,
// successors before predecessors (Tarjan 1972). It keeps its own stack, as call
// chains can be as long as the program.
func components[N comparable](nodes []N, successors func(N) []N) [][]N {
	t := tarjan[N]{successors: successors, index: map[N]int{}, low: map[N]int{}}
	for _, n := range nodes {
		if t.index[n] == 0 {
			t.search(n)
		}
	}
	return t.out
}

type tarjan[N comparable] struct {
	successors func(N) []N
	index      map[N]int  // order of discovery, from 1
	low        map[N]int  // least index known to be reachable; 0 once in out
	open       []N        // discovered, not yet in out
	path       []visit[N] // from the root of the search to the present node
	out        [][]N
}

type visit[N comparable] struct {
	node N
	todo []N // successors not yet looked at
}

// search explores everything reachable from root.
func (t *tarjan[N]) search(root N) {
	t.enter(root)
	for len(t.path) > 0 {
		top := &t.path[len(t.path)-1]
		if len(top.todo) == 0 {
			t.leave()
			continue
		}
		next := top.todo[0]
		top.todo = top.todo[1:]
		if t.index[next] == 0 {
			t.enter(next)
		} else if t.low[next] != 0 {
			t.low[top.node] = min(t.low[top.node], t.index[next])
		}
	}
}

func (t *tarjan[N]) enter(n N) {
	t.index[n] = len(t.index) + 1
	t.low[n] = t.index[n]
	t.open = append(t.open, n)
	t.path = append(t.path, visit[N]{n, t.successors(n)})
}

// leave ends the visit of the last node of the path and emits its component if
// it was the first of it to be found.
func (t *tarjan[N]) leave() {
	n := t.path[len(t.path)-1].node
	t.path = t.path[:len(t.path)-1]
	if len(t.path) > 0 {
		parent := t.path[len(t.path)-1].node
		t.low[parent] = min(t.low[parent], t.low[n])
	}
	if t.low[n] != t.index[n] {
		return
	}
	first := len(t.open) - 1
	for t.open[first] != n {
		first--
	}
	component := append([]N(nil), t.open[first:]...)
	t.open = t.open[:first]
	for _, m := range component {
		t.low[m] = 0
	}
	t.out = append(t.out, component)
}

// bitset is a set of small non-negative integers.
type bitset []uint64

func (b *bitset) set(i int) {
	for i/64 >= len(*b) {
		*b = append(*b, 0)
	}
	(*b)[i/64] |= 1 << (i % 64)
}

func (b bitset) clear(i int) {
	if i/64 < len(b) {
		b[i/64] &^= 1 << (i % 64)
	}
}

func (b bitset) has(i int) bool { return i/64 < len(b) && b[i/64]>>(i%64)&1 != 0 }

func (b *bitset) union(other bitset) {
	for len(*b) < len(other) {
		*b = append(*b, 0)
	}
	for i, w := range other {
		(*b)[i] |= w
	}
}
