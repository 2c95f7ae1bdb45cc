package shylockcheck

import (
	"slices"

	"c2bp/frontend/shylock"
)

// This file is the concrete semantics of Rot et al. 2012, §2: one heap, identities from a counter, and a stack
// of the locals of callers. It has nothing of cut points or gluing, and so checks runs of the abstract
// semantics: these are made again, and the heaps must be isomorphic at each step.

// concrete is a concrete configuration.
type concrete struct {
	*Program
	lenient bool
	heap    *Heap // without cut-point variables
	counter Object
	stack   []suspended
}

// suspended is a caller.
type suspended struct {
	locals []Object
	proc   *shylock.Proc
	call   *Move
}

// newConcrete returns the initial configuration.
func newConcrete(p *Program, lenient bool) *concrete {
	return &concrete{Program: p, lenient: lenient, heap: &Heap{Vars: make([]Object, p.shared()+p.Locals)}}
}

// move makes the move m of a procedure.
func (c *concrete) move(proc *shylock.Proc, m *Move) (outcome Outcome) {
	switch m.Op {
	case Call:
		c.enterCallee(proc, m)
		return Stepped
	case New:
		// The least identity that is not reachable would not do: others are those of objects that only callers can
		// see.
		c.counter++
		c.heap = c.heap.with(m.X, c.counter)
		c.heap.Links = append(slices.Clone(c.heap.Links), make([]Object, c.Fields)...)
		return Stepped
	}
	c.heap, outcome = c.step(c.heap, m, c.lenient)
	return outcome
}

// enterCallee keeps the locals of the caller; those of the callee are nil or arguments.
func (c *concrete) enterCallee(proc *shylock.Proc, m *Move) {
	locals := c.heap.Vars[c.shared():]
	c.stack = append(c.stack, suspended{locals, proc, m})
	vars := slices.Concat(c.heap.Vars[:c.shared()], make([]Object, c.Locals))
	for i, slot := range m.Args {
		vars[c.slot(m.Callee.Params[i].Var)] = c.heap.value(slot)
	}
	c.heap = &Heap{Vars: vars, Links: c.heap.Links}
}

// back returns to the caller, which it returns.
func (c *concrete) back() suspended {
	top := c.stack[len(c.stack)-1]
	c.stack = c.stack[:len(c.stack)-1]
	vars := slices.Concat(c.heap.Vars[:c.shared()], top.locals)
	if top.call.X >= 0 {
		vars[top.call.X] = vars[c.result()]
	}
	vars[c.result()] = 0
	c.heap = &Heap{Vars: vars, Links: c.heap.Links}
	return top
}

// shows reports whether the heap is isomorphic to the visible part of an abstract one.
func (c *concrete) shows(h *Heap) bool {
	visible := &Heap{Vars: h.Vars, Links: h.Links}
	return c.canonical(c.heap).key() == c.canonical(visible).key()
}
