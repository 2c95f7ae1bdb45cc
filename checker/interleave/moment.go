package interleave

import (
	"c2bp/checker/summaries"
	"c2bp/checker/zom"
)

// This file goes back in a transaction.

// moment is a moment of a transaction, to go back to.
type moment struct {
	mark  zom.Mark
	held  []hold
	fresh []zom.Word
	moves int
	path  summaries.Path
}

// now returns the present moment.
func (r *reducer) now() moment {
	m := moment{mark: r.s.Mark(), held: r.held, fresh: r.fresh, moves: len(r.path)}
	if v := r.inv(); v != nil {
		m.path = v.Mark()
	}
	return m
}

// back goes back to a moment.
func (r *reducer) back(m moment) {
	r.s.Undo(m.mark)
	r.held, r.fresh, r.path = m.held, m.fresh, r.path[:m.moves]
	if v := r.inv(); v != nil {
		v.Path = m.path
	}
}
