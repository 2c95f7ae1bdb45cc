package alias

// This file defines sets of small integers: globals and cells in effects, objects that a call reaches.

// bitset is a set of small non-negative integers.
type bitset []uint64

// set adds i.
func (b *bitset) set(i int) {
	for i/64 >= len(*b) {
		*b = append(*b, 0)
	}
	(*b)[i/64] |= 1 << (i % 64)
}

// clear removes i.
func (b bitset) clear(i int) {
	if i/64 < len(b) {
		b[i/64] &^= 1 << (i % 64)
	}
}

// has reports whether i is in b.
func (b bitset) has(i int) bool { return i/64 < len(b) && b[i/64]>>(i%64)&1 != 0 }

// union adds the members of other.
func (b *bitset) union(other bitset) {
	for len(*b) < len(other) {
		*b = append(*b, 0)
	}
	for i, w := range other {
		(*b)[i] |= w
	}
}

// meet removes the members that are not in other, and reports whether there were any.
func (b bitset) meet(other bitset) (changed bool) {
	for i, w := range b {
		if i < len(other) {
			w &= other[i]
		} else {
			w = 0
		}
		changed = changed || w != b[i]
		b[i] = w
	}
	return changed
}
