package explicit

import (
	"slices"

	"c2bp/checker/zom"
)

// This file defines roots: invocations of procedures that cannot be told apart by what
// they have read, with what they read (the pattern) and what came of them (the effects).

// spot is what a pattern speaks of: a parameter, a global, or a field of a cell.
type spot struct {
	param bool
	zom.Loc
}

// read is an element of a pattern: what a place held at the entry, with the cells named
// -1, -2, … in the order in which the pattern meets them.
type read struct {
	at   spot
	word zom.Word
}

// root is an invocation of a procedure, entered in all the states that match its pattern.
type root struct {
	id      int32
	proc    int
	pattern []read
	values  map[zom.Loc]zom.Word // the pattern, but for the parameters
	cells   []cell               // that the pattern meets
	path    []*trie              // by the length of the pattern: the last is the leaf of this root
	witness *edge                // a call that entered it: what else it reads is read there; nil for the program's start
	edges   []*edge              // the calls that match, and some that no longer do: their callee is another
	effects []int32              // the nodes at which it returns
	work    agenda               // its pending nodes
	queued  bool                 // is in the engine's list
}

// cell is one that was there at the entry.
type cell struct {
	class int
	depth int     // references from a global or parameter to it
	from  zom.Loc // where it was met
	param int     // the parameter that it was met in, or -1
}

// edge is a call: a node at which a procedure is called, and the root that it enters.
type edge struct {
	node     int32
	callee   *root
	cells    []zom.Word // by cell of the callee: what the node calls it
	verified int        // how many elements of the pattern match
	applied  int        // how many effects were
	waiting  bool       // is in the list of those to be looked at
}

// trie is a decision tree over what procedures read: its label is read, and the value
// leads on to a subtree. A leaf belongs to a root. So what a match costs does not depend
// on how many roots there are.
type trie struct {
	label    spot
	labelled bool
	root     *root
	branches []branch
	up       *trie    // nil for that of the procedure
	word     zom.Word // of the branch from there
}

type branch struct {
	word zom.Word
	to   *trie
}

func (t *trie) child(w zom.Word) *trie {
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

// rename is what a root calls a word that the node of edge e has; fresh if it is a cell
// that the pattern has not met, which then gets the next name.
func (e *edge) rename(w zom.Word, kind zom.Kind) (name zom.Word, fresh bool) {
	if kind != zom.Ref || w == zom.Null {
		return w, false
	}
	if i := slices.Index(e.cells, w); i >= 0 {
		return -zom.Word(i + 1), false
	}
	return -zom.Word(len(e.cells) + 1), true
}

// name is what the callee of e calls a word, from now on if it is a cell that is met first.
func (e *edge) name(w zom.Word, kind zom.Kind) zom.Word {
	name, fresh := e.rename(w, kind)
	if fresh {
		e.cells = append(e.cells, w)
	}
	return name
}

// translate is where the node of e finds what the callee has at a place.
func (e *edge) translate(at zom.Loc) zom.Loc {
	if at.Obj != zom.Null {
		at.Obj = e.cells[-at.Obj-1]
	}
	return at
}

// learn adds a read to the pattern of r. The calls that match it have to be looked at
// again: some may have another value there.
func (g *engine) learn(r *root, at zom.Loc, w zom.Word) {
	kind, class := g.typeOf(r, at)
	if kind == zom.Ref && -w > zom.Word(len(r.cells)) {
		r.cells = append(r.cells, cell{class: class, depth: r.depth(at.Obj) + 1, from: at, param: -1})
		g.tooDeep(r, len(r.cells)-1)
	}
	r.values[at] = w
	s := spot{Loc: at}
	r.pattern = append(r.pattern, read{s, w})
	r.extend(s, w)
	for _, e := range r.edges {
		switch {
		case e == r.witness:
			e.verified = len(r.pattern)
		case e.callee == r:
			g.wait(e)
		}
	}
}

// extend makes the leaf of r a branching: what is read there leads on.
func (r *root) extend(at spot, w zom.Word) {
	if r.path == nil {
		return // the start of the program is no call
	}
	leaf := r.path[len(r.path)-1]
	leaf.root, leaf.label, leaf.labelled = nil, at, true
	next := leaf.grow(w)
	next.root = r
	r.path = append(r.path, next)
}

// depth is that of a cell; 0 for Null, where globals are.
func (r *root) depth(at zom.Word) int {
	if at == zom.Null {
		return 0
	}
	return r.cells[-at-1].depth
}

// typeOf is the kind, and for references the class, of what a place holds.
func (g *engine) typeOf(r *root, at zom.Loc) (zom.Kind, int) {
	if at.Obj == zom.Null {
		v := &g.prog.Globals[at.Index]
		return v.Kind, v.Class
	}
	f := &g.prog.Classes[r.cells[-at.Obj-1].class].Fields[at.Index]
	return f.Kind, f.Class
}

// level is a step of the way to where a value comes from.
type level struct {
	root *root
	at   zom.Loc
}

// entry is what r found at a place when it was entered. What was not read before is read
// where the witness of r has it, there perhaps at the entry, too, and so on; all these
// patterns have it then (Qadeer–Rajamani 2005, §6, does so only where an effect is applied,
// and misses what a path without an effect has read).
func (g *engine) entry(r *root, at zom.Loc) zom.Word {
	if w, ok := r.values[at]; ok {
		return w
	}
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
	for i := len(g.climb) - 1; i >= 0; i-- {
		l := g.climb[i]
		if i > 0 && g.skips(l, g.climb[i-1]) {
			continue
		}
		if e := l.root.witness; e != nil {
			kind, _ := g.typeOf(l.root, l.at)
			w = e.name(w, kind)
		}
		g.learn(l.root, l.at, w)
	}
	return w
}

// initial is what a global holds when the program starts.
func (g *engine) initial(at zom.Loc) zom.Word { return g.prog.Globals[at.Index].Init }
