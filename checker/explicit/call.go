package explicit

import "c2bp/checker/zom"

// This file defines which root a call enters (Qadeer–Rajamani 2005, Figs. 6 and 7).

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
		name := e.name(g.find(e, t.label), g.kindAt(e, t.label))
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
