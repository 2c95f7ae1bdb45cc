package zingtest

import (
	"slices"

	"c2bp/frontend/zing"
)

// This file defines values and states, and how they are copied.

// value is a value of a variable:
//
//	bool                  bool
//	integers, enums       int64, or uint64 if it is greater than the greatest int64
//	reals                 float64
//	string                string, or nil
//	structs               structure
//	references            ref, or nil
type value any

// structure is a value of a struct type: its fields.
type structure []value

// ref is a reference: the age of an object.
type ref int

// object is an object of the heap. The elements are the fields of an object of a class, the elements
// of an array, those of a set in order, or the messages of a channel, the oldest first.
type object struct {
	of    *zing.Type
	elems []value
}

// state is a state of a program.
type state struct {
	globals   []value
	processes []*process // in the order of their creation
	heap      map[ref]*object
	made      ref // the last reference that was made

	// pending are the values among which the process chooser must choose; nil if it need not.
	pending []value
	chooser int
}

// process is a process; it has ended if the stack is empty.
type process struct {
	stack     []*frame // the running method is the last one
	exception string   // that is on its way to a handler
	returned  *frame   // just popped; its results are not copied yet
}

// frame is a method that was called.
type frame struct {
	method   *zing.Method
	at       *block
	savedA   int // the atomicity of the caller at the call
	this     value
	params   []value
	result   value
	locals   []value
	handlers *handlers // installed; nil if there are none
}

// copied returns a copy of a value that shares nothing with it but objects.
func copied(v value) value {
	if s, is := v.(structure); is {
		return structure(copiedAll(s))
	}
	return v
}

// copiedAll copies a list of values.
func copiedAll(list []value) []value {
	out := slices.Clone(list)
	for i := range out {
		out[i] = copied(out[i])
	}
	return out
}

// clone returns a copy of the state that shares nothing with it.
func (s *state) clone() *state {
	out := &state{globals: copiedAll(s.globals), heap: map[ref]*object{}, made: s.made, pending: copiedAll(s.pending), chooser: s.chooser}
	for _, p := range s.processes {
		q := &process{}
		for _, f := range p.stack {
			g := *f
			g.params, g.locals, g.result = copiedAll(f.params), copiedAll(f.locals), copied(f.result)
			q.stack = append(q.stack, &g)
		}
		out.processes = append(out.processes, q)
	}
	for r, o := range s.heap {
		out.heap[r] = &object{of: o.of, elems: copiedAll(o.elems)}
	}
	return out
}

// allocate makes an object.
func (s *state) allocate(o *object) ref {
	s.made++
	s.heap[s.made] = o
	return s.made
}

// initial returns the default value of a type.
func initial(t *zing.Type) value {
	switch {
	case t.Kind == zing.KindBool:
		return false
	case t.IsInteger() || t.Kind == zing.KindEnum:
		return int64(0)
	case t.IsNumeric():
		return 0.0
	case t.Kind == zing.KindStruct:
		fields := structure{}
		for _, f := range t.Fields {
			fields = append(fields, initial(f.Type))
		}
		return fields
	}
	return nil
}

// moveTo moves the frame to a block. If that stands in an ancestor of the scope of the present one, the
// variables of the scopes that are left go back to their defaults.
func (f *frame) moveTo(to *block) {
	if left := f.at.scope; below(left, to.scope) {
		for ; left != to.scope; left = left.Parent {
			for _, l := range left.Locals {
				f.locals[l.Index] = initial(l.Type)
			}
		}
	}
	f.at = to
}

// below reports whether outer is an ancestor of inner and not inner itself.
func below(inner, outer *zing.Scope) bool {
	for s := inner.Parent; s != nil; s = s.Parent {
		if s == outer {
			return true
		}
	}
	return false
}
