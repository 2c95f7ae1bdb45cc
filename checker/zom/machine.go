package zom

// This file executes steps.

// Outcome is the outcome of a step.
type Outcome uint8

// The outcomes of a step. After those that follow Blocked the state is of no further use.
const (
	Stepped  Outcome = iota // control is at a start again, or the process has ended
	Blocked                 // the process must wait
	Ended                   // an assume does not hold: no error
	Failed                  // an assert does not hold
	NullUsed                // a field of null was read or written
	Overflow                // the result of an operation is no int64
	DivByZero
	BadIndex      // an array has no such element
	EmptyChoice   // there is nothing to choose from
	NoMessage     // a receive from an empty channel, after another receive
	BlockedInside // a select in the middle of a step has nothing to run
	Unhandled     // no handler takes an exception
	Endless       // a step has more than MaxBlocks blocks
	WrongClass    // an object is not of the class of the variable that leads to it
	ChoiceInside  // the evaluation of a condition chooses
	TooLarge      // an array has more than MaxElements elements
)

func (o Outcome) String() string {
	return [...]string{"stepped", "blocked", "ended", "failed", "null dereference", "overflow", "division by zero",
		"invalid index", "empty choice", "receive from an empty channel", "blocking select inside a step", "unhandled exception", "infinite loop in a step",
		"object of another class", "choice inside a condition", "array too large"}[o]
}

// Entry tells the value of a place when the procedure to which a partial state belongs was entered.
// An unknown Boolean is then decided in the state, as if it were written there.
type Entry interface {
	Read(at Loc) Word
}

// Machine executes steps. It may be used for many states, one after the other.
type Machine struct {
	Record  Record
	Entry   Entry               // for partial states; else nil
	Visited func(p, node int32) // called when control is at a node; may be nil
	Modular bool                // calls and returns are left to the caller of Run: a step ends at them

	// Of Step.

	Cooperative bool                            // only blocks that yield end a step
	Printed     func(text int32, values []Word) // called for Print; may be nil
	Observed    func(a Access)                  // called for what other processes can notice; may be nil
	StepState

	prog  *Program
	s     *State
	proc  int      // the process that makes the step
	tape  []choice // the choices of the present step, and of those below
	at    int
	base  int   // start of the tape of the present step
	bases []int // starts of the tapes of the steps below; see Push

	taken []int32 // memory for Choices
	seen  []bool  // by address-1: memory for liveObjects
	met   []Word  // likewise
}

// choice is a choice among the alternatives 0 … last.
type choice struct{ taken, last int32 }

// NewMachine returns a machine for the states of p.
func NewMachine(p *Program) *Machine { return &Machine{prog: p} }

// Rewind makes the next Run the first outcome of its step.
func (m *Machine) Rewind() { m.tape, m.at = m.tape[:m.base], m.base }

// Push begins another step. Pop goes back to the one before it, whose Next is then to be asked.
func (m *Machine) Push() {
	m.bases = append(m.bases, m.base)
	m.base = len(m.tape)
}

// Pop undoes Push.
func (m *Machine) Pop() {
	m.tape = m.tape[:m.base]
	last := len(m.bases) - 1
	m.base, m.bases = m.bases[last], m.bases[:last]
}

// Next prepares the next outcome of a step and reports whether there is one; then Run must be
// called on the same state again.
func (m *Machine) Next() bool {
	// Advance the last choice that has another alternative, and forget those after it.
	for i := len(m.tape) - 1; i >= m.base; i-- {
		if c := &m.tape[i]; c.taken < c.last {
			c.taken++
			m.tape = m.tape[:i+1]
			return true
		}
	}
	m.tape = m.tape[:m.base]
	return false
}

// Choices returns the choices of the last Run. They are valid until the next one.
func (m *Machine) Choices() []int32 {
	m.taken = m.taken[:0]
	for _, c := range m.tape[m.base:m.at] {
		m.taken = append(m.taken, c.taken)
	}
	return m.taken
}

// Follow makes the next Run take the choices that Choices returned of another, and Next return false.
func (m *Machine) Follow(choices []int32) {
	m.Rewind()
	for _, c := range choices {
		m.tape = append(m.tape, choice{c, c})
	}
}

