package pushdown

import (
	"slices"

	"c2bp/checker/temporal/rite"
	"c2bp/checker/zom"
)

// This file evaluates atoms on states.

// link prepares the atoms for the states of a program.
func (a *Atoms) link(p *zom.Program) {
	a.prog = p
	a.globals = make([]bool, len(p.Globals))
	a.slots = make([][]bool, len(p.Procs))
	for i, proc := range p.Procs {
		a.slots[i] = make([]bool, len(proc.Slots))
	}
	a.bools = make([][]bool, len(p.Classes))
	for i, c := range p.Classes {
		a.bools[i] = make([]bool, len(c.Fields))
	}
	// 1. The variables and fields that atoms mention.
	for _, at := range a.list {
		if at.rite == nil {
			continue
		}
		a.heap = a.heap || !at.rite.Expr().IsFree()
		at.rite.Expr().Walk(func(e *rite.Expr) { a.mention(e) })
	}
	// 2. If an atom is about objects, all references count: it speaks of all objects that they lead to.
	if !a.heap {
		return
	}
	for i, s := range p.Globals {
		a.globals[i] = a.globals[i] || s.Kind == zom.Ref
	}
	for i, g := range a.graph.Procs {
		for j := range g.Vars {
			a.slots[i][j] = a.slots[i][j] || p.Procs[i].Slots[j].Kind == zom.Ref
		}
	}
}

// mention notes the variable or field that an expression without operands names.
func (a *Atoms) mention(e *rite.Expr) {
	isVariable := e.Kind == rite.Variable || e.Kind == rite.NotVariable
	isFlag := e.Kind == rite.Flag || e.Kind == rite.NotFlag
	switch {
	case isVariable && e.ID != rite.Nil, isFlag && e.Free:
		v := a.vars[e.ID]
		for p, seen := range v.seen {
			switch {
			case seen && v.slot[p].Global:
				a.globals[v.slot[p].Index] = true
			case seen:
				a.slots[p][v.slot[p].Index] = true
			}
		}
	case isFlag:
		for i, c := range a.prog.Classes {
			for j, f := range c.Fields {
				if f.Kind == zom.Bool && f.Name == a.fields[e.ID-firstField] {
					a.bools[i][j], a.flags = true, true
				}
			}
		}
	}
}

// keepsGlobal reports whether a global matters although the program may not read it any more.
func (a *Atoms) keepsGlobal(i int) bool { return a.globals[i] }

// keepsSlot reports the same of a slot of a procedure.
func (a *Atoms) keepsSlot(proc, i int) bool { return a.slots[proc][i] }

// keepsField reports whether atoms depend on a field of the objects of a class.
func (a *Atoms) keepsField(class, field string) bool {
	for i, c := range a.prog.Classes {
		for j, f := range c.Fields {
			if c.Name == class && f.Name == field {
				return f.Kind == zom.Ref && a.heap || a.bools[i][j]
			}
		}
	}
	return false
}

// undecided returns a function that sets a Boolean that atoms mention, and that is not decided; nil if there is
// none.
func (a *Atoms) undecided(s *zom.State) func(zom.Word) {
	for i, keep := range a.globals {
		if keep && a.prog.Globals[i].Kind == zom.Bool && s.Globals[i] == zom.Unknown {
			return func(w zom.Word) { s.SetGlobal(int32(i), w) }
		}
	}
	top, slots := topFrame(s)
	for i, keep := range a.slots[top.Proc] {
		if keep && a.prog.Procs[top.Proc].Slots[i].Kind == zom.Bool && slots[i] == zom.Unknown {
			return func(w zom.Word) { s.SetSlot(0, int32(i), w) }
		}
	}
	if !a.flags {
		return nil
	}
	for _, at := range a.view(s).objects {
		for f, keep := range a.bools[s.Class(at)] {
			if keep && s.Field(at, int32(f)) == zom.Unknown {
				return func(w zom.Word) { s.SetField(at, int32(f), w) }
			}
		}
	}
	return nil
}

// topFrame returns the frame that runs, and its slots.
func topFrame(s *zom.State) (*zom.Frame, []zom.Word) {
	return s.Top(0), s.Slots(0, len(s.Procs[0].Frames)-1)
}

