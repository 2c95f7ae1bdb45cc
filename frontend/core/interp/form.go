package interp

import (
	"encoding/binary"
	"maps"
	"slices"

	"c2bp/frontend/core"
)

// This file writes states down so that two states of one run are the same if what is written is: all that the rest of
// the run may depend on, but for the addresses of objects that the program has made, and for objects to which nothing
// leads.
//
//	p = malloc(4); *p = 1;     p: object 0 + 0    object 0: 4 bytes, 1 0 0 0
//	p = malloc(4); *p = 1;     the same, although p is another address
//
// From states with the same form the run goes on alike: with the same choices, where those that are addresses lead to
// the corresponding objects, it makes the same steps to states with the same form again. This holds as long as it does
// not depend on the numbers of addresses (number.go).

// Forms writes the states of one run down.
type Forms struct {
	m     *Machine
	since uint64         // bytes that were arbitrary before have numbers of their own
	ids   map[any]uint64 // of variables, statements, procedures and types
}

// Forms returns a writer of the states of a run from now on.
func (m *Machine) Forms() *Forms { return &Forms{m: m, since: m.tokens, ids: map[any]uint64{}} }

// FormError says why a state has no form.
type FormError struct{ What string }

func (e *FormError) Error() string { return e.What }

// form is the form of a state as it grows.
type form struct {
	*Forms
	matters func(depth int, v *core.Var) bool
	out     []byte
	numbers map[*Object]uint64 // of movable objects, in the order in which they are met
	queue   []*Object
	marks   map[uint64]uint64 // of bytes that became arbitrary since, likewise
	err     error
}

// Form returns the form of the state in which the machine is, between two steps. matters says on which numbers, in
// variables outside of memory of the activation at a depth, -1 for globals, the rest of the run depends. It fails with a
// *FormError if the state cannot be compared with others.
func (f *Forms) Form(matters func(depth int, v *core.Var) bool) (string, error) {
	w := &form{Forms: f, matters: matters, numbers: map[*Object]uint64{}, marks: map[uint64]uint64{}}
	m := f.m
	// 1. The stack, and the variables outside of memory.
	w.uint(uint64(len(m.stack)))
	for _, fr := range m.stack {
		w.frame(fr)
	}
	for i, g := range m.prog.Globals {
		if !g.InMemory() {
			w.register(-1, g, m.globals[i])
		}
	}
	// 2. Objects that stay where they are, and those that are known outside: an arbitrary pointer may lead there.
	for _, o := range m.objects {
		if m.body(o).live && o.stays() {
			w.uint(uint64(o.id))
			w.object(o)
		}
	}
	for _, o := range m.known {
		if !o.stays() {
			w.reference(o.start)
		}
	}
	// 3. All to which these lead.
	for len(w.queue) > 0 {
		o := w.queue[0]
		w.queue = w.queue[1:]
		w.object(o)
	}
	return string(w.out), w.err
}

// fail notes that the state cannot be compared.
func (w *form) fail(what string) {
	if w.err == nil {
		w.err = &FormError{what}
	}
}

// uint writes a number.
func (w *form) uint(n uint64) { w.out = binary.AppendUvarint(w.out, n) }

// id writes which variable, statement, procedure or type x is.
func (w *form) id(x any) {
	n, ok := w.ids[x]
	if !ok {
		n = uint64(len(w.ids))
		w.ids[x] = n
	}
	w.uint(n)
}

// frame writes an activation.
func (w *form) frame(f *Frame) {
	w.id(f.proc)
	w.uint(uint64(f.node))
	w.uint(uint64(f.passed))
	// 1. Its variables.
	for _, list := range [][]*core.Var{f.proc.Formals, f.proc.Locals, f.routine.ghosts} {
		for _, v := range list {
			if s := w.m.slots[v]; !s.memory {
				w.register(f.depth, v, f.values[s.index])
			}
		}
	}
	w.uint(uint64(len(f.stack)))
	for _, o := range slices.Concat(f.objects, f.stack) {
		w.reference(o.start)
	}
	// 2. The destination of a call under way.
	if f == w.m.Top() {
		return
	}
	w.id(f.result.call)
	w.uint(uint64(f.result.size))
	w.reference(f.result.addr)
	if p := f.result.place; p.object != nil {
		w.reference(p.span.addr)
	}
}

