package bdd

// minCollect is the size below which a collection is not worth its while.
const minCollect = 1 << 16

// threshold is the size at which the next collection is due: twice what is in
// use, but early enough that garbage alone does not run into the node limit.
func (m *Manager) threshold() int {
	return min(max(2*m.used, minCollect), m.used+(m.opts.NodeLimit-m.used)/2)
}

// NeedsCollection reports whether enough nodes were made since the last
// collection to make another one worth while. It is cheap.
func (m *Manager) NeedsCollection() bool { return m.used >= m.collect }

// Collect reclaims every node that is not reachable from the roots. The callback
// must call keep once or more for each Ref that the caller will use again; all
// others become invalid. Refs that survive keep their value. It may only be
// called between operations.
func (m *Manager) Collect(roots func(keep func(Ref))) {
	m.markFrom(roots)
	m.sweep()
	clear(m.buckets)
	m.rehash()
	if !m.staleCache {
		clear(m.cache)
	}
	m.collect = m.threshold()
}

// markFrom marks what is reachable from the roots and nothing else.
func (m *Manager) markFrom(roots func(keep func(Ref))) {
	words := (len(m.nodes) + 63) / 64
	if cap(m.marks) < words {
		m.marks = make([]uint64, words+words/2)
	}
	m.marks = m.marks[:words]
	clear(m.marks)
	roots(m.mark)
}

// mark recurses once per level.
func (m *Manager) mark(f Ref) {
	for f > True && m.marks[f>>6]&(1<<(f&63)) == 0 {
		m.marks[f>>6] |= 1 << (f & 63)
		m.mark(m.nodes[f].lo)
		f = m.nodes[f].hi
	}
}

// sweep threads the unmarked nodes on the free list, lowest first, so that the
// numbering after a collection does not depend on what happened before it.
func (m *Manager) sweep() {
	m.free, m.used = 0, 2
	for i := len(m.nodes) - 1; i >= 2; i-- {
		if m.marks[i>>6]&(1<<(i&63)) != 0 {
			m.used++
			continue
		}
		m.nodes[i] = node{level: freeLevel, next: m.free}
		m.free = Ref(i)
	}
}
