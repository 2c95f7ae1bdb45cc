package shylockcheck

import "slices"

// This file defines calls and returns: cut points, and how the heap of a callee is glued to that of its
// caller. G are the globals and transfer variables of a heap, L its locals, C its cut-point variables.

// local returns R↓(h): the objects that L and C lead to, but not G. A callee cannot see them.
func (l *Layout) local(h *Heap) objects {
	global := l.reach(h, h.Vars[:l.shared()])
	s := l.reach(h, h.Vars[l.shared():], h.Cuts)
	for n := range s {
		s[n] = s[n] && !global.has(Object(n))
	}
	return s
}

// cutPoints returns CP(h), in ascending order: the objects that G leads to and that L, C or a field of an object
// in R↓(h) refers to, so that the caller knows objects that a callee may change.
//
//	R(G) ∩ (H(L ∪ C) ∪ F(R↓(h)))
func (l *Layout) cutPoints(h *Heap) (list []Object) {
	global := l.reach(h, h.Vars[:l.shared()])
	var cuts objects
	note := func(n Object) {
		if global.has(n) {
			cuts.add(n)
		}
	}
	for _, n := range slices.Concat(h.Vars[l.shared():], h.Cuts) {
		note(n)
	}
	for n, in := range l.local(h) {
		for f := 0; in && f < l.Fields; f++ {
			note(l.link(h, Object(n), f))
		}
	}
	for n, in := range cuts {
		if in {
			list = append(list, Object(n))
		}
	}
	return list
}

// enter returns the heap with which a callee begins: the part of its caller's heap that G leads to, locals
// that are nil, and a cut-point variable for each cut point.
func (l *Layout) enter(h *Heap) *Heap {
	out := &Heap{Vars: make([]Object, len(h.Vars)), Cuts: l.cutPoints(h), Links: h.Links}
	copy(out.Vars, h.Vars[:l.shared()])
	return out
}

// glue returns the heap after a return from a callee, whose heap is hc, to a caller, whose heap at the call was
// hl. Here the semantics of Rot et al. 2012, §3, is mended:
//
//   - Every object that G or C of the callee leads to is named anew, not only those that G leads to: objects may
//     hang below cut points that the globals have let go.
//   - A new name is no name of the caller's heap that is still in use.
//   - Fields are taken from the callee's heap after the renaming, those of R↓(hl) from the caller's.
func (l *Layout) glue(hc, hl *Heap) *Heap {
	// 1. Cut points get their names back. Other names of the caller that stay in use are those of R↓(hl).
	left := l.reach(hc, hc.Vars[:l.shared()], hc.Cuts)
	name := make([]Object, len(left)+1)
	kept := l.local(hl)
	used := slices.Clone(kept)
	for i, n := range l.cutPoints(hl) {
		name[hc.Cuts[i]] = n
		used.add(n)
	}
	// 2. Every other object that the callee leaves gets the least name that is free.
	for n, in := range left {
		if in && name[n] == 0 {
			name[n] = used.least()
			used.add(name[n])
		}
	}
	// 3. Globals and fields of these objects are those of the callee; the rest is the caller's.
	out := &Heap{Vars: slices.Clone(hl.Vars), Cuts: hl.Cuts, Links: make([]Object, len(used)*l.Fields)}
	for i := range l.shared() {
		out.Vars[i] = name[hc.Vars[i]]
	}
	set := func(n Object, field int, m Object) { out.Links[(int(n)-1)*l.Fields+field] = m }
	for f := range l.Fields {
		for n, in := range left {
			if in {
				set(name[n], f, name[l.link(hc, Object(n), f)])
			}
		}
		for n, in := range kept {
			if in {
				set(Object(n), f, l.link(hl, Object(n), f))
			}
		}
	}
	return out
}
