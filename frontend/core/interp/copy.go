package interp

import (
	"maps"
	"slices"
)

// This file copies machines, so that many runs can continue from one state.

// Copy returns a machine in the state of m, between two steps, whose further choices are made by
// choices. Both are for one goroutine at a time. The body of an object is shared until one of
// them changes it (body.go). The copy does not remember dead objects.
func (m *Machine) Copy(choices Choices) *Machine {
	// 1. From here on nobody owns the bodies. Lists of objects are shared, too: an element is added to a copy of them.
	m.epoch = &epoch{}
	m.objects, m.known = slices.Clip(m.objects), slices.Clip(m.known)
	c := *m
	c.epoch = &epoch{}
	c.bodies, c.vacant = slices.Clone(m.bodies), slices.Clone(m.vacant)
	c.forgetDead()
	// 2. From here on the two decide arbitrary bytes differently, but both keep those decided before.
	c.resolved = maps.Clone(m.resolved)
	// 3. Registers, and what belongs to one of the two.
	c.choices = choices
	c.numbers, _ = choices.(Numbers)
	c.open, c.recent, c.extern, c.met = nil, nil, nil, met{}
	c.stays = maps.Clone(m.stays)
	c.globals = slices.Clone(m.globals)
	c.stack = make([]*Frame, len(m.stack))
	frames := make([]Frame, len(m.stack))
	for i, f := range m.stack {
		c.stack[i] = &frames[i]
		f.copyTo(&frames[i], &c)
	}
	return &c
}

// forgetDead forgets all dead objects of c, which shares its list of objects.
func (c *Machine) forgetDead() {
	if c.dead == 0 {
		return
	}
	live := make([]*Object, 0, len(c.objects)-c.dead)
	for _, o := range c.objects {
		if c.body(o).live {
			live = append(live, o)
		} else {
			c.vacate(o)
		}
	}
	c.objects, c.dead = live, 0
}

// copyTo makes n a copy of f in m. The destination of a call under way must lead into the copy, too.
func (f *Frame) copyTo(n *Frame, m *Machine) {
	f.stack = slices.Clip(f.stack)
	*n = *f
	n.machine = m
	n.values = slices.Clone(f.values)
	if p := &n.result.place; p.cell != nil {
		*p, _ = n.located(m.codeOf(n.routine, n.result.call.Lhs)) // a register, which has no address
	}
}
