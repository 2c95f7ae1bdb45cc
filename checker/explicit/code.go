package explicit

import (
	"slices"

	"c2bp/checker/zom"
)

// This file encodes the states of roots as byte strings, and decodes them. The form of a partial
// state holds the values that were written since the entry, cells of the entry under the root's
// names for them, and the objects made since. So two states are equal only if the same places were
// written: a branch that writes the value that was there anyway leads to another state than a
// branch that writes nothing (Qadeer–Rajamani 2005, Fig. 5, identifies the two).

// form writes the canonical form of g.now as a state of r. It notes in g.bits where the values of
// Boolean globals are. The slice is valid until the next form.
func (g *engine) form(r *root) []byte {
	// Numbers are written as differences, and each list ends with 0.
	c, s := &g.canon, g.now
	p := g.prog.Procs[r.proc]
	// 1. Root and instruction.
	pc := s.Top(0).PC
	c.Begin(s)
	c.Uint(uint64(r.id))
	c.Uint(uint64(pc))
	// 2. Globals that were written and are live.
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
	// 3. Cells of the entry that were written, with all fields.
	for j := 1; j <= s.Olds(); j++ {
		if at := -zom.Word(j); s.Written(at) {
			c.Uint(uint64(j))
			for i, f := range g.prog.Classes[s.Class(at)].Fields {
				c.Root(f.Kind, s.Field(at, int32(i)))
			}
		}
	}
	c.Uint(0)
	// 4. Live slots, and the objects that all these lead to.
	c.Slots(p, pc, s.Slots(0, 0))
	c.Objects()
	return c.Out
}

// isWritten reports whether a form includes the value w of global i: it is live, and was written
// since the entry.
func (g *engine) isWritten(r *root, i int, w zom.Word, live zom.Bitset) bool {
	return w != zom.Absent && live.Has(i) && !(w == zom.Unknown && g.stillUnknown(r, i))
}

// formNow returns the form of a node with what its root has read by now: an unknown global may have
// entered the pattern since the node was made.
func (g *engine) formNow(id int32) []byte {
	g.now = g.at(&g.upper, id)
	r := g.nodes[id].root
	g.meetCells(g.now, r)
	return slices.Clone(g.form(r))
}

// stillUnknown reports whether Boolean global i, which is unknown, was unknown at the entry of r,
// too. Then it counts as not written.
func (g *engine) stillUnknown(r *root, i int) bool {
	return g.prog.Globals[i].Kind == zom.Bool && r.foundUnknown(int32(i))
}

// foundUnknown reports whether the pattern of r has global i as unknown.
func (r *root) foundUnknown(i int32) bool {
	w, ok := r.values[zom.Loc{Index: i}]
	return ok && w == zom.Unknown
}

// load makes s the state of a node: it decodes the form; see form.
func (g *engine) load(s *zom.State, node int32) {
	n := &g.nodes[node]
	p := g.prog.Procs[n.root.proc]
	// 1. Root and instruction, then the cells that the root knows.
	in := zom.Reader{In: g.table.key(node)}
	in.Uint()
	pc := int32(in.Uint())
	s.Blank()
	s.Start(n.root.proc)
	s.SetPC(0, pc)
	g.meetCells(s, n.root)
	// 2. Globals: differences of indices, ended by 0.
	for i := -1; ; {
		d := int(in.Uint())
		if d == 0 {
			break
		}
		i += d
		s.SetGlobal(int32(i), in.Word(g.prog.Globals[i].Kind))
	}
	// 3. Cells of the entry, ended by 0; then slots and objects.
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

// meetCells adds to s the cells that the pattern of r has met since.
func (g *engine) meetCells(s *zom.State, r *root) {
	for i := s.Olds(); i < len(r.cells); i++ {
		s.Old(r.cells[i].class)
	}
}

// loaded is a decoded state with its node.
type loaded struct {
	state *zom.State
	node  int32
}

// at makes l the state of a node. It may know fewer cells than the root does now.
func (g *engine) at(l *loaded, node int32) *zom.State {
	if l.node != node {
		g.load(l.state, node)
		l.node = node
	}
	return l.state
}

// held returns the value that a node has at a place; Absent if the place was not written since the
// entry of its root.
func (g *engine) held(l *loaded, node int32, at zom.Loc) zom.Word {
	s := g.at(l, node)
	switch {
	// A cell that the decoded state does not know was not written.
	case at.Obj == zom.Null:
		return s.Globals[at.Index]
	case -at.Obj > zom.Word(s.Olds()):
		return zom.Absent
	}
	return s.Field(at.Obj, at.Index)
}
