package zom

// This file executes the instructions of programs with processes that leave control alone. Their values are
// exact: no Boolean is unknown, no word absent.

// perform executes an instruction that neither jumps nor calls nor returns.
func (m *Machine) perform(f *frame, in *Instr) Outcome {
	s := f.s
	switch in.Op {
	// Values of the frame.
	case CopyN:
		m.setN(f, in.A, s[in.B:in.B+in.C])
	case Calc:
		w, o := calculate(in.Imm, s[in.B], s[in.C])
		m.set(f, in.A, w)
		return o
	case Cast:
		w, o := convert(in.Imm, s[in.B])
		m.set(f, in.A, w)
		return o
	case Result:
		m.setN(f, in.A, m.results[in.B:in.B+in.C])
	case Self:
		m.set(f, in.A, Word(m.proc))
	// Globals.
	case LoadGlobal:
		m.notes(&m.Record.Reads, Null, in.B, in.C)
		m.observeN(f, ReadAt, Null, in.B, m.s.Globals[in.B:in.B+in.C])
		m.setN(f, in.A, m.s.Globals[in.B:in.B+in.C])
	case StoreGlobal:
		m.notes(&m.Record.Writes, Null, in.A, in.C)
		m.observeN(f, WriteAt, Null, in.A, s[in.B:in.B+in.C])
		for i := range in.C {
			m.s.SetGlobal(in.A+i, s[in.B+i])
		}
	// Objects.
	case Exists:
		o := m.object(s[in.A], int32(in.Imm))
		if o == Stepped && in.C != 0 {
			m.observeContent(f, Exists, s[in.A])
			if s[in.B] < 0 || s[in.B] >= Word(m.s.Size(s[in.A])) {
				o = BadIndex
			}
		}
		return o
	case LoadField, StoreField, LoadElem, StoreElem:
		return m.access(f, in)
	case NewN, Size, SendTo, Receive, HasMessage, Insert, Remove, InsertAll, RemoveAll, Member:
		return m.collection(f, in)
	// Processes, choices, procedures that run inside an instruction.
	case Spawn, SpawnVirtual:
		return m.starts(f, in)
	case Eval, EvalVirtual, Apply:
		return m.nested(f, in)
	case ChooseNumber, ChooseFrom:
		return m.chooses(f, in)
	case SetHandler:
		m.s.setHandler(m.proc, in.A+1)
	// Remarks.
	case Accept:
		m.Record.Accept = s[in.A] == 1
	case Observe:
		// The evaluation of a condition is no action.
		if !m.test && m.floor == 0 {
			m.Record.Events = append(m.Record.Events, Event{s[in.A], s[in.A+1], s[in.A+2]})
		}
	case Print:
		if m.Printed != nil && !m.test {
			m.Printed(in.B, s[in.A:in.A+in.C])
		}
	default:
		return m.execute(f, in)
	}
	return Stepped
}

// setN writes slots.
func (m *Machine) setN(f *frame, slot int32, words []Word) {
	for i, w := range words {
		m.set(f, slot+int32(i), w)
	}
}

// notes records accesses to n places.
func (m *Machine) notes(list *[]Loc, obj Word, index, n int32) {
	for i := range n {
		*list = append(*list, Loc{obj, index + i})
	}
}

// object returns Stepped if w is an object of a class; class -1 is any.
func (m *Machine) object(w Word, class int32) Outcome {
	switch {
	case w == Null:
		return NullUsed
	case class >= 0 && m.s.news[w-1].class != class:
		return WrongClass
	}
	return Stepped
}

// access reads or writes fields of an object, or slots of an element.
func (m *Machine) access(f *frame, in *Instr) Outcome {
	class, slot, n := unpackAt(in.Imm)
	obj := f.s[in.B]
	if in.Op == StoreField || in.Op == StoreElem {
		obj = f.s[in.A]
	}
	if o := m.object(obj, class); o != Stepped {
		return o
	}
	// An element begins at a multiple of its width.
	switch in.Op {
	case LoadElem, StoreElem:
		i := f.s[in.C]
		if in.Op == StoreElem {
			i = f.s[in.B]
		}
		if i < 0 || i >= Word(m.s.Size(obj)) {
			m.observeContent(f, Exists, obj)
			return BadIndex
		}
		slot += int32(i) * m.prog.width(class)
	default:
		n = in.C
	}
	off := m.s.news[obj-1].off + slot
	switch in.Op {
	case LoadField, LoadElem:
		m.notes(&m.Record.Reads, obj, slot, n)
		m.observeN(f, ReadAt, obj, slot, m.s.words[off:off+n])
		m.setN(f, in.A, m.s.words[off:off+n])
		return Stepped
	}
	from := in.B
	if in.Op == StoreElem {
		from = in.C
	}
	m.notes(&m.Record.Writes, obj, slot, n)
	m.observeN(f, WriteAt, obj, slot, f.s[from:from+n])
	for i := range n {
		m.s.setElem(obj, slot+i, f.s[from+i])
	}
	return Stepped
}

// starts makes a process with the arguments.
func (m *Machine) starts(f *frame, in *Instr) Outcome {
	callee, o := m.callee(in, func() Word { return f.s[in.A] })
	if o != Stepped {
		return o
	}
	m.Record.Kind = Spawned
	m.observeEvent(f, CreateAt, int32(callee))
	args := f.s[in.A : int(in.A)+m.prog.Procs[callee].Params]
	p := m.s.Start(callee)
	copy(m.s.Procs[p].Stack, args)
	return Stepped
}
