package alias

import "c2bp/frontend/core"

// This file finds out which globals hold what the program sets before anything can
// read them.

// initialised returns the globals that the entry sets completely in its first nodes,
// before anything reads them: C's initialisers.
func initialised(p *core.Program) map[*core.Var]bool {
	out := map[*core.Var]bool{}
	seen := map[int]bool{}
	nodes := p.Entry.Nodes
	for i := 0; !seen[i]; i = nodes[i].Succ[0] {
		seen[i] = true
		if !initialiser(nodes[i].Stmt, out) || len(nodes[i].Succ) != 1 {
			break
		}
	}
	return out
}

// initialiser adds what s sets completely; ok is false if s may read a global that
// is not set, or do anything but initialise.
func initialiser(s core.Stmt, set map[*core.Var]bool) bool {
	ok := true
	check := func(e core.Expr) {
		core.Walk(e, func(e core.Expr) bool {
			if l, isLoc := e.(core.Loc); isLoc {
				r, isVar := l.(*core.VarRef)
				ok = ok && isVar && (r.Var.Kind != core.Global || set[r.Var])
			}
			return true
		})
	}
	switch s := s.(type) {
	case *core.Skip:
	case *core.Assign:
		for i, l := range s.Lhs {
			check(s.Rhs[i])
			if m, isMem := l.(*core.Mem); isMem {
				check(m.Addr)
			}
		}
		for _, l := range s.Lhs {
			if r, isVar := l.(*core.VarRef); isVar && ok {
				set[r.Var] = true
			}
		}
	case *core.Fill:
		size, known := constant(s.Size)
		a, whole := s.Dst.(*core.AddrOf)
		if whole && known && s.Byte != nil && size >= core.Bytes(a.Var.Type) {
			set[a.Var] = true
		}
	case *core.Data:
		a, whole := s.Dst.(*core.AddrOf)
		if whole && int64(len(s.Bytes)) >= core.Bytes(a.Var.Type) {
			set[a.Var] = true
		}
	case *core.Havoc:
		ok = !s.Region
	default:
		ok = false
	}
	return ok
}
