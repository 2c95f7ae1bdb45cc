package zom

// This file tells an observer what a step does that other processes can notice, for partial-order reduction.

// Use is a way in which a step uses a place outside the frames, or another event of a step.
type Use uint8

// The uses. A place is a global, a field, or the content of an array, set or channel as a whole.
const (
	ReadAt    Use = iota // the value is read
	WriteAt              // Access.Value is written
	SizeAt               // the number of messages in a channel is asked for
	EmptyAt              // the step looks whether a channel has a message; Access.Value is 1 if it has
	SendAt               // a message is sent
	ReceiveAt            // a message is received
	CreateAt             // a process is created
	AllocAt              // an object is allocated
	EnterAt              // a block begins; Access.Index is its number
)

// Content is the index of an Access to the elements of an array, set or channel.
const Content = content

// Access is one use of a place.
type Access struct {
	Use   Use
	Obj   Word // Null for a global
	Index int32
	Value Word
	PC    int32 // of the instruction, in the procedure of the top frame
	Slot  int32 // if Index is Content and one element is read or written: the slot in it; else Content
	Inner bool  // it is done by a procedure that runs inside an instruction; conditions leave no effect
}

// observe tells the observer of a use, before the use has an effect. The order of uses is that of the step.
func (m *Machine) observe(f *frame, use Use, obj Word, index int32, w Word) {
	m.Observed(Access{Use: use, Obj: obj, Index: index, Value: w, PC: f.pc - 1, Slot: content, Inner: m.floor > 0})
}

// observeN does so for n places, in which words are written.
func (m *Machine) observeN(f *frame, use Use, obj Word, index int32, words []Word) {
	if m.Observed == nil {
		return
	}
	if obj != Null && m.form(obj) != Fixed {
		for i := range words {
			m.Observed(Access{Use: use, Obj: obj, Index: content, PC: f.pc - 1, Slot: index + int32(i), Inner: m.floor > 0})
		}
		return
	}
	for i, w := range words {
		m.observe(f, use, obj, index+int32(i), w)
	}
}

// observeContent does so for the content of an object. The size of an array never changes, so it is no place.
func (m *Machine) observeContent(f *frame, op Op, obj Word) {
	if m.Observed == nil {
		return
	}
	channel := m.form(obj) == Channel
	switch op {
	case SendTo:
		m.observe(f, SendAt, obj, content, 0)
	case Receive:
		m.observe(f, ReceiveAt, obj, content, 0)
	case Insert, Remove, InsertAll, RemoveAll:
		m.observe(f, WriteAt, obj, content, 0)
	case HasMessage:
		m.observe(f, EmptyAt, obj, content, truth(m.s.Size(obj) > 0))
	case Size, Exists:
		switch {
		case channel:
			m.observe(f, SizeAt, obj, content, 0)
		case m.form(obj) == Set:
			m.observe(f, ReadAt, obj, content, 0)
		}
	default: // Member, ChooseFrom
		m.observe(f, ReadAt, obj, content, 0)
	}
}

// observeEvent does so for a use that has no place.
func (m *Machine) observeEvent(f *frame, use Use, index int32) {
	if m.Observed != nil {
		m.observe(f, use, Null, index, 0)
	}
}

// form returns the form of the object at an address.
func (m *Machine) form(obj Word) Form { return m.prog.Classes[m.s.news[obj-1].class].Form }

// Reach marks in seen, by address-1, the objects that can be reached from the globals and the variables of
// processes other than one. It returns seen, which may be nil at first.
func (s *State) Reach(seen []bool, except int) []bool {
	if cap(seen) < len(s.news) {
		seen = make([]bool, len(s.news), 2*len(s.news))
	}
	seen = seen[:len(s.news)]
	clear(seen)
	var met []Word
	visit := func(slots []Slot, words []Word) {
		for i := range slots {
			if w := words[i]; slots[i].Kind == Ref && w != Null && !seen[w-1] {
				seen[w-1] = true
				met = append(met, w)
			}
		}
	}
	// 1. The objects to which variables lead.
	visit(s.prog.Globals, s.Globals)
	for p := range s.Procs {
		if p == except {
			continue
		}
		for i, f := range s.Procs[p].Frames {
			proc := s.prog.Procs[f.Proc]
			visit(proc.Slots[:proc.Scratch], s.Slots(p, i))
		}
	}
	// 2. Those to which objects lead: met grows.
	for i := 0; i < len(met); i++ {
		o := s.news[met[i]-1]
		class := s.prog.Classes[o.class]
		visit(class.Fields, s.words[o.off:])
		w := int32(len(class.Elem))
		for k := range o.n {
			visit(class.Elem, s.words[o.off+k*w:])
		}
	}
	return seen
}
