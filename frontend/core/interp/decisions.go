package interp

import (
	"iter"
	"slices"
)

// This file keeps what was decided of arbitrary bytes, by their marks. Bytes of a place have marks that follow each
// other, and are decided together: so decisions are kept by blocks of 64 marks of one origin, which copies of a machine
// share until they decide another byte of it.

// decisions are the blocks of marks of which some were decided, by number.
type decisions map[uint64]*decisionBlock

// decisionBlock is the block of the marks that have all but the lowest seven bits, and the origin, in common.
type decisionBlock struct {
	owner *epoch // only a machine in this one may change it
	some  uint64 // the marks that were decided, by bit
	bytes [64]byte
}

// split returns the number of the block of a mark, and the place of the mark in it.
func split(mark uint64) (block uint64, at int) {
	return mark>>7<<1 | mark&1, int(mark >> 1 & 63)
}

// find returns the byte that was decided for a mark.
func (d decisions) find(mark uint64) (b byte, ok bool) {
	if len(d) == 0 {
		return 0, false
	}
	block, at := split(mark)
	if k := d[block]; k != nil && k.some>>at&1 != 0 {
		return k.bytes[at], true
	}
	return 0, false
}

// add decides a mark, for a machine in an epoch.
func (d *decisions) add(mark uint64, b byte, now *epoch) {
	if *d == nil {
		*d = decisions{}
	}
	block, at := split(mark)
	k := (*d)[block]
	switch {
	case k == nil:
		k = &decisionBlock{owner: now}
		(*d)[block] = k
	case k.owner != now:
		own := *k
		own.owner = now
		k = &own
		(*d)[block] = k
	}
	k.some |= 1 << at
	k.bytes[at] = b
}

// between returns the marks from first to last, of one origin, that were decided, ascending.
func (d decisions) between(first, last uint64) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		from, _ := split(first)
		to, _ := split(last)
		var blocks []uint64
		for n := range d {
			if n >= from && n <= to && n&1 == first&1 {
				blocks = append(blocks, n)
			}
		}
		slices.Sort(blocks)
		for _, n := range blocks {
			for at := range 64 {
				mark := n>>1<<7 | uint64(at)<<1 | n&1
				if d[n].some>>at&1 != 0 && mark >= first && mark <= last && !yield(mark) {
					return
				}
			}
		}
	}
}
