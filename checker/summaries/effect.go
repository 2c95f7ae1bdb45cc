package summaries

import (
	"encoding/binary"
	"slices"

	"c2bp/checker/zom"
)

// This file defines effects: how they are captured in the state in which a path ends, and applied to the state of
// another call.
//
// References are null, the name of an object of the entry -1, -2, …, or the number of a new object 1, 2, …

// Effect is an outcome of a root.
type Effect struct {
	Ends       bool // the transaction has ended
	Post, Took bool
	Published  bool // see Path
	Run        int  // the number of the run to it, for those who show it

	frames  []zom.Word // of each frame: procedure, pc, slots
	writes  []zom.Word // of each location: object, index, value; of contents the number of words, and words
	objects []zom.Word // of each new object: class, number of words, words
	holds   []zom.Word // of each lock taken or released: 1 or 0, location, object
}

// Hold is a lock that a process holds.
type Hold struct {
	Location int32
	Obj      zom.Word
}

// Form appends the form of an effect: effects with the same form are the same, but for the run to them.
func (e *Effect) Form(out []byte) []byte {
	flags := byte(0)
	for i, b := range []bool{e.Ends, e.Post, e.Took, e.Published} {
		if b {
			flags |= 1 << i
		}
	}
	out = append(out, flags)
	for _, list := range [][]zom.Word{e.frames, e.writes, e.objects, e.holds} {
		out = binary.AppendUvarint(out, uint64(len(list)))
		for _, w := range list {
			out = binary.AppendVarint(out, w)
		}
	}
	return out
}

// capturer names references while an effect is captured.
type capturer struct {
	v      *Invocation
	s      *zom.State
	number map[zom.Word]zom.Word // of new objects
	met    []zom.Word
}

// Capture returns the effect of a path that ends in a state, in front of or after the step that is told apart by
// ends. The locks that the process held at the entry and holds now are given.
func (v *Invocation) Capture(s *zom.State, ends, post, took bool, before, now []Hold) *Effect {
	c := &capturer{v: v, s: s}
	e := &Effect{Ends: ends, Post: post, Took: took, Published: v.Published}
	// 1. The frames.
	frames := s.Procs[v.process].Frames
	for i := v.Base; i < len(frames); i++ {
		proc := v.prog.Procs[frames[i].Proc]
		e.frames = append(e.frames, zom.Word(frames[i].Proc), zom.Word(frames[i].PC))
		slots := s.Slots(v.process, i)
		for j := range proc.Scratch {
			e.frames = append(e.frames, c.word(proc.Slots[j].Kind, slots[j]))
		}
	}
	// 2. The locations written, in the order of their names.
	list := slices.Clone(v.Writes)
	for i := range list {
		list[i].Obj = c.word(zom.Ref, list[i].Obj)
	}
	slices.SortFunc(list, func(a, b zom.Loc) int {
		if a.Obj != b.Obj {
			return int(a.Obj - b.Obj)
		}
		return int(a.Index - b.Index)
	})
	for _, at := range list {
		e.writes = append(e.writes, at.Obj, zom.Word(at.Index))
		if at.Obj != zom.Null {
			at.Obj = v.Cells[-at.Obj-1]
		}
		e.writes = c.value(e.writes, at)
	}
	// 3. The new objects that these lead to: c.met grows.
	for i := 0; i < len(c.met); i++ {
		e.objects = c.object(e.objects, c.met[i])
	}
	// 4. The locks.
	e.holds = c.holds(e.holds, 1, now, before)
	e.holds = c.holds(e.holds, 0, before, now)
	return e
}

// word returns a word with references named.
func (c *capturer) word(kind zom.Kind, w zom.Word) zom.Word {
	switch {
	case kind != zom.Ref || w == zom.Null:
		return w
	case !c.v.Own(w):
		i := slices.Index(c.v.Cells, w)
		if i < 0 {
			panic("summaries: an effect has an object that was not met")
		}
		return -zom.Word(i + 1)
	}
	n, old := c.number[w]
	if !old {
		if c.number == nil {
			c.number = map[zom.Word]zom.Word{}
		}
		c.met = append(c.met, w)
		n = zom.Word(len(c.met))
		c.number[w] = n
	}
	return n
}

// value appends the value of a location.
func (c *capturer) value(out []zom.Word, at zom.Loc) []zom.Word {
	p := c.v.prog
	switch {
	case at.Obj == zom.Null:
		return append(out, c.word(p.Globals[at.Index].Kind, c.s.Globals[at.Index]))
	case at.Index != zom.Content:
		return append(out, c.word(kindOf(p, c.s, at), c.s.Field(at.Obj, at.Index)))
	}
	words := c.s.Elements(at.Obj)
	out = append(out, zom.Word(len(words)))
	elem := p.Classes[c.s.Class(at.Obj)].Elem
	for i, w := range words {
		out = append(out, c.word(elem[i%len(elem)].Kind, w))
	}
	return out
}

