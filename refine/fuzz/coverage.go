package fuzz

import (
	"math/bits"

	"c2bp/frontend/core/interp"
)

// This file records the coverage of runs. Two kinds of events count, as in grey-box fuzzing: how
// often a run reaches an arm of a branch or a procedure, roughly; and the distance of the two
// operands of a comparison, exactly if it is small. So a counter that comes one nearer to its limit
// is new coverage, although the run takes no new branch.

// coverage is the set of all events so far, by hash: two different events may be taken for one.
// A collision hides an event, and so makes a search slower, but never wrong.
type coverage struct {
	met   []uint64 // bits, by hash
	fresh bool     // something new was met
}

// hashBits is the binary logarithm of the number of bits.
const hashBits = 20

// newCoverage returns an empty set.
func newCoverage() *coverage { return &coverage{met: make([]uint64, 1<<hashBits/64)} }

// meet adds an event.
func (n *coverage) meet(kind, id, value uint64) {
	// Mix the three numbers; the upper bits are the index.
	h := kind*0x9e37_79b9_7f4a_7c15 ^ id*0xc2b2_ae3d_27d4_eb4f ^ value*0x1656_67b1_9e37_79f9
	h ^= h >> 29
	h = h * 0xbf58_476d_1ce4_e5b9 >> (64 - hashBits)
	if word, bit := &n.met[h/64], uint64(1)<<(h%64); *word&bit == 0 {
		*word |= bit
		n.fresh = true
	}
}

// The kinds of events.
const (
	visits uint64 = iota
	distances
)

// arrive counts one more visit of a node; counts of 1, 2, 3, 4, 8, 16, … are events.
func (n *coverage) arrive(counts []uint8, node int) {
	c := counts[node]
	if c == 255 {
		return
	}
	c++
	counts[node] = c
	if c < 4 || c&(c-1) == 0 {
		n.meet(visits, uint64(node), uint64(c))
	}
}

// near is the greatest distance that is recorded exactly; beyond, its logarithm is.
const near = 64

// compare records the distance of a comparison's operands.
func (n *coverage) compare(c interp.Comparison) {
	d := c.X - c.Y
	switch {
	case d > near:
		d = near + int64(bits.Len64(uint64(d)))
	case d < -near:
		d = -near - int64(bits.Len64(uint64(-d)))
	}
	n.meet(distances, uint64(c.Site), uint64(d))
}
