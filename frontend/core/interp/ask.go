package interp

import "c2bp/frontend/core"

// This file makes requests of Choices, and checks the answers.

// choose lets Choices decide the value of a variable that f can see, if it is a scalar.
func (m *Machine) choose(f *Frame, v *core.Var, r Request) {
	if _, ok := core.Word(v.Type); ok {
		m.choosePlace(f.variable(v), v.Type, r)
	}
}

// choosePlace lets Choices decide the value of a location of type t, on behalf of the top frame.
func (m *Machine) choosePlace(p place, t core.Type, r Request) { p.set(m, m.askPlace(p, t, r)) }

// askPlace asks for the value of such a location.
func (m *Machine) askPlace(p place, t core.Type, r Request) int64 {
	r.Type, r.Pointer = p.span.typ, pointerType(t)
	r.Object, r.Addr = p.object, p.span.addr
	if !r.hasOld && (r.Why == Havocked || r.Why == RegionHavocked) {
		r.old, r.hasOld = p.old(m)
	}
	return m.ask(&r)
}

// ask makes a request of Choices and checks the answer.
func (m *Machine) ask(r *Request) int64 {
	m.request = *r
	r = &m.request
	r.machine = m
	// Complete the request: the place where the machine stands, and the old value.
	r.Place = Place{Proc: m.prog.Entry, Node: m.prog.Entry.Exit()}
	if f := m.Top(); f != nil {
		r.Place = f.place()
	}
	if m.numbers != nil {
		return m.number(r)
	}
	if r.hasOld {
		r.Old = toBig(r.Type, r.old)
	}
	v := m.choices.Value(*r)
	// The answer must be a value of the type, and no address that is unknown outside of the
	// program.
	ok := v != nil && r.Type.Contains(v)
	if ok && r.Var != nil && r.Var.Logical {
		ok = core.Bool.Contains(v)
	}
	if !ok || m.pointers && r.Hides(v) {
		if m.err == nil {
			m.err = &ChoiceError{Request: *r, Value: v}
		}
		return 0
	}
	m.pointed(r, fromBig(v))
	m.asNumber(fromBig(v))
	return fromBig(v)
}

// number is ask for Choices that implement Numbers.
func (m *Machine) number(r *Request) int64 {
	v := m.numbers.Number(r)
	ok := convert(r.Type, v) == v
	if ok && r.Var != nil && r.Var.Logical {
		ok = v == 0 || v == 1
	}
	if !ok || m.pointers && r.hides(v) {
		if m.err == nil {
			m.err = &ChoiceError{Request: *r, Value: toBig(r.Type, v)}
		}
		return 0
	}
	m.pointed(r, v)
	m.asNumber(v)
	return v
}
