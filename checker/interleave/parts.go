package interleave

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
)

// This file numbers the parts of states.

// parts is a table of parts, numbered in the order in which they were met.
type parts struct {
	texts []byte   // of all parts, one after the other
	ends  []uint64 // by number: the end in texts
	table []uint32 // 0, or 1 + a number
	seed  maphash.Seed

	// The state that was listed last: most parts of the next one are the same.
	form    []byte
	cuts    []int
	numbers []uint64
}

// newParts returns an empty table.
func newParts() *parts { return &parts{table: make([]uint32, firstTable), seed: maphash.MakeSeed()} }

// list appends the numbers of the parts of a form, which end at cuts.
func (p *parts) list(key, form []byte, cuts []int) []byte {
	from, before := 0, 0
	for i, to := range cuts {
		part := form[from:to]
		// The same part as that of the last state at this place has its number.
		if i < len(p.cuts) && bytes.Equal(part, p.form[before:p.cuts[i]]) {
			before = p.cuts[i]
		} else {
			n := p.number(part)
			if i < len(p.cuts) {
				before = p.cuts[i]
				p.numbers[i] = n
			} else {
				p.numbers = append(p.numbers[:i], n)
			}
		}
		key = binary.AppendUvarint(key, p.numbers[i])
		from = to
	}
	p.form, p.cuts, p.numbers = append(p.form[:0], form...), append(p.cuts[:0], cuts...), p.numbers[:len(cuts)]
	return key
}

// number returns the number of a part, which is new or not.
func (p *parts) number(part []byte) uint64 {
	i, known := p.place(part)
	if known {
		return uint64(p.table[i]) - 1
	}
	n := uint64(len(p.ends))
	p.texts = append(p.texts, part...)
	p.ends = append(p.ends, uint64(len(p.texts)))
	p.table[i] = uint32(n + 1)
	if len(p.ends) > len(p.table)/4*3 {
		p.grow()
	}
	return n
}

// find returns the number of a part, if it has one.
func (p *parts) find(part []byte) (n uint64, known bool) {
	i, known := p.place(part)
	return uint64(p.table[i]) - 1, known
}

// place returns the index in the table at which a part is or belongs.
func (p *parts) place(part []byte) (i uint64, known bool) {
	mask := uint64(len(p.table) - 1)
	i = maphash.Bytes(p.seed, part) & mask
	for ; p.table[i] != 0; i = (i + 1) & mask {
		if bytes.Equal(p.get(uint64(p.table[i])-1), part) {
			return i, true
		}
	}
	return i, false
}

// get returns the part of a number.
func (p *parts) get(n uint64) []byte {
	from := uint64(0)
	if n > 0 {
		from = p.ends[n-1]
	}
	return p.texts[from:p.ends[n]]
}

// grow doubles the table.
func (p *parts) grow() {
	p.table = make([]uint32, 2*len(p.table))
	mask := uint64(len(p.table) - 1)
	for n := range p.ends {
		i := maphash.Bytes(p.seed, p.get(uint64(n))) & mask
		for p.table[i] != 0 {
			i = (i + 1) & mask
		}
		p.table[i] = uint32(n + 1)
	}
}

// size returns the number of bytes that the table takes.
func (p *parts) size() int64 {
	return int64(cap(p.texts)) + int64(cap(p.ends))*8 + int64(len(p.table))*4
}
