package alias

import (
	"cmp"
	"slices"

	"c2bp/frontend/core"
)

// This file finds the globals that are set before the program reads anything, by C's initialisers,
// which the front end puts at the start of the entry:
//
//	0: x := 0             -> 1
//	1: fill &tab, 80, 0   -> 2
//	2: *(&tab + 8) := &x  -> 3         x and all of tab are set
//	3: branch             -> 4, 5      a rule chooses an object before these, or after them
//	5: p := get()         -> 6         any other statement ends the initialisation
//
// What is set on each way to the ends of the initialisation is found by a forward analysis: the parts that are set before a
// node are those that are set after each of the nodes before it. All other globals, and all bytes that these nodes leave out,
// come from outside.

// initialise gives values from outside to the formals of the entry, to the variable arguments of
// procedures that runs start with, and to those parts of globals that the entry's first nodes do
// not set.
func (s *solver) initialise() {
	// 1. Globals: foreign ones come from outside, others where nothing sets them.
	set := s.initialisers()
	for _, v := range s.prog.Globals {
		switch {
		case v.Foreign:
			s.arbitrary(v)
			s.expose(v)
		case v.InMemory():
			s.rest(s.object(v), set.ranges[v])
		case !set.scalars[v]:
			s.arbitrary(v)
		}
	}
	// 2. Arguments of the procedures that runs start with.
	for _, v := range s.prog.Entry.Formals {
		s.arbitrary(v)
	}
	starts := Starters(s.prog)
	for _, p := range s.prog.Procs {
		if p.Variadic != nil && starts[p] {
			s.arbitrary(p.Variadic)
		}
	}
}

// Starters returns the procedures that runs of p start with: its entry and, if that is no function of
// the C program, those that it calls.
func Starters(p *core.Program) map[*core.Proc]bool {
	out := map[*core.Proc]bool{p.Entry: true}
	if p.Entry.CName != "" {
		return out
	}
	for _, n := range p.Entry.Nodes {
		if c, ok := n.Stmt.(*core.Call); ok {
			out[c.Callee] = true
		}
	}
	return out
}

// arbitrary lets v be any value from outside.
func (s *solver) arbitrary(v *core.Var) {
	if !v.InMemory() {
		s.insert(s.origin(originKey{node: v}), s.variable(v))
		return
	}
	o := s.object(v)
	s.lend(o, whole(s.objects[o].bits()))
}

// rest lets all bits of object except those of ranges be anything.
func (s *solver) rest(object int32, ranges []cell) {
	slices.SortFunc(ranges, func(a, b cell) int { return cmp.Compare(a.off, b.off) })
	end := int64(0)
	// The gaps between the ranges, up to the end.
	for _, c := range append(ranges, cell{off: unbounded}) {
		if c.off > end {
			s.lend(object, cell{off: end, bits: c.off - end})
		}
		end = max(end, c.off+c.bits)
	}
}