// undecidedReference reports whether a reference that can be seen was not decided: an atom could not follow it.
func (a *Atoms) undecidedReference(s *zom.State) bool {
	for _, at := range a.view(s).objects {
		for f, slot := range a.prog.Classes[s.Class(at)].Fields {
			if slot.Kind == zom.Ref && s.Field(at, int32(f)) == zom.Undecided {
				return true
			}
		}
	}
	return false
}

// hold returns the bits of the atoms that hold in a state.
func (a *Atoms) hold(s *zom.State) (bits uint64) {
	top := s.Top(0)
	p := a.graph.Procs[top.Proc]
	node := p.Nodes[a.prog.Procs[top.Proc].Code[top.PC].Node]
	h := a.view(s)
	for i, at := range a.list {
		holds := false
		if at.rite != nil {
			holds = at.rite.Holds(h)
		} else {
			holds = (at.proc == "" || at.proc == p.Proc.Name) && slices.Contains(node.Labels, at.label)
		}
		if holds {
			bits |= 1 << i
		}
	}
	return bits
}

// heap is the heap that the procedure of a state can see: a rite.Heap.
type heap struct {
	a       *Atoms
	s       *zom.State
	proc    int
	slots   []zom.Word
	objects []zom.Word // their addresses
	numbers map[zom.Word]int
}

// view returns the heap of a state: the objects that the variables lead to, breadth first.
func (a *Atoms) view(s *zom.State) *heap {
	top, slots := topFrame(s)
	h := &heap{a: a, s: s, proc: int(top.Proc), slots: slots, numbers: map[zom.Word]int{}}
	if !a.heap {
		return h
	}
	meet := func(kind zom.Kind, w zom.Word) {
		if kind != zom.Ref || w <= 0 {
			return
		}
		if _, met := h.numbers[w]; !met {
			h.numbers[w] = len(h.objects)
			h.objects = append(h.objects, w)
		}
	}
	for i, w := range s.Globals {
		meet(a.prog.Globals[i].Kind, w)
	}
	for i := range a.graph.Procs[h.proc].Vars {
		meet(a.prog.Procs[h.proc].Slots[i].Kind, h.slots[i])
	}
	for i := 0; i < len(h.objects); i++ {
		for f, slot := range a.prog.Classes[s.Class(h.objects[i])].Fields {
			meet(slot.Kind, s.Field(h.objects[i], int32(f)))
		}
	}
	return h
}

// Objects returns the number of objects.
func (h *heap) Objects() int { return len(h.objects) }

// word returns the value of a variable; 0 where it cannot be seen.
func (h *heap) word(id int) zom.Word {
	v := h.a.vars[id]
	switch {
	case !v.seen[h.proc]:
		return 0
	case v.slot[h.proc].Global:
		return h.s.Globals[v.slot[h.proc].Index]
	}
	return h.slots[v.slot[h.proc].Index]
}

// object returns the number of an object.
func (h *heap) object(w zom.Word) int {
	if n, ok := h.numbers[w]; ok {
		return n
	}
	return rite.Nil
}

// Variable returns the object to which a variable leads.
func (h *heap) Variable(id int) int { return h.object(h.word(id)) }

// fieldOf returns the value of a field of an object, if its class has the field with this kind.
func (h *heap) fieldOf(id, object int, kind zom.Kind) (zom.Word, bool) {
	at := h.objects[object]
	for f, slot := range h.a.prog.Classes[h.s.Class(at)].Fields {
		if slot.Name == h.a.fields[id-firstField] && slot.Kind == kind {
			return h.s.Field(at, int32(f)), true
		}
	}
	return 0, false
}

// Field returns the object to which a field leads.
func (h *heap) Field(id, object int) (int, bool) {
	w, has := h.fieldOf(id, object, zom.Ref)
	return h.object(w), has
}

// Flag returns a Boolean.
func (h *heap) Flag(id, object int) (val, has bool) {
	if id < firstField {
		return h.word(id) == 1, true
	}
	w, has := h.fieldOf(id, object, zom.Bool)
	return w == 1, has
}
