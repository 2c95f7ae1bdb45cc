package core

// This file defines which scalars of a struct a procedure has to do with.

// PartsOf returns the scalars of v, a struct in memory, that p reads, writes or copies by
// constant offsets. What a call copies into a formal, or out of its result, is listed nowhere
// in the call: it is these parts that matter.
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

// ReadsMembers reports whether e has to do with v, a struct, only through the values of
// members at constant offsets.
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
