package certificate

import "c2bp/frontend/core"

// This file finds the structs that places in predicates are members of, which the text of a
// certificate does not say; the knowledge of package alias about memory that the program did not
// make rests on it. Only declarations in the program count, of variables and of members that it
// reads: a pointer that is declared to point to a struct counts as a pointer to that struct,
// whatever else it is used as. So a certificate cannot claim a type that would separate places that
// may overlap.

// member is a member of a struct, by the byte where it begins.
type member struct {
	of  *core.Record
	off int64
}

// pointees returns the structs that pointer members are declared to point to, by the reads of them
// in prog; nil for a member whose reads disagree.
func pointees(prog *core.Program) map[member]*core.Record {
	found := map[member]*core.Record{}
	for _, p := range prog.Procs {
		for _, n := range p.Nodes {
			core.StmtExprs(n.Stmt, func(e core.Expr) {
				core.Walk(e, func(e core.Expr) bool {
					m, ok := e.(*core.Mem)
					if !ok || m.To == nil {
						return true
					}
					if o, ok := m.Addr.(*core.Offset); ok && o.Of != nil {
						// A pointer that is read from a member: two types for one member are none.
						at := member{o.Of, o.Member}
						if old, known := found[at]; known && old != m.To {
							found[at] = nil
						} else {
							found[at] = m.To
						}
					}
					return true
				})
			})
		}
	}
	return found
}

// own records in e the struct of which it addresses a member, if that follows from declarations.
func (r *reader) own(e *core.Offset) {
	if s := r.pointee(e.X); s != nil && memberAt(s, e.Off) != nil {
		e.Of, e.Member = s, e.Off
	}
}

// pointee returns the struct that the pointer e is declared to point to, or nil.
func (r *reader) pointee(e core.Expr) *core.Record {
	switch e := e.(type) {
	case *core.VarRef:
		// A symbolic constant has the type of its initial value.
		if e.Var.Kind == core.Ghost {
			return r.pointee(e.Var.Init)
		}
		return e.Var.To
	case *core.AddrOf:
		if e.Var.Declared != nil {
			return e.Var.Declared.Record
		}
	case *core.Mem:
		return e.To
	case *core.Index:
		return r.pointee(e.X)
	case *core.Offset:
		// A member that is a struct: the address of one is the address of the other.
		if e.Of != nil {
			return memberAt(e.Of, e.Member).Record
		}
	}
	return nil
}

// memberAt returns the member of s that begins at byte off, or that has an element which begins
// there; nil if there is none.
func memberAt(s *core.Record, off int64) *core.Member {
	for i, m := range s.Members {
		if d := off - m.Off; d >= 0 && m.Size > 0 && d/m.Size < m.Count && d%m.Size == 0 {
			return &s.Members[i]
		}
	}
	return nil
}
