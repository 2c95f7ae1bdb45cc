package interp

import "slices"

// This file copies bytes from object to object.

// chunk is a copy of bytes, decided or not: a sequence of runs of them. The first is in the chunk,
// so that the common chunk of one run needs no slice.
type chunk struct {
	run
	more []run
}

// run is size bytes: those of contents or, if there are none, a stretch that begins at 0.
type run struct {
	size int64
	contents
	stretch
}

// bytesOf returns a chunk of these bytes.
func bytesOf(data []byte) chunk {
	return chunk{run: run{size: int64(len(data)), contents: contents{data: data}}}
}

// filled returns a chunk of size bytes b.
func filled(size int64, b byte) chunk {
	return chunk{run: run{size: size, stretch: stretch{fill: b}}}
}

// length returns the number of bytes of c.
func (c chunk) length() int64 {
	n := c.size
	for _, r := range c.more {
		n += r.size
	}
	return n
}

// take returns a copy of size bytes of o from off on. Arbitrary bytes keep their marks, so that a
// copy that is decided later agrees with them.
func (m *Machine) take(o *Object, off, size int64) chunk {
	// 1. A few bytes are copied one by one.
	if m.few(o, size) {
		return chunk{run: m.clone(o, off, size)}
	}
	// 2. Of many bytes, copy the pages that were touched, and the stretches between them.
	var runs []run
	p := m.body(o).sparse
	end, width := off+size, p.width
	// The number after the last page stands for the bytes after the last page that was touched.
	for _, n := range append(p.touched(off, end), (end-1)/width+1) {
		// Bytes before page n are in no page: copy their stretches.
		for until := min(n*width, end); off < until; {
			k := p.stretchOf(off)
			s := p.ground[k].from(off)
			s.start = 0
			next := min(p.endOf(k, o.size), until)
			runs = append(runs, run{size: next - off, stretch: s})
			m.copied = m.copied || s.mark != 0
			off = next
		}
		// Then the bytes of page n itself.
		if next := min((n+1)*width, end); off < next {
			runs = append(runs, m.clone(o, off, next-off))
			off = next
		}
	}
	return chunk{run: runs[0], more: runs[1:]}
}

// clone returns a copy of a few bytes, which bytesAt may only lend.
func (m *Machine) clone(o *Object, off, size int64) run {
	open := m.settle(o, off, size)
	c := m.bytesAt(o, off, size)
	c.data = slices.Clone(c.data)
	if open == 0 {
		c.unknown = nil
	} else {
		c.unknown = slices.Clone(c.unknown)
		// From now on decisions about these bytes must be found by their marks.
		m.copied = true
	}
	return run{size: size, contents: c}
}

// give stores c at off of o. It must fit there.
func (m *Machine) give(o *Object, off int64, c chunk) {
	m.giveRun(o, off, c.run)
	off += c.size
	for _, r := range c.more {
		m.giveRun(o, off, r)
		off += r.size
	}
}

// giveRun stores one run.
func (m *Machine) giveRun(o *Object, off int64, r run) {
	// 1. A stretch that is long is laid as a stretch.
	if r.data == nil && !m.few(o, r.size) {
		r.start = off
		m.lay(o, r.stretch, r.size)
		return
	}
	// 2. A short stretch is spelled out in bytes and marks.
	if r.data == nil {
		data, unknown := make([]byte, r.size), []uint64(nil)
		if r.stretch.mark != 0 {
			unknown = make([]uint64, r.size)
		}
		for i := range r.size {
			b, mark := r.at(i)
			if data[i] = b; mark != 0 {
				unknown[i] = mark
			}
		}
		r.contents = contents{data: data, unknown: unknown}
	}
	// 3. Store the bytes, and mark the arbitrary ones.
	m.put(o, off, r.data)
	// put has decided all of them.
	for i, mark := range r.unknown {
		if mark != 0 {
			c, at := m.mine(o, off+int64(i))
			c.mark(at, mark)
		}
	}
}
