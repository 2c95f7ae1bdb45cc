package interleave

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
)

// This file defines the set of states that were met.
//
// A canonical form has parts: the globals, each process, each object (zom.Canon.Cuts). Most states share their
// parts with others, so a part is stored once, and a state is the list of the numbers of its parts (collapse
// compression: Holzmann 1997). Different forms have different lists, so the set is exact.
//
// States lie one after the other in chunks of memory that the garbage collector need not look into. A state
// takes the numbers of its parts, mostly a byte or two each, its length, and 5 bytes for the state from which
// it was reached first; the table that finds it again has 8 bytes an entry, at most 3/4 of which are used.

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
	arena
	table []uint64 // 0, or 1 + an ID in the low 40 bits and a part of the hash above
	count int
	parts *parts
	rest  map[ID][]byte // what a form does not tell; see zom.Canon.Rest
	seed  maphash.Seed
	key   []byte // memory for add
	form  []byte // memory for get
}

// newStore returns an empty set, whose states consist of parts of a table.
func newStore(p *parts) *store {
	return &store{table: make([]uint64, firstTable), parts: p, rest: map[ID][]byte{}, seed: maphash.MakeSeed()}
}

// add puts a state with a form, whose parts end at cuts, into the set, unless it is there, and reports whether it
// is new.
func (st *store) add(form []byte, cuts []int, parent ID) (ID, bool) {
	st.key = st.parts.list(st.key[:0], form, cuts)
	return st.insert(st.key, parent)
}

// addNumbers is add for a state whose parts have these numbers.
func (st *store) addNumbers(numbers []uint64, parent ID) (ID, bool) {
	st.key = appendKey(st.key[:0], numbers)
	return st.insert(st.key, parent)
}

// has reports whether the state whose parts have these numbers is in the set, and its hash.
func (st *store) has(numbers []uint64) (h uint64, found bool) {
	st.key = appendKey(st.key[:0], numbers)
	_, h, found = st.find(st.key)
	return h, found
}

// addNew is addNumbers for a state that is not in the set, and has a hash.
func (st *store) addNew(numbers []uint64, h uint64, parent ID) ID {
	st.key = appendKey(st.key[:0], numbers)
	mask := uint64(len(st.table) - 1)
	i := h & mask
	for st.table[i] != 0 {
		i = (i + 1) & mask
	}
	return st.fill(i, h, st.key, parent)
}

// appendKey appends numbers of parts.
func appendKey(key []byte, numbers []uint64) []byte {
	for _, n := range numbers {
		if n < 0x80 {
			key = append(key, byte(n))
		} else {
			key = binary.AppendUvarint(key, n)
		}
	}
	return key
}

// numbers appends to list the numbers of the parts of a state.
func (st *store) numbers(list []uint64, id ID) []uint64 {
	key, _ := st.record(id)
	for i := 0; i < len(key); {
		n, k := uint64(key[i]), 1
		if n >= 0x80 {
			n, k = binary.Uvarint(key[i:])
		}
		list = append(list, n)
		i += k
	}
	return list
}

// insert puts a state, as a list of parts, into the set, unless it is there, and reports whether it is new.
func (st *store) insert(key []byte, parent ID) (ID, bool) {
	i, h, found := st.find(key)
	if found {
		return ID(st.table[i]&idMask) - 1, false
	}
	return st.fill(i, h, key, parent), true
}

// fill puts a state that has a hash into the set, at the index where it belongs.
func (st *store) fill(i, h uint64, key []byte, parent ID) ID {
	id := st.put(key, parent)
	st.table[i] = h>>40<<40 | uint64(id+1)
	if st.count++; st.count > len(st.table)/4*3 {
		st.grow()
	}
	return id
}

// find returns the index in the table at which a state is or, if it is not there, belongs, and its hash.
func (st *store) find(key []byte) (i, h uint64, found bool) {
	h = maphash.Bytes(st.seed, key)
	mask := uint64(len(st.table) - 1)
	i = h & mask
	for ; st.table[i] != 0; i = (i + 1) & mask {
		// Entries whose parts of the hash differ are other states.
		if e := st.table[i]; e>>40 == h>>40 {
			if there, _ := st.record(ID(e&idMask) - 1); bytes.Equal(there, key) {
				return i, h, true
			}
		}
	}
	return i, h, false
}

// get returns the form of a state. It is valid until the next call.
func (st *store) get(id ID) []byte {
	key, _ := st.record(id)
	st.form = st.form[:0]
	for len(key) > 0 {
		n, k := binary.Uvarint(key)
		key = key[k:]
		st.form = append(st.form, st.parts.get(n)...)
	}
	return st.form
}

// formOf returns the form of the state whose parts have these numbers. It is valid until the next call.
func (st *store) formOf(numbers []uint64) []byte {
	st.form = st.form[:0]
	for _, n := range numbers {
		st.form = append(st.form, st.parts.get(n)...)
	}
	return st.form
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
		key, _ := st.record(ID(e&idMask) - 1)
		i := maphash.Bytes(st.seed, key) & mask
		for st.table[i] != 0 {
			i = (i + 1) & mask
		}
		st.table[i] = e
	}
}

// size returns the number of bytes that the set takes, with its parts.
func (st *store) size() int64 {
	n := int64(len(st.table))*8 + st.arena.size() + st.parts.size()
	for _, r := range st.rest {
		n += int64(len(r)) + 64
	}
	return n
}

// arena is a list of records, each with a parent.
type arena struct{ chunks [][]byte }

// put adds a record: parent, length, bytes.
func (a *arena) put(data []byte, parent ID) ID {
	need := idBytes + binary.MaxVarintLen32 + len(data)
	last := len(a.chunks) - 1
	if last < 0 || len(a.chunks[last])+need > cap(a.chunks[last]) {
		last++
		a.chunks = append(a.chunks, make([]byte, 0, max(min(chunkSize, firstChunk<<min(last, 10)), need)))
	}
	c := a.chunks[last]
	id := ID(last)<<chunkBits | ID(len(c))
	c = append(c, byte(parent), byte(parent>>8), byte(parent>>16), byte(parent>>24), byte(parent>>32))
	c = binary.AppendUvarint(c, uint64(len(data)))
	a.chunks[last] = append(c, data...)
	return id
}

// record returns the bytes of a record, and its end in the chunk.
func (a *arena) record(id ID) (data []byte, end int) {
	c, at := a.chunks[id>>chunkBits], int(id&(chunkSize-1))+idBytes
	n, k := binary.Uvarint(c[at:])
	end = at + k + int(n)
	return c[at+k : end], end
}

// parent returns the state from which a state was reached first, or none.
func (a *arena) parent(id ID) ID {
	c, at := a.chunks[id>>chunkBits], id&(chunkSize-1)
	return ID(c[at]) | ID(c[at+1])<<8 | ID(c[at+2])<<16 | ID(c[at+3])<<24 | ID(c[at+4])<<32
}

// next returns the record that was added after another one, or none.
func (a *arena) next(id ID) ID {
	_, end := a.record(id)
	chunk := id >> chunkBits
	switch {
	case end < len(a.chunks[chunk]):
		return chunk<<chunkBits | ID(end)
	case int(chunk)+1 < len(a.chunks):
		return (chunk + 1) << chunkBits
	}
	return none
}

// size returns the number of bytes that the records take.
func (a *arena) size() (n int64) {
	for _, c := range a.chunks {
		n += int64(cap(c))
	}
	return n
}
