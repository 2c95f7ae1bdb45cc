package interleave

// This file searches breadth first. The stored states are the queue: they lie in the order in which they
// were added.

// breadth explores breadth first, up to the bound if there is one.
func (e *engine) breadth() {
	e.keep(none)
	e.r.Levels = 1
	expand := e.expand
	if e.opts.Jobs > 1 && e.edge == nil {
		expand = newTeam(e, e.opts.Jobs, e.piece).expand
	}
	last := first // the states of a level end with last
	for id := first; id != none; id = e.store.next(id) {
		if e.opts.Search == Bounded && e.r.Levels >= e.opts.Bound {
			e.boundary(id)
			break
		}
		if !expand(id) {
			break
		}
		// The next level ends with the state that was added last.
		if id == last && e.newest > last {
			e.r.Levels++
			last = e.newest
		}
	}
}

// boundary counts the states from id on, whose runs are as long as the bound allows. The search is complete
// if none of them has a move.
func (e *engine) boundary(id ID) {
	for ; id != none && !e.stopped(); id = e.store.next(id) {
		e.load(id)
		n := e.moves()
		e.count(id, n)
		if n > 0 {
			e.r.Open = "bound of " + plural(e.opts.Bound, "state") + " a run"
			return
		}
	}
}
