package interp

import "slices"

// This file stores the bytes of large objects. An array of a gigabyte of which a run touches ten
// elements costs as much as these ten: its bytes are in pages that are made when they are touched,
// and the bytes in no page are described by stretches.
//
//	int a[1 << 28];                ground: 0 … 2^30-1 unknown from mark 17 on
//	memset(a, 0, sizeof a)         ground: 0 … 2^30-1 are 0
//	a[5] = 1                       page 0: 0 0 0 0 0 0 0 0 …

const (
	pageSize  = 1 << 10
	tinyPage  = 8       // in tests that make all objects sparse
	denseSize = 1 << 12 // an object of more bytes is sparse
)

// contents is a sequence of bytes, some of which may be arbitrary.
type contents struct {
	data    []byte
	unknown []uint64 // per byte: 0 if data holds it, else its mark: which arbitrary byte it is; nil: all are held
	words   *words   // those that may be addresses, if they were looked for since the last change
}

// cost is the memory that a page takes; its marks are most of it.
const cost = pageSize * 9

// sparse is the contents of a large object.
type sparse struct {
	width int64 // pageSize, but for tests
	// pages come before ground: the contents of a page are no longer in the stretch around it.
	pages  map[int64]*page // by number: those that were touched
	ground []stretch       // contents of the others: ascending, without gaps or overlaps
}

// page is width bytes, or fewer at the end of the object.
type page struct {
	contents
	owner *epoch // only a machine in this one may change the page
}

// newSparse returns the contents of a large object that is all zeros.
func (m *Machine) newSparse() *sparse {
	p := &sparse{width: pageSize, pages: map[int64]*page{}, ground: []stretch{{}}}
	if m.options.tiny {
		p.width = tinyPage
	}
	return p
}

// few reports whether size bytes of o are so few that they may be looked at one by one.
func (m *memory) few(o *Object, size int64) bool {
	b := m.body(o)
	return b.sparse == nil || size <= b.sparse.width
}

// stretch is the bytes of a large object up to the next stretch: all equal, or arbitrary.
type stretch struct {
	start int64
	fill  byte
	mark  uint64 // of the first byte, if they are arbitrary; each has the one after its neighbour's
}

// markStep is the difference of the marks of two bytes that follow each other: the lowest bit is
// the origin.
const markStep = 2

// at returns the content of byte i of the object, which is in s: b if mark is 0, else the arbitrary
// byte of that mark.
func (s stretch) at(i int64) (b byte, mark uint64) {
	if s.mark == 0 {
		return s.fill, 0
	}
	return 0, s.mark + markStep*uint64(i-s.start)
}

// from returns s from byte i on.
func (s stretch) from(i int64) stretch {
	_, mark := s.at(i)
	return stretch{start: i, fill: s.fill, mark: mark}
}

// stretchOf returns the index of the stretch that byte i is in.
func (p *sparse) stretchOf(i int64) int {
	k, found := slices.BinarySearchFunc(p.ground, i, func(s stretch, i int64) int {
		switch {
		case s.start < i:
			return -1
		case s.start > i:
			return 1
		}
		return 0
	})
	if !found {
		k--
	}
	return k
}

// endOf returns the end of stretch k in an object of size bytes.
func (p *sparse) endOf(k int, size int64) int64 {
	if k+1 < len(p.ground) {
		return p.ground[k+1].start
	}
	return size
}

// page returns page number n of o, which is sparse, made from the stretches if it was not touched
// before. The page may be shared: it is to be read only, see mine.
func (m *Machine) page(o *Object, n int64) *page {
	if p := m.body(o).sparse.pages[n]; p != nil {
		return p
	}
	b := m.own(o)
	width := b.sparse.width
	first := n * width
	end := min(first+width, o.size)
	p := &page{contents: contents{data: make([]byte, end-first)}, owner: m.epoch}
	// Copy the contents from the stretches that the page overlaps.
	for k := b.sparse.stretchOf(first); first < end; k++ {
		s := b.sparse.ground[k]
		until := min(b.sparse.endOf(k, o.size), end)
		for i := first; i < until; i++ {
			b, mark := s.at(i)
			p.data[i-n*width] = b
			if mark != 0 {
				p.mark(i-n*width, mark)
			}
		}
		first = until
	}
	b.sparse.pages[n] = p
	// The page counts as memory of the run.
	if b.live {
		b.held += cost
		m.bytes += cost
	}
	return p
}