// Main returns the procedure at which the program starts.
func (m *Machine) Main() int { return m.prog.Main }

// choose returns one of n alternatives: the one on the tape, or 0 after its end.
func (m *Machine) choose(n int32) int32 {
	if m.at == len(m.tape) {
		m.tape = append(m.tape, choice{0, n - 1})
	}
	m.at++
	return m.tape[m.at-1].taken
}

// frame is the frame on which instructions work. It is a copy: calls and returns make another.
type frame struct {
	code *Proc
	base int32
	pc   int32
	s    []Word
}

// top returns the frame of the process.
func (m *Machine) top() frame {
	// The slots are a view of the stack, so writes through it reach the state.
	p := &m.s.Procs[m.proc]
	f := p.Frames[len(p.Frames)-1]
	return frame{m.prog.Procs[f.Proc], f.base, f.PC, p.Stack[f.base:]}
}

// set writes a slot; scratch slots need no log.
func (m *Machine) set(f *frame, slot int32, w Word) {
	if int(slot) < f.code.Scratch {
		m.s.log = append(m.s.log, change{inStack, int32(m.proc), f.base + slot, f.s[slot]})
	}
	f.s[slot] = w
}

// Run executes a step of a process, which has not ended and is at a start.
func (m *Machine) Run(s *State, process int) Outcome {
	m.s, m.proc, m.at = s, process, m.base
	r := &m.Record
	*r = Record{Process: process, Reads: r.Reads[:0], Writes: r.Writes[:0], Allocs: r.Allocs[:0], Decided: r.Decided[:0], Events: r.Events[:0]}
	f := m.top()
	// Execute instructions until the next one begins a step.
	for {
		in := &f.code.Code[f.pc]
		f.pc++
		switch in.Op {
		// A call or return is a step of its own, or left to the caller of Run.
		case Call, Return:
			m.Record.Node = in.Node
			if m.Modular {
				s.SetPC(process, f.pc-1)
				return Stepped
			}
			if in.Op == Call {
				m.call(&f, in)
			} else {
				m.leave(&f)
			}
			return Stepped
		case Jump, Branch:
			f.pc = in.Targets[m.direction(&f, in)]
		case Fork:
			m.fork(&f, in)
			f.pc = in.Targets[0]
		case Halt:
			m.Record.Kind, m.Record.Node = Returned, in.Node
			for s.Top(process) != nil {
				s.pop(process)
			}
			return Stepped
		default:
			if o := m.execute(&f, in); o != Stepped {
				r.Node = in.Node
				return o
			}
		}
		// The step ends where the next one begins.
		if f.code.Starts[f.pc] {
			r.Node = in.Node
			s.SetPC(process, f.pc)
			return Stepped
		}
	}
}

// direction returns the index of the target of a jump or branch.
func (m *Machine) direction(f *frame, in *Instr) int32 {
	if in.Op == Jump {
		if len(in.Targets) == 1 {
			return 0
		}
		return m.choose(int32(len(in.Targets)))
	}
	// An unknown condition goes both ways.
	switch f.s[in.A] {
	case 0:
		return 1
	case 1:
		return 0
	}
	return m.choose(2)
}

// call pushes a frame with the arguments.
func (m *Machine) call(f *frame, in *Instr) {
	m.Record.Kind = Called
	// The caller stands after the call while the callee runs: leave relies on it.
	m.s.SetPC(m.proc, f.pc)
	args := f.s[in.A : int(in.A)+m.prog.Procs[in.B].Params]
	callee := m.s.push(m.proc, int(in.B))
	copy(callee, args)
}

// leave returns to the caller, whose last instruction is the call, and stores the results.
func (m *Machine) leave(f *frame) {
	m.Record.Kind = Returned
	from := f.s[f.code.Result : f.code.Result+f.code.Results]
	m.s.pop(m.proc)
	// The last frame was popped: the process has ended.
	if m.s.Top(m.proc) == nil {
		return
	}
	to := m.top()
	for i, w := range from { // the words are still there: the stack was only cut
		m.set(&to, to.code.Code[to.pc-1].C+int32(i), w)
	}
}
