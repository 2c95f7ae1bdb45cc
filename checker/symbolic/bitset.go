package symbolic

import "math/bits"

// bitset is a set of small numbers.
type bitset []uint64

func (b bitset) has(i int) bool { return b[i>>6]&(1<<(i&63)) != 0 }
func (b bitset) add(i int)      { b[i>>6] |= 1 << (i & 63) }
func (b bitset) remove(i int)   { b[i>>6] &^= 1 << (i & 63) }

// each visits the members, rising.
func (b bitset) each(visit func(int)) {
	for i, w := range b {
		for ; w != 0; w &= w - 1 {
			visit(64*i + bits.TrailingZeros64(w))
		}
	}
}

func (b bitset) minus(c bitset) {
	for i, w := range c {
		b[i] &^= w
	}
}
func (b bitset) within(c bitset) bool {
	for i, w := range b {
		if w&^c[i] != 0 {
			return false
		}
	}
	return true
}
func (b bitset) empty() bool { return !b.meets(b) }
func (b bitset) meets(c bitset) bool {
	for i, w := range c {
		if b[i]&w != 0 {
			return true
		}
	}
	return false
}
func (b bitset) union(c bitset) bool { // reports whether b grew
	grew := false
	for i, w := range c {
		grew = grew || w&^b[i] != 0
		b[i] |= w
	}
	return grew
}
