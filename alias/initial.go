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
//	3: p := get()         -> 4         any other statement ends the initialisation
//
// All other globals, and all bytes that these nodes leave out, come from outside.

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

// beginning is the parts of globals that the first nodes of the entry set.
type beginning struct {
	scalars map[*core.Var]bool   // variables outside of memory
	ranges  map[*core.Var][]cell // bits of the others
	failed  bool                 // a node reads a value that may not be set, or does anything else
}

// initialisers follows the entry from its first node on as long as it only sets variables, and asserts something about
// those that are set.
func (s *solver) initialisers() *beginning {
	b := &beginning{scalars: map[*core.Var]bool{}, ranges: map[*core.Var][]cell{}}
	seen := map[int]bool{}
	nodes := s.prog.Entry.Nodes
	for i := 0; !seen[i] && len(nodes[i].Succ) == 1; i = nodes[i].Succ[0] {
		seen[i] = true
		switch n := nodes[i].Stmt.(type) {
		// Any other statement ends the initialisation.
		case *core.Skip:
		case *core.Assign:
			s.assigned(b, n)
		case *core.Assert:
			b.check(n.Cond)
		case *core.Fill:
			if size, ok := constant(n.Size); ok && n.Byte != nil {
				b.check(n.Byte)
				s.setRange(b, n.Dst, 0, size*8)
			} else {
				b.failed = true
			}
		case *core.Data:
			s.setRange(b, n.Dst, 0, int64(len(n.Bytes))*8)
		case *core.Havoc:
			b.failed = n.Region || !n.Begin
		default:
			b.failed = true
		}
		if b.failed {
			break
		}
	}
	return b
}

// assigned notes the variables and places that n sets.
func (s *solver) assigned(b *beginning, n *core.Assign) {
	// 1. n may only read variables that are set.
	for i, l := range n.Lhs {
		b.check(n.Rhs[i])
		if m, ok := l.(*core.Mem); ok {
			b.check(m.Addr)
		}
	}
	if b.failed {
		return
	}
	for _, l := range n.Lhs {
		// 2. Note the place.
		switch l := l.(type) {
		case *core.Mem:
			first, bits := bitRange(l.Typ, l.Bit)
			s.setRange(b, l.Addr, first, bits)
		case *core.VarRef:
			if l.Var.InMemory() {
				first, bits := bitRange(l.Var.Type, 0)
				s.setRange(b, &core.AddrOf{Var: l.Var}, first, bits)
			} else {
				b.scalars[l.Var] = true
			}
		}
	}
}

// setRange notes that bits bits from first on after address a are set, if a is a known place in a
// variable.
func (s *solver) setRange(b *beginning, a core.Expr, first, bits int64) {
	v := root(a)
	if v == nil || bits >= unbounded {
		return
	}
	if r := s.ref(a); r.vertex < 0 && r.stride == 0 {
		b.ranges[v] = append(b.ranges[v], r.cell(first, bits))
	}
}

// check notes whether e reads a value that may not be set.
func (b *beginning) check(e core.Expr) {
	core.Walk(e, func(e core.Expr) bool {
		if l, ok := e.(core.Loc); ok {
			v, isVar := l.(*core.VarRef)
			b.failed = b.failed || !isVar || v.Var.Kind == core.Global && !b.scalars[v.Var]
		}
		return true
	})
}
