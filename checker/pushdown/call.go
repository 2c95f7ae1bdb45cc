package pushdown

import (
	"encoding/binary"

	"c2bp/checker/temporal"
	"c2bp/checker/zom"
)

// This file defines callers that wait on the stack, calls and returns (Rot et al. 2012, §3, with the corrections
// that cut points are those of the whole visible part, and that everything is renumbered).

// caller is a procedure that waits for a callee. Its references are 0 for null, k for its own object k, and -k for
// cut point k.
type caller struct {
	proc, pc int32 // pc of the call
	lowest   bool  // it is main in the lowest frame
	slots    []zom.Word
	cuts     []zom.Word // its own references to cut points of its callers
	objects  []object
}

// object is an object that only the caller can see.
type object struct {
	class  int
	fields []zom.Word
}

// call returns the moves of the call at which x.s stands: they push the callee on the caller.
func (x *System) call(in *zom.Instr, symbol int, cuts []zom.Word) (out []temporal.Move) {
	top := *x.s.Top(0)
	callee := x.prog.Procs[in.B]
	args := x.s.Slots(0, 0)[in.A : int(in.A)+callee.Params]
	// 1. The objects that the callee can see: those of the globals that it leaves alive, and of the arguments.
	seen := x.reached(func(meet func(zom.Word)) {
		for i, w := range x.s.Globals {
			if x.prog.Globals[i].Kind == zom.Ref && (callee.Globals[callee.Entry].Has(i) || x.atoms.keepsGlobal(i)) {
				meet(w)
			}
		}
		for i, w := range args {
			if callee.Slots[i].Kind == zom.Ref {
				meet(w)
			}
		}
	})
	// 2. The caller, and the cut points.
	waiting, cutPoints, own := x.wait(top, symbol == runsLowest, cuts, seen)
	// 3. The first state of the callee, with these objects.
	t := x.t
	t.Reset()
	t.Start(int(in.B))
	c := x.copier()
	for i, w := range x.s.Globals {
		if x.prog.Globals[i].Kind == zom.Ref && w > 0 && !seen[w] {
			w = zom.Null // dead
		}
		t.SetGlobal(int32(i), c.word(x.prog.Globals[i].Kind, w))
	}
	for i, w := range args {
		t.SetSlot(0, int32(i), c.word(callee.Slots[i].Kind, w))
	}
	now := make([]zom.Word, len(cutPoints))
	for i, w := range cutPoints {
		now[i] = c.word(zom.Ref, w)
	}
	before := x.origin
	x.origin = func(w zom.Word) int { return before(c.from[w]) }
	x.settle(t, func() {
		out = append(out, x.moveTo(t, now, true, runs, waiting))
		x.notePush(own, before)
	})
	x.origin = before
	return out
}

// reached returns the objects of x.s that roots lead to.
func (x *System) reached(roots func(meet func(zom.Word))) map[zom.Word]bool {
	seen := map[zom.Word]bool{}
	var todo []zom.Word
	meet := func(w zom.Word) {
		if w > 0 && !seen[w] {
			seen[w] = true
			todo = append(todo, w)
		}
	}
	roots(meet)
	for len(todo) > 0 {
		at := todo[0]
		todo = todo[1:]
		for f, slot := range x.prog.Classes[x.s.Class(at)].Fields {
			if slot.Kind == zom.Ref {
				meet(x.s.Field(at, int32(f)))
			}
		}
	}
	return seen
}

// wait returns the symbol of the caller at a call, the objects of its own, and its cut points: those that the callee sees, and to which
// the caller's variables, its references to cut points, or objects of its own lead.
func (x *System) wait(top zom.Frame, lowest bool, cuts []zom.Word, seen map[zom.Word]bool) (symbol int, points, own []zom.Word) {
	p := x.prog.Procs[top.Proc]
	c := caller{proc: top.Proc, pc: top.PC, lowest: lowest}
	numbers := map[zom.Word]zom.Word{}
	// name gives an object its number when it is met: k if it is the caller's own, -k if it is a cut point.
	name := func(kind zom.Kind, w zom.Word) zom.Word {
		if kind != zom.Ref || w == zom.Null {
			return w
		}
		n, ok := numbers[w]
		if !ok && seen[w] {
			points = append(points, w)
			n = -zom.Word(len(points))
		} else if !ok {
			own = append(own, w)
			n = zom.Word(len(own))
		}
		numbers[w] = n
		return n
	}
	// 1. The variables that are needed after the call, and the caller's own cut points.
	for i, w := range x.s.Slots(0, 0)[:p.Scratch] {
		if !p.Live[top.PC+1].Has(i) && !x.atoms.keepsSlot(int(top.Proc), i) {
			w = 0
		}
		c.slots = append(c.slots, name(p.Slots[i].Kind, w))
	}
	for _, w := range cuts {
		c.cuts = append(c.cuts, name(zom.Ref, w))
	}
	// 2. The objects of its own, the fields of which may lead to more.
	for i := 0; i < len(own); i++ {
		o := object{class: x.s.Class(own[i])}
		for f, slot := range x.prog.Classes[o.class].Fields {
			o.fields = append(o.fields, name(slot.Kind, x.s.Field(own[i], int32(f))))
		}
		c.objects = append(c.objects, o)
	}
	// 3. Its symbol.
	key := c.key()
	n, ok := x.callerOf[key]
	if !ok {
		n = len(x.callers)
		x.callerOf[key] = n
		x.callers = append(x.callers, c)
	}
	return firstCaller + n, points, own
}

