package certificate

import "c2bp/frontend/core"

// This file finds out which structs the places in predicates are members of, which the text of a
// certificate does not say: what package alias knows of memory that the program did not make rests
// on it. Only what the program declares counts, of variables and of members that it reads: a pointer
// that is declared to point to a struct counts as followed at it, whatever else it is followed at.
// So a certificate cannot claim a type that would let places be separate that are not.

// member is a member of a struct: where it begins.
type member struct {
	of  *core.Record
	off int64
}

// pointees are the structs that members are declared to point to, by what prog reads of them; nil
// where reads do not agree.
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

// own notes in e of which struct it is the address of a member, if that follows from what is
// declared.
func (r *reader) own(e *core.Offset) {
	if s := r.pointee(e.X); s != nil && memberAt(s, e.Off) != nil {
		e.Of, e.Member = s, e.Off
	}
}

// pointee is the struct that e, a pointer, is declared to point to, or nil.
func (r *reader) pointee(e core.Expr) *core.Record {
	switch e := e.(type) {
	case *core.VarRef:
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
		if e.Of != nil {
			return memberAt(e.Of, e.Member).Record
		}
	}
	return nil
}

// memberAt is the member of s that begins at byte off, or of which an element does.
func memberAt(s *core.Record, off int64) *core.Member {
	for i, m := range s.Members {
		if d := off - m.Off; d >= 0 && m.Size > 0 && d/m.Size < m.Count && d%m.Size == 0 {
			return &s.Members[i]
		}
	}
	return nil
}
