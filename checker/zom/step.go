package zom

// This file executes the steps of processes that interleave; see block.go.

// MaxBlocks is the number of blocks, and of jumps backwards inside blocks, that a step may have.
const MaxBlocks = 1000000

// StepState is the part of a Machine that belongs to the present Step.
type StepState struct {
	pick    int32  // the alternative to take, or -1
	level   int32  // of the block that is executed
	turns   int32  // the blocks and jumps backwards so far
	results []Word // of the procedure that has returned last
	floor   int    // the number of frames below those of an evaluation; see nested.go
	test    bool   // the block runs to find out whether the process waits
	runs    bool   // the result of such a test
}

// Step executes a step of a process. If a choice is pending, it is that of the process, and takes
// alternative pick; else pick is -1.
func (m *Machine) Step(s *State, process int, pick int32) Outcome {
	m.begin(s, process)
	m.pick = pick
	if s.Pending != 0 {
		s.setPending(0)
	}
	// Execute blocks until another process may run.
	for {
		glued, o := m.block()
		switch {
		case o != Stepped:
			return o
		case s.Pending != 0, s.Top(process) == nil, m.level == 0 && !glued:
			return Stepped
		}
	}
}

// begin makes a process of s the one that runs.
func (m *Machine) begin(s *State, process int) {
	m.s, m.proc = s, process
	r := &m.Record
	*r = Record{Process: process, Reads: r.Reads[:0], Writes: r.Writes[:0], Allocs: r.Allocs[:0], Decided: r.Decided[:0], Events: r.Events[:0]}
	m.StepState = StepState{pick: -1, results: m.results}
}

// block executes the block at which the process stands, and reports whether the next one is glued to it.
func (m *Machine) block() (glued bool, o Outcome) {
	f := m.top()
	b := &f.code.Blocks[f.pc]
	m.Record.Node = b.Node
	if m.Visited != nil {
		m.Visited(m.s.Top(m.proc).Proc, b.Node)
	}
	// The mode decides which blocks end a step.
	glued = b.Flags&(Glued|Returns) != 0 || m.Cooperative
	if b.Flags&Yields != 0 {
		glued = false
	}
	m.level = m.s.Top(m.proc).level + b.Level
	if m.floor == 0 {
		m.observeEvent(&f, EnterAt, b.Number)
	}
	// Code that runs forever, inside a block or from block to block, is an error.
	if m.turns++; m.turns > MaxBlocks {
		return false, Endless
	}
	return glued, m.instructions(&f, b.Scope)
}

// instructions executes the instructions of f up to the next start; scope is that of the block.
func (m *Machine) instructions(f *frame, scope int32) Outcome {
	for {
		in := &f.code.Code[f.pc]
		at := f.pc
		if in.Node != m.Record.Node {
			m.visit(in.Node)
		}
		f.pc++
		switch in.Op {
		// Instructions that end the block in another frame.
		case Call, CallVirtual:
			return m.enter(f, in)
		case Return:
			m.exit(f)
			return Stepped
		case Raise:
			return m.raise(in)
		// Instructions that choose among targets.
		case Jump:
			f.pc = in.Targets[0]
		case Branch:
			f.pc = in.Targets[1-f.s[in.A]]
		case Select:
			if m.test {
				m.runs = m.count(f, in) > 0
				return Stepped
			}
			t, o := m.selects(f, in)
			if o != Stepped || m.s.Pending != 0 {
				return o
			}
			f.pc = t
		default:
			if o := m.perform(f, in); o != Stepped || m.s.Pending != 0 {
				return o
			}
		}
		// The block ends where the next one begins.
		if f.code.Starts[f.pc] {
			m.arrive(f.code, scope, f.pc)
			return Stepped
		}
		if f.pc <= at {
			if m.turns++; m.turns > MaxBlocks {
				return Endless
			}
		}
	}
}

// visit notes that control is at another node of the same block.
func (m *Machine) visit(node int32) {
	m.Record.Node = node
	if m.Visited != nil {
		m.Visited(m.s.Top(m.proc).Proc, node)
	}
}

