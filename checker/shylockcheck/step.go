package shylockcheck

import "c2bp/frontend/shylock"

// This file executes moves inside of a procedure.

// Outcome is what becomes of a move.
type Outcome int

// The outcomes.
const (
	Stepped         Outcome = iota
	Disabled                // a test does not hold
	Failed                  // an assertion does not hold
	NullDereference         // a field of nil was read or written
)

// holds evaluates a condition.
func (p *Program) holds(h *Heap, c shylock.Cond) bool {
	switch c := c.(type) {
	case *shylock.Compare:
		return (h.value(p.slot(c.X.Var)) == h.value(p.slot(c.Y.Var))) == c.Equal
	case *shylock.Not:
		return !p.holds(h, c.X)
	case *shylock.And:
		return p.holds(h, c.X) && p.holds(h, c.Y)
	case *shylock.Or:
		return p.holds(h, c.X) || p.holds(h, c.Y)
	}
	panic("shylockcheck: a condition of another kind")
}

// step makes a move that is no call. With lenient, nil has fields that are nil and that cannot be changed.
func (p *Program) step(h *Heap, m *Move, lenient bool) (*Heap, Outcome) {
	switch m.Op {
	case Copy:
		return h.with(m.X, h.value(m.Y)), Stepped
	case New:
		return p.fresh(h, m.X), Stepped
	case Return:
		return h.with(p.result(), h.value(m.Y)), Stepped
	case Assert:
		if !p.holds(h, m.Cond) {
			return h, Failed
		}
	case Test:
		if p.holds(h, m.Cond) != m.Holds {
			return h, Disabled
		}
	case Load:
		n := h.value(m.Y)
		if n == 0 && !lenient {
			return h, NullDereference
		}
		return h.with(m.X, p.link(h, n, m.Field)), Stepped
	case Store:
		switch n := h.value(m.X); {
		case n != 0:
			return p.store(h, n, m.Field, h.value(m.Y)), Stepped
		case !lenient:
			return h, NullDereference
		}
	}
	return h, Stepped
}

// call returns the heap that a caller keeps at a call, in which the arguments stand in transfer variables.
func (p *Program) call(h *Heap, m *Move) *Heap {
	for i, slot := range m.Args {
		h = h.with(p.argument(i), h.value(slot))
	}
	return h
}

// begin returns the heap with which a callee begins, after a call at which its caller has kept a heap: the
// parameters have taken the arguments.
func (p *Program) begin(stored *Heap, callee *shylock.Proc) *Heap {
	entered := p.enter(stored)
	for i := range callee.Params {
		entered = entered.with(p.slot(callee.Params[i].Var), entered.Vars[p.argument(i)])
		entered.Vars[p.argument(i)] = 0
	}
	return entered
}

// end returns the heap of the caller after a return, whose result goes to a variable unless that is noSlot.
func (p *Program) end(hc, stored *Heap, to int) *Heap {
	h := p.glue(hc, stored)
	if to >= 0 {
		h.Vars[to] = h.Vars[p.result()]
	}
	h.Vars[p.result()] = 0
	return h
}
