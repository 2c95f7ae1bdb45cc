package interleave

import "c2bp/checker/zom"

// This file makes all moves from a state. Two neighbours have most of their parts in common, and so have two
// states that are stored one after the other; only the other parts are read and written.

// present is the stored state that is the present one, as the numbers of its parts.
type present struct {
	s       *zom.State
	numbers []uint64
	next    []uint64 // those of another state
	cuts    []int    // memory for based
	based   bool     // canon has its form
}

// expand makes all moves from a stored state, and reports whether the search goes on.
func (e *engine) expand(id ID) bool {
	e.reload(id)
	n := e.moves()
	e.count(id, n)
	run := func() []Move { return e.run(id) }
	mark := e.s.Mark()
	for i := range n {
		mv := e.move(i)
		o := e.take(mv, run)
		to := none
		if o == zom.Stepped {
			isNew := false
			if to, isNew = e.keepStep(id, mark, mv.Process); isNew || e.opts.MissDeadlocks {
				e.stuck(mv, run)
			}
		}
		if e.edge != nil {
			e.edge(id, to, mv, o)
		}
		if e.over() || e.stopped() {
			return false
		}
		e.s.Undo(mark)
	}
	return true
}

// reload makes a stored state the present one. If that is a stored state now, without a change, only the parts in
// which both differ are read.
func (e *engine) reload(id ID) {
	p := &e.present
	p.next = e.store.numbers(p.next[:0], id)
	known := p.s == e.s && len(p.numbers) == len(p.next)
	for k := 0; known && k < len(p.next); k++ {
		if n := p.next[k]; n != p.numbers[k] {
			known = e.s.ReadPart(k, e.store.parts.get(n))
		}
	}
	if !known {
		e.load(id)
	}
	p.numbers, p.next, p.based = p.next, p.numbers, false
	// Where a form does not tell all of a state, each is read as a whole.
	if p.s = e.s; !e.told {
		p.s = nil
	}
	if e.told {
		e.canon.BaseParts(e.s)
	}
}

// keepStep stores the state that a step of a process has reached from the one that was reloaded, which had a
// mark, and reports whether it is new.
func (e *engine) keepStep(from ID, mark zom.Mark, process int) (ID, bool) {
	p := &e.present
	// 1. Most steps change few parts.
	if e.told && e.canon.StepParts(e.s, mark, process) {
		p.next = append(p.next[:0], p.numbers...)
		at := 0
		for i, k := range e.canon.Changed {
			p.next[k] = e.store.parts.number(e.canon.Out[at:e.canon.Cuts[i]])
			at = e.canon.Cuts[i]
		}
		id, isNew := e.store.addNumbers(p.next, from)
		if isNew {
			e.newest = id
		}
		return id, isNew
	}
	// 2. Others may change all.
	if !p.based {
		e.base(from)
	}
	e.canon.MultiAfter(e.s, process)
	return e.keepForm(from)
}

// base tells canon the form of the state that was reloaded.
func (e *engine) base(id ID) {
	p := &e.present
	p.based, p.cuts = true, p.cuts[:0]
	end := 0
	for _, n := range p.numbers {
		end += len(e.store.parts.get(n))
		p.cuts = append(p.cuts, end)
	}
	e.canon.BaseForm(e.store.get(id), p.cuts)
}
