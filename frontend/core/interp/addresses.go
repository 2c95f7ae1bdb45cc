package interp

// This file finds the addresses in memory. An external may reach whatever its arguments lead to, so each call of one
// looks through many objects, of which few have changed since the last: the words that may be addresses are kept with
// the bytes, until the next change.
//
//	struct s { int n; struct s *next; char name[64]; } *p;
//	p->next = q;  set(p);  set(p)       the second call looks at one word of *p, not at all of them

// words are the words of bytes that are one pointer wide, aligned to that, and may be addresses.
type words struct {
	list []word // ascending
	open bool   // one of them begins, as far as it is arbitrary, with what comes from outside
}

// word is decided, or some of its bytes are arbitrary.
type word struct {
	addr uint64 // if it is decided: at least that of the first object
	at   int64  // the index of its first byte if not, else -1
}

// wordsOf returns the words of c.
func (m *Machine) wordsOf(c *contents) *words {
	if c.words != nil {
		return c.words
	}
	size := m.pointer.Bits / 8
	c.words = &words{}
scan:
	for i := 0; i+size <= len(c.data); i += size {
		if c.unknown != nil {
			for _, t := range c.unknown[i : i+size] {
				if t != 0 {
					c.words.list = append(c.words.list, word{at: int64(i)})
					c.words.open = c.words.open || origin(t&1) == outside
					continue scan
				}
			}
		}
		// Most words are null or small numbers.
		if addr := m.wordOf(c.data[i : i+size]); addr >= m.first {
			c.words.list = append(c.words.list, word{addr: addr, at: -1})
		}
	}
	return c.words
}

// words calls visit with the words of c that are decided, here or in a copy, but for small ones; and open if others come
// from outside.
func (m *Machine) words(c *contents, visit func(uint64), open func()) {
	found := m.wordsOf(c)
	// 1. As long as nothing was decided in a copy, all that is arbitrary here is.
	if len(m.resolved) == 0 {
		if found.open {
			open()
		}
		for _, w := range found.list {
			if w.at < 0 {
				visit(w.addr)
			}
		}
		return
	}
	// 2. Else put what was decided in place of what is arbitrary. If nothing was, its first byte tells, most often: the marks of
	//    a new object are consecutive, so that those of a few words are in one block.
	size := int64(m.pointer.Bits / 8)
	last, block, opened := ^uint64(0), (*decisionBlock)(nil), false // no block has the first of these numbers
next:
	for _, w := range found.list {
		if w.at < 0 {
			visit(w.addr)
			continue
		}
		marks := c.unknown[w.at : w.at+size]
		if t := marks[0]; t != 0 {
			n, at := split(t)
			if n != last {
				last, block = n, m.resolved[n]
			}
			if block == nil || block.some>>at&1 == 0 {
				opened = opened || origin(t&1) == outside
				continue
			}
		}
		var bytes [8]byte
		copy(bytes[:], c.data[w.at:w.at+size])
		for k, t := range marks {
			if t == 0 {
				continue
			}
			b, decided := m.resolved.find(t)
			if !decided {
				opened = opened || origin(t&1) == outside
				continue next
			}
			bytes[k] = b
		}
		visit(m.wordOf(bytes[:]))
	}
	if opened {
		open()
	}
}

// addresses calls visit with the words of o that are decided, but for small ones, and open if others come from outside.
func (m *Machine) addresses(o *Object, visit func(uint64), open func()) {
	if b := m.body(o); b.sparse == nil {
		m.words(&b.contents, visit, open)
		return
	}
	m.settleGround(o)
	// Where two stretches meet in a word, there has to be a page.
	word := uint64(0)
	p := m.body(o).sparse
	for k, s := range p.ground {
		m.page(o, s.start/p.width)
		if origin(s.mark&1) == outside && p.bare(s.start, p.endOf(k, o.size-o.size%int64(m.pointer.Bits/8))) {
			open()
		}
		if s.mark == 0 {
			for range m.pointer.Bits / 8 {
				word = word<<8 | uint64(s.fill)
			}
			visit(word & (1<<(m.pointer.Bits-1)<<1 - 1))
		}
	}
	for _, n := range m.body(o).sparse.touched(0, o.size) {
		m.words(&m.page(o, n).contents, visit, open)
	}
}

// met is a set of objects of one machine, by index. It is emptied at once.
type met struct {
	turns []uint32 // in which turn an object was added last
	turn  uint32
}

// begin empties the set.
func (s *met) begin() {
	if s.turn++; s.turn == 0 {
		clear(s.turns)
		s.turn = 1
	}
}

// add adds o, and reports whether it was not in the set.
func (s *met) add(o *Object) bool {
	for o.index >= len(s.turns) {
		s.turns = append(s.turns, 0)
	}
	if s.turns[o.index] == s.turn {
		return false
	}
	s.turns[o.index] = s.turn
	return true
}
