package alias

import (
	"math/bits"
	"sort"
)

// This file defines the blocks that sets are made of. A block is the members among 256 numbers that
// follow one another, as bits; equal ones are stored once. Sets of tens of thousands of addresses
// grow by a few at a time: each then has a block or two of its own, and an operation on two of them
// looks at the blocks in which they differ.
//
//	{3, 5, 700}              block 0: 3, 5      block 2: 700 - 512
//	{3, 5, 700, 701}         the same           block 2: 700 - 512, 701 - 512

// blockSize is the most members of a block.
const blockSize = 256

// blockBits is the members of a block: bit i is the number of the block times blockSize, and i.
type blockBits [blockSize / 64]uint64

// block is the members of a set between at*blockSize and the next one; there are some. Two blocks are equal
// if they have the same members.
type block struct {
	at   int32
	bits int32 // index of its bits in the table
}

// blockTable holds the bits of all blocks, each once.
type blockTable struct {
	list   []blockBits
	number map[blockBits]int32
}

// newBlockTable returns an empty table.
func newBlockTable() blockTable { return blockTable{number: map[blockBits]int32{}} }

// intern returns the block of these members, of which there are some.
func (t *blockTable) intern(at int32, b blockBits) block {
	n, known := t.number[b]
	if !known {
		n = int32(len(t.list))
		t.list = append(t.list, b)
		t.number[b] = n
	}
	return block{at, n}
}

// split appends the blocks of the members of list, which is sorted and may repeat them, to out.
func (t *blockTable) split(out []block, list []int32) []block {
	for i := 0; i < len(list); {
		at, b := list[i]/blockSize, blockBits{}
		for ; i < len(list) && list[i]/blockSize == at; i++ {
			k := list[i] % blockSize
			b[k/64] |= 1 << (k % 64)
		}
		out = append(out, t.intern(at, b))
	}
	return out
}

// each calls yield with the members of b in ascending order until it returns false, and reports whether it never did.
func (t *blockTable) each(b block, yield func(int32) bool) bool {
	for i, w := range t.list[b.bits] {
		for ; w != 0; w &= w - 1 {
			if !yield(b.at*blockSize + int32(i*64+bits.TrailingZeros64(w))) {
				return false
			}
		}
	}
	return true
}

// size returns the number of members of b.
func (t *blockTable) size(b block) (n int32) {
	for _, w := range t.list[b.bits] {
		n += int32(bits.OnesCount64(w))
	}
	return n
}

// unite appends the blocks of the members of a and b, both sorted, to out.
func (t *blockTable) unite(out, a, b []block) []block {
	i, j := 0, 0
	// Merge the lists while both have blocks.
	for i < len(a) && j < len(b) {
		x, y := a[i], b[j]
		switch {
		case x.at < y.at:
			out = append(out, x)
			i++
			continue
		case x.at > y.at:
			out = append(out, y)
			j++
			continue
		case x != y:
			x = t.both(x, y)
		}
		out = append(out, x)
		i++
		j++
	}
	return append(append(out, a[i:]...), b[j:]...)
}

// both returns the block of the members of x and y, blocks at one place. Most often one has those of the other.
func (t *blockTable) both(x, y block) block {
	a, b := t.list[x.bits], t.list[y.bits]
	all := a
	for i, w := range b {
		all[i] |= w
	}
	switch all {
	case a:
		return x
	case b:
		return y
	}
	return t.intern(x.at, all)
}

// subtract appends the blocks of the members of a that are not in b to out; both are sorted.
func (t *blockTable) subtract(out, a, b []block) []block {
	j := 0
	for _, x := range a {
		// 1. The block of b at the same place: search for it if a has few.
		if len(b) > 16*len(a) {
			j += sort.Search(len(b)-j, func(k int) bool { return b[j+k].at >= x.at })
		}
		for j < len(b) && b[j].at < x.at {
			j++
		}
		switch {
		case j == len(b) || b[j].at != x.at:
			out = append(out, x)
		case b[j].bits != x.bits:
			// 2. What it leaves of x.
			rest := t.list[x.bits]
			for i, w := range t.list[b[j].bits] {
				rest[i] &^= w
			}
			if rest != (blockBits{}) {
				out = append(out, t.intern(x.at, rest))
			}
		}
	}
	return out
}