// object appends a new object.
func (c *capturer) object(out []zom.Word, obj zom.Word) []zom.Word {
	class := c.s.Class(obj)
	k := c.v.prog.Classes[class]
	n := len(k.Fields)
	if k.Form != zom.Fixed {
		n = len(c.s.Elements(obj))
	}
	out = append(out, zom.Word(class), zom.Word(n))
	for i := range n {
		at := zom.Loc{Obj: obj, Index: int32(i)}
		out = append(out, c.word(kindOf(c.v.prog, c.s, at), c.s.Field(obj, int32(i))))
	}
	return out
}

// holds appends the locks of a list that are not in another one, in order. Those of objects that nothing leads to
// play no part.
func (c *capturer) holds(out []zom.Word, sign zom.Word, list, other []Hold) []zom.Word {
	var named []Hold
	for _, h := range list {
		if slices.Contains(other, h) {
			continue
		}
		if c.v.Own(h.Obj) {
			n, met := c.number[h.Obj]
			if !met {
				continue
			}
			h.Obj = n
		} else {
			h.Obj = c.word(zom.Ref, h.Obj)
		}
		named = append(named, h)
	}
	slices.SortFunc(named, func(a, b Hold) int {
		if a.Location != b.Location {
			return int(a.Location - b.Location)
		}
		return int(a.Obj - b.Obj)
	})
	for _, h := range named {
		out = append(out, sign, zom.Word(h.Location), h.Obj)
	}
	return out
}

// Change is what the application of an effect has done beside the change of the state.
type Change struct {
	Writes          []zom.Loc
	Taken, Released []Hold
}

// applier translates names while an effect is applied.
type applier struct {
	p     *zom.Program
	s     *zom.State
	cells []zom.Word
	news  zom.Word // objects before
}

// Apply changes the state of a call, in which the process has just entered the procedure, to that after the effect;
// cells has the addresses of the objects that the pattern names.
func (e *Effect) Apply(p *zom.Program, s *zom.State, process int, cells []zom.Word) (out Change) {
	a := &applier{p, s, cells, zom.Word(s.News())}
	// 1. The new objects, first without contents.
	for at := 0; at < len(e.objects); at += 2 + int(e.objects[at+1]) {
		class, n := int(e.objects[at]), int(e.objects[at+1])
		if k := p.Classes[class]; k.Form == zom.Fixed {
			s.New(class)
		} else {
			s.NewSequence(int32(class), int32(n/max(len(k.Elem), 1)))
		}
	}
	obj := a.news
	for at := 0; at < len(e.objects); at += 2 + int(e.objects[at+1]) {
		obj++
		for i, w := range e.objects[at+2 : at+2+int(e.objects[at+1])] {
			loc := zom.Loc{Obj: obj, Index: int32(i)}
			s.SetField(obj, loc.Index, a.word(kindOf(p, s, loc), w))
		}
	}
	// 2. The locations.
	for at := 0; at < len(e.writes); {
		loc := zom.Loc{Obj: a.word(zom.Ref, e.writes[at]), Index: int32(e.writes[at+1])}
		out.Writes = append(out.Writes, loc)
		at = a.write(loc, e.writes, at+2)
	}
	// 3. The frames: the first one is there.
	a.enter(process, e.frames)
	// 4. The locks.
	for i := 0; i < len(e.holds); i += 3 {
		h := Hold{int32(e.holds[i+1]), a.word(zom.Ref, e.holds[i+2])}
		if e.holds[i] == 1 {
			out.Taken = append(out.Taken, h)
		} else {
			out.Released = append(out.Released, h)
		}
	}
	return out
}

// word returns a word without names.
func (a *applier) word(kind zom.Kind, w zom.Word) zom.Word {
	switch {
	case kind != zom.Ref || w == zom.Null:
		return w
	case w > 0:
		return a.news + w
	}
	return a.cells[-w-1]
}

// write writes a location, whose value is in list from an index on, and returns the index after it.
func (a *applier) write(loc zom.Loc, list []zom.Word, at int) int {
	switch {
	case loc.Obj == zom.Null:
		a.s.SetGlobal(loc.Index, a.word(a.p.Globals[loc.Index].Kind, list[at]))
		return at + 1
	case loc.Index != zom.Content:
		a.s.SetField(loc.Obj, loc.Index, a.word(kindOf(a.p, a.s, loc), list[at]))
		return at + 1
	}
	n := int(list[at])
	elem := a.p.Classes[a.s.Class(loc.Obj)].Elem
	words := make([]zom.Word, n)
	for i := range words {
		words[i] = a.word(elem[i%len(elem)].Kind, list[at+1+i])
	}
	a.s.SetElements(loc.Obj, words)
	return at + 1 + n
}

// enter changes the top frame of the process to the first one of a list, and pushes the others.
func (a *applier) enter(process int, list []zom.Word) {
	for first := true; len(list) > 0; first = false {
		proc, pc := int(list[0]), int32(list[1])
		code := a.p.Procs[proc]
		words := make([]zom.Word, code.Scratch)
		for j := range words {
			words[j] = a.word(code.Slots[j].Kind, list[2+j])
		}
		list = list[2+code.Scratch:]
		if !first {
			a.s.Enter(process, proc, pc, words)
			continue
		}
		slots := a.s.Slots(process, len(a.s.Procs[process].Frames)-1)
		for j, w := range words {
			if slots[j] != w {
				a.s.SetSlot(process, int32(j), w)
			}
		}
		a.s.SetPC(process, pc)
	}
}
