package zom

// This file chooses objects: those that a variable may come to refer to without a statement that
// says which.
//
// The fields of a new object that stands for one from outside are arbitrary. A Boolean among them is
// Unknown, a reference is Undecided; what it leads to is chosen when it is read first (lazy
// initialisation: Khurshid–Păsăreanu–Visser 2003). So a list of any length is one object, until a
// run walks along it.

// Undecided is a reference that may be null, or lead to any object of its class, a new one included,
// and was not read. Only fields have it.
const Undecided Word = Absent + 2

// Chooses reports whether some step of p chooses an object, or changes all of a class. These are all
// that a variable leads to, so that no variable with a reference is dead; and they cannot be known of a
// procedure alone.
func (p *Program) Chooses() bool {
	for _, proc := range p.Procs {
		for i := range proc.Code {
			if op := proc.Code[i].Op; op == AnyObject || op == AnyField {
				return true
			}
		}
	}
	return false
}

// anyObject returns null or a live object of a class or, with fresh, a new one.
func (m *Machine) anyObject(class int, fresh bool) Word {
	live := m.liveObjects(class)
	n := int32(len(live)) + 1
	if fresh {
		n++
	}
	switch k := m.choose(n); {
	case k == 0:
		return Null
	case int(k) <= len(live):
		return live[k-1]
	}
	return m.newAnyObject(class)
}

// newAnyObject makes an object whose fields may have any values.
func (m *Machine) newAnyObject(class int) Word {
	a := m.s.New(class)
	m.Record.Allocs = append(m.Record.Allocs, a)
	// The words of the object are new: there is nothing to log.
	words := m.s.words[m.s.cell(a).off:]
	for i, f := range m.prog.Classes[class].Fields {
		switch f.Kind {
		case Bool:
			words[i] = Unknown
		case Ref:
			words[i] = Undecided
		}
	}
	return a
}

// anyField makes a field of all objects of a class arbitrary. The target of a reference is chosen when
// it is read.
func (m *Machine) anyField(class int, field int32) {
	w := Unknown
	if m.prog.Classes[class].Fields[field].Kind == Ref {
		w = Undecided
	}
	for i, o := range m.s.news {
		if int(o.class) == class {
			m.Record.Writes = append(m.Record.Writes, Loc{Word(i + 1), field})
			m.s.SetField(Word(i+1), field, w)
		}
	}
}

// liveObjects returns the objects of a class that globals and the variables of any frame lead to. Their
// order is that in which they are met, as in canonical forms, so that it does not depend on
// addresses. The list is valid until the next call.
func (m *Machine) liveObjects(class int) []Word {
	s := m.s
	m.seen = append(m.seen[:0], make([]bool, len(s.news))...)
	met := m.met[:0]
	meet := func(kind Kind, w Word) {
		if kind == Ref && w > 0 && !m.seen[w-1] {
			m.seen[w-1] = true
			met = append(met, w)
		}
	}
	// 1. Meet the objects of globals and of the live slots of all frames: the variables, since they are
	// live in programs that choose.
	for i, w := range s.Globals {
		meet(m.prog.Globals[i].Kind, w)
	}
	for p := range s.Procs {
		for i, f := range s.Procs[p].Frames {
			proc, slots := m.prog.Procs[f.Proc], s.Slots(p, i)
			for j := range proc.Scratch {
				if proc.Live[f.PC].Has(j) {
					meet(proc.Slots[j].Kind, slots[j])
				}
			}
		}
	}
	// 2. Meet those that their fields lead to: met grows.
	for i := 0; i < len(met); i++ {
		o := s.cell(met[i])
		for j := range m.prog.Classes[o.class].Fields {
			meet(m.prog.Classes[o.class].Fields[j].Kind, s.words[int(o.off)+j])
		}
	}
	// 3. Keep those of the class, in place.
	m.met = met
	live := met[:0]
	for _, w := range met {
		if int(s.cell(w).class) == class {
			live = append(live, w)
		}
	}
	return live
}
