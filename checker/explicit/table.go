package explicit

import (
	"bytes"
	"hash/maphash"
)

// This file defines the set of canonical forms that were seen.

// table numbers byte strings in the order in which they come. Strings are compared byte by byte;
// the hash only selects the slot.
type table struct {
	seed   maphash.Seed
	slots  []int32  // open addressing: 1 + number of a string, or 0; the length is a power of two
	hashes []uint32 // by number: upper half of the hash
	places []stretch
	chunks [][]byte
	bytes  int // length of all strings
}

// stretch is the position of a string.
type stretch struct {
	chunk, off int32
	len        int32
}

const (
	firstSlots = 1 << 10
	chunkSize  = 1 << 18
)

func newTable() *table { return &table{seed: maphash.MakeSeed(), slots: make([]int32, firstSlots)} }

// size returns the number of strings.
func (t *table) size() int { return len(t.places) }

// key returns string i. It is shared.
func (t *table) key(i int32) []byte {
	p := t.places[i]
	return t.chunks[p.chunk][p.off : p.off+p.len]
}

// find returns the number of a string, and whether it is there.
func (t *table) find(key []byte) (int32, bool) {
	// Linear probing; the stored half of the hash spares most comparisons.
	h := maphash.Bytes(t.seed, key)
	mask := uint64(len(t.slots) - 1)
	for i := h & mask; t.slots[i] != 0; i = (i + 1) & mask {
		n := t.slots[i] - 1
		if t.hashes[n] == uint32(h>>32) && bytes.Equal(t.key(n), key) {
			return n, true
		}
	}
	return 0, false
}

// insert returns the number of a string, and whether it is new.
func (t *table) insert(key []byte) (int32, bool) {
	h := maphash.Bytes(t.seed, key)
	mask := uint64(len(t.slots) - 1)
	i := h & mask
	for ; t.slots[i] != 0; i = (i + 1) & mask {
		n := t.slots[i] - 1
		if t.hashes[n] == uint32(h>>32) && bytes.Equal(t.key(n), key) {
			return n, false
		}
	}
	n := int32(len(t.places))
	t.slots[i] = n + 1
	t.hashes = append(t.hashes, uint32(h>>32))
	t.store(key)
	// At most half of the slots are used.
	if 2*len(t.places) > len(t.slots) {
		t.grow()
	}
	return n, true
}

// store appends a string to the last chunk, or to a new one if it does not fit.
func (t *table) store(key []byte) {
	// Strings never cross chunks.
	last := len(t.chunks) - 1
	if last < 0 || len(t.chunks[last])+len(key) > cap(t.chunks[last]) {
		t.chunks = append(t.chunks, make([]byte, 0, max(chunkSize, len(key))))
		last++
	}
	c := t.chunks[last]
	t.places = append(t.places, stretch{int32(last), int32(len(c)), int32(len(key))})
	t.chunks[last] = append(c, key...)
	t.bytes += len(key)
}

// grow doubles the slots.
func (t *table) grow() {
	t.slots = make([]int32, 2*len(t.slots))
	mask := uint64(len(t.slots) - 1)
	for n := range t.places {
		i := maphash.Bytes(t.seed, t.key(int32(n))) & mask
		for t.slots[i] != 0 {
			i = (i + 1) & mask
		}
		t.slots[i] = int32(n) + 1
	}
}
