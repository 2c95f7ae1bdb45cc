package bdd

import "slices"

// This file changes the order of the variables of existing diagrams: sifting (Rudell 1993), of
// blocks of adjacent levels.
//
// Two adjacent levels are exchanged in place: a node of the upper variable that depends on the lower
// one is rewritten to a node of the lower variable over nodes of the upper one. It denotes the same
// function, so its Ref stays valid. References are counted meanwhile, so that the number of nodes is
// that of live nodes at all times. Meanwhile, too, the level of a node is its variable, whichever level that has:
// nodes that are not rewritten keep it.

// maxGrowth is the size, in percent of the smallest size so far, up to which a block keeps moving
// in one direction.
const maxGrowth = 120

// maxSwapped bounds the nodes on exchanged levels, summed over one reordering: after so many, the
// remaining blocks stay where they are. It is a second or two of work.
const maxSwapped = 40_000_000

// Reorder looks for an order of the variables in which the functions that are kept are smaller.
// roots is as for Collect, and all other Refs become invalid. Variables v*block … v*block+block-1
// stay together, in their order. The node limit is not observed, but the diagrams hardly grow on
// the way. Reorder fails if Options.Poll reports an error; then the functions are as valid as after
// success.
func (m *Manager) Reorder(block int, roots func(keep func(Ref))) {
	s := newSifter(m, block, roots)
	err := s.sift()
	s.finish()
	if err != nil {
		panic(failure{err})
	}
}

// sifter is a reordering under way. It replaces the unique table of the manager by one for each
// variable.
type sifter struct {
	m       *Manager
	block   int
	refs    []int32    // by Ref: number of nodes and roots that refer to it
	tables  []subtable // by variable
	deps    []Ref      // memory for swap
	swapped int        // nodes on exchanged levels so far
}

// subtable is a hash table of the nodes of a variable, by their successors. The chains use node.next.
type subtable struct {
	buckets []Ref
	count   int
}

// newSifter collects garbage, counts references and distributes the nodes over the variables.
func newSifter(m *Manager, block int, roots func(keep func(Ref))) *sifter {
	s := &sifter{m: m, block: block}
	m.markFrom(roots)
	m.sweep()
	// Count the references from nodes and roots, and fill the tables.
	s.refs = make([]int32, len(m.nodes))
	s.tables = make([]subtable, m.levels)
	for i := 2; i < len(m.nodes); i++ {
		if n := &m.nodes[i]; n.level != freeLevel {
			s.refs[n.lo]++
			s.refs[n.hi]++
			n.level = m.varAt[n.level]
			s.insert(Ref(i))
		}
	}
	roots(func(f Ref) { s.refs[f]++ })
	return s
}

// finish restores the manager: levels, its unique table, an empty cache, and the effect of its shifts.
func (s *sifter) finish() {
	m := s.m
	m.peak = max(m.peak, m.used)
	for i := 2; i < len(m.nodes); i++ {
		if n := &m.nodes[i]; n.level != freeLevel {
			n.level = m.levelOf[n.level]
		}
	}
	clear(m.buckets)
	// Nodes made by swaps may need more buckets.
	for m.used > len(m.buckets) {
		m.buckets = make([]Ref, 2*len(m.buckets))
	}
	m.rehash()
	clear(m.cache)
	for _, sh := range m.shifts {
		m.relocate(sh)
	}
	m.collect = m.threshold()
}

// slot returns the bucket of a node.
func (s *sifter) slot(t *subtable, lo, hi Ref) *Ref {
	return &t.buckets[hash(0, uint32(lo), uint32(hi))&uint32(len(t.buckets)-1)]
}

// insert puts a node into the table of its variable.
func (s *sifter) insert(f Ref) {
	n := &s.m.nodes[f]
	t := &s.tables[n.level]
	if t.count >= len(t.buckets) {
		s.grow(t)
	}
	head := s.slot(t, n.lo, n.hi)
	n.next, *head = *head, f
	t.count++
}

// grow doubles a table.
func (s *sifter) grow(t *subtable) {
	old := t.buckets
	t.buckets = make([]Ref, max(4, 2*len(old)))
	for _, f := range old {
		for f != 0 {
			n := &s.m.nodes[f]
			after := n.next
			head := s.slot(t, n.lo, n.hi)
			n.next, *head = *head, f
			f = after
		}
	}
}

// unlink takes f out of the table of its variable.
func (s *sifter) unlink(f Ref) {
	n := &s.m.nodes[f]
	t := &s.tables[n.level]
	at := s.slot(t, n.lo, n.hi)
	for *at != f {
		if *at == 0 {
			panic("bdd: a node is in no table")
		}
		at = &s.m.nodes[*at].next
	}
	*at = n.next
	t.count--
}

// release drops a reference to f, and frees f if it was the last. It recurses once per level.
func (s *sifter) release(f Ref) {
	// A node that is still referenced, or a constant, stays.
	if s.refs[f]--; f <= True || s.refs[f] > 0 {
		return
	}
	// Free it, and drop its own references.
	s.unlink(f)
	m := s.m
	lo, hi := m.nodes[f].lo, m.nodes[f].hi
	m.nodes[f] = node{level: freeLevel, next: m.free}
	m.free = f
	m.used--
	s.release(lo)
	s.release(hi)
}

