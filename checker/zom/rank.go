package zom

import (
	"encoding/binary"
	"slices"
)

// This file gives the objects of a state that was read the order in which they were allocated.

// rank renames the objects of s, whose addresses are their numbers in the form, so that an object that was
// allocated before another has a smaller address.
func (s *State) rank(r *Reader) {
	// 1. The objects by their places in the order of former addresses.
	n := len(s.news)
	former := make([]Word, n)
	order := make([]int, n)
	for i := range n {
		d, k := binary.Varint(r.In)
		r.In = r.In[k:]
		former[i], order[i] = d+Word(i), i
	}
	slices.SortFunc(order, func(a, b int) int { return int(former[a] - former[b]) })
	// 2. Their new addresses, by their numbers.
	address := make([]Word, n+1)
	news := make([]cell, n)
	for rank, i := range order {
		address[i+1] = Word(rank) + 1
		news[rank] = s.news[i]
	}
	s.news = append(s.news[:0], news...)
	s.rename(address)
}

// rename replaces every reference by another; null is 0.
func (s *State) rename(address []Word) {
	all := func(slots []Slot, words []Word) {
		for i := range slots {
			if slots[i].Kind == Ref {
				words[i] = address[words[i]]
			}
		}
	}
	all(s.prog.Globals, s.Globals)
	for p := range s.Procs {
		for i, f := range s.Procs[p].Frames {
			proc := s.prog.Procs[f.Proc]
			all(proc.Slots[:proc.Scratch], s.Slots(p, i))
		}
	}
	for _, o := range s.news {
		class := s.prog.Classes[o.class]
		all(class.Fields, s.words[o.off:])
		w := int32(len(class.Elem))
		for k := range o.n {
			all(class.Elem, s.words[o.off+k*w:])
		}
	}
}
