package explicit

import (
	"slices"

	"c2bp/checker/zom"
)

// This file defines how the states of roots are written and read back. The form of a
// partial state has what was written since the entry, cells of the entry under the names
// that the root has for them, and the objects made since. So two states are the same only
// if what was written is the same, too: a branch that writes the value that was there
// anyway is another state than one that writes nothing (Qadeer–Rajamani 2005, Fig. 5, takes them for
// the same).

// form writes the canonical form of g.now as a state of r.
func (g *engine) form(r *root) []byte {
	c, s := &g.canon, g.now
	p := g.prog.Procs[r.proc]
	pc := s.Top(0).PC
	c.Begin(s)
	c.Uint(uint64(r.id))
	c.Uint(uint64(pc))
	live, last := p.Globals[pc], -1
	g.bits = g.bits[:0]
	for i, w := range s.Globals {
		if g.isWritten(r, i, w, live) {
			c.Uint(uint64(i - last))
			if g.prog.Globals[i].Kind == zom.Bool {
				g.bits = append(g.bits, bit{int32(i), int32(len(c.Out))})
			}
			c.Root(g.prog.Globals[i].Kind, w)
			last = i
		}
	}
	c.Uint(0)
	for j := 1; j <= s.Olds(); j++ {
		if at := -zom.Word(j); s.Written(at) {
			c.Uint(uint64(j))
			for i, f := range g.prog.Classes[s.Class(at)].Fields {
				c.Root(f.Kind, s.Field(at, int32(i)))
			}
		}
	}
	c.Uint(0)
	c.Slots(p, pc, s.Slots(0, 0))
	c.Objects()
	return c.Out
}

// isWritten reports whether a form tells what a global holds, which is w: it is live, and
// other than at the entry.
func (g *engine) isWritten(r *root, i int, w zom.Word, live zom.Bitset) bool {
	return w != zom.Absent && live.Has(i) && !(w == zom.Unknown && g.stillUnknown(r, i))
}

// formNow is the form that a node has with what is known of its root now: an unknown global
// may have entered the pattern since.
func (g *engine) formNow(id int32) []byte {
	g.now = g.at(&g.upper, id)
	r := g.nodes[id].root
	g.meetCells(g.now, r)
	return slices.Clone(g.form(r))
}

// stillUnknown reports whether a Boolean global that is unknown now was so at the entry of
// r, which is the same as not written, then.
func (g *engine) stillUnknown(r *root, i int) bool {
	return g.prog.Globals[i].Kind == zom.Bool && r.foundUnknown(int32(i))
}

// foundUnknown reports whether the pattern of r has a global that is unknown.
func (r *root) foundUnknown(i int32) bool {
	w, ok := r.values[zom.Loc{Index: i}]
	return ok && w == zom.Unknown
}

// load makes s the state of a node.
func (g *engine) load(s *zom.State, node int32) {
	n := &g.nodes[node]
	p := g.prog.Procs[n.root.proc]
	in := zom.Reader{In: g.table.key(node)}
	in.Uint()
	pc := int32(in.Uint())
	s.Blank()
	s.Start(n.root.proc)
	s.SetPC(0, pc)
	g.meetCells(s, n.root)
	for i := -1; ; {
		d := int(in.Uint())
		if d == 0 {
			break
		}
		i += d
		s.SetGlobal(int32(i), in.Word(g.prog.Globals[i].Kind))
	}
	for {
		j := in.Uint()
		if j == 0 {
			break
		}
		at := -zom.Word(j)
		for i, f := range g.prog.Classes[s.Class(at)].Fields {
			s.SetField(at, int32(i), in.Word(f.Kind))
		}
	}
	in.Slots(p, s.Slots(0, 0))
	in.Objects(s)
}

// meetCells tells s of the cells that the pattern of r has met.
func (g *engine) meetCells(s *zom.State, r *root) {
	for i := s.Olds(); i < len(r.cells); i++ {
		s.Old(r.cells[i].class)
	}
}

// loaded is a state with the node that it is the state of.
type loaded struct {
	state *zom.State
	node  int32
}

// at makes l the state of a node. It may know of fewer cells than the root does now.
func (g *engine) at(l *loaded, node int32) *zom.State {
	if l.node != node {
		g.load(l.state, node)
		l.node = node
	}
	return l.state
}

// held is what a node has at a place; Absent if it is as at the entry of its root.
func (g *engine) held(l *loaded, node int32, at zom.Loc) zom.Word {
	s := g.at(l, node)
	switch {
	case at.Obj == zom.Null:
		return s.Globals[at.Index]
	case -at.Obj > zom.Word(s.Olds()):
		return zom.Absent
	}
	return s.Field(at.Obj, at.Index)
}