// key encodes a caller.
func (c *caller) key() string {
	key := binary.AppendUvarint(nil, uint64(c.proc))
	key = binary.AppendUvarint(key, uint64(c.pc))
	if c.lowest {
		key = append(key, 1)
	} else {
		key = append(key, 0)
	}
	words := func(list []zom.Word) {
		key = binary.AppendUvarint(key, uint64(len(list)))
		for _, w := range list {
			key = binary.AppendVarint(key, w)
		}
	}
	words(c.slots)
	words(c.cuts)
	for _, o := range c.objects {
		key = binary.AppendUvarint(key, uint64(o.class))
		words(o.fields)
	}
	return string(key)
}

// comeBack returns the moves of a return to a caller: it takes the results, and comes to the next node.
func (x *System) comeBack(loc, symbol int) temporal.Moves {
	c := &x.callers[symbol-firstCaller]
	points := x.load(x.s, loc)
	returned := x.prog.Procs[x.s.Top(0).Proc]
	results := x.s.Slots(0, 0)[returned.Result : returned.Result+returned.Results]
	// 1. What the callee sees.
	t := x.t
	t.Reset()
	t.Start(int(c.proc))
	copied := x.copier()
	for i, w := range x.s.Globals {
		t.SetGlobal(int32(i), copied.word(x.prog.Globals[i].Kind, w))
	}
	now := make([]zom.Word, len(points))
	for k, w := range points {
		now[k] = copied.word(zom.Ref, w)
	}
	// 2. What only the caller sees.
	own := make([]zom.Word, len(c.objects))
	for i, o := range c.objects {
		own[i] = t.New(o.class)
	}
	name := func(kind zom.Kind, w zom.Word) zom.Word {
		switch {
		case kind != zom.Ref || w == zom.Null:
			return w
		case w < 0:
			return now[-w-1]
		}
		return own[w-1]
	}
	for i, o := range c.objects {
		for f, slot := range x.prog.Classes[o.class].Fields {
			t.SetField(own[i], int32(f), name(slot.Kind, o.fields[f]))
		}
	}
	p := x.prog.Procs[c.proc]
	for i, w := range c.slots {
		t.SetSlot(0, int32(i), name(p.Slots[i].Kind, w))
	}
	cuts := make([]zom.Word, len(c.cuts))
	for i, w := range c.cuts {
		cuts[i] = name(zom.Ref, w)
	}
	// 3. The results, and the step to the next node.
	in := &p.Code[c.pc]
	for i, w := range results {
		t.SetSlot(0, in.C+int32(i), copied.word(returned.Slots[returned.Result+i].Kind, w))
	}
	t.SetPC(0, c.pc+1)
	x.s, x.t = x.t, x.s
	x.origin = cameBack(copied, own)
	symbol = runs
	if c.lowest {
		symbol = runsLowest
	}
	return x.outcomes(symbol, cuts)
}

// copier copies objects from x.s to x.t.
type copier struct {
	x        *System
	to, from map[zom.Word]zom.Word
}

// copier returns a copier that has copied nothing.
func (x *System) copier() *copier {
	return &copier{x, map[zom.Word]zom.Word{}, map[zom.Word]zom.Word{}}
}

// word returns the copy of a word; an object is copied with all those that it leads to.
func (c *copier) word(kind zom.Kind, w zom.Word) zom.Word {
	if kind != zom.Ref || w <= 0 {
		return w
	}
	if at, ok := c.to[w]; ok {
		return at
	}
	// A list of objects to be filled, since they may be long chains.
	first := c.make(w)
	for todo := []zom.Word{w}; len(todo) > 0; {
		from := todo[0]
		todo = todo[1:]
		for f, slot := range c.x.prog.Classes[c.x.s.Class(from)].Fields {
			v := c.x.s.Field(from, int32(f))
			if slot.Kind == zom.Ref && v > 0 {
				if _, ok := c.to[v]; !ok {
					c.make(v)
					todo = append(todo, v)
				}
				v = c.to[v]
			}
			c.x.t.SetField(c.to[from], int32(f), v)
		}
	}
	return first
}

// make makes the copy of an object, without its fields.
func (c *copier) make(w zom.Word) zom.Word {
	at := c.x.t.New(c.x.s.Class(w))
	c.to[w], c.from[at] = at, w
	return at
}
