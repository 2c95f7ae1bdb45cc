package explicit

import "c2bp/checker/zom"

// This file applies the effects of a callee to its callers (Qadeer–Rajamani 2005, Fig. 8).

// apply makes the states after a call, one for each effect of the callee that was not applied yet.
// If the callee has read more than the call was compared with, the call waits for review.
func (g *engine) apply(e *edge) {
	if e.verified < len(e.callee.pattern) {
		g.wait(e)
		return
	}
	// Each effect makes a state of its own from that of the call.
	for e.applied < len(e.callee.effects) {
		k := e.applied
		e.applied++
		exit := e.callee.effects[k]
		g.count.applied++
		g.load(g.now, e.node)
		g.resume(g.now, exit, func(cell zom.Word) zom.Word { return e.cells[-cell-1] })
		g.reach(g.nodes[e.node].root, e.node, e, exit)
	}
}

// resume turns s, a state at a call, into the state after the call if the callee returned at the
// node exit. old translates the names of the callee's cells into those of s.
func (g *engine) resume(s *zom.State, exit int32, old func(zom.Word) zom.Word) {
	// 1. Make the objects that the callee made.
	x := g.at(&g.exit, exit)
	in := &g.prog.Procs[s.Top(0).Proc].Code[s.Top(0).PC]
	// Their addresses differ from those in the callee's state.
	fresh := make([]zom.Word, x.News())
	for i := range fresh {
		fresh[i] = s.New(x.Class(zom.Word(i + 1)))
	}
	// name translates a word of the callee: a new object, an old cell, or another value.
	name := func(kind zom.Kind, w zom.Word) zom.Word {
		switch {
		case kind != zom.Ref || w == zom.Null || w == zom.Absent:
		case w > 0:
			return fresh[w-1]
		case w < 0:
			return old(w)
		}
		return w
	}
	// 2. Copy the globals that it wrote.
	for i, w := range x.Globals {
		if w != zom.Absent {
			s.SetGlobal(int32(i), name(g.prog.Globals[i].Kind, w))
		}
	}
	// 3. Copy the fields that it wrote, of its cells and of the new objects.
	set := func(from, to zom.Word) {
		for i, f := range g.prog.Classes[x.Class(from)].Fields {
			if w := x.Field(from, int32(i)); w != zom.Absent {
				s.SetField(to, int32(i), name(f.Kind, w))
			}
		}
	}
	for j := 1; j <= x.Olds(); j++ {
		if at := -zom.Word(j); x.Written(at) {
			set(at, old(at))
		}
	}
	for i, to := range fresh {
		set(zom.Word(i+1), to)
	}
	// 4. Copy the results, and go to the next instruction.
	p := g.prog.Procs[in.B]
	for i := range p.Results {
		s.SetSlot(0, in.C+int32(i), name(p.Slots[p.Result+i].Kind, x.Slots(0, 0)[p.Result+i]))
	}
	s.SetPC(0, s.Top(0).PC+1)
}
