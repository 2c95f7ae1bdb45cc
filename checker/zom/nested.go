package zom

// This file runs procedures inside one instruction: the predicates of conditions, and what initialises a new
// object.

// maxNesting is the number of frames of such procedures; more are taken for an endless recursion.
const maxNesting = 10000

// nested executes Eval, EvalVirtual and Apply.
func (m *Machine) nested(f *frame, in *Instr) Outcome {
	first, apply := in.C, in.Op == Apply
	if apply {
		first = in.A
	}
	callee, o := m.callee(in, func() Word { return f.s[first] })
	if o != Stepped {
		return o
	}
	mark := m.s.Mark()
	o = m.runNested(callee, f.s[first:int(first)+m.prog.Procs[callee].Params])
	if o != Stepped {
		return o
	}
	// A condition must not change the state; its result is in the machine.
	if !apply {
		m.s.Undo(mark)
	}
	f.s = m.slots()
	if !apply {
		m.set(f, in.A, m.results[0])
	}
	return Stepped
}

// runNested runs a procedure to its end.
func (m *Machine) runNested(proc int, args []Word) Outcome {
	outer := m.StepState
	below := len(m.s.Procs[m.proc].Frames)
	if below > maxNesting {
		return Endless
	}
	// A frame of its own for the block that evaluates.
	copy(m.s.push(m.proc, proc), args)
	m.floor, m.test, m.pick = below, false, -1
	visited := m.Visited
	m.Visited = nil
	defer func() { m.Visited = visited }()
	for {
		_, o := m.block()
		if o != Stepped {
			return o
		}
		if len(m.s.Procs[m.proc].Frames) == below {
			outer.turns, outer.results = m.turns, m.results
			m.StepState = outer
			return Stepped
		}
	}
}
