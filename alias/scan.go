package alias

// This file finds the cycles of the constraint graph (Tarjan 1972), on arrays and
// with a stack of its own, as chains of copies can be as long as the program.

// scan is a depth-first search. components[i] is the end in done of component i;
// successors come before predecessors.
type scan struct {
	index      []int32 // order of discovery, from 1
	low        []int32 // least index known to be reachable; 0 once in done
	open, done []int32
	components []int32
	path       []step
	count      int32
}

type step struct {
	vertex int32
	next   int32 // position in the successors
}

func newScan(size int) *scan {
	return &scan{index: make([]int32, size), low: make([]int32, size)}
}

func (t *scan) enter(n int32) {
	t.count++
	t.index[n], t.low[n] = t.count, t.count
	t.open = append(t.open, n)
	t.path = append(t.path, step{vertex: n})
}

func (t *scan) search(s *solver, root int32) {
	t.enter(root)
	for len(t.path) > 0 {
		top := &t.path[len(t.path)-1]
		succ := s.vertices[top.vertex].succ
		if int(top.next) == len(succ) {
			t.leave()
			continue
		}
		m := succ[top.next]
		top.next++
		if t.index[m] == 0 {
			t.enter(m)
		} else if t.low[m] != 0 {
			t.low[top.vertex] = min(t.low[top.vertex], t.index[m])
		}
	}
}

// leave ends the visit of the last vertex of the path, and emits its component if
// that is complete.
func (t *scan) leave() {
	n := t.path[len(t.path)-1].vertex
	t.path = t.path[:len(t.path)-1]
	if len(t.path) > 0 {
		parent := t.path[len(t.path)-1].vertex
		t.low[parent] = min(t.low[parent], t.low[n])
	}
	if t.low[n] != t.index[n] {
		return
	}
	for {
		m := t.open[len(t.open)-1]
		t.open = t.open[:len(t.open)-1]
		t.low[m] = 0
		t.done = append(t.done, m)
		if m == n {
			break
		}
	}
	t.components = append(t.components, int32(len(t.done)))
}
