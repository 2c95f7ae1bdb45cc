package shylockcheck

import (
	"encoding/binary"
	"slices"
)

// This file defines heaps: reachability, canonical form, keys.

// Object is the identity of an object, from 1; 0 is none, the value of nil.
type Object = int32

// Layout says how many variables of each kind a heap has. In Heap.Vars globals come first, then transfer
// variables (globals of our own, through which a call passes arguments and the result), then locals.
type Layout struct{ Globals, Transfers, Locals, Fields int }

// shared is the number of variables that callers and callees share.
func (l *Layout) shared() int { return l.Globals + l.Transfers }

// Heap gives values to variables and fields. It is not changed after it was made.
type Heap struct {
	Vars []Object // by Layout, without nil
	Cuts []Object // cut-point variables, none of which is nil
	// Links are the fields of objects, those of object n from (n-1)·Layout.Fields. An object that no variable
	// leads to may have some, too, which mean nothing.
	Links []Object
}

// link returns a field of an object.
func (l *Layout) link(h *Heap, n Object, field int) Object {
	if i := (int(n)-1)*l.Fields + field; n > 0 && i < len(h.Links) {
		return h.Links[i]
	}
	return 0
}

// objects is a set of objects.
type objects []bool

func (s objects) has(n Object) bool { return int(n) < len(s) && s[n] }

// least returns the least object that is not in s.
func (s objects) least() Object {
	for n := Object(1); ; n++ {
		if !s.has(n) {
			return n
		}
	}
}

// size returns the number of objects.
func (s objects) size() (n int) {
	for _, in := range s {
		if in {
			n++
		}
	}
	return n
}

// add adds an object, and reports whether it is new and not nil.
func (s *objects) add(n Object) bool {
	if n == 0 || s.has(n) {
		return false
	}
	for int(n) >= len(*s) {
		*s = append(*s, false)
	}
	(*s)[n] = true
	return true
}

// reach returns R: the objects to which values lead, directly or through fields.
func (l *Layout) reach(h *Heap, from ...[]Object) objects {
	var s objects
	var work []Object
	for _, list := range from {
		for _, n := range list {
			if s.add(n) {
				work = append(work, n)
			}
		}
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for f := range l.Fields {
			if m := l.link(h, n, f); s.add(m) {
				work = append(work, m)
			}
		}
	}
	return s
}

// visible returns the number of objects that globals and locals lead to.
func (l *Layout) visible(h *Heap) int { return l.reach(h, h.Vars).size() }

// canonical returns the heap that is isomorphic to h and in which objects are numbered in the order in which
// a breadth-first search from the variables, and then from the cut-point variables, meets them. So two heaps
// are isomorphic if and only if their canonical forms are equal.
func (l *Layout) canonical(h *Heap) *Heap {
	var number, order []Object
	renamed := func(n Object) Object {
		for int(n) >= len(number) {
			number = append(number, 0)
		}
		if n != 0 && number[n] == 0 {
			order = append(order, n)
			number[n] = Object(len(order))
		}
		return number[n]
	}
	out := &Heap{Vars: make([]Object, len(h.Vars)), Cuts: make([]Object, len(h.Cuts))}
	for i, n := range h.Vars {
		out.Vars[i] = renamed(n)
	}
	for i, n := range h.Cuts {
		out.Cuts[i] = renamed(n)
	}
	for i := 0; i < len(order); i++ {
		for f := range l.Fields {
			out.Links = append(out.Links, renamed(l.link(h, order[i], f)))
		}
	}
	return out
}

// key returns a text that two heaps have in common if and only if they are equal.
func (h *Heap) key() string {
	b := binary.AppendUvarint(nil, uint64(len(h.Cuts)))
	for _, list := range [][]Object{h.Vars, h.Cuts, h.Links} {
		for _, n := range list {
			b = binary.AppendUvarint(b, uint64(n))
		}
	}
	return string(b)
}

// with returns h with a variable changed.
func (h *Heap) with(slot int, n Object) *Heap {
	out := *h
	out.Vars = slices.Clone(h.Vars)
	out.Vars[slot] = n
	return &out
}

// value returns the value of a variable; slot nilSlot is nil.
func (h *Heap) value(slot int) Object {
	if slot == nilSlot {
		return 0
	}
	return h.Vars[slot]
}

// fresh returns h with a new object in a variable: the least identity that no variable leads to, cut-point
// variables included. A cut point that the program cannot see any more keeps its identity, since the caller
// knows it.
func (l *Layout) fresh(h *Heap, slot int) *Heap {
	n := l.reach(h, h.Vars, h.Cuts).least()
	out := h.with(slot, n)
	out.Links = slices.Clone(h.Links)
	for len(out.Links) < int(n)*l.Fields {
		out.Links = append(out.Links, 0)
	}
	for f := range l.Fields {
		out.Links[(int(n)-1)*l.Fields+f] = 0
	}
	return out
}

// store returns h with a field of an object changed.
func (l *Layout) store(h *Heap, n Object, field int, m Object) *Heap {
	out := *h
	out.Links = slices.Clone(h.Links)
	out.Links[(int(n)-1)*l.Fields+field] = m
	return &out
}
