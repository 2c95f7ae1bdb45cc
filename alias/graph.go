package alias

import (
	"fmt"
	"slices"

	"c2bp/frontend/core"
)

// This file defines the constraint graph and solves it. A vertex holds a set of addresses: the
// values that a variable, a cell of memory or an intermediate expression may have. An edge says
// that the set of its end includes that of its start. A rule says what to do for each address in a
// vertex: add an edge for a load or store, displace the address for pointer arithmetic, bind a
// procedure to a call.

// vertex is a node of the constraint graph. It holds addresses by their indices in space.addresses.
type vertex struct {
	set   setID   // addresses that have been propagated
	fresh setID   // addresses that have not been yet; disjoint from set
	succ  []int32 // with repetitions and merged vertices, until tidied
	rules []rule
	order int32 // position in the order of propagation
	ready bool  // in the present or the next queue
}

// rule is a constraint that depends on the addresses in a vertex. For *(y + 8) := x, the vertex of
// y has a storeRule with off 8, bits 64 and x as the other vertex.
type rule struct {
	kind        ruleKind
	other       int32        // a vertex; an index for the rules on calls
	off, stride int64        // distance of the place from the address, in bytes
	count       int64        // of such distances at the stride, 0 of any number
	bit, bits   int64        // the cell from that place on, in bits
	from        int32        // of a load: the address that is read outside
	record      *core.Record // of a copy: the type of the object copied, if known
}

// ruleKind is a kind of rules; other is the field of that name. A rule is applied once to each address
// that comes to its vertex (apply.go).
type ruleKind uint8

const (
	loadRule    ruleKind = iota // other includes the contents of the cell
	storeRule                   // the cell includes other
	moveRule                    // other includes the displaced address; bit: how
	sourceRule                  // copy the cell to object other
	destRule                    // copy object other to the cell
	escapeRule                  // the object escapes
	callRule                    // bind the procedure to call other
	exposeRule                  // the object is exposed
	guessRule                   // if it is a number, pointer other may lead to what is exposed
	compareRule                 // if it was a number, what is in other is exposed
)

// newVertex adds a vertex without addresses.
func (s *constraintGraph) newVertex() int32 {
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

// find returns the vertex that n has been merged into, and halves the path to it.
func (s *constraintGraph) find(n int32) int32 {
	for s.parent[n] != n {
		s.parent[n] = s.parent[s.parent[n]]
		n = s.parent[n]
	}
	return n
}

// edge adds an edge from a to b, along which all addresses of a flow. Repeated edges are dropped
// only when cycles are merged (tidy).
func (s *solver) edge(a, b int32) {
	a, b = s.find(a), s.find(b)
	if a == b {
		return
	}
	v := s.vertices[a]
	// Addresses that a has propagated already are passed on at once.
	v.succ = append(v.succ, b)
	s.edges++
	s.pour(v.set, b)
}

// pour adds set to vertex n, which must not have been merged into another one.
func (s *solver) pour(set setID, n int32) {
	v := s.vertices[n]
	// Some may be fresh in n already; the union keeps them once.
	if set = s.sets.minus(set, v.set); set != 0 {
		v.fresh = s.sets.union(v.fresh, set)
		s.wake(n)
	}
}

// insert adds one address to vertex n.
func (s *solver) insert(a int32, n int32) { s.pour(s.sets.single(a), s.find(n)) }

// rule adds a rule to vertex n.
func (s *solver) rule(n int32, r rule) {
	n = s.find(n)
	if s.addRule(n, r) {
		s.apply(r, s.vertices[n].set)
	}
}

// wake puts n into a queue: that of this round if it comes later in the order of propagation, else
// that of the next.
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

// solve propagates addresses to the least fixpoint, in rounds in topological order. Between rounds
// it merges the cycles of edges, each into one vertex, when enough edges are new (wave propagation,
// Pereira–Berlin 2009).
func (s *solver) solve() {
	for {
		// 1. Merge vertices.
		s.rounds++
		if s.edges > s.tidied+s.tidied/16 && !s.plain {
			s.mergeCycles()
			s.merges++
			s.tidied = s.edges
		}
		s.mergeSame()
		// 2. Queue the vertices that got addresses since their turn in the last round.
		s.position = -1
		list := s.next
		s.next = nil
		for _, n := range list {
			s.vertices[n].ready = false
			if n = s.find(n); s.vertices[n].fresh != 0 {
				s.wake(n)
			}
		}
		if s.now.empty() && len(s.same) == 0 {
			return
		}
		// 3. Propagate in topological order.
		for !s.now.empty() {
			q := s.now.pop()
			s.position = q.order
			s.visit(q.vertex)
		}
	}
}

// release frees everything that only solving needs: edges, rules, and the tables by which vertices
// are found again.
func (s *solver) release() {
	for _, v := range s.vertices {
		v.succ, v.rules = nil, nil
	}
	for i := range s.memories {
		s.memories[i].links, s.memories[i].linked = nil, nil
	}
	// Queries need values, movedSets and the sets, but no longer find vertices again.
	s.singles, s.moved, s.loaded, s.stored, s.joined = nil, nil, nil, nil, nil
	s.hubs, s.rules, s.spreads = nil, nil, nil
	s.sets.forget()
}

// visit propagates the fresh addresses of n.
func (s *solver) visit(n int32) {
	v := s.vertices[n]
	v.ready = false
	// 1. Take the fresh addresses.
	fresh := v.fresh
	if fresh == 0 {
		return
	}
	v.fresh = 0
	v.set = s.sets.union(v.set, fresh)
	// 2. Propagate them along edges.
	for _, m := range v.succ {
		if m = s.find(m); m != n {
			s.pour(fresh, m)
		}
	}
	// 3. Apply the rules to them.
	for i := 0; i < len(v.rules); i++ { // applying one may add more, which have seen fresh
		s.apply(v.rules[i], fresh)
	}
}

// tidy drops repeated edges of n and those to itself.
func (s *constraintGraph) tidy(n int32) {
	v := s.vertices[n]
	if len(v.succ) == 0 {
		return
	}
	out := v.succ[:0]
	// Merged vertices are replaced by those that they have been merged into.
	for _, m := range v.succ {
		if m = s.find(m); m != n {
			out = append(out, m)
		}
	}
	slices.Sort(out)
	v.succ = slices.Compact(out)
}

// counts describes the work done.
func (s *solver) counts() string {
	alive, members := 0, 0
	for n, v := range s.vertices {
		if s.parent[n] == int32(n) {
			alive++
			members += s.sets.size(v.set)
		}
	}
	return fmt.Sprintf("%d objects, %d addresses, %d vertices (%d after merging), %d edges, %d members, %d sets, %d rounds, %d merges",
		len(s.objects), len(s.addresses), len(s.vertices), alive, s.edges, members, len(s.sets.lists), s.rounds, s.merges)
}
