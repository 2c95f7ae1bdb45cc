package explicit

import (
	"slices"

	"c2bp/checker/zom"
)

// This file defines how states are merged that differ in one Boolean global only: together
// they are the state in which it is unknown. So a program that reads many unconstrained
// globals, one after the other, does not remember each of them in states of their own.
//
// Only pending nodes are merged: nothing is gone on from twice. A state that is one of
// those of a more general one is dropped. Whether a run that goes by a merged node comes
// from the one or from the other shows further on, where the global is read again:
// back.go finds out.

// bit is a Boolean global of a form: which, and where its value is.
type bit struct{ global, off int32 }

// union is what a merged node was made of: nodes that are equal but for a global, in which
// the first has 0 and the second 1.
type union struct {
	parts  [2]int32
	global int32
}

// merger knows what was merged, and which globals are known in the states of a place.
type merger struct {
	any    bool // there are Boolean globals
	unions map[int32]union
	places map[spotOfRoot]*place
	set    zom.Bitset // see definite
}

// place is what is known of one: the sets of globals that are known in some state there, and
// how many nodes there wait, those included that were merged since.
type place struct {
	sets    []zom.Bitset
	waiting int
}

// at is the place of a node of r.
func (m *merger) at(r *root, pc int32) *place {
	p := m.places[spotOfRoot{r, pc}]
	if p == nil {
		p = &place{}
		m.places[spotOfRoot{r, pc}] = p
	}
	return p
}

// spotOfRoot is a place in the code of a root.
type spotOfRoot struct {
	root *root
	pc   int32
}

func newMerger(p *zom.Program) merger {
	m := merger{unions: map[int32]union{}, places: map[spotOfRoot]*place{}}
	for _, s := range p.Globals {
		m.any = m.any || s.Kind == zom.Bool
	}
	return m
}

// mostKnown is how many sets of known globals are looked at for a place.
const mostKnown = 64

// definite is the set of the globals that a form says are 0 or 1. It is good until the next
// call.
func (g *engine) definite(form []byte) zom.Bitset {
	if g.merge.set == nil {
		g.merge.set = zom.NewBitset(len(g.prog.Globals))
	}
	set := g.merge.set
	clear(set)
	for _, b := range g.bits {
		if form[b.off] < byte(zom.Unknown) {
			set.Set(int(b.global))
		}
	}
	return set
}

// covered reports whether g.now, whose form is given, is one of the states of a more general
// node; if not, it is noted that there is one of its kind. g.canon.Out is its form after
// that, too.
func (g *engine) covered(r *root, pc int32, form []byte) bool {
	if g.opts.noMerge || !g.merge.any {
		return false
	}
	mine := g.definite(form)
	at := g.merge.at(r, pc)
	sets := at.sets
	found, tried := false, false
	var bits []bit
	for _, s := range sets {
		if slices.Equal(s, mine) {
			found = true
			continue
		}
		if !subset(s, mine) {
			continue
		}
		if !tried {
			tried, bits = true, slices.Clone(g.bits)
		}
		if g.opts.broken == coversAll || g.has(r, bits, s) {
			return true
		}
	}
	if tried {
		g.form(r)
	}
	if !found && len(sets) < mostKnown {
		at.sets = append(sets, slices.Clone(mine))
	}
	return false
}

// coveredSince reports whether a pending node has become one of the states of another.
func (g *engine) coveredSince(id int32) bool {
	n := &g.nodes[id]
	if len(g.merge.at(n.root, n.pc).sets) < 2 {
		return false
	}
	g.now = g.own
	g.load(g.now, id)
	return g.covered(n.root, n.pc, g.form(n.root))
}

func subset(a, b zom.Bitset) bool {
	for i := range a {
		if a[i]&^b[i] != 0 {
			return false
		}
	}
	return true
}

// has reports whether there is the node that is as g.now but that only the globals of a set
// are known.
func (g *engine) has(r *root, bits []bit, known zom.Bitset) bool {
	mark := g.now.Mark()
	for _, b := range bits {
		if !known.Has(int(b.global)) {
			g.now.SetGlobal(b.global, zom.Unknown)
		}
	}
	_, ok := g.table.find(g.form(r))
	g.now.Undo(mark)
	return ok
}

// merged merges a new node, of the state g.now, with pending ones, as often as it can be,
// and returns the node to go on from; nowhere if that is an old one.
func (g *engine) merged(id int32) int32 {
	r := g.nodes[id].root
	if g.opts.noMerge || len(g.bits) == 0 || g.merge.at(r, g.nodes[id].pc).waiting == 0 {
		return id
	}
	for {
		global, partner := g.partner(g.canon.Out)
		if partner == nowhere {
			return id
		}
		parts := [2]int32{id, partner}
		if g.now.Globals[global] == 1 {
			parts = [2]int32{partner, id}
		}
		g.nodes[id].status, g.nodes[partner].status = merged, merged
		g.count.merged++
		g.now.SetGlobal(global, zom.Unknown)
		form := g.form(r)
		if g.covered(r, g.nodes[id].pc, form) {
			return nowhere
		}
		whole, isNew := g.table.insert(g.canon.Out)
		if !isNew {
			return nowhere
		}
		n := g.nodes[id]
		n.parent, n.call, n.status = nowhere, nil, pending
		g.nodes = append(g.nodes, n)
		g.merge.unions[whole] = union{parts, global}
		id = whole
	}
}

// partner finds a pending node whose form differs from key in one global, and that global.
func (g *engine) partner(key []byte) (global, node int32) {
	for _, b := range g.bits {
		v := key[b.off]
		if v >= byte(zom.Unknown) {
			continue
		}
		key[b.off] = 1 - v
		n, ok := g.table.find(key)
		key[b.off] = v
		if ok && g.nodes[n].status == pending {
			return b.global, n
		}
	}
	return 0, nowhere
}