// arrive moves the top frame from a block in a scope to the block at pc. Variables whose scope is left are
// reset, if the new block is in a scope around it.
func (m *Machine) arrive(code *Proc, scope, pc int32) {
	m.s.SetPC(m.proc, pc)
	to := code.Blocks[pc].Scope
	if scope == to {
		return
	}
	// Is the new scope one around the old one?
	for i := scope; i != to; i = code.Scopes[i].Parent {
		if i < 0 {
			return
		}
	}
	for i := scope; i != to; i = code.Scopes[i].Parent {
		for v := code.Scopes[i].From; v < code.Scopes[i].To; v++ {
			if init := code.Slots[v].Init; m.slots()[v] != init {
				m.s.SetSlot(m.proc, v, init)
			}
		}
	}
}

// slots returns the slots of the top frame. They are shared.
func (m *Machine) slots() []Word {
	p := &m.s.Procs[m.proc]
	return p.Stack[p.Frames[len(p.Frames)-1].base:]
}

// callee returns the procedure of a call, spawn or evaluation whose first argument is w.
func (m *Machine) callee(in *Instr, w func() Word) (int, Outcome) {
	switch in.Op {
	case CallVirtual, SpawnVirtual, EvalVirtual:
	default:
		return int(in.B), Stepped
	}
	this := w()
	if this == Null {
		return 0, NullUsed
	}
	if p := m.prog.Virtual[in.B][m.s.Class(this)]; p >= 0 {
		return int(p), Stepped
	}
	return 0, WrongClass
}

// enter pushes a frame with the arguments. The caller stands at the block that takes the results.
func (m *Machine) enter(f *frame, in *Instr) Outcome {
	callee, o := m.callee(in, func() Word { return f.s[in.A] })
	if o != Stepped {
		return o
	}
	m.Record.Kind = Called
	m.s.SetPC(m.proc, in.Targets[0])
	args := f.s[in.A : int(in.A)+m.prog.Procs[callee].Params]
	copy(m.s.push(m.proc, callee), args)
	m.s.Top(m.proc).level = m.level
	return Stepped
}

// exit pops the frame. Its results are kept for the block of the caller that takes them.
func (m *Machine) exit(f *frame) {
	m.Record.Kind = Returned
	m.level = m.s.Top(m.proc).level
	m.results = append(m.results[:0], f.s[f.code.Result:f.code.Result+f.code.Results]...)
	m.s.pop(m.proc)
}

// raise sends control to the first handler that takes an exception: those around the place of the raise,
// then those that the callers have installed.
func (m *Machine) raise(in *Instr) Outcome {
	handler := in.A
	for {
		code := m.prog.Procs[m.s.Top(m.proc).Proc]
		for h := handler; h >= 0; h = code.Handlers[h].Outer {
			if c := code.Handlers[h].takes(in.B); c != nil {
				// The handler around this one is installed from here on.
				m.s.setHandler(m.proc, code.Handlers[h].Outer+1)
				m.arrive(code, m.standing(code), c.PC)
				return Stepped
			}
		}
		// Leave the frame; the one below has its level from when it was called.
		m.s.pop(m.proc)
		if len(m.s.Procs[m.proc].Frames) == m.floor {
			return Unhandled
		}
		handler = m.s.Top(m.proc).handler - 1
	}
}

// standing returns the scope of the block at which the top frame stands.
func (m *Machine) standing(code *Proc) int32 { return code.Blocks[m.s.Top(m.proc).PC].Scope }

// takes returns the first case of a handler that takes an exception, or nil.
func (h *Handler) takes(exception int32) *Case {
	for i := range h.Cases {
		if c := &h.Cases[i]; c.Exception < 0 || c.Exception == exception {
			return c
		}
	}
	return nil
}

// Initial makes s the initial state: static initialisers have run, and there is a process for each of the
// procedures. Another outcome than Stepped is that of an initialiser.
func (m *Machine) Initial(s *State, procs []int) Outcome {
	s.Reset()
	s.Start(m.prog.Main)
	for s.Top(0) != nil {
		if o := m.Step(s, 0, -1); o != Stepped {
			return o
		}
	}
	s.Procs = s.Procs[:0]
	for _, p := range procs {
		s.Start(p)
	}
	s.log, s.saved = s.log[:0], s.saved[:0]
	return Stepped
}
