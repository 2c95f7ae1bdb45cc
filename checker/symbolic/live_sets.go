package symbolic

import (
	"encoding/binary"
	"slices"
)

// This file defines the sets of variables of liveness. Procedures are alike: most sets occur
// at many nodes, so the lists of their members are shared.

func (l *liveness) newSet() bitset { return make(bitset, l.words) }

func (l *liveness) put(b bitset, g group) {
	if g != noGroup {
		b.add(int(g))
	}
}

func (l *liveness) putAll(b bitset, groups []int32) {
	for _, g := range groups {
		b.add(int(g))
	}
}

func (l *liveness) drop(b bitset, g group) {
	if g != noGroup {
		b.remove(int(g))
	}
}

func (l *liveness) in(b bitset, g group) bool {
	return g != noGroup && b.has(int(g))
}

// at is the set of node v of p; it is shared.
func (l *liveness) at(p, v int) bitset {
	i := (l.first[p] + v) * l.words
	return bitset(l.sets[i : i+l.words])
}

// list is the members of a set, in the order of the groups. Equal sets share one list.
func (l *liveness) list(b bitset) []group { return l.members[l.numberOf(b)] }

// listAt is list of the set of node v of p, which may no longer change.
func (l *liveness) listAt(p, v int) []group {
	id := l.first[p] + v
	if l.atNode[id] == 0 {
		l.atNode[id] = l.numberOf(l.at(p, v))
	}
	return l.members[l.atNode[id]]
}

// numberOf is the index in l.members of the members of a set.
func (l *liveness) numberOf(b bitset) int32 {
	if b.empty() {
		return 0
	}
	l.key = l.key[:0]
	for _, w := range b {
		l.key = binary.LittleEndian.AppendUint64(l.key, w)
	}
	n, ok := l.number[string(l.key)]
	if !ok {
		var list []group
		b.each(func(i int) { list = append(list, group(i)) })
		n = int32(len(l.members))
		l.members = append(l.members, slices.Clip(list))
		l.number[string(l.key)] = n
	}
	return n
}
