package alias

import "c2bp/frontend/core"

// This file finds the array that a number is in which the program reads through a pointer that it has moved along.
//
//	const unsigned long *p = addr + n / 64;  … *p …        an element of the row of numbers at addr

// movedFrom finds the local variables that are set once, to a pointer that is moved along an array. By any other name that
// an element of the array has, it would be an access to the array as well.
func movedFrom(prog *core.Program) map[*core.Var]*core.Index {
	moved, sets := map[*core.Var]*core.Index{}, map[*core.Var]int{}
	set := func(l core.Loc) {
		if v, ok := l.(*core.VarRef); ok {
			sets[v.Var]++
		}
	}
	for _, p := range prog.Procs {
		for _, v := range p.Formals {
			sets[v]++
		}
		for _, n := range p.Nodes {
			switch s := n.Stmt.(type) {
			case *core.Assign:
				for i, l := range s.Lhs {
					set(l)
					v, isVar := l.(*core.VarRef)
					if x, ok := s.Rhs[i].(*core.Index); ok && isVar && v.Var.Proc == p && !v.Var.InMemory() {
						moved[v.Var] = x
					}
				}
			case *core.Call:
				if s.Lhs != nil {
					set(s.Lhs)
				}
			case *core.Alloc:
				set(s.Lhs)
			case *core.Havoc:
				for _, l := range s.Locs {
					set(l)
				}
			}
		}
	}
	for v := range moved {
		if sets[v] != 1 {
			delete(moved, v)
		}
	}
	return moved
}

// shown is shownBy, for which a pointer that has been moved along an array leads into that array.
func (f *follows) shown(l *core.Mem) access {
	a := shownBy(l, f.result.prog.CharsApart)
	if v, ok := a.base.(*core.VarRef); ok && !a.wild && !a.inRow && a.shape.Record == nil && a.start == 0 {
		if x := f.moved[v.Var]; x != nil && x.Size == a.shape.Size && x.Count == 0 {
			a.base, a.inRow = x.X, true
		}
	}
	return a
}