// mk returns the node (variable, lo, hi) like Manager.mk. Nothing refers to a new node yet.
func (s *sifter) mk(variable int32, lo, hi Ref) Ref {
	if lo == hi {
		return lo
	}
	m := s.m
	t := &s.tables[variable]
	// Look it up in the table of its variable, or make it.
	if t.count > 0 {
		for f := *s.slot(t, lo, hi); f != 0; f = m.nodes[f].next {
			if n := &m.nodes[f]; n.lo == lo && n.hi == hi {
				return f
			}
		}
	}
	f := m.take()
	if int(f) == len(s.refs) {
		s.refs = append(s.refs, 0)
	}
	s.refs[lo]++
	s.refs[hi]++
	m.nodes[f] = node{level: variable, lo: lo, hi: hi}
	s.insert(f)
	return f
}

// swap exchanges the variables at level and the level below it.
func (s *sifter) swap(level int) {
	m := s.m
	x, y := m.varAt[level], m.varAt[level+1]
	upper, lower := &s.tables[x], &s.tables[y]
	s.swapped += upper.count + lower.count
	// 1. Take the nodes of the upper variable that depend on the lower one out of their table. The others stay
	//    as they are.
	s.deps = s.deps[:0]
	for b := range upper.buckets {
		for at := &upper.buckets[b]; *at != 0; {
			f := *at
			n := &m.nodes[f]
			if m.nodes[n.lo].level == y || m.nodes[n.hi].level == y {
				*at = n.next
				s.deps = append(s.deps, f)
				continue
			}
			at = &n.next
		}
	}
	upper.count -= len(s.deps)
	// 2. Exchange the levels.
	m.varAt[level], m.varAt[level+1] = y, x
	m.levelOf[x], m.levelOf[y] = int32(level+1), int32(level)
	// 3. Rewrite the dependent nodes: f = x ? hi : lo becomes y ? f1 : f0, where fi = x ? hi|y=i :
	// lo|y=i.
	for _, f := range s.deps {
		lo, hi := m.nodes[f].lo, m.nodes[f].hi
		lo0, lo1 := m.cofactors(lo, y)
		hi0, hi1 := m.cofactors(hi, y)
		f0 := s.mk(x, lo0, hi0)
		s.refs[f0]++
		f1 := s.mk(x, lo1, hi1)
		s.refs[f1]++
		n := &m.nodes[f]
		n.level, n.lo, n.hi = y, f0, f1
		s.insert(f)
		s.release(lo)
		s.release(hi)
	}
}

// swapBlocks exchanges the block at a position and the one below it.
func (s *sifter) swapBlocks(pos int) {
	// Each level of the lower block rises through the whole upper block.
	top := pos * s.block
	for j := range s.block {
		for l := top + s.block + j; l > top+j; l-- {
			s.swap(l - 1)
		}
	}
}

// sift moves the blocks, those with the most nodes first, to the positions where the diagrams are
// smallest.
func (s *sifter) sift() error {
	m := s.m
	// 1. Sort the blocks by their numbers of nodes.
	size := make([]int, m.levels/s.block)
	var blocks []int
	for v := range size {
		for j := range s.block {
			size[v] += s.tables[v*s.block+j].count
		}
		if size[v] > 0 {
			blocks = append(blocks, v)
		}
	}
	slices.SortStableFunc(blocks, func(a, b int) int { return size[b] - size[a] })
	// 2. Place each.
	for _, v := range blocks {
		if s.swapped > maxSwapped {
			break
		}
		if m.opts.Poll != nil {
			if err := m.opts.Poll(); err != nil {
				return err
			}
		}
		s.place(v)
	}
	return nil
}

// place moves a block to the nearer end of the order, to the other end, and back to the position
// where the diagrams were smallest.
func (s *sifter) place(v int) {
	m := s.m
	pos := int(m.levelOf[v*s.block]) / s.block
	last := m.levels/s.block - 1
	best, low := pos, m.used
	// move moves towards a position until the diagrams have grown too much.
	move := func(to int) {
		step := 1
		if to < pos {
			step = -1
		}
		for pos != to && m.used*100 <= low*maxGrowth {
			s.swapBlocks(min(pos, pos+step))
			if pos += step; m.used < low {
				best, low = pos, m.used
			}
		}
	}
	// Start towards the nearer end: that moves fewer levels in all.
	if pos < last-pos {
		move(0)
		s.moveTo(&pos, best)
		move(last)
	} else {
		move(last)
		s.moveTo(&pos, best)
		move(0)
	}
	s.moveTo(&pos, best)
}

// moveTo moves a block to a position.
func (s *sifter) moveTo(pos *int, to int) {
	for *pos < to {
		s.swapBlocks(*pos)
		*pos++
	}
	for *pos > to {
		*pos--
		s.swapBlocks(*pos)
	}
}
