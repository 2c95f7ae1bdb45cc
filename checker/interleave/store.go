package interleave

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
)

// This file defines the set of states that were met.
//
// States lie one after the other in chunks of memory that the garbage collector need not look into. A state
// takes its canonical form, its length, and 5 bytes for the state from which it was reached first; the table
// that finds it again has 8 bytes an entry, at most 3/4 of which are used.

// ID names a stored state: the number of its chunk and the place in it. IDs grow in the order in which
// states are added.
type ID uint64

// The first state that is stored, and none.
const (
	first ID = 0
	none  ID = 1<<40 - 1
)

const (
	chunkBits  = 20
	chunkSize  = 1 << chunkBits
	firstChunk = 1 << 12 // the first chunks are smaller
	idBytes    = 5
	idMask     = 1<<40 - 1
	firstTable = 1 << 12
)

// store is a set of states.
type store struct {
	chunks [][]byte
	table  []uint64 // 0, or 1 + an ID in the low 40 bits and a part of the hash above
	count  int
	rest   map[ID][]byte // what a form does not tell; see zom.Canon.Rest
	seed   maphash.Seed
}

func newStore() *store {
	return &store{table: make([]uint64, firstTable), rest: map[ID][]byte{}, seed: maphash.MakeSeed()}
}

// add puts a state into the set, unless it is there, and reports whether it is new.
func (st *store) add(form []byte, parent ID) (ID, bool) {
	h := maphash.Bytes(st.seed, form)
	mask := uint64(len(st.table) - 1)
	i := h & mask
	for ; st.table[i] != 0; i = (i + 1) & mask {
		// Entries whose parts of the hash differ are other states.
		if e := st.table[i]; e>>40 == h>>40 {
			id := ID(e&idMask) - 1
			if there, _ := st.get(id); bytes.Equal(there, form) {
				return id, false
			}
		}
	}
	id := st.put(form, parent)
	st.table[i] = h>>40<<40 | uint64(id+1)
	if st.count++; st.count > len(st.table)/4*3 {
		st.grow()
	}
	return id, true
}

// put writes a record: parent, length, form.
func (st *store) put(form []byte, parent ID) ID {
	need := idBytes + binary.MaxVarintLen32 + len(form)
	last := len(st.chunks) - 1
	if last < 0 || len(st.chunks[last])+need > cap(st.chunks[last]) {
		st.chunks = append(st.chunks, make([]byte, 0, max(min(chunkSize, firstChunk<<min(last+1, 10)), need)))
		last++
	}
	c := st.chunks[last]
	id := ID(last)<<chunkBits | ID(len(c))
	c = append(c, byte(parent), byte(parent>>8), byte(parent>>16), byte(parent>>24), byte(parent>>32))
	c = binary.AppendUvarint(c, uint64(len(form)))
	st.chunks[last] = append(c, form...)
	return id
}

// get returns the form of a state, and its record's end in the chunk.
func (st *store) get(id ID) (form []byte, end int) {
	c, at := st.chunks[id>>chunkBits], int(id&(chunkSize-1))+idBytes
	n, k := binary.Uvarint(c[at:])
	end = at + k + int(n)
	return c[at+k : end], end
}

// parent returns the state from which a state was reached first, or none.
func (st *store) parent(id ID) ID {
	c, at := st.chunks[id>>chunkBits], id&(chunkSize-1)
	return ID(c[at]) | ID(c[at+1])<<8 | ID(c[at+2])<<16 | ID(c[at+3])<<24 | ID(c[at+4])<<32
}

// next returns the state that was added after another one, or none.
func (st *store) next(id ID) ID {
	_, end := st.get(id)
	chunk := id >> chunkBits
	switch {
	case end < len(st.chunks[chunk]):
		return chunk<<chunkBits | ID(end)
	case int(chunk)+1 < len(st.chunks):
		return (chunk + 1) << chunkBits
	}
	return none
}

// grow doubles the table.
func (st *store) grow() {
	old := st.table
	st.table = make([]uint64, 2*len(old))
	mask := uint64(len(st.table) - 1)
	for _, e := range old {
		if e == 0 {
			continue
		}
		form, _ := st.get(ID(e&idMask) - 1)
		i := maphash.Bytes(st.seed, form) & mask
		for st.table[i] != 0 {
			i = (i + 1) & mask
		}
		st.table[i] = e
	}
}

// size returns the number of bytes that the set takes.
func (st *store) size() int64 {
	n := int64(len(st.table)) * 8
	for _, c := range st.chunks {
		n += int64(cap(c))
	}
	for _, r := range st.rest {
		n += int64(len(r)) + 64
	}
	return n
}
