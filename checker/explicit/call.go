package explicit

import "c2bp/checker/zom"

// This file finds the root that a call enters (Qadeer–Rajamani 2005, Figs. 6 and 7).

// call enters the procedure that a node calls.
func (g *engine) call(node int32) {
	// Start at the top of the callee's decision tree.
	e := &edge{node: node}
	g.match(e, g.tries[g.callee(node)])
}

// instruction returns the instruction at a node.
func (g *engine) instruction(node int32) *zom.Instr {
	n := &g.nodes[node]
	return &g.prog.Procs[n.root.proc].Code[n.pc]
}

// callee returns the procedure that a node calls.
func (g *engine) callee(node int32) int { return int(g.instruction(node).B) }

// match descends the decision tree from t, which the first e.verified reads of the call led to, and
// links the call with the root at the leaf, or with a new root.
func (g *engine) match(e *edge, t *trie) {
	g.count.lookups++
	// 1. Read the place that an inner node asks for, and take the branch of its value.
	for t.labelled {
		name := e.name(g.find(e, t.label), g.kindAt(e, t.label))
		e.verified++
		next := t.child(name)
		if next == nil {
			next = t.grow(name)
		}
		t = next
	}
	// 2. Enter the root at the leaf.
	if t.root == nil {
		g.newRoot(e, t)
		return
	}
	e.callee = t.root
	e.callee.edges = append(e.callee.edges, e)
	g.apply(e)
}

// find returns the value of a place of the callee at the node of a call.
func (g *engine) find(e *edge, at spot) zom.Word {
	// A parameter is an argument register of the call.
	if at.param {
		return g.at(&g.caller, e.node).Slots(0, 0)[g.instruction(e.node).A+at.Index]
	}
	// Else the caller has written the place, or it asks its own root.
	l := e.translate(at.Loc)
	if w := g.held(&g.caller, e.node, l); w != zom.Absent {
		return w
	}
	return g.entry(g.nodes[e.node].root, l)
}

// kindAt returns the kind of the value that the callee of e has at a place.
func (g *engine) kindAt(e *edge, at spot) zom.Kind {
	if at.param {
		return g.prog.Procs[g.callee(e.node)].Slots[at.Index].Kind
	}
	if at.Obj == zom.Null {
		return g.prog.Globals[at.Index].Kind
	}
	s := g.at(&g.caller, e.node)
	// The place is a field of a cell of the callee: find the class of the cell. The caller's loaded
	// state may not know cells that its root has met since.
	c := e.cells[-at.Obj-1]
	if c < 0 && -c > zom.Word(s.Olds()) {
		return g.prog.Classes[g.nodes[e.node].root.cells[-c-1].class].Fields[at.Index].Kind
	}
	return g.prog.Classes[s.Class(c)].Fields[at.Index].Kind
}

// wait puts a call on the list of calls whose callee has learned or returned something.
func (g *engine) wait(e *edge) {
	if !e.waiting {
		e.waiting = true
		g.waiting = append(g.waiting, e)
	}
}

// review compares the reads that the callee of a call has made since with the values at the call.
// If they are the same, the new effects are applied; if not, the call enters another root. States
// from effects applied before stay, since those effects depended on fewer reads.
func (g *engine) review(e *edge) {
	e.waiting = false
	// Compare the reads that are new since the last comparison.
	r := e.callee
	for e.verified < len(r.pattern) {
		p := r.pattern[e.verified]
		w := g.find(e, p.at)
		name, fresh := e.rename(w, g.kindAt(e, p.at))
		// A different value: enter another root, from the tree node where the patterns part.
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
