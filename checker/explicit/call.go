package explicit

import (
	"slices"

	"c2bp/checker/zom"
)

// This file defines calls: which root a call enters, and what its effects make of the
// caller (seed 000, Figs. 6 to 8).

// call enters the procedure that node calls.
func (g *engine) call(node int32) {
	e := &edge{node: node}
	g.match(e, g.tries[g.callee(node)])
}

// instruction is the one that a node stands at.
func (g *engine) instruction(node int32) *zom.Instr {
	n := &g.nodes[node]
	return &g.prog.Procs[n.root.proc].Code[n.pc]
}

// callee is the procedure that a node calls.
func (g *engine) callee(node int32) int { return int(g.instruction(node).B) }

// match goes down from t, which the first e.verified reads of the call led to, and links
// the call with the root that it finds there, or with a new one.
func (g *engine) match(e *edge, t *trie) {
	g.count.lookups++
	for t.labelled {
		w := g.find(e, t.label)
		name, fresh := e.rename(w, g.kindAt(e, t.label))
		if fresh {
			e.cells = append(e.cells, w)
		}
		e.verified++
		next := t.child(name)
		if next == nil {
			next = t.grow(name)
		}
		t = next
	}
	if t.root == nil {
		g.newRoot(e, t)
		return
	}
	e.callee = t.root
	e.callee.edges = append(e.callee.edges, e)
	g.apply(e)
}

// find reads a place of the callee in the node of a call.
func (g *engine) find(e *edge, at spot) zom.Word {
	if at.param {
		return g.at(&g.caller, e.node).Slots(0, 0)[g.instruction(e.node).A+at.Index]
	}
	l := e.translate(at.Loc)
	if w := g.held(&g.caller, e.node, l); w != zom.Absent {
		return w
	}
	r := g.nodes[e.node].root
	switch g.opts.broken {
	case lateReads:
		if w, of := g.peek(r, l); of == r || g.kindAt(e, at) != zom.Ref {
			return w
		}
	case unmapped:
		w, of := g.peek(r, l)
		if of == r || g.kindAt(e, at) != zom.Ref {
			if l != at.Loc && -at.Obj <= zom.Word(len(r.cells)) {
				g.entry(r, at.Loc)
			}
			return w
		}
	}
	return g.entry(r, l)
}

// kindAt is the kind of what the callee of e has at a place.
func (g *engine) kindAt(e *edge, at spot) zom.Kind {
	if at.param {
		return g.prog.Procs[g.callee(e.node)].Slots[at.Index].Kind
	}
	if at.Obj == zom.Null {
		return g.prog.Globals[at.Index].Kind
	}
	s := g.at(&g.caller, e.node)
	c := e.cells[-at.Obj-1]
	if c < 0 && -c > zom.Word(s.Olds()) {
		return g.prog.Classes[g.nodes[e.node].root.cells[-c-1].class].Fields[at.Index].Kind
	}
	return g.prog.Classes[s.Class(c)].Fields[at.Index].Kind
}

// newRoot makes the root of a leaf, for a call that led there. Its pattern is what was read
// on the way; the parameters that the procedure looks at belong to it from the start.
func (g *engine) newRoot(e *edge, t *trie) {
	proc := g.callee(e.node)
	r := &root{id: int32(len(g.roots)), proc: proc, values: map[zom.Loc]zom.Word{}, witness: e, edges: []*edge{e}}
	e.callee = r
	g.roots = append(g.roots, r)
	for u := t; u != nil; u = u.up {
		r.path = append(r.path, u)
	}
	slices.Reverse(r.path)
	for i, u := range r.path[1:] {
		g.recall(r, read{r.path[i].label, u.word})
	}
	t.root = r
	g.readParams(e, r)
	g.now.Blank()
	g.now.Start(proc)
	for _, p := range r.pattern {
		if p.at.param {
			g.now.SetSlot(0, p.at.Index, p.word)
		}
	}
	if g.opts.WholeStates {
		g.readAll(r)
	}
	g.meetCells(g.now, r)
	g.reach(r, -1, nil, 0)
}

// recall makes a read part of the pattern of a new root.
func (g *engine) recall(r *root, p read) {
	kind, class, depth, param := zom.Ref, 0, 1, -1
	if p.at.param {
		param = int(p.at.Index)
		kind, class = g.prog.Procs[r.proc].Slots[param].Kind, g.prog.Procs[r.proc].Slots[param].Class
	} else {
		kind, class = g.typeOf(r, p.at.Loc)
		depth += r.depth(p.at.Obj)
		r.values[p.at.Loc] = p.word
	}
	if kind == zom.Ref && -p.word > zom.Word(len(r.cells)) {
		r.cells = append(r.cells, cell{class: class, depth: depth, from: p.at.Loc, param: param})
	}
	r.pattern = append(r.pattern, p)
}

// readParams reads the parameters that are live and not in the pattern yet.
func (g *engine) readParams(e *edge, r *root) {
	p := g.prog.Procs[r.proc]
	known := 0
	for _, x := range r.pattern {
		if x.at.param {
			known = int(x.at.Index) + 1
		}
	}
	for i := known; i < p.Params; i++ {
		if !p.Live[p.Entry].Has(i) {
			continue
		}
		at := spot{param: true, Loc: zom.Loc{Index: int32(i)}}
		w := g.find(e, at)
		name, fresh := e.rename(w, p.Slots[i].Kind)
		if fresh {
			e.cells = append(e.cells, w)
		}
		r.extend(at, name)
		g.recall(r, read{at, name})
		e.verified++
	}
}

// readAll makes the whole visible state the pattern (seed 000, section 5).
func (g *engine) readAll(r *root) {
	for i := range g.prog.Globals {
		g.entry(r, zom.Loc{Index: int32(i)})
	}
	for i := 0; i < len(r.cells); i++ {
		for f := range g.prog.Classes[r.cells[i].class].Fields {
			g.entry(r, zom.Loc{Obj: -zom.Word(i + 1), Index: int32(f)})
		}
	}
}

// wait puts a call on the list of those whose callee knows more than they do.
func (g *engine) wait(e *edge) {
	if !e.waiting {
		e.waiting = true
		g.waiting = append(g.waiting, e)
	}
}

// review compares what the callee of a call has read since with what the call has there.
// If it is the same, the new effects are applied; if not, the call enters another root.
// What was applied before stays: it depended on less.
func (g *engine) review(e *edge) {
	e.waiting = false
	r := e.callee
	for e.verified < len(r.pattern) {
		p := r.pattern[e.verified]
		w := g.find(e, p.at)
		name, fresh := e.rename(w, g.kindAt(e, p.at))
		if name != p.word {
			g.count.moved++
			e.applied = 0
			g.match(e, r.path[e.verified])
			return
		}
		if fresh {
			e.cells = append(e.cells, w)
		}
		e.verified++
	}
	g.apply(e)
}

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
