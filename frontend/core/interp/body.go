package interp

import (
	"maps"
	"slices"
)

// This file separates what changes in objects from what stays, so that a machine is copied by copying one pointer for
// each object: copies share the bodies of objects, and the one that changes a body first makes a copy of it. Who may
// change what without copying it, is told by a mark that is new after each copy of the machine.
//
//	             body of x     body of y
//	m            A, m's        B, m's
//	c = copy     A             B            m and c have new marks: A and B are nobody's
//	m: x = 1     A', m's       B            c still has A
//	c: y = 2     A             B', c's      m still has B

// epoch is the time of a machine between two copies: a mark of what was made in it. It has a size, so that all are
// different.
type epoch struct{ _ byte }

// body is the state of an object.
type body struct {
	of    *Object
	owner *epoch // only a machine in this one may change the body,
	bytes *epoch // and its bytes
	live  bool
	known bool  // outside the program: its address has reached an external
	held  int64 // bytes of memory that it takes in this process
	contents
	sparse *sparse // in the place of contents, if not nil

	lowest uint64 // of one of the environment, the lowest address in it that the run has used

	// For Options.Typed and package harness.
	unset    bool    // it has bytes that nothing sets (package unset)
	pointers int     // of memory outside of the program: how many pointers from outside lead here
	shown    []shown // the objects in it that accesses have shown, see types.go
}

// gone is the body of objects whose lives have ended so long ago that they are forgotten.
func gone(o *Object) *body { return &body{of: o} }

// embody gives o a body, whose contents are still to be made.
func (m *memory) embody(o *Object) *body {
	b := &body{of: o, owner: m.epoch, bytes: m.epoch}
	if n := len(m.vacant) - 1; n >= 0 {
		o.index, m.vacant = m.vacant[n], m.vacant[:n]
		m.bodies[o.index] = b
	} else {
		o.index = len(m.bodies)
		m.bodies = append(m.bodies, b)
	}
	return b
}

// vacate forgets the body of o.
func (m *memory) vacate(o *Object) {
	m.bodies[o.index] = nil
	m.vacant = append(m.vacant, o.index)
}

// body returns the body of o, to be read only.
func (m *memory) body(o *Object) *body {
	// Another object may have the place of one that is forgotten.
	if b := m.bodies[o.index]; b != nil && b.of == o {
		return b
	}
	return gone(o)
}

// change returns the body of o, to be changed but for its bytes.
func (m *memory) change(o *Object) *body {
	b := m.body(o)
	switch b.owner {
	case m.epoch:
		return b
	case nil:
		panic("interp: change of an object that is forgotten")
	}
	own := *b
	own.owner = m.epoch
	m.bodies[o.index] = &own
	return &own
}

// own returns the body of o, to be changed with its bytes; those of a page when the page is changed, see mine.
func (m *memory) own(o *Object) *body {
	b := m.body(o)
	if b.bytes == m.epoch { // and the body is the machine's own, too
		return b
	}
	b = m.change(o)
	b.bytes = m.epoch
	if b.sparse == nil {
		b.data, b.unknown = slices.Clone(b.data), slices.Clone(b.unknown)
	} else {
		b.sparse = &sparse{width: b.sparse.width, pages: maps.Clone(b.sparse.pages), ground: slices.Clone(b.sparse.ground)}
	}
	return b
}

// Live reports whether the life of o has not ended.
func (m *Machine) Live(o *Object) bool { return m.body(o).live }

// Known reports whether externals may know the address of o: it was reachable from the arguments of one, or is the
// external object.
func (m *Machine) Known(o *Object) bool { return m.body(o).known }

// Unset reports whether the object of the request has contents that the program reads although nothing sets them.
func (r *Request) Unset() bool { return r.machine.body(r.Object).unset }

// know makes o known outside.
func (m *Machine) know(o *Object) {
	if m.body(o).known {
		return
	}
	m.change(o).known = true
	m.known = append(m.known, o)
}

// knownOutside reports whether the address of o is known outside of the program.
func (m *Machine) knownOutside(o *Object) bool { return o.foreign() || m.body(o).known }
