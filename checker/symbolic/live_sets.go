package symbolic

import (
	"encoding/binary"
	"slices"

	"c2bp/checker/symbolic/flow"
)

// This file defines the sets of groups of the liveness analysis. Most sets occur at many nodes, so
// the lists of their members are shared.

// newSet returns an empty set.
func (l *liveness) newSet() flow.Set { return make(flow.Set, l.words) }

// put adds g to b unless it is NoGroup.
func (l *liveness) put(b flow.Set, g flow.Group) {
	if g != flow.NoGroup {
		b.Add(int(g))
	}
}

// putAll adds groups to b.
func (l *liveness) putAll(b flow.Set, groups []int32) {
	for _, g := range groups {
		b.Add(int(g))
	}
}

// drop removes g from b unless it is NoGroup.
func (l *liveness) drop(b flow.Set, g flow.Group) {
	if g != flow.NoGroup {
		b.Remove(int(g))
	}
}

// in reports whether g is in b; NoGroup is in no set.
func (l *liveness) in(b flow.Set, g flow.Group) bool {
	return g != flow.NoGroup && b.Has(int(g))
}

// at returns the set of node v of p. It is shared.
func (l *liveness) at(p, v int) flow.Set {
	i := (l.first[p] + v) * l.words
	return flow.Set(l.sets[i : i+l.words])
}

// list returns the members of a set, in the order of the groups. Equal sets share one slice.
func (l *liveness) list(b flow.Set) []flow.Group { return l.members[l.numberOf(b)] }

// listAt returns the members of the set of node v of p, which may no longer change.
func (l *liveness) listAt(p, v int) []flow.Group {
	id := l.first[p] + v
	if l.atNode[id] == 0 {
		l.atNode[id] = l.numberOf(l.at(p, v))
	}
	return l.members[l.atNode[id]]
}

// numberOf returns the index of the members of b in l.members, and lists them if they are new.
func (l *liveness) numberOf(b flow.Set) int32 {
	if b.Empty() {
		return 0
	}
	// Look up the words of the set.
	l.key = l.key[:0]
	for _, w := range b {
		l.key = binary.LittleEndian.AppendUint64(l.key, w)
	}
	n, ok := l.number[string(l.key)]
	if !ok {
		var list []flow.Group
		b.Each(func(i int) { list = append(list, flow.Group(i)) })
		n = int32(len(l.members))
		l.members = append(l.members, slices.Clip(list))
		l.number[string(l.key)] = n
	}
	return n
}
