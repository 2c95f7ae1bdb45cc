package zom

import "fmt"

// This file executes instructions that leave control alone.

// execute executes an instruction that is not a jump, branch, call or return.
func (m *Machine) execute(f *frame, in *Instr) Outcome {
	s := f.s
	switch in.Op {
	case Skip:
	// Instructions that note, move or choose values.
	case Visit:
		if m.Visited != nil {
			m.Visited(m.s.Top(m.proc).Proc, in.Node)
		}
	case Const:
		m.set(f, in.A, in.Imm)
	case Copy:
		m.set(f, in.A, m.look(f, in))
	case Move:
		m.set(f, in.A, s[in.B])
		m.set(f, in.B, 0)
	case Any:
		m.set(f, in.A, Unknown)
	case Decide:
		if s[in.A] == Unknown {
			m.set(f, in.A, Word(m.choose(2)))
		}
	// Instructions that read or write places that others can see.
	case Global, SetGlobal:
		return m.global(f, in)
	case Field, SetField:
		return m.field(f, in)
	case New:
		m.observeEvent(f, AllocAt, in.B)
		a := m.s.New(int(in.B))
		m.Record.Allocs = append(m.Record.Allocs, a)
		m.set(f, in.A, a)
	case AnyField:
		m.anyField(int(in.A), in.B)
	case AnyObject:
		m.set(f, in.A, m.anyObject(int(in.B), in.C != 0))
	case Object:
		if s[in.A] == Null {
			return NullUsed
		}
	// Instructions that can end the run or block the process.
	case Assume, Assert, Wait:
		return m.condition(s[in.A], in.Op)
	case Spawn:
		m.spawn(f, in)
	// Operations.
	case Add, Sub, Mul, Div, Rem:
		w, o := arithmetic(in.Op, s[in.B], s[in.C])
		m.set(f, in.A, w)
		return o
	default:
		m.set(f, in.A, m.boolean(f, in))
	}
	return Stepped
}

// look returns slot b. An unknown Boolean is decided there.
func (m *Machine) look(f *frame, in *Instr) Word {
	w := f.s[in.B]
	// The other copy, in slot b, gets the same value.
	if w == Unknown && f.code.Slots[in.B].Kind == Bool {
		w = Word(m.choose(2))
		m.set(f, in.B, w)
	}
	return w
}

// condition returns the outcome of an assume, assert or wait.
func (m *Machine) condition(w Word, op Op) Outcome {
	if w == Unknown {
		// Some choice satisfies an assumption, so the run continues with that; an assertion is
		// explored both ways.
		if op != Assert {
			return Stepped
		}
		w = Word(m.choose(2))
	}
	switch {
	case w == 1:
		return Stepped
	case op == Assert:
		return Failed
	case op == Wait:
		m.Record.Kind = Waited
		return Blocked
	}
	return Ended
}

// spawn starts a process with the arguments.
func (m *Machine) spawn(f *frame, in *Instr) {
	m.Record.Kind = Spawned
	args := f.s[in.A : int(in.A)+m.prog.Procs[in.B].Params]
	p := m.s.Start(int(in.B))
	copy(m.s.Procs[p].Stack, args)
}

// fork starts a process with a copy of the frame. Booleans that are unknown and that the process may read are
// decided first: the copy has the value of the original.
func (m *Machine) fork(f *frame, in *Instr) {
	m.Record.Kind = Spawned
	live := f.code.Live[in.Targets[1]]
	for i := range f.code.Scratch {
		if live.Has(i) && f.code.Slots[i].Kind == Bool && f.s[i] == Unknown {
			m.set(f, int32(i), Word(m.choose(2)))
		}
	}
	p := m.s.Start(int(m.s.Top(m.proc).Proc))
	copy(m.s.Procs[p].Stack, f.s[:f.code.Scratch])
	m.s.SetPC(p, in.Targets[1])
}

