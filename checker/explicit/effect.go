package explicit

import "c2bp/checker/zom"

// This file defines what the effects of a callee make of its callers (Qadeer–Rajamani 2005, Fig. 8).

// apply makes the states behind a call, one for each effect of the callee.
func (g *engine) apply(e *edge) {
	if e.verified < len(e.callee.pattern) {
		g.wait(e)
		return
	}
	for e.applied < len(e.callee.effects) {
		k := e.applied
		e.applied++
		exit := e.callee.effects[k]
		g.count.applied++
		g.load(g.now, e.node)
		switch g.opts.broken {
		case lateReads:
			for _, p := range e.callee.pattern {
				if !p.at.param && g.held(&g.caller, e.node, e.translate(p.at.Loc)) == zom.Absent {
					g.entry(g.nodes[e.node].root, e.translate(p.at.Loc))
				}
			}
		case emptyEffect:
			g.forget(g.nodes[e.node].root)
		}
		g.resume(g.now, exit, func(cell zom.Word) zom.Word { return e.cells[-cell-1] })
		g.reach(g.nodes[e.node].root, e.node, e, exit)
	}
}

// resume makes s, a state at a call, that behind the call if the callee returned at the
// node exit. The names of the callee's cells in s are told by old.
func (g *engine) resume(s *zom.State, exit int32, old func(zom.Word) zom.Word) {
	x := g.at(&g.exit, exit)
	in := &g.prog.Procs[s.Top(0).Proc].Code[s.Top(0).PC]
	fresh := make([]zom.Word, x.News())
	for i := range fresh {
		fresh[i] = s.New(x.Class(zom.Word(i + 1)))
	}
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
	for i, w := range x.Globals {
		if w != zom.Absent {
			s.SetGlobal(int32(i), name(g.prog.Globals[i].Kind, w))
		}
	}
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
	p := g.prog.Procs[in.B]
	for i := range p.Results {
		s.SetSlot(0, in.C+int32(i), name(p.Slots[p.Result+i].Kind, x.Slots(0, 0)[p.Result+i]))
	}
	s.SetPC(0, s.Top(0).PC+1)
}
