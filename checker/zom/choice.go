package zom

// This file defines when a process waits, and how it chooses.

// Status is the condition of a process.
type Status uint8

// The conditions of processes.
const (
	Completed    Status = iota // its stack is empty
	Waiting                    // at a select with nothing to run
	WaitingAtEnd               // likewise, but the select is one where it may stay
	Runnable
)

// Status returns the status of a process. An error in a condition that it waits for makes it runnable:
// it then stops there.
func (m *Machine) Status(s *State, process int) Status {
	f := s.Top(process)
	if f == nil {
		return Completed
	}
	code := s.prog.Procs[f.Proc]
	wait := code.Blocks[f.PC].Wait
	if wait < 0 {
		return Runnable
	}
	// Run the conditions. Frames of a predicate that fails must go away again.
	mark := s.Mark()
	defer s.Undo(mark)
	m.begin(s, process)
	m.test, m.runs = true, true
	at := m.top()
	at.pc = wait
	switch {
	case m.instructions(&at, code.Blocks[wait].Scope) != Stepped || m.runs:
		return Runnable
	case code.Blocks[wait].Flags&EndState != 0:
		return WaitingAtEnd
	}
	return Waiting
}

// count returns the number of targets of a Select that can be taken.
func (m *Machine) count(f *frame, in *Instr) (n int32) {
	for i := range in.Targets {
		n += int32(f.s[int(in.A)+i])
	}
	return n
}

// selects returns the target of a Select. If several can be taken, the choice becomes pending.
func (m *Machine) selects(f *frame, in *Instr) (pc int32, o Outcome) {
	n := m.count(f, in)
	skip := int32(0)
	switch {
	case n == 0:
		return 0, BlockedInside
	case n == 1 || in.Imm == 1:
	default:
		if skip, o = m.choice(n); o != Stepped || m.s.Pending != 0 {
			return 0, o
		}
	}
	// Take the target after as many as are to be skipped.
	for i, t := range in.Targets {
		if f.s[int(in.A)+i] == 1 {
			if skip == 0 {
				return t, Stepped
			}
			skip--
		}
	}
	panic("zom: a choice has no such alternative")
}

// choice returns the alternative to take of n, or makes the choice pending.
func (m *Machine) choice(n int32) (int32, Outcome) {
	switch {
	case m.floor > 0:
		return 0, ChoiceInside
	case n == 0:
		return 0, EmptyChoice
	case m.pick < 0:
		m.s.setPending(int32(m.proc) + 1)
		return 0, Stepped
	}
	k := m.pick
	m.pick = -1
	return k, Stepped
}

// Alternatives returns the number of alternatives of the pending choice of s.
func (m *Machine) Alternatives(s *State) int32 {
	mark := s.Mark()
	defer s.Undo(mark)
	m.begin(s, int(s.Pending)-1)
	s.setPending(0)
	m.test = true
	f := m.top()
	// Run the block up to the instruction that chooses.
	for {
		in := &f.code.Code[f.pc]
		f.pc++
		switch in.Op {
		case Select:
			return m.count(&f, in)
		case ChooseNumber:
			return in.B
		case ChooseFrom:
			return s.Size(f.s[in.B])
		case Jump:
			f.pc = in.Targets[0]
		case Branch:
			f.pc = in.Targets[1-f.s[in.A]]
		default:
			if m.perform(&f, in) != Stepped {
				panic("zom: a pending choice fails")
			}
		}
	}
}

// chooses executes ChooseNumber and ChooseFrom.
func (m *Machine) chooses(f *frame, in *Instr) Outcome {
	n := in.B
	if in.Op == ChooseFrom {
		if o := m.object(f.s[in.B], int32(in.Imm)); o != Stepped {
			return o
		}
		n = m.s.Size(f.s[in.B])
		m.observeContent(f, ChooseFrom, f.s[in.B])
	}
	k, o := m.choice(n)
	if o != Stepped || m.s.Pending != 0 {
		return o
	}
	if in.Op == ChooseNumber {
		m.set(f, in.A, in.Imm+Word(k))
		return Stepped
	}
	w := m.prog.width(int32(in.Imm))
	m.setN(f, in.A, m.s.Elements(f.s[in.B])[k*w:(k+1)*w])
	return Stepped
}
