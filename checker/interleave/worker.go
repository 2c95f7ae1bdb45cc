package interleave

import (
	"slices"

	"c2bp/checker/zom"
)

// This file makes the moves from a state without storing where they lead; see team.go. It does as expand.go does.

// survey makes all moves from a stored state.
func (w *worker) survey(id ID) {
	at := &w.place
	w.goTo(id)
	begin := len(w.out.moves)
	if at.pending != 0 {
		w.show(id, at.numbers)
		for i := range w.moves() {
			w.make(id, Move{at.pending - 1, int32(i)})
		}
	} else {
		// All are asked before one moves, as a status that is not remembered needs the present state.
		w.status = w.status[:0]
		for p := range at.procs {
			w.status = append(w.status, w.statusAt(id, p))
		}
		for p, st := range w.status {
			if st == zom.Runnable && !w.again(p) {
				w.make(id, Move{p, -1})
			}
		}
	}
	w.out.states = append(w.out.states, surveyed{at.procs, len(w.out.moves) - begin, at.pending != 0})
}

// again makes a step of a process that is remembered, and reports whether there is one.
func (w *worker) again(p int) bool {
	entry := w.remembered(p)
	if entry == nil {
		return false
	}
	mv := reached{Move: Move{p, -1}, outcome: zom.Stepped}
	w.find(&mv)
	if (!mv.known || w.opts.MissDeadlocks) && entry.after != zom.Runnable && !w.opts.NoDeadlocks {
		w.show(none, w.place.next)
		w.lookForDeadlock(&mv)
	}
	w.out.moves = append(w.out.moves, mv)
	return true
}

// make makes a move from the place.
func (w *worker) make(id ID, move Move) {
	w.show(id, w.place.numbers)
	mark := w.s.Mark()
	mv := reached{Move: move, outcome: w.m.Step(w.s, move.Process, move.Pick), node: w.m.Record.Node}
	if mv.outcome == zom.Stepped {
		w.write(mark, &mv)
		if !mv.known || w.opts.MissDeadlocks {
			w.lookForDeadlock(&mv)
		}
	}
	w.out.moves = append(w.out.moves, mv)
	w.s.Undo(mark)
}

// write finds out where a move leads: the present state, which had a mark before.
func (w *worker) write(mark zom.Mark, mv *reached) {
	at := &w.place
	partial := w.told && w.canon.StepParts(w.s, mark, mv.Process)
	if partial && w.canon.Renames && w.nextRenamed(mv.Move) {
		w.find(mv)
		return
	}
	if partial && !w.canon.Renames {
		// Some parts are others.
		at.next = append(at.next[:0], at.numbers...)
		begin := 0
		for i, k := range w.canon.Changed {
			at.next[k] = w.part(w.canon.Out[begin:w.canon.Cuts[i]])
			begin, mv.fresh = w.canon.Cuts[i], mv.fresh || at.next[k] >= newPart
		}
		if mv.Pick < 0 && !mv.fresh {
			w.remember(mv.Process)
		}
		w.find(mv)
		return
	}
	w.form(mv.Process)
	at.next = at.next[:0]
	begin := 0
	for _, end := range w.canon.Cuts {
		n := w.part(w.canon.Out[begin:end])
		at.next = append(at.next, n)
		begin, mv.fresh = end, mv.fresh || n >= newPart
	}
	w.find(mv)
	if mv.known || w.told {
		return
	}
	// The part of the state that its form does not tell.
	if rest := w.restOf(); rest != nil {
		from := len(w.out.text)
		w.out.text = append(w.out.text, rest...)
		mv.rest = span{from, len(w.out.text)}
	}
}

// part returns the number of a part; it is fresh if the part is not stored.
func (w *worker) part(text []byte) uint64 {
	if n, known := w.store.parts.find(text); known {
		return n
	}
	from := len(w.out.text)
	w.out.text = append(w.out.text, text...)
	w.out.fresh = append(w.out.fresh, span{from, len(w.out.text)})
	return newPart + uint64(len(w.out.fresh)-1)
}

// find looks up the state whose parts have the numbers next, and writes them down if it is not stored.
func (w *worker) find(mv *reached) {
	next := w.place.next
	if mv.hash, mv.known = w.store.has(next); !mv.known {
		from := len(w.out.numbers)
		w.out.numbers = append(w.out.numbers, next...)
		mv.numbers = span{from, len(w.out.numbers)}
	}
}

// lookForDeadlock finds out whether a move has led to a deadlock: the present state.
func (w *worker) lookForDeadlock(mv *reached) {
	if mv.dead = w.isStuck(mv.Move); mv.dead {
		mv.waits = w.waitsAt()
	}
}

// dedup finds the moves of a batch that lead to the same state as an earlier one, among those whose states have no
// fresh parts and a hash that is i modulo n.
func (w *worker) dedup(pieces []piece, i, n uint64) {
	w.first = w.first[:0]
	clear(w.table)
	for k := range pieces {
		p := &pieces[k]
		for j := range p.moves {
			mv := &p.moves[j]
			if mv.outcome == zom.Stepped && !mv.known && !mv.fresh && mv.hash%n == i {
				mv.again = !w.isFirst(p.numbers[mv.numbers.from:mv.numbers.to], mv.hash/n)
			}
		}
	}
}

// isFirst reports whether dedup has not seen a state with these numbers before.
func (w *worker) isFirst(numbers []uint64, hash uint64) bool {
	mask := uint64(len(w.table) - 1)
	at := hash & mask
	for ; w.table[at] != 0; at = (at + 1) & mask {
		if f := &w.first[w.table[at]-1]; f.hash == hash && slices.Equal(f.numbers, numbers) {
			return false
		}
	}
	w.first = append(w.first, firstState{hash, numbers})
	w.table[at] = uint32(len(w.first))
	// At most half of the table is used.
	if 2*len(w.first) > len(w.table) {
		w.table = make([]uint32, 2*len(w.table))
		mask = uint64(len(w.table) - 1)
		for k := range w.first {
			for at = w.first[k].hash & mask; w.table[at] != 0; at = (at + 1) & mask {
			}
			w.table[at] = uint32(k + 1)
		}
	}
	return true
}
