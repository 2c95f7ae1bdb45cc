package explicit

import (
	"slices"

	"c2bp/checker/zom"
)

// This file defines roots: invocations of procedures that have read the same, with these reads (the
// pattern) and the outcomes (the effects).

// spot is a place that a pattern reads: a parameter, a global, or a field of a cell.
type spot struct {
	param bool
	zom.Loc
}

// read is an element of a pattern: the value of a place at the entry, with the cells named -1, -2,
// … in the order in which the pattern meets them.
type read struct {
	at   spot
	word zom.Word
}

// root is an invocation of a procedure in all the states that match its pattern.
type root struct {
	id      int32
	proc    int
	pattern []read
	values  map[zom.Loc]zom.Word // the pattern, except the parameters
	cells   []cell               // cells that the pattern has met
	path    []*trie              // by length of the pattern: tree nodes; the last is the leaf of this root
	witness *edge                // the first call that entered it: further reads are made there; nil for the start of the program
	edges   []*edge              // the calls that match, and some that no longer do: they have another callee
	effects []int32              // nodes at which it returns
	work    agenda               // its pending nodes
	queued  bool                 // it is in the engine's queue
}

// cell is an object that was there at the entry.
type cell struct {
	class int
	depth int     // number of references from a variable to it
	from  zom.Loc // the place where it was met
	param int     // the parameter that it was met in, or -1
}

// edge is a call: a node at which a procedure is called, and the root that it enters.
type edge struct {
	node     int32
	callee   *root
	cells    []zom.Word // by cell of the callee: its name at the node
	verified int        // number of elements of the pattern that were compared
	applied  int        // number of effects that were applied
	waiting  bool       // it is in the list of calls to be reviewed
}

// trie is a node of the decision tree over the reads of a procedure. An inner node has a label, the
// place that is read, and a branch for each value. A leaf belongs to a root. So the cost of a match
// does not depend on the number of roots.
type trie struct {
	label    spot
	labelled bool
	root     *root
	branches []branch
	up       *trie    // nil at the top
	word     zom.Word // the value of the branch from up
}

// branch is the subtree for a value.
type branch struct {
	word zom.Word
	to   *trie
}

// child returns the subtree for a value; nil if there is none.
func (t *trie) child(w zom.Word) *trie {
	// Nodes have few branches: a linear search is enough.
	for i := range t.branches {
		if t.branches[i].word == w {
			return t.branches[i].to
		}
	}
	return nil
}

// grow gives t a branch.
func (t *trie) grow(w zom.Word) *trie {
	c := &trie{up: t, word: w}
	t.branches = append(t.branches, branch{w, c})
	return c
}

// rename returns the root's name for a word at the node of edge e. It is fresh if the word is a
// cell that the pattern has not met, which gets the next name.
func (e *edge) rename(w zom.Word, kind zom.Kind) (name zom.Word, fresh bool) {
	if kind != zom.Ref || w == zom.Null {
		return w, false
	}
	// A cell that the pattern has met already.
	if i := slices.Index(e.cells, w); i >= 0 {
		return -zom.Word(i + 1), false
	}
	return -zom.Word(len(e.cells) + 1), true
}

// name returns the callee's name for a word at the node of e. A cell that is met for the first time
// is added.
func (e *edge) name(w zom.Word, kind zom.Kind) zom.Word {
	name, fresh := e.rename(w, kind)
	if fresh {
		e.cells = append(e.cells, w)
	}
	return name
}

// translate returns the place at the node of e that the callee calls at.
func (e *edge) translate(at zom.Loc) zom.Loc {
	// Globals are the same place for both; fields belong to a cell.
	if at.Obj != zom.Null {
		at.Obj = e.cells[-at.Obj-1]
	}
	return at
}

// learn adds a read to the pattern of r. The calls that match it must be reviewed: some may have
// another value there.
func (g *engine) learn(r *root, at zom.Loc, w zom.Word) {
	kind, class := g.typeOf(r, at)
	// 1. The value may be a cell that was not met yet.
	if kind == zom.Ref && -w > zom.Word(len(r.cells)) {
		r.cells = append(r.cells, cell{class: class, depth: r.depth(at.Obj) + 1, from: at, param: -1})
		g.tooDeep(r, len(r.cells)-1)
	}
	// 2. Extend the pattern and the decision tree.
	r.values[at] = w
	s := spot{Loc: at}
	r.pattern = append(r.pattern, read{s, w})
	r.extend(s, w)
	// 3. The value is the witness's; other calls are reviewed.
	for _, e := range r.edges {
		switch {
		case e == r.witness:
			e.verified = len(r.pattern)
		case e.callee == r:
			g.wait(e)
		}
	}
}

// extend makes the leaf of r an inner node that reads at, with a new leaf for the value w.
func (r *root) extend(at spot, w zom.Word) {
	if r.path == nil {
		return // the start of the program is no call
	}
	// Calls that come later read the place on their way down.
	leaf := r.path[len(r.path)-1]
	leaf.root, leaf.label, leaf.labelled = nil, at, true
	next := leaf.grow(w)
	next.root = r
	r.path = append(r.path, next)
}

// depth returns the depth of a cell; 0 for Null, where globals are.
func (r *root) depth(at zom.Word) int {
	if at == zom.Null {
		return 0
	}
	return r.cells[-at-1].depth
}

// typeOf returns the kind of a place and, for references, the class.
func (g *engine) typeOf(r *root, at zom.Loc) (zom.Kind, int) {
	if at.Obj == zom.Null {
		// A global is declared, a field is that of the cell's class.
		v := &g.prog.Globals[at.Index]
		return v.Kind, v.Class
	}
	f := &g.prog.Classes[r.cells[-at.Obj-1].class].Fields[at.Index]
	return f.Kind, f.Class
}

// level is a root on the way to the value, with its name for the place.
type level struct {
	root *root
	at   zom.Loc
}

// entry returns the value of a place when r was entered. A place that r has not read yet is read
// where its witness has it, perhaps at the entry again, and so on; then all these patterns include
// the read. (Qadeer–Rajamani 2005, §6, extends patterns only where an effect is applied, and so
// misses reads on paths without an effect.)
func (g *engine) entry(r *root, at zom.Loc) zom.Word {
	if w, ok := r.values[at]; ok {
		return w
	}
	// 1. Climb from witness to witness until a value is found.
	g.climb = g.climb[:0]
	w := zom.Absent
	for {
		g.climb = append(g.climb, level{r, at})
		e := r.witness
		if e == nil {
			w = g.initial(at)
			break
		}
		at = e.translate(at)
		if w = g.held(&g.upper, e.node, at); w != zom.Absent {
			break
		}
		r = g.nodes[e.node].root
		if v, ok := r.values[at]; ok {
			w = v
			break
		}
	}
	// 2. Descend again: each root learns the value, under its own name.
	for i := len(g.climb) - 1; i >= 0; i-- {
		l := g.climb[i]
		if e := l.root.witness; e != nil {
			kind, _ := g.typeOf(l.root, l.at)
			w = e.name(w, kind)
		}
		g.learn(l.root, l.at, w)
	}
	return w
}

// initial returns the value of a global at the start of the program.
func (g *engine) initial(at zom.Loc) zom.Word { return g.prog.Globals[at.Index].Init }
