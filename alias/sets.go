package alias

import "slices"

// This file defines the sets of addresses in vertices. Equal sets are stored once and named by a
// number, and the results of operations on them are memoized: in large programs thousands of
// vertices hold the same few sets (hash consing, Barbar–Sui 2021). Sets that are not equal, but large,
// share most of their blocks (blocks.go).

// setID names a set of indices of addresses; 0 is the empty one.
type setID int32

// setTable holds all sets made so far. Sets are never changed nor dropped: a vertex that gets
// addresses gets another set.
type setTable struct {
	lists       [][]block // sorted, none empty
	sizes       []int32   // numbers of members
	bits        blockTable
	first       map[uint64]setID
	next        []setID // with the same hash; 0 at the end
	unions      map[[2]setID]setID
	differences map[[2]setID]setID
	buffer      []block
}

// newSetTable returns a table with the empty set.
func newSetTable() *setTable {
	t := &setTable{first: map[uint64]setID{}, bits: newBlockTable()}
	t.lists, t.sizes, t.next = [][]block{nil}, []int32{0}, []setID{0}
	t.forget()
	return t
}

// forget drops the memoized operations.
func (t *setTable) forget() {
	t.unions = map[[2]setID]setID{}
	t.differences = map[[2]setID]setID{}
}

// maxRemembered bounds the number of operations of each kind that are memoized.
const maxRemembered = 1 << 21

// size returns the number of members of s.
func (t *setTable) size(s setID) int { return int(t.sizes[s]) }

// all yields the members of s in ascending order. More sets may be made meanwhile.
func (t *setTable) all(s setID) func(yield func(int32) bool) {
	return func(yield func(int32) bool) {
		for _, b := range t.lists[s] {
			if !t.bits.each(b, yield) {
				return
			}
		}
	}
}

// contains reports whether s has a member that satisfies is.
func (t *setTable) contains(s setID, is func(int32) bool) bool {
	for x := range t.all(s) {
		if is(x) {
			return true
		}
	}
	return false
}

// intern returns the set that is made of the blocks in list, sorted; the list is copied.
func (t *setTable) intern(list []block) setID {
	if len(list) == 0 {
		return 0
	}
	// 1. Hash the blocks: equal ones have equal numbers.
	h := uint64(len(list))
	for _, b := range list {
		h = (h ^ uint64(uint32(b.at)) ^ uint64(uint32(b.bits))<<32) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	// 2. Look for an equal set among those with the same hash.
	head := t.first[h]
	for s := head; s != 0; s = t.next[s] {
		if slices.Equal(t.lists[s], list) {
			return s
		}
	}
	// 3. Add a new one.
	s := setID(len(t.lists))
	size := int32(0)
	for _, b := range list {
		size += t.bits.size(b)
	}
	t.lists = append(t.lists, slices.Clone(list))
	t.sizes = append(t.sizes, size)
	t.next = append(t.next, head)
	t.first[h] = s
	return s
}

// internAny returns the set of the members of list, which it sorts.
func (t *setTable) internAny(list []int32) setID {
	slices.Sort(list)
	t.buffer = t.bits.split(t.buffer[:0], list)
	return t.intern(t.buffer)
}

// single returns the set of x alone.
func (t *setTable) single(x int32) setID { return t.internAny([]int32{x}) }

// union returns the members of a and b. It takes time in proportion to the blocks of both the first
// time, and none when it is repeated.
func (t *setTable) union(a, b setID) setID {
	switch {
	case a == b || b == 0:
		return a
	case a == 0:
		return b
	case a > b:
		a, b = b, a
	}
	// Sets are ordered in the key, as the operation is commutative.
	key := [2]setID{a, b}
	s, ok := t.unions[key]
	if !ok {
		t.buffer = t.bits.unite(t.buffer[:0], t.lists[a], t.lists[b])
		s = t.intern(t.buffer)
		t.remember(t.unions, key, s)
	}
	return s
}

// minus returns the members of a that are not in b. Most often b is a large set that a vertex
// holds, and a a few addresses that come to it.
func (t *setTable) minus(a, b setID) setID {
	switch {
	case a == b || a == 0:
		return 0
	case b == 0:
		return a
	}
	key := [2]setID{a, b}
	s, ok := t.differences[key]
	if !ok {
		t.buffer = t.bits.subtract(t.buffer[:0], t.lists[a], t.lists[b])
		s = t.intern(t.buffer)
		t.remember(t.differences, key, s)
	}
	return s
}

// remember memoizes s as the result for key.
func (t *setTable) remember(where map[[2]setID]setID, key [2]setID, s setID) {
	// Drop everything at the limit, which is simpler than to choose.
	if len(where) >= maxRemembered {
		t.forget()
		return
	}
	where[key] = s
}
