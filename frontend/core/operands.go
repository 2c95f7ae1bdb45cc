package core

// This file defines how the expressions in a statement are replaced.

// ReplaceOperands returns s with f(e) for every expression e that it evaluates: all that
// [StmtExprs] lists, but of a location that it writes, only the address. Where nothing
// changes, that is s.
func ReplaceOperands(s Stmt, f func(Expr) Expr) Stmt {
	r := &replacer{f: f}
	if out := r.stmt(s); r.changed {
		return out
	}
	return s
}

type replacer struct {
	f       func(Expr) Expr
	changed bool
}

func (r *replacer) expr(e Expr) Expr {
	if e == nil {
		return nil
	}
	out := r.f(e)
	r.changed = r.changed || out != e
	return out
}

func (r *replacer) exprs(list []Expr) []Expr {
	out := make([]Expr, len(list))
	for i, e := range list {
		out[i] = r.expr(e)
	}
	return out
}

func (r *replacer) loc(l Loc) Loc {
	if m, ok := l.(*Mem); ok {
		return &Mem{Addr: r.expr(m.Addr), Typ: m.Typ, Bit: m.Bit, Packed: m.Packed}
	}
	return l
}

func (r *replacer) locs(list []Loc) []Loc {
	out := make([]Loc, len(list))
	for i, l := range list {
		out[i] = r.loc(l)
	}
	return out
}

func (r *replacer) stmt(s Stmt) Stmt {
	switch s := s.(type) {
	case *Assume:
		return &Assume{Cond: r.expr(s.Cond)}
	case *Assert:
		return &Assert{Cond: r.expr(s.Cond)}
	case *Assign:
		return &Assign{Lhs: r.locs(s.Lhs), Rhs: r.exprs(s.Rhs)}
	case *Copy:
		return &Copy{Dst: r.expr(s.Dst), Src: r.expr(s.Src), Size: r.expr(s.Size), Parts: s.Parts}
	case *Fill:
		return &Fill{Dst: r.expr(s.Dst), Size: r.expr(s.Size), Byte: r.expr(s.Byte), Why: s.Why}
	case *Data:
		return &Data{Dst: r.expr(s.Dst), Bytes: s.Bytes}
	case *Alloc:
		return &Alloc{Lhs: r.loc(s.Lhs), Size: r.expr(s.Size), Stack: s.Stack}
	case *Free:
		return &Free{Ptr: r.expr(s.Ptr)}
	case *Havoc:
		return &Havoc{Locs: r.locs(s.Locs), Region: s.Region, Begin: s.Begin, Why: s.Why}
	case *Call:
		out := *s
		out.Lhs, out.Target = r.loc(s.Lhs), r.expr(s.Target)
		out.Args, out.Extra = r.exprs(s.Args), r.exprs(s.Extra)
		return &out
	}
	return s
}
