package bdd

// This file collects garbage.

// minCollect is the least size at which a collection pays.
const minCollect = 1 << 16

// threshold returns the size at which the next collection is due: twice the nodes in use, but early
// enough that garbage alone does not reach the node limit.
func (m *Manager) threshold() int {
	return min(max(2*m.used, minCollect), m.used+(m.opts.NodeLimit-m.used)/2)
}

// NeedsCollection reports whether enough nodes were made since the last collection for another one
// to pay. It is cheap.
func (m *Manager) NeedsCollection() bool { return m.used >= m.collect }

// Collect reclaims every node that is not reachable from the roots. The callback must call keep at
// least once for each Ref that the caller will use again; all others become invalid. Refs that
// survive keep their values. Collect may only be called between operations.
func (m *Manager) Collect(roots func(keep func(Ref))) {
	// 1. Mark and sweep.
	m.markFrom(roots)
	m.sweep()
	// 2. Rebuild the unique table from the nodes that are left.
	clear(m.buckets)
	m.rehash()
	// Cached results may name reclaimed nodes.
	clear(m.cache)
	m.collect = m.threshold()
}

// markFrom marks the nodes that are reachable from the roots, and no others.
func (m *Manager) markFrom(roots func(keep func(Ref))) {
	words := (len(m.nodes) + 63) / 64
	if cap(m.marks) < words {
		m.marks = make([]uint64, words+words/2)
	}
	m.marks = m.marks[:words]
	clear(m.marks)
	roots(m.mark)
}

// mark marks the nodes of f. It recurses once per level.
func (m *Manager) mark(f Ref) {
	for f > True && m.marks[f>>6]&(1<<(f&63)) == 0 {
		m.marks[f>>6] |= 1 << (f & 63)
		m.mark(m.nodes[f].lo)
		f = m.nodes[f].hi
	}
}

// sweep threads the unmarked nodes on the free list, lowest first, so that the numbering after a
// collection does not depend on earlier operations.
func (m *Manager) sweep() {
	m.free, m.used = 0, 2
	// From the end, so that the lowest free node comes first in the list.
	for i := len(m.nodes) - 1; i >= 2; i-- {
		if m.marks[i>>6]&(1<<(i&63)) != 0 {
			m.used++
			continue
		}
		m.nodes[i] = node{level: freeLevel, next: m.free}
		m.free = Ref(i)
	}
}
