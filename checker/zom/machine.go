package zom

import "fmt"

// This file defines how a step is executed.

// Outcome is how a step ended.
type Outcome uint8

// The outcomes of a step. After those behind Blocked the state is of no further use.
const (
	Stepped  Outcome = iota // control is at a start again, or the process has ended
	Blocked                 // the process must wait
	Ended                   // an assume does not hold: no error
	Failed                  // an assert does not hold
	NullUsed                // a field of null was read or written
	Overflow                // the result of an operation is no int64
	DivByZero
)

func (o Outcome) String() string {
	return [...]string{"stepped", "blocked", "ended", "failed", "null dereference", "overflow", "division by zero"}[o]
}

// Loc is a place outside the frames: global Index, or field Index of the object at Obj.
type Loc struct {
	Obj   Word // Null for a global
	Index int32
}

// Entry tells what a place held when the procedure that a partial state belongs to was
// entered. An unknown Boolean is then decided in the state, as if it were written there.
type Entry interface {
	Read(at Loc) Word
}

// StepKind tells what a step did to the stacks.
type StepKind uint8

// The kinds of steps.
const (
	Plain StepKind = iota
	Called
	Returned
	Spawned
	Waited
)

// Mover tells how a step commutes with those of other processes (Lipton). What does not
// know of processes leaves it NonMover, of which nothing follows.
type Mover uint8

// The types of movers.
const (
	NonMover Mover = iota
	LeftMover
	RightMover
	BothMover
)

// Record tells of one step what others may want to know: summaries what it read and wrote,
// partial-order reduction which way it moves, conformance what it shows, temporal
// properties whether its end is accepting.
type Record struct {
	Kind    StepKind
	Process int
	Node    int32 // where it ended: of the last instruction
	Reads   []Loc // outside the frames
	Writes  []Loc
	Allocs  []Word
	Decided []Decision // unknown globals that were read
	Mover   Mover
	Event   int32 // what it shows to an observer; 0 is nothing
	Accept  bool
}

// Decision is what an unknown global turned out to be.
type Decision struct {
	Global int32
	Value  Word
}

// Machine executes steps. It may be used for many states, one after the other.
type Machine struct {
	Record  Record
	Entry   Entry               // for partial states; else nil
	Visited func(p, node int32) // called when control is at a node; may be nil
	Modular bool                // calls and returns are left to the caller of Run, which is never to be at one

	prog  *Program
	s     *State
	proc  int // the process under way
	tape  []choice
	at    int
	base  int   // where the tape of the step under way begins
	bases []int // those of the steps below
}

// choice is one of the alternatives 0 … last.
type choice struct{ taken, last int32 }

// NewMachine is a machine for the states of p.
func NewMachine(p *Program) *Machine { return &Machine{prog: p} }

// Rewind makes the next Run the first of its step.
func (m *Machine) Rewind() { m.tape, m.at = m.tape[:m.base], m.base }

// Push begins another step, and Pop goes back to the one before it, whose Next is then
// to be asked.
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

