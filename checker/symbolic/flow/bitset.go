package flow

import "math/bits"

// This file defines sets of small numbers.

// Set is a set of small numbers, such as groups. Sets that are combined have the same length.
type Set []uint64

// Has reports whether i is a member.
func (b Set) Has(i int) bool { return b[i>>6]&(1<<(i&63)) != 0 }

// Add makes i a member.
func (b Set) Add(i int) { b[i>>6] |= 1 << (i & 63) }

// Remove takes i out of b.
func (b Set) Remove(i int) { b[i>>6] &^= 1 << (i & 63) }

// Each visits the members in rising order.
func (b Set) Each(visit func(int)) {
	for i, w := range b {
		for ; w != 0; w &= w - 1 {
			visit(64*i + bits.TrailingZeros64(w))
		}
	}
}

// Minus takes the members of c out of b.
func (b Set) Minus(c Set) {
	for i, w := range c {
		b[i] &^= w
	}
}

// Within reports whether b is a subset of c.
func (b Set) Within(c Set) bool {
	for i, w := range b {
		if w&^c[i] != 0 {
			return false
		}
	}
	return true
}

// Empty reports whether b has no members.
func (b Set) Empty() bool { return !b.Meets(b) }

// Meets reports whether b and c have a common member.
func (b Set) Meets(c Set) bool {
	for i, w := range c {
		if b[i]&w != 0 {
			return true
		}
	}
	return false
}

// Union adds the members of c to b and reports whether b grew.
func (b Set) Union(c Set) bool {
	grew := false
	for i, w := range c {
		grew = grew || w&^b[i] != 0
		b[i] |= w
	}
	return grew
}
