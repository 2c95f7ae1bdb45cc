package explicit

import (
	"slices"

	"c2bp/checker/zom"
)

// This file creates roots.

// newRoot creates the root of a leaf for a call that led there. Its pattern is what the call has
// read on the way down the tree, and the live parameters.
func (g *engine) newRoot(e *edge, t *trie) {
	// 1. Take over the reads on the path to the leaf.
	proc := g.callee(e.node)
	r := &root{id: int32(len(g.roots)), proc: proc, values: map[zom.Loc]zom.Word{}, witness: e, edges: []*edge{e}}
	e.callee = r
	g.roots = append(g.roots, r)
	// The path from the leaf to the top, turned around.
	for u := t; u != nil; u = u.up {
		r.path = append(r.path, u)
	}
	slices.Reverse(r.path)
	for i, u := range r.path[1:] {
		g.recall(r, read{r.path[i].label, u.word})
	}
	t.root = r
	// 2. Read the live parameters.
	g.readParams(e, r)
	// 3. Start in a state of the parameters alone; the rest is read on demand.
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

// recall adds a read to the pattern of a new root.
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
	// A cell that is named for the first time.
	if kind == zom.Ref && -p.word > zom.Word(len(r.cells)) {
		r.cells = append(r.cells, cell{class: class, depth: depth, from: p.at.Loc, param: param})
	}
	r.pattern = append(r.pattern, p)
}

// readParams reads the parameters that are live and not in the pattern yet.
func (g *engine) readParams(e *edge, r *root) {
	p := g.prog.Procs[r.proc]
	// Parameters are read in order, so the last one in the pattern tells which are missing.
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
		name := e.name(g.find(e, at), p.Slots[i].Kind)
		r.extend(at, name)
		g.recall(r, read{at, name})
		e.verified++
	}
}

// readAll reads the whole visible state (Qadeer–Rajamani 2005, §5).
func (g *engine) readAll(r *root) {
	for i := range g.prog.Globals {
		g.entry(r, zom.Loc{Index: int32(i)})
	}
	// Fields of cells may lead to more cells: r.cells grows.
	for i := 0; i < len(r.cells); i++ {
		for f := range g.prog.Classes[r.cells[i].class].Fields {
			g.entry(r, zom.Loc{Obj: -zom.Word(i + 1), Index: int32(f)})
		}
	}
}
