package core

// This file defines the replacement of the expressions in a statement.

// ReplaceOperands returns s with f(e) for every expression e that it evaluates: all that
// [StmtExprs] lists, but for the written locations, only their addresses. It returns s itself if
// nothing changes.
func ReplaceOperands(s Stmt, f func(Expr) Expr) Stmt {
	r := &replacer{f: f}
	if out := r.stmt(s); r.changed {
		return out
	}
	return s
}

// replacer is one call of ReplaceOperands.
type replacer struct {
	f       func(Expr) Expr
	changed bool
}

// expr returns f(e), and notes whether that is another expression.
func (r *replacer) expr(e Expr) Expr {
	if e == nil {
		return nil
	}
	out := r.f(e)
	r.changed = r.changed || out != e
	return out
}

// each returns the list of f of each element.
func each[T any](list []T, f func(T) T) []T {
	out := make([]T, len(list))
	for i, x := range list {
		out[i] = f(x)
	}
	return out
}

// Sources returns s.From with every expression e replaced by f(e).
func (s *Havoc) Sources(f func(Expr) Expr) []Source {
	var out []Source
	for _, x := range s.From {
		if x.Value != nil {
			x.Value = f(x.Value)
		}
		if x.At != nil {
			x.At = f(x.At)
		}
		if x.Size != nil {
			x.Size = f(x.Size)
		}
		out = append(out, x)
	}
	return out
}

// Read returns f(s.Reads), nil if s reads nothing.
func (s *Havoc) Read(f func(Loc) Loc) Loc {
	if s.Reads == nil {
		return nil
	}
	return f(s.Reads)
}

// loc returns a written location with its address replaced.
func (r *replacer) loc(l Loc) Loc {
	if m, ok := l.(*Mem); ok {
		return m.At(r.expr(m.Addr))
	}
	return l
}

// stmt returns s with its operands replaced; a new statement in most cases.
func (r *replacer) stmt(s Stmt) Stmt {
	switch s := s.(type) {
	case *Assume:
		return &Assume{Cond: r.expr(s.Cond)}
	case *Assert:
		return &Assert{Cond: r.expr(s.Cond), Check: s.Check}
	case *Assign:
		return &Assign{Lhs: each(s.Lhs, r.loc), Rhs: each(s.Rhs, r.expr)}
	case *Copy:
		return &Copy{Dst: r.expr(s.Dst), Src: r.expr(s.Src), Size: r.expr(s.Size), Parts: s.Parts, Of: s.Of, Chars: s.Chars}
	case *Fill:
		return &Fill{Dst: r.expr(s.Dst), Size: r.expr(s.Size), Byte: r.expr(s.Byte), Chars: s.Chars, Why: s.Why}
	case *Data:
		return &Data{Dst: r.expr(s.Dst), Bytes: s.Bytes}
	case *Alloc:
		return &Alloc{Lhs: r.loc(s.Lhs), Size: r.expr(s.Size), Stack: s.Stack, Moved: s.Moved, Unset: s.Unset}
	case *Free:
		return &Free{Ptr: r.expr(s.Ptr)}
	case *Havoc:
		return &Havoc{Locs: each(s.Locs, r.loc), Region: s.Region, Begin: s.Begin, Unset: s.Unset, From: s.Sources(r.expr), Reads: s.Read(r.loc), Steady: s.Steady, Why: s.Why}
	case *Call:
		out := *s
		out.Lhs, out.Target = r.loc(s.Lhs), r.expr(s.Target)
		out.Args, out.Extra = each(s.Args, r.expr), each(s.Extra, r.expr)
		return &out
	}
	return s
}
