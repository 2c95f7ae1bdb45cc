package core

// This file determines the scalars of a struct that a procedure uses.

// PartsOf returns the scalars of v, a struct in memory, that p reads, writes or copies by constant
// offsets. A call does not list the parts that it copies into a formal, or out of its result: these
// parts are the ones that matter.
func PartsOf(p *Proc, v *Var) []Part {
	var out []Part
	seen := map[Part]bool{}
	add := func(part Part) {
		if !seen[part] {
			seen[part] = true
			out = append(out, part)
		}
	}
	for _, n := range p.Nodes {
		// Scalars that expressions read or write.
		StmtExprs(n.Stmt, func(e Expr) {
			Walk(e, func(e Expr) bool {
				if m, ok := e.(*Mem); ok {
					if _, scalar := Word(m.Typ); scalar {
						if off, ok := MemberOf(m, v); ok {
							add(Part{Off: off, Typ: m.Typ, Bit: m.Bit, Count: 1})
						}
					}
				}
				return true
			})
		})
		// A copy uses the parts that it lists, on both sides.
		if k, ok := n.Stmt.(*Copy); ok {
			for _, address := range []Expr{k.Src, k.Dst} {
				if off, ok := MemberOf(&Mem{Addr: address}, v); ok {
					for _, part := range k.Parts {
						part.Off += off
						add(part)
					}
				}
			}
		}
	}
	return out
}

// ReadsMembers reports whether e uses v, a struct, only through the values of members at constant
// offsets.
func ReadsMembers(e Expr, v *Var) bool {
	only := true
	Walk(e, func(x Expr) bool {
		switch x := x.(type) {
		case *Mem:
			if _, ok := MemberOf(x, v); ok {
				return false
			}
		case *AddrOf:
			only = only && x.Var != v
		case *VarRef:
			only = only && x.Var != v
		}
		return true
	})
	return only
}
