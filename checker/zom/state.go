package zom

// This file defines states and the log that undoes their changes.

// State is a state of a program. The zero value is not ready: see NewState.
type State struct {
	prog    *Program
	Globals []Word
	Procs   []Process
	news    []cell   // the object with address a > 0 is news[a-1]
	olds    []cell   // the object with address a < 0 is olds[-a-1]; it has no words until a field is written
	words   []Word   // the fields of objects
	log     []change // the changes, oldest first
	saved   []Word   // the words of frames that were popped, for Undo

	// Pending is 1 + the number of the process that makes a choice, during which no other one runs; or 0.
	Pending int32
}

// Process is a stack of frames that share a list of words.
type Process struct {
	Frames []Frame
	Stack  []Word
}

// Frame is an activation of a procedure.
type Frame struct {
	Proc, PC int32
	base     int32 // index of its first slot in Stack

	level   int32 // the level of atomicity at which it was called
	handler int32 // 1 + the number of the installed handler, or 0
}

// cell is an object: its class, the index of its fields or elements in words, and the number of elements.
type cell struct{ class, off, n int32 }

// noWords is the index of a cell without words.
const noWords = -1

// change is an entry of the log.
type change struct {
	area    area
	process int32
	index   int32
	old     Word
}

// area is the part of a state that a change concerns.
type area uint8

const (
	inGlobals area = iota
	inWords
	inStack
	inPC
	inOlds
	inNews
	inFrame
	inPending
	pushed
	popped
	spawned
	madeOld
)

// NewState returns the state in which no process runs and globals have their initial values.
func NewState(p *Program) *State {
	s := &State{prog: p, Globals: make([]Word, len(p.Globals))}
	s.Reset()
	return s
}

// Reset makes s the state that NewState returns.
func (s *State) Reset() {
	for i, g := range s.prog.Globals {
		s.Globals[i] = g.Init
	}
	s.clear()
}

// clear drops processes, objects and the log.
func (s *State) clear() {
	for i := range s.Procs {
		p := &s.Procs[i]
		p.Frames, p.Stack = p.Frames[:0], p.Stack[:0]
	}
	s.Pending = 0
	s.Procs, s.news, s.olds, s.words, s.log, s.saved = s.Procs[:0], s.news[:0], s.olds[:0], s.words[:0], s.log[:0], s.saved[:0]
}

// Blank makes s the partial state in which nothing has happened since an entry.
func (s *State) Blank() {
	for i := range s.Globals {
		s.Globals[i] = Absent
	}
	s.clear()
}

// Mark is a moment to which Undo can go back.
type Mark struct{ log, news, words int }

// Mark returns the present moment.
func (s *State) Mark() Mark { return Mark{len(s.log), len(s.news), len(s.words)} }

// Undo takes back the changes since m, the latest first.
func (s *State) Undo(m Mark) {
	// Undo the entries of the log backwards.
	for i := len(s.log) - 1; i >= m.log; i-- {
		c := &s.log[i]
		switch c.area {
		case inGlobals:
			s.Globals[c.index] = c.old
		case inWords:
			s.words[c.index] = c.old
		case inOlds:
			s.olds[c.index].off = noWords
		case inNews:
			s.news[c.index].off, s.news[c.index].n = int32(c.old>>32), int32(c.old)
		case inPending:
			s.Pending = c.index
		case madeOld:
			s.olds = s.olds[:c.index]
		case spawned:
			s.Procs = s.Procs[:c.process]
		// The other entries concern the stack of a process.
		default:
			s.undoStack(c, i)
		}
	}
	s.log, s.news, s.words = s.log[:m.log], s.news[:m.news], s.words[:m.words]
}

// undoStack takes back a change of a process.
func (s *State) undoStack(c *change, i int) {
	p := &s.Procs[c.process]
	switch c.area {
	case inStack:
		p.Stack[c.index] = c.old
	case inPC:
		p.Frames[c.index].PC = int32(c.old)
	case inFrame:
		p.Frames[c.index].level, p.Frames[c.index].handler = int32(c.old>>32), int32(c.old)
	case pushed:
		// Cut the frame off; its words need no restoring.
		last := len(p.Frames) - 1
		p.Stack = p.Stack[:p.Frames[last].base]
		p.Frames = p.Frames[:last]
	// Bring back the frame and its words, which pop has saved.
	case popped:
		from := len(s.saved) - int(c.index)
		f := Frame{Proc: int32(c.old >> 32), PC: int32(c.old), base: int32(len(p.Stack))}
		p.Frames = append(p.Frames, f)
		p.Stack = append(p.Stack, s.saved[from:]...)
		s.saved = s.saved[:from]
	}
}

// Start adds a process that is about to run a procedure, whose parameters have their initial
// values. It returns the number of the process.
func (s *State) Start(proc int) int {
	n := len(s.Procs)
	// Reuse the memory of a process that has ended.
	if cap(s.Procs) > n {
		s.Procs = s.Procs[:n+1] // with the memory of a process that has ended
		s.Procs[n].Frames, s.Procs[n].Stack = s.Procs[n].Frames[:0], s.Procs[n].Stack[:0]
	} else {
		s.Procs = append(s.Procs, Process{})
	}
	s.log = append(s.log, change{area: spawned, process: int32(n)})
	s.push(n, proc)
	return n
}