// global reads or writes a global. Reading decides an unknown Boolean, and asks Entry for an absent
// value.
func (m *Machine) global(f *frame, in *Instr) Outcome {
	// 1. A write moves the value along, unread.
	if in.Op == SetGlobal {
		m.Record.Writes = append(m.Record.Writes, Loc{Null, in.A})
		m.s.SetGlobal(in.A, f.s[in.B])
		return Stepped
	}
	// 2. A read: the value from the entry if it was not written, then a choice if it is unknown.
	at := Loc{Null, in.B}
	m.Record.Reads = append(m.Record.Reads, at)
	w := m.s.Globals[in.B]
	if w == Absent {
		w = m.Entry.Read(at)
	}
	if w == Unknown && m.prog.Globals[in.B].Kind == Bool {
		w = Word(m.choose(2))
		m.s.SetGlobal(in.B, w)
		m.Record.Decided = append(m.Record.Decided, Decision{in.B, w})
	}
	m.set(f, in.A, w)
	return Stepped
}

// field reads or writes a field, likewise; an object that is null is an error.
func (m *Machine) field(f *frame, in *Instr) Outcome {
	// 1. A write.
	if in.Op == SetField {
		obj := f.s[in.A]
		if obj == Null {
			return NullUsed
		}
		m.Record.Writes = append(m.Record.Writes, Loc{obj, in.B})
		m.s.SetField(obj, in.B, f.s[in.C])
		return Stepped
	}
	// 2. A read, as in global.
	at := Loc{f.s[in.B], in.C}
	if at.Obj == Null {
		return NullUsed
	}
	m.Record.Reads = append(m.Record.Reads, at)
	w := m.s.Field(at.Obj, in.C)
	if w == Absent {
		w = m.Entry.Read(at)
	}
	switch {
	case w == Unknown && m.fieldOf(at).Kind == Bool:
		w = Word(m.choose(2))
		m.s.SetField(at.Obj, in.C, w)
	case w == Undecided:
		w = m.anyObject(m.fieldOf(at).Class, true)
		m.s.SetField(at.Obj, in.C, w)
	}
	m.set(f, in.A, w)
	return Stepped
}

// fieldOf returns the declaration of a field of an object.
func (m *Machine) fieldOf(at Loc) *Slot { return &m.prog.Classes[m.s.Class(at.Obj)].Fields[at.Index] }

// boolean returns the result of an operation on sets of values.
func (m *Machine) boolean(f *frame, in *Instr) Word {
	x, y := f.s[in.B], f.s[in.C]
	switch in.Op {
	case Not:
		return opposite(x)
	case And:
		return both(x, y)
	// De Morgan: operations on sets of values commute with negation.
	case Or:
		return opposite(both(opposite(x), opposite(y)))
	case Implies:
		return opposite(both(x, opposite(y)))
	// Two unknown Booleans may be equal or not; other kinds are never unknown.
	case Xor, Eq:
		w := Word(0)
		switch {
		case f.code.Slots[in.B].Kind == Bool && (x == Unknown || y == Unknown):
			return Unknown
		case (x == y) == (in.Op == Eq):
			w = 1
		}
		return w
	case Less:
		if x < y {
			return 1
		}
		return 0
	case Choose:
		return pick(x, y)
	}
	panic(fmt.Sprintf("zom: instruction %d", in.Op))
}

// opposite returns the set of the negations of a set of Booleans.
func opposite(x Word) Word {
	if x == Unknown {
		return x
	}
	return 1 - x
}

// both returns the set of the conjunctions.
func both(x, y Word) Word {
	switch {
	case x == 0 || y == 0:
		return 0
	case x == 1:
		return y
	case y == 1:
		return x
	}
	return Unknown
}

// pick returns choose(p, n): 1 if p, else 0 if n, else any value. If p may be 0 or 1, the result
// may be 1, and 0 as well: because of n if n is 1, and freely otherwise.
func pick(p, n Word) Word {
	switch {
	case p == 1:
		return 1
	case p == 0 && n == 1:
		return 0
	}
	return Unknown
}