// The marks before a word or byte.
const (
	formByte uint64 = iota
	formNumber
	formReference
	formOldMark
	formNewMark
	formMark
)

// register writes the value of a variable outside of memory, if it matters.
func (w *form) register(depth int, v *core.Var, x int64) {
	switch {
	case pointerType(v.Type):
		w.reference(uint64(x))
	case !w.matters(depth, v):
	case w.m.movable(uint64(x)) != nil:
		w.fail("a number is the address of an object")
	default:
		w.uint(uint64(x))
	}
}

// reference writes an address.
func (w *form) reference(addr uint64) {
	o := w.m.movable(addr)
	if o == nil {
		w.uint(formNumber)
		w.uint(addr)
		return
	}
	n, met := w.numbers[o]
	if !met {
		n = uint64(len(w.numbers))
		w.numbers[o] = n
		w.queue = append(w.queue, o)
	}
	w.uint(formReference)
	w.uint(n)
	w.uint(addr - o.start)
}

// object writes an object. One whose life has ended is nothing but itself.
func (w *form) object(o *Object) {
	b := w.m.body(o)
	if !b.live {
		w.uint(0)
		return
	}
	// 1. What it is.
	w.uint(1)
	w.id(o.v)
	w.id(o.alloc)
	w.uint(uint64(o.size))
	w.uint(uint64(o.depth + 1))
	w.uint(uint64(truth(b.known)))
	// 2. What is known about its type, and about its beginning, if it is outside.
	w.uint(uint64(min(b.pointers, 2)))
	w.uint(b.lowest)
	w.uint(uint64(len(b.shown)))
	for _, s := range b.shown {
		w.id(s.Record)
		w.uint(uint64(s.Size))
		w.uint(uint64(s.at))
	}
	// 3. What it holds.
	switch {
	case o.proc != nil:
	case b.sparse != nil:
		w.pages(o)
	default:
		w.m.settle(o, 0, o.size)
		w.bytes(w.m.body(o).contents)
	}
}

// pages writes the contents of a large object.
func (w *form) pages(o *Object) {
	w.m.settleGround(o)
	for _, n := range slices.Sorted(maps.Keys(w.m.body(o).sparse.pages)) {
		w.uint(uint64(n) + 1)
		p := w.m.page(o, n)
		w.m.settle(o, n*w.m.body(o).sparse.width, int64(len(p.data)))
		w.bytes(w.m.page(o, n).contents)
	}
	w.uint(0)
	for _, s := range w.m.body(o).sparse.ground {
		w.uint(uint64(s.start))
		w.uint(uint64(s.fill))
		if s.mark != 0 {
			w.mark(s.mark, true)
		}
	}
}

// bytes writes contents: words that are addresses of movable objects, other bytes, and which bytes are arbitrary.
func (w *form) bytes(c contents) {
	width := w.m.pointer.Bits / 8
	for i := 0; i < len(c.data); i++ {
		if c.unknown != nil && c.unknown[i] != 0 {
			w.mark(c.unknown[i], false)
			continue
		}
		if i+width <= len(c.data) && decided(c, i, width) {
			v := w.m.wordOf(c.data[i:])
			switch o := w.m.movable(v); {
			case o != nil && i%width == 0:
				w.reference(v)
				i += width - 1
				continue
			case o != nil:
				w.fail("an address of an object is at an odd place")
			}
		}
		w.uint(formByte)
		w.out = append(w.out, c.data[i])
	}
}

// decided reports whether width bytes from i on are not arbitrary.
func decided(c contents, i, width int) bool {
	return c.unknown == nil || !slices.ContainsFunc(c.unknown[i:i+width], func(t uint64) bool { return t != 0 })
}

// mark writes which arbitrary byte it is that has a mark; of a stretch, the first one.
func (w *form) mark(t uint64, stretch bool) {
	switch {
	case t>>1 <= w.since:
		w.uint(formOldMark)
		w.uint(t)
	// Each byte of a stretch has a mark of its own, as long as there are no copies.
	case stretch && w.m.copied:
		w.fail("a large object is arbitrary, or a part of it")
	case stretch:
		w.uint(formMark)
		w.uint(t & 1)
	default:
		n, ok := w.marks[t]
		if !ok {
			n = uint64(len(w.marks))
			w.marks[t] = n
		}
		w.uint(formNewMark)
		w.uint(n<<1 | t&1)
	}
}
