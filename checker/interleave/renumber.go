package interleave

import (
	"slices"

	"c2bp/checker/zom"
)

// This file finds the canonical form of a state whose objects have other numbers than in the form: the state after a
// step that has changed a reference. Nothing but the references in its parts is looked at. Which of them a part has is
// known from another state with that part, and so is the part that arises from it by other numbers of objects.

// renumbering is a table of the parts of states whose objects were numbered anew. A part has a local number here, as
// most are no parts of stored states.
type renumbering struct {
	prog    *zom.Program
	texts   *parts              // the kind of a part, in a byte, and the part
	refs    [][]uint32          // by local number: the objects to which it leads, in the order of the form
	local   [zom.Parts][]uint32 // by kind and number in the store: 1 + the local number, or 0
	stored  []uint64            // by local number: 1 + the number in the store, or 0
	renamed []renamed           // by hash: parts with other numbers of objects
	list    []uint32            // local numbers of the parts of the present state
	number  []uint32            // by number of an object before: the number after, or 0
	met     []uint32            // by number of an object after, less 1: the number before
	text    []byte
}

// renamed is a part, and the one that arises from it by other numbers of objects: those to which that one leads.
type renamed struct{ from, to uint32 } // 1 + local numbers

// The bytes of parts at which the tables are emptied, and the number of entries for renamed parts.
const (
	mostTexts   = 1 << 22
	renamedSize = 1 << 12
)

// newRenumbering returns empty tables.
func newRenumbering(prog *zom.Program) *renumbering {
	return &renumbering{prog: prog, texts: newParts(), renamed: make([]renamed, renamedSize)}
}

// kindOf returns the kind of part k of a state with so many processes.
func kindOf(k, procs int) zom.Part {
	switch {
	case k == 0:
		return zom.GlobalsPart
	case k <= procs:
		return zom.ProcessPart
	}
	return zom.ObjectPart
}

// add returns the local number of a part.
func (t *renumbering) add(kind zom.Part, part []byte) uint32 {
	t.text = append(append(t.text[:0], byte(kind)), part...)
	n := uint32(t.texts.number(t.text))
	if int(n) == len(t.refs) {
		var refs []uint32
		t.prog.Rename(nil, kind, part, func(ref uint64) uint64 {
			refs = append(refs, uint32(ref))
			return ref
		})
		t.refs, t.stored = append(t.refs, refs), append(t.stored, 0)
	}
	return n
}

// of returns the local number of a part of the store.
func (t *renumbering) of(kind zom.Part, n uint64, in *parts) uint32 {
	for uint64(len(t.local[kind])) <= n {
		t.local[kind] = append(t.local[kind], 0)
	}
	if t.local[kind][n] == 0 {
		local := t.add(kind, in.get(n))
		t.local[kind][n], t.stored[local] = local+1, n+1
	}
	return t.local[kind][n] - 1
}

// canonical appends to out the numbers of the parts of the form of the state whose parts are list. With fixed, it
// reports false if one of them is not in the store; else it is added.
func (t *renumbering) canonical(out []uint64, procs int, in *parts, fixed bool) ([]uint64, bool) {
	// 1. Objects get their numbers in the order in which they are met: met grows.
	t.number, t.met = slices.Grow(t.number[:0], len(t.list))[:len(t.list)], t.met[:0]
	clear(t.number)
	for _, p := range t.list[:1+procs] {
		t.meet(p)
	}
	for i := 0; i < len(t.met); i++ {
		t.meet(t.list[procs+int(t.met[i])])
	}
	// 2. Each part with these numbers, those of objects in the new order.
	for k := range 1 + procs + len(t.met) {
		from := k
		if k > procs {
			from = procs + int(t.met[k-procs-1])
		}
		n, known := t.find(t.rename(kindOf(k, procs), t.list[from]), in, fixed)
		if !known {
			return out, false
		}
		out = append(out, n)
	}
	return out, true
}

// meet numbers the objects to which a part leads.
func (t *renumbering) meet(part uint32) {
	for _, n := range t.refs[part] {
		if t.number[n] == 0 {
			t.met = append(t.met, n)
			t.number[n] = uint32(len(t.met))
		}
	}
}

// rename returns the part that arises from one by the new numbers.
func (t *renumbering) rename(kind zom.Part, part uint32) uint32 {
	// 1. Most parts stay the same.
	h, same := mix(0, uint64(part)), true
	for _, n := range t.refs[part] {
		h, same = mix(h, uint64(t.number[n])), same && t.number[n] == n
	}
	if same {
		return part
	}
	// 2. A part that leads to the right objects, and arose from this one, is the right one.
	e := &t.renamed[h&uint64(len(t.renamed)-1)]
	if e.from == part+1 && t.leads(e.to-1, part) {
		return e.to - 1
	}
	// 3. Others are written.
	text := t.prog.Rename(nil, kind, t.texts.get(uint64(part))[1:], func(n uint64) uint64 { return uint64(t.number[n]) })
	to := t.add(kind, text)
	*e = renamed{part + 1, to + 1}
	return to
}

// leads reports whether a part has the references of another one, with the new numbers.
func (t *renumbering) leads(part, other uint32) bool {
	for i, n := range t.refs[other] {
		if t.refs[part][i] != t.number[n] {
			return false
		}
	}
	return true
}

// find returns the number that a part has in the store; see canonical.
func (t *renumbering) find(part uint32, in *parts, fixed bool) (uint64, bool) {
	if n := t.stored[part]; n != 0 {
		return n - 1, true
	}
	text := t.texts.get(uint64(part))[1:]
	if !fixed {
		t.stored[part] = in.number(text) + 1
	} else if n, known := in.find(text); known {
		t.stored[part] = n + 1
	} else {
		return 0, false
	}
	return t.stored[part] - 1, true
}

// listParts lists the parts of the place.
func (e *engine) listParts() {
	t, at := e.names, &e.place
	t.list = t.list[:0]
	for k, n := range at.numbers {
		t.list = append(t.list, t.of(kindOf(k, at.procs), n, e.store.parts))
	}
}

// renumber makes next the parts of the form of the state whose parts are listed. It reports false if one of them is not
// in the store, which must not change.
func (e *engine) renumber() (known bool) {
	at := &e.place
	at.next, known = e.names.canonical(at.next[:0], at.procs, e.store.parts, e.fixed)
	return known
}

// nextRenamed is renumber for the present state, of which canon has written the parts that a step from the place has
// changed. The step is remembered.
func (e *engine) nextRenamed(mv Move) bool {
	e.listParts()
	t, begin := e.names, 0
	for i, k := range e.canon.Changed {
		t.list[k] = t.add(kindOf(k, e.place.procs), e.canon.Out[begin:e.canon.Cuts[i]])
		begin = e.canon.Cuts[i]
	}
	if mv.Pick < 0 && e.remembers() {
		e.remember(mv.Process)
	}
	return e.renumber()
}
