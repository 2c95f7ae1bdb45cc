package alias

import "slices"

// This file defines the sets of addresses in vertices. Equal sets are stored once and named by a
// number, and the results of operations on them are memoized: in large programs thousands of
// vertices hold the same few sets (hash consing, Barbar–Sui 2021).

// setID names a set of indices of addresses; 0 is the empty one.
type setID int32

// setTable holds all sets made so far. Sets are never changed nor dropped: a vertex that gets
// addresses gets another set.
type setTable struct {
	lists       [][]int32 // sorted
	first       map[uint64]setID
	next        []setID // with the same hash; 0 at the end
	unions      map[[2]setID]setID
	differences map[[2]setID]setID
	buffer      []int32
}

// newSetTable returns a table with the empty set.
func newSetTable() *setTable {
	t := &setTable{first: map[uint64]setID{}}
	t.lists, t.next = [][]int32{nil}, []setID{0}
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

// intern returns the set whose members list holds, sorted; the list is copied.
func (t *setTable) intern(list []int32) setID {
	if len(list) == 0 {
		return 0
	}
	// 1. Hash the members.
	h := uint64(len(list))
	for _, x := range list {
		h = (h ^ uint64(uint32(x))) * 0x9e3779b97f4a7c15
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
	t.lists = append(t.lists, slices.Clone(list))
	t.next = append(t.next, head)
	t.first[h] = s
	return s
}

// internAny returns the set of the members of list, which it sorts.
func (t *setTable) internAny(list []int32) setID {
	slices.Sort(list)
	return t.intern(slices.Compact(list))
}

// single returns the set of x alone.
func (t *setTable) single(x int32) setID { return t.intern([]int32{x}) }

// union returns the members of a and b. It takes time in proportion to the sizes of both the first
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
		t.buffer = unite(t.buffer[:0], t.lists[a], t.lists[b])
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
		t.buffer = subtract(t.buffer[:0], t.lists[a], t.lists[b])
		// A difference that removes nothing is a itself.
		s = a
		if len(t.buffer) < len(t.lists[a]) {
			s = t.intern(t.buffer)
		}
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

// unite appends the members of the sorted lists a and b to out.
func unite(out, a, b []int32) []int32 {
	i, j := 0, 0
	// Merge the lists while both have members.
	for i < len(a) && j < len(b) {
		switch {
		case a[i] < b[j]:
			out = append(out, a[i])
			i++
		case a[i] > b[j]:
			out = append(out, b[j])
			j++
		default:
			out = append(out, a[i])
			i++
			j++
		}
	}
	return append(append(out, a[i:]...), b[j:]...)
}

// subtract appends the members of a that are not in b to out.
func subtract(out, a, b []int32) []int32 {
	// Few members: search for each in b.
	if len(b) > 16*len(a) {
		for _, x := range a {
			if _, found := slices.BinarySearch(b, x); !found {
				out = append(out, x)
			}
		}
		return out
	}
	// Otherwise go through both lists.
	j := 0
	for _, x := range a {
		for j < len(b) && b[j] < x {
			j++
		}
		if j == len(b) || b[j] != x {
			out = append(out, x)
		}
	}
	return out
}
