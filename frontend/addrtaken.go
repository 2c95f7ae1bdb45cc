package frontend

import (
	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
)

// This file finds the variables whose address is taken, to which pointers may point. For structs, unions
// and arrays an access that names the variable, as s.f or s.a[i], does not count.

// findAddressTaken marks the variables whose address an expression below n takes.
//
//	p = &x; q = a; f(&s.f)     take the addresses of x, a and s
//	a[i] = s.f; (&s)->f = *&x  take none
//
// In sizeof and typeof nothing is evaluated, so no address is taken.
func (l *program) findAddressTaken(tu *translationUnit, n cc.Node) {
	direct := map[cc.Node]bool{} // lvalues of which only a part is accessed
	ctree.Walk(n, func(n cc.Node) bool {
		if s, ok := n.(*cc.AsmStatement); ok {
			l.takenByAssembly(tu, s)
		}
		e, ok := n.(cc.ExpressionNode)
		if !ok {
			return evaluated(n)
		}
		// 1. e accesses a part of x by name: x does not become a pointer there.
		if x := outer(e); x != nil {
			direct[x] = true
			if p, ok := e.(*cc.PostfixExpression); ok && p.Case == cc.PostfixExpressionPSelect {
				direct[ctree.Strip(p.PostfixExpression)] = true // (&s)->f
			}
			if u, ok := e.(*cc.UnaryExpression); ok {
				direct[ctree.Strip(u.CastExpression)] = true // *&x
			}
		}
		// It is a part of an access; expressions in it, such as an index, may still take addresses.
		if direct[n] {
			return true
		}
		// 2. &x, and an array that is converted to a pointer.
		if u, ok := e.(*cc.UnaryExpression); ok && u.Case == cc.UnaryExpressionAddrof {
			l.markTaken(ctree.Strip(u.CastExpression))
		} else if a := ccfix.Decayed(e); a == e {
			l.markTaken(e)
		}
		return evaluated(n)
	})
}

// markTaken marks the variable that the lvalue n denotes, all or a part of it. Of &s.a[i] it is s,
// and of &p->f none: the object of p is there already.
func (l *program) markTaken(n cc.ExpressionNode) {
	for ; n != nil; n = outer(n) {
		id, ok := n.(*cc.PrimaryExpression)
		if !ok || id.Case != cc.PrimaryExpressionIdent {
			continue
		}
		d, ok := id.ResolvedTo().(*cc.Declarator)
		if !ok || l.vars[d] == nil {
			return
		}
		_, isPtr := l.vars[d].Type.(core.Ptr)
		if variable := isPtr && d.Type().Kind() == cc.Array && !d.IsParam(); !variable { // its variable only holds its address
			l.vars[d].AddrTaken = true
		}
		return
	}
}

// markEscaping marks structs and arrays whose address p uses as a value in its nodes, and makes
// locals of such temporaries. It works on nodes, after lowering: temporaries have no text.
func markEscaping(p *core.Program) {
	for _, q := range p.Procs {
		for _, n := range q.Nodes {
			markStatement(n.Stmt)
		}
	}
}

// markStatement marks the variables whose address s uses as a value.
func markStatement(s core.Stmt) {
	// Addresses that s only accesses do not count.
	direct := map[core.Expr]bool{}
	switch s := s.(type) {
	case *core.Copy:
		direct[s.Dst], direct[s.Src] = true, true
	case *core.Fill:
		direct[s.Dst] = true
	case *core.Data:
		direct[s.Dst] = true
	case *core.Havoc:
		for _, x := range s.From {
			direct[x.At] = true
		}
	case *core.Call:
		// A structure is passed by its address, but the callee gets a copy.
		for i, e := range s.Args {
			if s.Callee != nil && i < len(s.Callee.Formals) {
				_, direct[e] = s.Callee.Formals[i].Type.(core.Agg)
			}
		}
	}
	for _, e := range expressions(s) {
		markExpr(e, direct[e])
	}
}

// expressions returns the expressions of a statement, destinations included. A Skip, Branch or
// Return has none. Nil expressions are left out.
func expressions(s core.Stmt) (out []core.Expr) {
	locs := func(list []core.Loc) {
		for _, l := range list {
			out = append(out, l)
		}
	}
	switch s := s.(type) {
	// The statements that are not listed have none.
	case *core.Assume:
		out = append(out, s.Cond)
	case *core.Assert:
		out = append(out, s.Cond)
	case *core.Assign:
		locs(s.Lhs)
		out = append(out, s.Rhs...)
	case *core.Copy:
		out = append(out, s.Dst, s.Src, s.Size)
	case *core.Fill:
		out = append(out, s.Dst, s.Size)
		if s.Byte != nil {
			out = append(out, s.Byte)
		}
	case *core.Data:
		out = append(out, s.Dst)
	case *core.Alloc:
		out = append(out, s.Lhs, s.Size)
	case *core.Free:
		out = append(out, s.Ptr)
	case *core.Havoc:
		locs(s.Locs)
		s.Sources(func(e core.Expr) core.Expr { out = append(out, e); return e })
		if s.Reads != nil {
			out = append(out, s.Reads)
		}
	case *core.Call:
		if s.Lhs != nil {
			out = append(out, s.Lhs)
		}
		for _, e := range append(append([]core.Expr{s.Target}, s.Args...), s.Extra...) {
			if e != nil {
				out = append(out, e)
			}
		}
	}
	return out
}

// markExpr marks the variables whose address e uses; direct says that e is an address that is only
// accessed.
func markExpr(e core.Expr, direct bool) {
	switch e := e.(type) {
	case *core.AddrOf:
		// A temporary whose address is a value is like a local.
		if direct {
			return
		}
		e.Var.AddrTaken = true
		if e.Var.Kind == core.Temp {
			e.Var.Kind = core.Local
		}
	case *core.Mem:
		// An access.
		markExpr(e.Addr, true)
	case *core.Offset:
		markExpr(e.X, direct)
	case *core.Index:
		// The index is a value in any case.
		markExpr(e.X, direct)
		markExpr(e.I, false)
	default:
		for _, c := range core.Children(e) {
			markExpr(c, false)
		}
	}
}
