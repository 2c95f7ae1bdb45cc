package inline

import "c2bp/frontend/core"

// This file rewrites the statements and expressions of a body for the caller.

// expr returns the caller's expression for e, folded; nil for nil. Arguments are put in as they
// are: their variables are the caller's, and are not replaced again.
func (c *copier) expr(e core.Expr) core.Expr {
	if e == nil {
		return nil
	}
	return fold(core.Replace(e, func(e core.Expr) core.Expr {
		switch e := e.(type) {
		case *core.VarRef:
			if c.isResult(e.Var) {
				return c.result
			}
			if x, ok := c.values[e.Var]; ok {
				return x
			}
			if v := c.variable(e.Var); v != e.Var {
				return v.Ref()
			}
			return e
		case *core.AddrOf:
			return &core.AddrOf{Var: c.variable(e.Var), Typ: e.Typ}
		}
		return nil
	}))
}

// isResult reports whether the destination stands for v: for the result, or for the returned local
// that merge has found.
func (c *copier) isResult(v *core.Var) bool {
	return c.result != nil && (v == c.proc.Result || v == c.merged)
}

// exprs returns the caller's expressions for list.
func (c *copier) exprs(list []core.Expr) []core.Expr {
	out := make([]core.Expr, len(list))
	for i, e := range list {
		out[i] = c.expr(e)
	}
	return out
}

// loc returns the caller's location for l, which is written; nil for nil. No argument stands for a
// variable that is written.
func (c *copier) loc(l core.Loc) core.Loc {
	switch l := l.(type) {
	case *core.VarRef:
		if c.isResult(l.Var) {
			return c.result
		}
		return c.variable(l.Var).Ref()
	case *core.Mem:
		return l.At(c.expr(l.Addr))
	}
	return nil
}

// locs returns the caller's locations for list.
func (c *copier) locs(list []core.Loc) []core.Loc {
	out := make([]core.Loc, len(list))
	for i, l := range list {
		out[i] = c.loc(l)
	}
	return out
}

// stmt returns the caller's statement for s, a new one. The return is not among them: nothing
// stands for it.
func (c *copier) stmt(s core.Stmt) core.Stmt {
	switch s := s.(type) {
	case *core.Assume:
		return &core.Assume{Cond: c.expr(s.Cond)}
	case *core.Assert:
		return &core.Assert{Cond: c.expr(s.Cond), Check: s.Check}
	case *core.Assign:
		// The returned local is the destination already.
		if v := c.returned(s); v != nil && c.result != nil && v == c.merged {
			return &core.Skip{}
		}
		return &core.Assign{Lhs: c.locs(s.Lhs), Rhs: c.exprs(s.Rhs)}
	case *core.Copy:
		return &core.Copy{Dst: c.expr(s.Dst), Src: c.expr(s.Src), Size: c.expr(s.Size), Parts: s.Parts, Of: s.Of, Chars: s.Chars}
	case *core.Fill:
		return &core.Fill{Dst: c.expr(s.Dst), Size: c.expr(s.Size), Byte: c.expr(s.Byte), Chars: s.Chars, Why: s.Why}
	case *core.Data:
		return &core.Data{Dst: c.expr(s.Dst), Bytes: s.Bytes}
	case *core.Alloc:
		return &core.Alloc{Lhs: c.loc(s.Lhs), Size: c.expr(s.Size), Stack: s.Stack, Moved: s.Moved, Unset: s.Unset}
	case *core.Free:
		return &core.Free{Ptr: c.expr(s.Ptr)}
	case *core.Havoc:
		begin := s.Begin
		for _, v := range written(s) {
			begin = begin && !c.isResult(v) // the destination lived before
		}
		return &core.Havoc{Locs: c.locs(s.Locs), Region: s.Region, Begin: begin, Unset: s.Unset, From: s.Sources(c.expr), Reads: s.Read(c.loc), Steady: s.Steady, Why: s.Why}
	case *core.Call:
		n := *s
		n.Lhs, n.Target = c.loc(s.Lhs), c.expr(s.Target)
		n.Args, n.Extra = c.exprs(s.Args), c.exprs(s.Extra)
		return &n
	case *core.Skip:
		return &core.Skip{}
	case *core.Branch:
		return &core.Branch{}
	}
	panic("inline: a statement of an unknown kind")
}
