package alias

import "slices"

// This file defines the constraint graph and how it is solved. A vertex holds a set
// of addresses: what a variable, a cell of memory or an intermediate value may be.
// An edge says that the set of its end includes that of its start. A rule says what
// is to be done for each address in a vertex: another edge for a load or store, a
// displaced address for pointer arithmetic, a procedure bound to a call.

// vertex is a node of the constraint graph. Addresses are numbers, see
// solver.address.
type vertex struct {
	set   []int32 // addresses that were passed on
	fresh []int32 // addresses that were not yet; disjoint from set
	succ  []int32 // with repetitions and merged vertices, until tidied
	rules []rule
	order int32 // position in the order of propagation
	ready bool  // in the present or the next queue
}

// rule is a constraint that depends on the addresses in a vertex.
type rule struct {
	kind        ruleKind
	other       int32 // a vertex; an index for the rules on calls
	off, stride int64 // of the place meant, from the address; in bytes
	bit, bits   int64 // further to the cell meant, in bits
}

type ruleKind uint8

const (
	loadRule   ruleKind = iota // other includes the contents of the cell
	storeRule                  // the cell includes other
	moveRule                   // other includes the displaced address; bit: how
	sourceRule                 // copy the cell to object other
	destRule                   // copy object other to the cell
	escapeRule                 // the object escapes
	callRule                   // bind the procedure to call other
)

// newVertex adds a vertex without addresses.
func (s *solver) newVertex() int32 {
	if len(s.spare) == 0 {
		s.spare = make([]vertex, 1024)
	}
	v := &s.spare[0]
	s.spare = s.spare[1:]
	n := int32(len(s.vertices))
	v.order = n
	s.vertices = append(s.vertices, v)
	s.parent = append(s.parent, n)
	return n
}

// find is the vertex that n has been merged into.
func (s *solver) find(n int32) int32 {
	for s.parent[n] != n {
		s.parent[n] = s.parent[s.parent[n]]
		n = s.parent[n]
	}
	return n
}

// edge lets everything in a flow to b.
func (s *solver) edge(a, b int32) {
	a, b = s.find(a), s.find(b)
	if a == b {
		return
	}
	v := s.vertices[a]
	v.succ = append(v.succ, b)
	s.edges++
	s.pour(v.set, b)
}

// pour adds the sorted list to vertex n, which must not be merged.
func (s *solver) pour(list []int32, n int32) {
	v := s.vertices[n]
	s.scratch = minus(s.scratch[:0], list, v.set)
	if len(s.scratch) == 0 {
		return
	}
	v.fresh = union(v.fresh, s.scratch)
	s.wake(n)
}

// insert adds one address to vertex n.
func (s *solver) insert(a int32, n int32) {
	one := [1]int32{a}
	s.pour(one[:], s.find(n))
}

// rule adds a rule to vertex n.
func (s *solver) rule(n int32, r rule) {
	n = s.find(n)
	v := s.vertices[n]
	v.rules = append(v.rules, r)
	if len(v.set) > 0 {
		s.apply(r, v.set)
	}
}

// wake puts n into a queue. What lies behind in the order of propagation is done in
// this round, the rest in the next.
func (s *solver) wake(n int32) {
	v := s.vertices[n]
	if v.ready {
		return
	}
	v.ready = true
	if v.order > s.position {
		s.now.push(queued{v.order, n})
	} else {
		s.next = append(s.next, n)
	}
}

// solve propagates addresses until nothing changes: rounds in topological order,
// with cycles of edges merged into one vertex between rounds when enough edges are
// new ("wave propagation", Pereira and Berlin 2009).
func (s *solver) solve() {
	for {
		if s.edges > s.tidied+s.tidied/16 {
			s.mergeCycles()
			s.tidied = s.edges
		}
		s.position = -1
		list := s.next
		s.next = nil
		for _, n := range list {
			s.vertices[n].ready = false
			if n = s.find(n); len(s.vertices[n].fresh) > 0 {
				s.wake(n)
			}
		}
		if s.now.empty() {
			return
		}
		for !s.now.empty() {
			q := s.now.pop()
			s.position = q.order
			s.visit(q.vertex)
		}
	}
}

// visit passes the fresh addresses of n on.
func (s *solver) visit(n int32) {
	v := s.vertices[n]
	v.ready = false
	fresh := v.fresh
	v.fresh = nil
	v.set = union(v.set, fresh)
	for _, m := range v.succ {
		if m = s.find(m); m != n {
			s.pour(fresh, m)
		}
	}
	for i := 0; i < len(v.rules); i++ { // applying one may add more
		s.apply(v.rules[i], fresh)
	}
}

// mergeCycles merges the vertices of each cycle of edges and orders the vertices
// topologically.
func (s *solver) mergeCycles() {
	t := newScan(len(s.vertices))
	for n := range s.vertices {
		if s.parent[n] == int32(n) {
			s.tidy(int32(n))
		}
	}
	for n := range s.vertices {
		if s.parent[n] == int32(n) && t.index[n] == 0 {
			t.search(s, int32(n))
		}
	}
	order := int32(len(t.components))
	start := int32(0)
	for i, end := range t.components {
		list := t.done[start:end]
		n := slices.Min(list)
		for _, m := range list {
			if m != n {
				s.merge(m, n)
			}
		}
		s.vertices[n].order = order - int32(i)
		start = end
	}
	for n := range s.vertices {
		if s.parent[n] == int32(n) && len(s.vertices[n].fresh) > 0 && !s.vertices[n].ready {
			s.vertices[n].ready = true
			s.next = append(s.next, int32(n))
		}
	}
}

// tidy drops repeated edges of n and those to itself.
func (s *solver) tidy(n int32) {
	v := s.vertices[n]
	if len(v.succ) == 0 {
		return
	}
	out := v.succ[:0]
	for _, m := range v.succ {
		if m = s.find(m); m != n {
			out = append(out, m)
		}
	}
	slices.Sort(out)
	v.succ = slices.Compact(out)
}

// merge makes m a part of n. What only one of them had passed on is fresh again.
func (s *solver) merge(m, n int32) {
	v, w := s.vertices[n], s.vertices[m]
	all := union(union(v.set, v.fresh), union(w.set, w.fresh))
	v.set = intersection(v.set, w.set)
	v.fresh = minus(nil, all, v.set)
	v.succ = append(v.succ, w.succ...)
	v.rules = append(v.rules, w.rules...)
	ready := w.ready
	*w = vertex{ready: ready}
	s.parent[m] = n
}

// queue is a binary heap of vertices by order.
type queue []queued

type queued struct {
	order, vertex int32
}

func (q queue) empty() bool { return len(q) == 0 }

func (q *queue) push(x queued) {
	h := append(*q, x)
	i := len(h) - 1
	for i > 0 && h[i].order < h[(i-1)/2].order {
		h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
		i = (i - 1) / 2
	}
	*q = h
}

func (q *queue) pop() queued {
	h := *q
	top := h[0]
	last := len(h) - 1
	h[0] = h[last]
	h = h[:last]
	for i := 0; ; {
		c := 2*i + 1
		if c >= last {
			break
		}
		if c+1 < last && h[c+1].order < h[c].order {
			c++
		}
		if h[i].order <= h[c].order {
			break
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
	*q = h
	return top
}