// Next prepares the following outcome of a step and reports whether there is one; then
// Run is to be called on the same state again.
func (m *Machine) Next() bool {
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

// choose takes one of n alternatives.
func (m *Machine) choose(n int32) int32 {
	if m.at == len(m.tape) {
		m.tape = append(m.tape, choice{0, n - 1})
	}
	m.at++
	return m.tape[m.at-1].taken
}

// frame is what instructions work on. It is a copy: calls and returns make another.
type frame struct {
	code *Proc
	base int32
	pc   int32
	s    []Word
}

func (m *Machine) top() frame {
	p := &m.s.Procs[m.proc]
	f := p.Frames[len(p.Frames)-1]
	return frame{m.prog.Procs[f.Proc], f.base, f.PC, p.Stack[f.base:]}
}

// set writes a slot.
func (m *Machine) set(f *frame, slot int32, w Word) {
	if int(slot) < f.code.Scratch {
		m.s.log = append(m.s.log, change{inStack, int32(m.proc), f.base + slot, f.s[slot]})
	}
	f.s[slot] = w
}

// Run executes a step of a process, which has not ended, and stands at a start.
func (m *Machine) Run(s *State, process int) Outcome {
	m.s, m.proc, m.at = s, process, m.base
	r := &m.Record
	*r = Record{Process: process, Reads: r.Reads[:0], Writes: r.Writes[:0], Allocs: r.Allocs[:0], Decided: r.Decided[:0]}
	f := m.top()
	for {
		in := &f.code.Code[f.pc]
		f.pc++
		switch in.Op {
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
		default:
			if o := m.execute(&f, in); o != Stepped {
				r.Node = in.Node
				return o
			}
		}
		if f.code.Starts[f.pc] {
			r.Node = in.Node
			s.SetPC(process, f.pc)
			return Stepped
		}
	}
}

// direction is the index of the target of a jump or branch.
func (m *Machine) direction(f *frame, in *Instr) int32 {
	if in.Op == Jump {
		if len(in.Targets) == 1 {
			return 0
		}
		return m.choose(int32(len(in.Targets)))
	}
	switch f.s[in.A] {
	case 0:
		return 1
	case 1:
		return 0
	}
	return m.choose(2)
}

func (m *Machine) call(f *frame, in *Instr) {
	m.Record.Kind = Called
	m.s.SetPC(m.proc, f.pc)
	args := f.s[in.A : int(in.A)+m.prog.Procs[in.B].Params]
	callee := m.s.push(m.proc, int(in.B))
	copy(callee, args)
}

// leave returns to the caller, whose last instruction is the call.
func (m *Machine) leave(f *frame) {
	m.Record.Kind = Returned
	from := f.s[f.code.Result : f.code.Result+f.code.Results]
	m.s.pop(m.proc)
	if m.s.Top(m.proc) == nil {
		return
	}
	to := m.top()
	for i, w := range from { // still there: the stack was only cut
		m.set(&to, to.code.Code[to.pc-1].C+int32(i), w)
	}
}

// execute does what does not lead elsewhere.
func (m *Machine) execute(f *frame, in *Instr) Outcome {
	s := f.s
	switch in.Op {
	case Skip:
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
	case Global, SetGlobal:
		return m.global(f, in)
	case Field, SetField:
		return m.field(f, in)
	case New:
		a := m.s.New(int(in.B))
		m.Record.Allocs = append(m.Record.Allocs, a)
		m.set(f, in.A, a)
	case Object:
		if s[in.A] == Null {
			return NullUsed
		}
	case Assume, Assert, Wait:
		return m.condition(s[in.A], in.Op)
	case Spawn:
		m.spawn(f, in)
	case Add, Sub, Mul, Div, Rem:
		w, o := arithmetic(in.Op, s[in.B], s[in.C])
		m.set(f, in.A, w)
		return o
	default:
		m.set(f, in.A, m.boolean(f, in))
	}
	return Stepped
}

// look reads slot b. If it is an unknown Boolean, it is decided there.
func (m *Machine) look(f *frame, in *Instr) Word {
	w := f.s[in.B]
	if w == Unknown && f.code.Slots[in.B].Kind == Bool {
		w = Word(m.choose(2))
		m.set(f, in.B, w)
	}
	return w
}

func (m *Machine) condition(w Word, op Op) Outcome {
	if w == Unknown {
		if op != Assert {
			return Stepped // for some choice it holds
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

func (m *Machine) spawn(f *frame, in *Instr) {
	m.Record.Kind = Spawned
	args := f.s[in.A : int(in.A)+m.prog.Procs[in.B].Params]
	p := m.s.Start(int(in.B))
	copy(m.s.Procs[p].Stack, args)
}

// global reads or writes a global.
func (m *Machine) global(f *frame, in *Instr) Outcome {
	if in.Op == SetGlobal {
		m.Record.Writes = append(m.Record.Writes, Loc{Null, in.A})
		m.s.SetGlobal(in.A, f.s[in.B])
		return Stepped
	}
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

// field reads or writes a field.
func (m *Machine) field(f *frame, in *Instr) Outcome {
	if in.Op == SetField {
		obj := f.s[in.A]
		if obj == Null {
			return NullUsed
		}
		m.Record.Writes = append(m.Record.Writes, Loc{obj, in.B})
		m.s.SetField(obj, in.B, f.s[in.C])
		return Stepped
	}
	at := Loc{f.s[in.B], in.C}
	if at.Obj == Null {
		return NullUsed
	}
	m.Record.Reads = append(m.Record.Reads, at)
	w := m.s.Field(at.Obj, in.C)
	if w == Absent {
		w = m.Entry.Read(at)
	}
	if w == Unknown && m.prog.Classes[m.s.Class(at.Obj)].Fields[in.C].Kind == Bool {
		w = Word(m.choose(2))
		m.s.SetField(at.Obj, in.C, w)
	}
	m.set(f, in.A, w)
	return Stepped
}

// boolean computes an operation whose result is a Boolean.
func (m *Machine) boolean(f *frame, in *Instr) Word {
	x, y := f.s[in.B], f.s[in.C]
	switch in.Op {
	case Not:
		return opposite(x)
	case And:
		return both(x, y)
	case Or:
		return opposite(both(opposite(x), opposite(y)))
	case Implies:
		return opposite(both(x, opposite(y)))
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

// opposite is the set of the negations of a set of Booleans.
func opposite(x Word) Word {
	if x == Unknown {
		return x
	}
	return 1 - x
}

// both is the set of the conjunctions.
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

// pick is choose(p, n): 1 if p, else 0 if n, else anything. If p may be 0 or 1, 1 is
// among the results, and 0 as well: with n because of it, without n freely.
func pick(p, n Word) Word {
	switch {
	case p == 1:
		return 1
	case p == 0 && n == 1:
		return 0
	}
	return Unknown
}
