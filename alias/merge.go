package alias

import (
	"slices"

	"c2bp/internal/graph"
)

// This file merges vertices that must come to hold the same addresses: those on a cycle of edges, and
// those that the same rule fills. In large programs many vertices are on cycles (variables that are
// assigned to each other, lists, recursive procedures), and each address would go around each cycle.
//
// When two vertices are merged, one may have propagated addresses that the other one has not seen; they
// are propagated along the edges and rules that come from the other (latecomer).

// mergeCycles lists the vertices of each cycle of edges for merging, and orders the vertices
// topologically.
func (s *solver) mergeCycles() {
	// 1. Drop repeated edges. Only vertices that were not merged into others are left.
	var alive []int32
	for n := range s.vertices {
		if s.parent[n] == int32(n) {
			s.tidy(int32(n))
			alive = append(alive, int32(n))
		}
	}
	// 2. Number the components from the sources of the graph on, and list the pairs to be merged.
	components := graph.Components(len(s.vertices), alive, func(n int32) []int32 { return s.vertices[n].succ })
	for i, component := range components {
		last := component[len(component)-1]
		for _, n := range slices.Backward(component) {
			s.vertices[n].order = int32(len(components) - i)
			s.same = append(s.same, [2]int32{last, n})
		}
	}
}

// mergeSame merges the pairs of vertices on the list s.same, and those that follow from them, and then
// propagates the addresses that edges and rules of merged vertices have missed, until there are no more
// pairs.
func (s *solver) mergeSame() {
	for len(s.same) > 0 {
		// 1. Merge the smaller vertex of each pair into the larger one.
		var late []latecomer
		for len(s.same) > 0 {
			pair := s.same[len(s.same)-1]
			s.same = s.same[:len(s.same)-1]
			n, m := s.find(pair[0]), s.find(pair[1])
			if n == m {
				continue
			}
			if s.size(n) < s.size(m) {
				n, m = m, n
			}
			late = append(late, s.merge(n, m))
		}
		// 2. Propagate along the edges and rules of the smaller ones.
		for _, l := range late {
			n := s.find(l.vertex)
			for _, m := range l.succ {
				if m = s.find(m); m != n {
					s.pour(l.missed, m)
				}
			}
			for _, r := range l.rules {
				s.apply(r, l.missed)
			}
		}
	}
}

// latecomer is the edges and rules of a vertex that was merged into another one, and the addresses
// that the other one had propagated without them.
type latecomer struct {
	vertex int32
	missed setID
	succ   []int32
	rules  []rule
}

// merge makes m a part of n.
func (s *solver) merge(n, m int32) latecomer {
	// 1. n has propagated addresses that the edges of m have not seen.
	v, w := s.vertices[n], s.vertices[m]
	l := latecomer{vertex: n, missed: s.sets.minus(v.set, w.set), succ: w.succ}
	s.parent[m] = n
	// 2. Addresses, edges and rules of m become those of n.
	v.fresh = s.sets.union(v.fresh, s.sets.minus(s.sets.union(w.set, w.fresh), v.set))
	v.succ = append(v.succ, w.succ...)
	for _, r := range w.rules {
		if s.addRule(n, r) {
			l.rules = append(l.rules, r)
		}
	}
	*w = vertex{ready: w.ready}
	// 3. n is due in the next round.
	if v.fresh != 0 && !v.ready {
		v.ready = true
		s.next = append(s.next, n)
	}
	return l
}

// ruleKey identifies rules of a vertex that do the same. Loads or moves do if they have one source;
// the vertices that they fill are the same.
type ruleKey struct {
	vertex int32
	rule   rule
}

// addRule adds r to the rules of n, and reports whether there was none that does the same.
// Otherwise the vertices that two loads or moves fill are to be merged, and the vertices that two
// stores store flow together.
func (s *solver) addRule(n int32, r rule) bool {
	// 1. Look for a rule that does the same.
	key := ruleKey{n, r}
	// 2. Share its effect.
	switch r.kind {
	case loadRule, storeRule:
		key.rule.other = 0
	case moveRule:
		key.rule.other, key.rule.bits = 0, 0
	}
	other, known := s.rules[key]
	if !known || s.plain {
		s.rules[key] = r.other
		v := s.vertices[n]
		v.rules = append(v.rules, r)
		return true
	}
	switch r.kind {
	case loadRule, moveRule:
		s.same = append(s.same, [2]int32{other, r.other})
	case storeRule:
		s.edge(r.other, other)
	}
	return false
}

// size returns the number of addresses that n has propagated.
func (s *constraintGraph) size(n int32) int { return s.sets.size(s.vertices[n].set) }