// Push adds a frame to a process, with the initial values of its slots.
func (s *State) Push(process, proc int) { s.push(process, proc) }

// push adds a frame and returns its slots.
func (s *State) push(process, proc int) []Word {
	p, code := &s.Procs[process], s.prog.Procs[proc]
	base := len(p.Stack)
	p.Frames = append(p.Frames, Frame{Proc: int32(proc), PC: code.Entry, base: int32(base)})
	// Slots start with their initial values; a call then overwrites the parameters.
	for i := range code.Slots {
		p.Stack = append(p.Stack, code.Slots[i].Init)
	}
	s.log = append(s.log, change{area: pushed, process: int32(process)})
	return p.Stack[base:]
}

// pop drops the top frame; its words are saved for Undo.
func (s *State) pop(process int) {
	p := &s.Procs[process]
	f := p.Frames[len(p.Frames)-1]
	words := p.Stack[f.base:]
	if f.level != 0 || f.handler != 0 {
		s.noteFrame(process)
	}
	s.saved = append(s.saved, words...)
	s.log = append(s.log, change{area: popped, process: int32(process), index: int32(len(words)), old: Word(f.Proc)<<32 | Word(f.PC)})
	p.Frames, p.Stack = p.Frames[:len(p.Frames)-1], p.Stack[:f.base]
}

// Top returns the frame that a process runs; nil if it has ended.
func (s *State) Top(process int) *Frame {
	if p := &s.Procs[process]; len(p.Frames) > 0 {
		return &p.Frames[len(p.Frames)-1]
	}
	return nil
}

// Slots returns the slots of frame i of a process. They are shared.
func (s *State) Slots(process, i int) []Word {
	p := &s.Procs[process]
	end := len(p.Stack)
	if i+1 < len(p.Frames) {
		end = int(p.Frames[i+1].base)
	}
	return p.Stack[p.Frames[i].base:end]
}

// SetPC moves the top frame of a process.
func (s *State) SetPC(process int, pc int32) {
	p := &s.Procs[process]
	i := len(p.Frames) - 1
	s.log = append(s.log, change{area: inPC, process: int32(process), index: int32(i), old: Word(p.Frames[i].PC)})
	p.Frames[i].PC = pc
}

// SetSlot writes a slot of the top frame.
func (s *State) SetSlot(process int, slot int32, w Word) {
	p := &s.Procs[process]
	i := p.Frames[len(p.Frames)-1].base + slot
	s.log = append(s.log, change{area: inStack, process: int32(process), index: i, old: p.Stack[i]})
	p.Stack[i] = w
}

// SetGlobal writes a global.
func (s *State) SetGlobal(i int32, w Word) {
	s.log = append(s.log, change{area: inGlobals, index: i, old: s.Globals[i]})
	s.Globals[i] = w
}

// New makes an object, with its fields as the class says, and returns its address.
func (s *State) New(class int) Word {
	c := s.prog.Classes[class]
	s.news = append(s.news, cell{int32(class), int32(len(s.words)), 0})
	for i := range c.Fields {
		s.words = append(s.words, c.Fields[i].Init)
	}
	return Word(len(s.news))
}

// Old adds a cell that was there at the entry and returns its address.
func (s *State) Old(class int) Word {
	s.log = append(s.log, change{area: madeOld, index: int32(len(s.olds))})
	s.olds = append(s.olds, cell{int32(class), noWords, 0})
	return -Word(len(s.olds))
}

// News returns the number of objects made since the entry.
func (s *State) News() int { return len(s.news) }

// Olds returns the number of cells of the entry that are known.
func (s *State) Olds() int { return len(s.olds) }

// Class returns the class of the object at an address.
func (s *State) Class(at Word) int { return int(s.cell(at).class) }

// cell returns the object at an address.
func (s *State) cell(at Word) cell {
	if at > 0 {
		return s.news[at-1]
	}
	return s.olds[-at-1]
}

// Field returns a field of the object at an address, which is not null; Absent if it has its value
// from the entry.
func (s *State) Field(at Word, field int32) Word {
	c := s.cell(at)
	if c.off == noWords {
		return Absent
	}
	return s.words[c.off+field]
}

// Written reports whether a cell of the entry has fields that were written.
func (s *State) Written(at Word) bool { return s.cell(at).off != noWords }

// SetField writes a field of the object at an address, which is not null.
func (s *State) SetField(at Word, field int32, w Word) {
	c := s.cell(at)
	// The first write to a cell of the entry: its other fields stay absent.
	if c.off == noWords {
		c.off = int32(len(s.words))
		for range s.prog.Classes[c.class].Fields {
			s.words = append(s.words, Absent)
		}
		s.olds[-at-1].off = c.off
		s.log = append(s.log, change{area: inOlds, index: int32(-at - 1)})
	}
	i := c.off + field
	s.log = append(s.log, change{area: inWords, index: i, old: s.words[i]})
	s.words[i] = w
}