// mark makes byte i arbitrary, the byte of that mark.
func (c *contents) mark(i int64, mark uint64) {
	if c.unknown == nil {
		c.unknown = make([]uint64, len(c.data))
	}
	c.unknown[i] = mark
}

// part returns the bytes of o that are stored together with byte off, which is at index at of them.
// They are all bytes of o, or those of one page, and to be read only.
func (m *Machine) part(o *Object, off int64) (c *contents, at int64) {
	b := m.body(o)
	if b.sparse == nil {
		return &b.contents, off
	}
	return &m.page(o, off/b.sparse.width).contents, off % b.sparse.width
}

// mine is like part, for bytes that are going to be changed: they are not shared with a copy then.
func (m *Machine) mine(o *Object, off int64) (c *contents, at int64) {
	b := m.own(o)
	if b.sparse == nil {
		b.words = nil
		return &b.contents, off
	}
	n := off / b.sparse.width
	p := m.page(o, n)
	if p.owner != m.epoch {
		p = &page{contents{data: slices.Clone(p.data), unknown: slices.Clone(p.unknown)}, m.epoch}
		b.sparse.pages[n] = p
	}
	p.words = nil
	return &p.contents, off % b.sparse.width
}

// lay makes size bytes of o, which is sparse, from s.start on a stretch like s.
func (m *Machine) lay(o *Object, s stretch, size int64) {
	b := m.own(o)
	end, width := s.start+size, b.sparse.width
	// 1. Forget the pages that are within the stretch; change those at its two ends.
	for n := range b.sparse.pages {
		if first := n * width; first < end && s.start < first+width {
			if s.start <= first && min(first+width, o.size) <= end {
				delete(b.sparse.pages, n)
				b.held -= cost
				m.bytes -= cost
				continue
			}
			for i := max(s.start, first); i < min(end, first+width, o.size); i++ {
				// A page at an end has bytes outside of the stretch that the ground does not know.
				c, at := m.mine(o, i)
				b, mark := s.at(i)
				if c.data[at] = b; mark != 0 || c.unknown != nil {
					c.mark(at, mark)
				}
			}
		}
	}
	// 2. Replace the stretches that it overlaps by their parts before and after it.
	p := b.sparse
	from, to := p.stretchOf(s.start), p.stretchOf(end-1)
	// Stretch from loses its end, or is gone, and stretch to its beginning; they may be the same
	// one.
	with := []stretch{s}
	if p.ground[from].start < s.start {
		with = []stretch{p.ground[from], s}
	}
	if end < p.endOf(to, o.size) {
		with = append(with, p.ground[to].from(end))
	}
	p.ground = slices.Replace(p.ground, from, to+1, with...)
}

// touched returns the numbers of the pages that have bytes from off to end,
// ascending. It looks at the range or at all pages, whichever are fewer.
func (p *sparse) touched(off, end int64) []int64 {
	first, last := off/p.width, (end-1)/p.width
	var out []int64
	if last-first < int64(len(p.pages)) {
		for n := first; n <= last; n++ {
			if p.pages[n] != nil {
				out = append(out, n)
			}
		}
		return out
	}
	for n := range p.pages {
		if n >= first && n <= last {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return out
}

// bare reports whether some of the bytes from off to end are in no page.
func (p *sparse) bare(off, end int64) bool {
	if off >= end {
		return false
	}
	first, last := off/p.width, (end-1)/p.width
	return last-first >= int64(len(p.pages)) || int64(len(p.touched(off, end))) <= last-first
}

// settleGround makes pages for the bytes of o, which is sparse, that were decided in a copy: a
// stretch cannot hold single bytes, and settle looks at pages only.
func (m *Machine) settleGround(o *Object) {
	b := m.body(o)
	for k, s := range b.sparse.ground {
		if s.mark == 0 {
			continue
		}
		last := s.mark + markStep*uint64(b.sparse.endOf(k, o.size)-s.start-1)
		// The marks of a stretch are a range of numbers of one origin.
		for mark := range m.resolved.between(s.mark, last) {
			m.page(o, (s.start+int64((mark-s.mark)/markStep))/b.sparse.width)
		}
	}
}
