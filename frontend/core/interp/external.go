package interp

import "c2bp/frontend/core"

// This file executes calls of procedures without a body.

// externalSize is the size of the external object.
const externalSize = 256

// external executes a call of p in f. The objects that the arguments reach become known outside,
// may be written by Choices, and their addresses may be returned later.
//
//	extern void set(struct s *p);     args: all that p leads to, and foreign variables
//	set(&s);                          pure: nothing     all: all that has an address, and globals
func (m *Machine) external(f *Frame, p *core.Proc, args []argument) error {
	m.extern = p
	// 1. Find the objects that the procedure may write, by the assumption about procedures without
	// a body.
	var reached search
	switch extern := m.prog.Extern; {
	// Assembly may also change all whose address it has seen before.
	case p.Assembly && extern != core.ExternAll:
		reached = m.reach(args, m.among(m.knownOutside))
	case extern == core.ExternArgs && p.Limited:
		reached = m.reach(args, nil)
		reached.further = false
	case extern == core.ExternArgs:
		// What it only reads becomes known, but is not written, unless another argument leads there, too.
		written := args
		if p.ReadOnly != nil || m.prog.NumbersApart {
			m.reach(args, nil)
			written = nil
			for i, a := range args {
				if !m.readsOnly(p, f.result.call, i) {
					written = append(written, a)
				}
			}
		}
		reached = m.reach(written, m.foreign)
	// Scalar variables get their values here; Choices may write them again in step 2.
	case extern == core.ExternAll:
		m.havocRegion(f, true)
		reached = m.reach(args, m.among((*Object).exposed))
	// It changes nothing, but remembers the addresses that it is given, and may return them later.
	default:
		m.reach(args, nil)
	}
	// 2. Let Choices write them.
	if x, ok := m.choices.(Externals); ok && len(reached.out) > 0 {
		for _, w := range x.External(ExternalCall{Place: f.place(), Callee: p, Reached: reached.out, all: reached.all}) {
			m.externalWrite(f, w)
		}
	}
	// 3. Deliver the result.
	m.extern = nil
	return m.externalResult(f, p)
}

// readsOnly reports whether p, which c calls, changes nothing through argument i: it is a pointer to constants or, where
// numbers are taken for no addresses, a number. (That of a pointer of the program is one, but this misses runs only.)
func (m *Machine) readsOnly(p *core.Proc, c *core.Call, i int) bool {
	if i < len(p.ReadOnly) && p.ReadOnly[i] {
		return true
	}
	if !m.prog.NumbersApart || i >= len(c.Args) || c.Args[i] == nil {
		return false
	}
	_, isInt := c.Args[i].Type().(core.Int)
	return isInt
}

// among returns the live objects that satisfy is, by address.
func (m *Machine) among(is func(*Object) bool) (list []*Object) {
	for _, o := range m.objects {
		if is(o) && m.body(o).live {
			list = append(list, o)
		}
	}
	return list
}

// reach finds the objects that the program's memory leads to from args and from the objects roots.
// They become known. Any number that is an address leads somewhere.
func (m *Machine) reach(args []argument, roots []*Object) search {
	s := search{m: m}
	if !m.pointers {
		return s
	}
	m.met.begin()
	// 1. Start from the addresses in the arguments, and from the roots.
	for _, a := range args {
		s.visit(uint64(a.scalar))
		if n := a.bytes.length(); n > 0 { // a struct
			o := m.scratch(n)
			// The words of a chunk are found in an object: it may be sparse, and its bytes may have
			// been decided in another copy.
			m.give(o, 0, a.bytes)
			m.addresses(o, s.visit, s.open)
			m.vacate(o)
		}
	}
	for _, o := range roots {
		s.visit(o.start)
	}
	// 2. Follow all addresses in the contents of the objects that were found.
	s.follow()
	return s
}

// search is a search for the objects that an external reaches. A machine has one at a time.
type search struct {
	m       *Machine
	work    []*Object
	out     []*Object // those that can be written
	further bool      // an arbitrary word from outside was found
}

// visit notes the object at an address.
func (s *search) visit(addr uint64) {
	if addr < s.m.first { // most words are null or small numbers
		return
	}
	if o := s.m.liveAt(addr); o != nil && s.m.met.add(o) {
		s.work = append(s.work, o)
	}
}

// open notes that there is an arbitrary word from outside.
func (s *search) open() { s.further = true }

// follow visits what the objects lead to that were noted.
func (s *search) follow() {
	for len(s.work) > 0 {
		o := s.work[0]
		s.work = s.work[1:]
		// From now on arbitrary pointers may lead to o.
		s.m.know(o)
		if o.proc == nil && !o.literal() {
			s.out = append(s.out, o)
			s.m.addresses(o, s.visit, s.open)
		}
	}
}

// all returns the objects that can be written, with those to which arbitrary words may lead.
func (s *search) all() []*Object {
	if s.further {
		for _, o := range s.m.among(s.m.knownOutside) {
			s.visit(o.start)
		}
		s.follow()
	}
	return s.out
}

// scratch returns an object of size bytes, all 0, that is not in memory: it has no address, and
// nobody finds it. The caller forgets its body.
func (m *Machine) scratch(size int64) *Object {
	o := &Object{size: size}
	if b := m.embody(o); size > denseSize {
		b.sparse = m.newSparse()
	} else {
		b.data = make([]byte, size)
	}
	return o
}

// externalWrite does one write of an external. It panics if Choices writes to an object that is not
// known outside.
func (m *Machine) externalWrite(f *Frame, w Write) {
	b, ub := m.blockAt(w.Addr, w.Size)
	if ub != Defined || !m.body(b.object).known {
		panic("interp: an external writes where it cannot")
	}
	// Assembly of the program may change all that it reaches.
	parts := []block{b}
	if !m.extern.Assembly || f.result.call.Elsewhere {
		parts = m.changeable(b)
	}
	for _, p := range parts {
		if w.Bytes == nil {
			m.blur(f, p, outside, nil, nil)
		} else {
			from, to := p.off-b.off, p.off-b.off+p.size
			m.write(f, p, bytesOf(w.Bytes[from:to:to]), nil)
			m.numbersIn(p.object, p.off, p.size)
		}
	}
}

// externalResult delivers an arbitrary result of p, if it is used. A struct is not asked for as a
// whole: its bytes become arbitrary.
func (m *Machine) externalResult(f *Frame, p *core.Proc) error {
	s := f.result.call
	if s.Lhs == nil {
		return nil
	}
	t, scalar := core.Word(p.RetType)
	if scalar {
		f.deliver(m.ask(&Request{Why: ExternalResult, Owner: -1, Type: t, Pointer: pointerType(p.RetType)}))
		return nil
	}
	b, err := f.resultBlock()
	if err == nil {
		m.blur(f, b, outside, nil, addressOf(s.Lhs))
	}
	return err
}
