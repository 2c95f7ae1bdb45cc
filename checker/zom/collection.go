package zom

import "slices"

// This file executes the instructions on arrays, sets and channels.

// content is the index by which records of steps name the elements of a set or channel as a whole.
const content = -1

// MaxElements is the number of elements that an array may have.
const MaxElements = 1 << 24

// collection executes an instruction on an array, set or channel.
func (m *Machine) collection(f *frame, in *Instr) Outcome {
	if in.Op == NewN {
		return m.newArray(f, in)
	}
	// 1. Which object is it?
	class := int32(in.Imm)
	obj := f.s[in.A]
	switch in.Op {
	case Size, Receive, HasMessage:
		obj = f.s[in.B]
	case Member:
		obj = f.s[in.C]
	}
	if o := m.object(obj, class); o != Stepped {
		return o
	}
	w := m.prog.width(m.s.news[obj-1].class)
	elem := f.s[in.B:min(int(in.B+w), len(f.s))]
	// 2. Look at it, or change it.
	at := Loc{obj, content}
	m.observeContent(f, in.Op, obj)
	switch in.Op {
	case Size, HasMessage, Member:
		m.Record.Reads = append(m.Record.Reads, at)
		m.set(f, in.A, m.asked(in.Op, obj, elem))
		return Stepped
	}
	m.Record.Writes = append(m.Record.Writes, at)
	switch in.Op {
	case SendTo:
		m.s.insert(obj, m.s.Size(obj), elem)
	case Receive:
		if m.s.Size(obj) == 0 {
			return NoMessage
		}
		m.setN(f, in.A, m.s.Elements(obj)[:w])
		m.s.remove(obj, 0)
	case Insert, Remove:
		m.update(obj, elem, in.Op == Insert)
	default:
		return m.updateAll(f, obj, f.s[in.B], in.Op == InsertAll)
	}
	return Stepped
}

// asked returns the result of Size, HasMessage and Member.
func (m *Machine) asked(op Op, obj Word, elem []Word) Word {
	var is bool
	switch op {
	case Size:
		return Word(m.s.Size(obj))
	case HasMessage:
		is = m.s.Size(obj) > 0
	default:
		_, is = m.s.find(obj, elem)
	}
	if is {
		return 1
	}
	return 0
}

// newArray makes an array; there is none with fewer than 0 elements.
func (m *Machine) newArray(f *frame, in *Instr) Outcome {
	n := f.s[in.C]
	switch {
	case n < 0:
		return Overflow
	case n > MaxElements:
		return TooLarge
	}
	m.observeEvent(f, AllocAt, in.B)
	a := m.s.NewSequence(in.B, int32(n))
	m.Record.Allocs = append(m.Record.Allocs, a)
	m.set(f, in.A, a)
	return Stepped
}

// update puts an element into a set, or takes it out.
func (m *Machine) update(set Word, elem []Word, in bool) {
	switch i, found := m.s.find(set, elem); {
	case in && !found:
		m.s.insert(set, i, elem)
	case !in && found:
		m.s.remove(set, i)
	}
}

// updateAll does so with the elements of another set, which may be the same.
func (m *Machine) updateAll(f *frame, set, other Word, in bool) Outcome {
	if o := m.object(other, m.s.news[set-1].class); o != Stepped {
		return o
	}
	m.Record.Reads = append(m.Record.Reads, Loc{other, content})
	m.observeContent(f, Member, other)
	w := int(m.prog.width(m.s.news[set-1].class))
	for elem := range slices.Chunk(slices.Clone(m.s.Elements(other)), max(w, 1)) {
		m.update(set, elem, in)
	}
	return Stepped
}
