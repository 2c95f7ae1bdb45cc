package explicit

import (
	"slices"

	"c2bp/checker/zom"
)

// This file merges states that differ in one Boolean global only: together they are the state in
// which the global is unknown. So a program that reads many unconstrained globals, one after the
// other, does not keep states for all their values.
//
// Only pending nodes are merged, so no node is served twice. A state that is one of the states of a
// more general node is dropped. Whether a run through a merged node comes from the one part or from
// the other shows further on, where the global is read again; see back.go.

// bit is a Boolean global in a form: its number, and the offset of its value.
type bit struct{ global, off int32 }

// union is the parts of a merged node: nodes that are equal except for a global, which is 0 in the
// first and 1 in the second.
type union struct {
	parts  [2]int32
	global int32
}

// merger knows the merged nodes, and the globals that are known in the states at an instruction.
type merger struct {
	any    bool // the program has Boolean globals
	unions map[int32]union
	places map[spotOfRoot]*place
	set    zom.Bitset // see definite
}

// place is the facts about an instruction in a root: the sets of globals that are known in some
// state there, and the number of nodes that wait there, those included that were merged since.
type place struct {
	sets    []zom.Bitset
	waiting int
}

// at returns the place of an instruction in r.
func (m *merger) at(r *root, pc int32) *place {
	p := m.places[spotOfRoot{r, pc}]
	if p == nil {
		p = &place{}
		m.places[spotOfRoot{r, pc}] = p
	}
	return p
}

// spotOfRoot is an instruction in a root.
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

// mostKnown is the number of sets of known globals that are kept for a place.
const mostKnown = 64

// definite returns the set of globals that are 0 or 1 in a form. It is valid until the next call.
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

// covered reports whether g.now, whose form is given, is one of the states of a more general node.
// If not, it notes the set of globals that are known in g.now. Afterwards g.canon.Out is the form
// of g.now, as before.
func (g *engine) covered(r *root, pc int32, form []byte) bool {
	if g.opts.noMerge || !g.merge.any {
		return false
	}
	// Compare the sets of known globals first: most states differ in those.
	mine := g.definite(form)
	at := g.merge.at(r, pc)
	sets := at.sets
	found, tried := false, false
	var bits []bit
	// A more general node knows fewer globals: try the sets that are met at this place.
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
		if g.has(r, bits, s) {
			return true
		}
	}
	// Restore the form of g.now: has may have written others.
	if tried {
		g.form(r)
	}
	// Remember this set, unless there are too many.
	if !found && len(sets) < mostKnown {
		at.sets = append(sets, slices.Clone(mine))
	}
	return false
}

// coveredSince reports whether a pending node has become one of the states of another node.
func (g *engine) coveredSince(id int32) bool {
	n := &g.nodes[id]
	// With one set there cannot be a more general node.
	if len(g.merge.at(n.root, n.pc).sets) < 2 {
		return false
	}
	g.now = g.own
	g.load(g.now, id)
	return g.covered(n.root, n.pc, g.form(n.root))
}

// subset reports whether a is a subset of b.
func subset(a, b zom.Bitset) bool {
	for i := range a {
		if a[i]&^b[i] != 0 {
			return false
		}
	}
	return true
}

// has reports whether there is a node that is equal to g.now except that only the globals of known
// are known.
func (g *engine) has(r *root, bits []bit, known zom.Bitset) bool {
	// Forget the globals in the state itself, encode it, and undo.
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

// merged merges a new node, of state g.now, with pending nodes as long as it can. It returns the
// node to serve; nowhere if that is an old one.
func (g *engine) merged(id int32) int32 {
	r := g.nodes[id].root
	if g.opts.noMerge || len(g.bits) == 0 || g.merge.at(r, g.nodes[id].pc).waiting == 0 {
		return id
	}
	for {
		// 1. Find a pending node that differs in one global.
		global, partner := g.partner(g.canon.Out)
		if partner == nowhere {
			return id
		}
		// 2. The state of both has the global unknown: it may be covered, or a node already.
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
		// 3. Make a node of it, and try to merge that.
		n := g.nodes[id]
		// Its parents are those of its parts: see back.go.
		n.parent, n.call, n.status = nowhere, nil, pending
		g.nodes = append(g.nodes, n)
		g.merge.unions[whole] = union{parts, global}
		id = whole
	}
}

// partner returns a pending node whose form differs from key in one global, and that global.
func (g *engine) partner(key []byte) (global, node int32) {
	for _, b := range g.bits {
		v := key[b.off]
		if v >= byte(zom.Unknown) {
			continue
		}
		// Look up the form with the value inverted.
		key[b.off] = 1 - v
		n, ok := g.table.find(key)
		key[b.off] = v
		if ok && g.nodes[n].status == pending {
			return b.global, n
		}
	}
	return 0, nowhere
}
