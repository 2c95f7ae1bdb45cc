package explicit

import (
	"fmt"

	"c2bp/checker/zom"
)

// This file defines defects that tests put in: those of Qadeer–Rajamani 2005's pseudo-code (1 to 5, the
// numbers of package doc), each of which makes the search miss a failure, and two of merging.

// mutation is a defect.
type mutation int

const (
	correct        mutation = iota
	stateOnly               // 1: states are the same whatever was written on the way
	lateReads               // 2: what a callee has read is passed on only with an effect
	cellsForgotten          // 3: cells of the entry are renumbered like all others (section 5's Λ)
	unmapped                // 4: places that a callee has read are passed on under its own names
	emptyEffect             // 5: a caller goes on after a call as if it had written nothing
	coversAll               // a state is dropped for a more general one, whether there is that or not
	wrongPart               // a way goes by the other part of a merged node
)

// peek is what r found at a place when it was entered, without that becoming part of a
// pattern: the word, and the root that calls it so.
func (g *engine) peek(r *root, at zom.Loc) (zom.Word, *root) {
	for {
		if w, ok := r.values[at]; ok {
			return w, r
		}
		e := r.witness
		if e == nil {
			return g.initial(at), r
		}
		if at.Obj < 0 && -at.Obj > zom.Word(len(e.cells)) {
			return zom.Absent, r
		}
		at = e.translate(at)
		up := g.nodes[e.node].root
		if w := g.held(&g.upper, e.node, at); w != zom.Absent {
			return w, up
		}
		r = up
	}
}

// owner is the root that made what r calls w, with its name there.
func (g *engine) owner(r *root, w zom.Word) (*root, zom.Word) {
	for w < 0 {
		w = r.witness.cells[-w-1]
		r = g.nodes[r.witness.node].root
	}
	return r, w
}

// known reports whether g.now, a state of r, was seen before, as far as a defect lets that
// be seen.
func (g *engine) known(r *root) bool {
	key := ""
	switch g.opts.broken {
	case stateOnly:
		key = g.withoutEffect(r)
	case cellsForgotten:
		key = g.renumbered(r)
	default:
		return false
	}
	if g.keys == nil {
		g.keys = map[string]bool{}
	}
	seen := g.keys[key]
	g.keys[key] = true
	return seen
}

// withoutEffect is the form of g.now in which nothing counts as written that is as at the
// entry.
func (g *engine) withoutEffect(r *root) string {
	mark := g.now.Mark()
	for i, w := range g.now.Globals {
		if v, of := g.peek(r, zom.Loc{Index: int32(i)}); v == w && (of == r || g.prog.Globals[i].Kind != zom.Ref) {
			g.now.SetGlobal(int32(i), zom.Absent)
		}
	}
	key := string(g.form(r))
	g.now.Undo(mark)
	return key
}

// renumbered is the canonical form of the visible state of g.now: all cells have the numbers
// in which they are met.
func (g *engine) renumbered(r *root) string {
	type cell struct {
		of *root
		at zom.Word
	}
	var met []cell
	key := fmt.Sprint(r.id, " ", g.now.Top(0).PC, " ")
	word := func(kind zom.Kind, w zom.Word, of *root) {
		if kind != zom.Ref || w == zom.Null {
			key += fmt.Sprint(w, " ")
			return
		}
		c := cell{of: of, at: w}
		if w < 0 {
			c.of, c.at = g.owner(of, w)
		}
		for i, m := range met {
			if m == c {
				key += fmt.Sprint("#", i, " ")
				return
			}
		}
		key += fmt.Sprint("#", len(met), " ")
		met = append(met, c)
	}
	for i, w := range g.now.Globals {
		of := r
		if w == zom.Absent {
			w, of = g.peek(r, zom.Loc{Index: int32(i)})
		}
		word(g.prog.Globals[i].Kind, w, of)
	}
	for i, w := range g.now.Slots(0, 0) {
		word(g.prog.Procs[r.proc].Slots[i].Kind, w, r)
	}
	return key // the programs of the test have no fields
}

// forget makes nothing count as written in g.now, a state of r. At the start of the program,
// whose effect nobody asks for, the state stays.
func (g *engine) forget(r *root) {
	if r.witness == nil {
		return
	}
	for i := range g.now.Globals {
		g.now.SetGlobal(int32(i), zom.Absent)
	}
}

// skips reports whether a caller is not to learn, or has learned under a wrong name, what
// the procedure below it has read.
func (g *engine) skips(l, below level) bool {
	if kind, _ := g.typeOf(l.root, l.at); kind == zom.Ref {
		return false
	}
	switch g.opts.broken {
	case lateReads:
		return true
	case unmapped:
		if l.at == below.at || -below.at.Obj > zom.Word(len(l.root.cells)) {
			return false
		}
		climb := g.climb
		g.climb = nil
		g.entry(l.root, below.at)
		g.climb = climb
		return true
	}
	return false
}
