package interp

import (
	"cmp"
	"maps"
	"slices"
)

// This file copies machines, so that many runs can continue from one state.

// Copy returns a machine in the state of m, between two steps, whose further choices are made by
// choices. Both are for one goroutine at a time. The bytes of an object are shared until one of
// them changes it. The copy does not remember dead objects.
func (m *Machine) Copy(choices Choices) *Machine {
	c := *m
	c.choices = choices
	c.numbers, _ = choices.(Numbers)
	c.open, c.recent, c.extern = nil, nil, nil
	// From here on the two decide arbitrary bytes differently, but both keep those decided before.
	c.resolved = maps.Clone(m.resolved)
	c.globals = slices.Clone(m.globals)
	// Objects first: frames refer to them.
	c.copyObjects(m)
	c.stack = make([]*Frame, len(m.stack))
	frames := make([]Frame, len(m.stack))
	for i, f := range m.stack {
		c.stack[i] = &frames[i]
		f.copyTo(&frames[i], &c)
	}
	for _, o := range m.objects {
		if o.proc == nil {
			o.twin = nil // for the garbage collector
		}
	}
	return &c
}

// copyObjects makes the live objects of c as copies of those of m; twin of each leads to its copy. Objects of
// procedures, which are most of them, have no contents: all copies have the same ones, until one changes, see know.
func (c *Machine) copyObjects(m *Machine) {
	c.objects, c.dead = make([]*Object, 0, len(m.objects)-m.dead), 0
	made := make([]Object, len(m.objects)-m.dead-len(m.functions))
	for _, o := range m.objects {
		switch {
		case !o.live:
			continue
		case o.proc != nil:
			if !o.shared { // others may read it
				o.shared = true
			}
			c.objects = append(c.objects, o)
			continue
		}
		o.shared = true
		n := &made[0]
		made = made[1:]
		*n = *o
		n.twin, o.twin = nil, n
		c.objects = append(c.objects, n)
	}
	c.known, c.functions, c.globalObjects = twins(m.known), twins(m.functions), twins(m.globalObjects)
}

// copyTo makes n a copy of f in m, whose objects are made. The destination of a call under way must
// lead into the copy, too.
func (f *Frame) copyTo(n *Frame, m *Machine) {
	*n = *f
	n.machine = m
	n.values, n.objects, n.stack = slices.Clone(f.values), twins(f.objects), twins(f.stack)
	switch p := &n.result.place; {
	case p.cell != nil:
		*p, _ = n.located(m.codeOf(n.routine, n.result.call.Lhs)) // a register, which has no address
	case p.object != nil && p.object.live:
		p.object = p.object.twin
	}
}

// know makes o known outside. An object of a procedure that a copy of m has, too, becomes one of m's own.
func (m *Machine) know(o *Object) {
	if o.known {
		return
	}
	if o.proc != nil && o.shared {
		own := *o
		own.shared = false
		i, _ := slices.BinarySearchFunc(m.objects, o.start, func(o *Object, a uint64) int { return cmp.Compare(o.start, a) })
		m.objects[i], m.functions[m.Prepared.functions[o.proc]], m.recent = &own, &own, nil
		o = &own
	}
	o.known = true
	m.known = append(m.known, o)
}

// twins returns the copies of live objects. The others stay, and those of procedures: nobody changes them.
func twins(list []*Object) []*Object {
	out := slices.Clone(list)
	for i, o := range out {
		if o != nil && o.live && o.proc == nil {
			out[i] = o.twin
		}
	}
	return out
}
