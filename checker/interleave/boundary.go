package interleave

import (
	"encoding/binary"
	"slices"

	"c2bp/checker/zom"
)

// This file stores the states between transactions, and the moves to them.

// boundary makes the present state one from which all processes go on.
func (r *reducer) boundary() {
	r.form(nil)
	id, isNew := r.store.add(r.canon.Out, r.canon.Cuts, r.from)
	if isNew {
		r.moves[id] = encode(r.path)
		r.queue = append(r.queue, id)
	}
}

// form writes the form of the present state, followed by a part that tells the rest of it, who holds which locks,
// and more.
func (r *reducer) form(more []byte) {
	c := &r.canon
	c.Multi(r.s)
	n := len(c.Out)
	c.Out = c.Rest(c.Out, r.ranks)
	rest := len(c.Out) - n
	list := r.ghost(r.extra[:0])
	c.Out = append(append(c.Out, list...), more...)
	c.Out = binary.LittleEndian.AppendUint32(c.Out, uint32(rest))
	c.Out = binary.LittleEndian.AppendUint32(c.Out, uint32(len(list)))
	c.Cuts = append(c.Cuts, len(c.Out))
	r.extra = list
}

// ghost appends the part of a state that its form does not tell: who holds which locks, and which objects are fresh.
// Objects are named by their numbers in the form, which is written; those that nothing leads to play no part.
func (r *reducer) ghost(list []byte) []byte {
	if len(r.held)+len(r.fresh) == 0 {
		return list
	}
	r.sites = r.canon.Addresses(r.sites[:0])
	number := func(w zom.Word) zom.Word { return zom.Word(slices.Index(r.sites, w) + 1) }
	// 1. The locks, in the order of their places.
	var all []hold
	for _, h := range r.held {
		if h.obj != zom.Null {
			if h.obj = number(h.obj); h.obj == 0 {
				continue
			}
		}
		all = append(all, h)
	}
	slices.SortFunc(all, compareHolds)
	list = binary.AppendUvarint(list, uint64(len(all)))
	for _, h := range all {
		list = binary.AppendUvarint(list, uint64(h.process))
		list = binary.AppendUvarint(list, uint64(h.location))
		list = binary.AppendUvarint(list, uint64(h.obj))
	}
	// 2. The objects, in the order of their numbers.
	for i, w := range r.sites {
		if _, is := slices.BinarySearch(r.fresh, w); is {
			list = binary.AppendUvarint(list, uint64(i+1))
		}
	}
	return list
}

// compareHolds orders holds by their places.
func compareHolds(a, b hold) int {
	if a.location != b.location {
		return int(a.location - b.location)
	}
	return int(a.obj - b.obj)
}

// read makes a boundary the present state.
func (r *reducer) read(id ID) {
	// The part after the form ends with the lengths of its own parts.
	in := r.store.get(id)
	n := len(in)
	rest, list := int(binary.LittleEndian.Uint32(in[n-8:])), int(binary.LittleEndian.Uint32(in[n-4:]))
	end := n - 8 - list - rest
	form := zom.Reader{In: in[:end]}
	form.Multi(r.s, in[end:end+rest], r.ranks)
	r.held, r.fresh = nil, nil
	if list == 0 {
		return
	}
	// Numbers of objects become addresses.
	ghost := zom.Reader{In: slices.Clone(in[end+rest : n-8])}
	r.canon.Multi(r.s)
	r.sites = r.canon.Addresses(r.sites[:0])
	for range ghost.Uint() {
		h := hold{int(ghost.Uint()), int32(ghost.Uint()), zom.Word(ghost.Uint())}
		if h.obj > 0 {
			h.obj = r.sites[h.obj-1]
		}
		r.held = append(r.held, h)
	}
	for len(ghost.In) > 0 {
		r.fresh = append(r.fresh, r.sites[ghost.Uint()-1])
	}
	slices.Sort(r.fresh)
}

// way returns the moves from the initial state to a boundary.
func (r *reducer) way(id ID) (list []Move) {
	var ids []ID
	for ; id != none; id = r.store.parent(id) {
		ids = append(ids, id)
	}
	for _, id := range slices.Backward(ids) {
		list = r.expand(list, r.moves[id])
	}
	return list
}

// A move with a number below -1 stands for all those of the run to an effect of a summary.

// hop returns the Pick of such a move.
func hop(run int) int32 { return -2 - int32(run) }

// encode returns moves of one process as bytes: its number, and those of the moves.
func encode(path []Move) (out []byte) {
	if len(path) == 0 {
		return nil
	}
	out = binary.AppendUvarint(out, uint64(path[0].Process))
	for _, mv := range path {
		out = binary.AppendVarint(out, int64(mv.Pick))
	}
	return out
}

// expand appends encoded moves, those of effects included.
func (r *reducer) expand(list []Move, in []byte) []Move {
	if len(in) == 0 {
		return list
	}
	process, n := binary.Uvarint(in)
	return r.expandFor(list, int(process), in[n:])
}

// expandFor is expand for a process, whatever the process that has made the moves.
func (r *reducer) expandFor(list []Move, process int, in []byte) []Move {
	for len(in) > 0 {
		pick, n := binary.Varint(in)
		in = in[n:]
		if pick >= -1 {
			list = append(list, Move{process, int32(pick)})
			continue
		}
		if run := r.two.runs[-2-pick]; len(run) > 0 {
			_, k := binary.Uvarint(run)
			list = r.expandFor(list, process, run[k:])
		}
	}
	return list
}
