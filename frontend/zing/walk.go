package zing

// This file visits the nodes of a tree.

// Inspect visits n and the nodes below it in the order of the text. It calls visit for each node, and
// leaves out the nodes below one for which visit returns false. References to types, and symbols
// other than the members of declarations, are not visited.
func Inspect(n Node, visit func(Node) bool) {
	if !visit(n) {
		return
	}
	switch n := n.(type) {
	case Decl:
		inspectDecl(n, visit)
	case *Field:
		inspectExprs(visit, n.Init)
	case *Method:
		if n.Body != nil {
			Inspect(n.Body, visit)
		}
	case Stmt:
		inspectStmt(n, visit)
	case Expr:
		inspectExpr(n, visit)
	case *Join:
		for _, p := range n.Patterns {
			Inspect(p, visit)
		}
		Inspect(n.Body, visit)
	case Pattern:
		inspectPattern(n, visit)
	case *Handler:
		Inspect(n.Body, visit)
	}
}

// InspectProgram visits the declarations of p, one after the other, as Inspect does.
func InspectProgram(p *Program, visit func(Node) bool) {
	for _, d := range p.Decls {
		Inspect(d, visit)
	}
}

// inspectExprs visits the expressions that are there.
func inspectExprs(visit func(Node) bool, list ...Expr) {
	for _, e := range list {
		if e != nil {
			Inspect(e, visit)
		}
	}
}

// inspectStmts visits the statements that are there.
func inspectStmts(visit func(Node) bool, list ...Stmt) {
	for _, s := range list {
		if s != nil {
			Inspect(s, visit)
		}
	}
}

func inspectDecl(d Decl, visit func(Node) bool) {
	var members []Member
	switch d := d.(type) {
	case *ClassDecl:
		members = d.Members
	case *StructDecl:
		members = d.Members
	case *InterfaceDecl:
		members = d.Members
	case *RangeDecl:
		inspectExprs(visit, d.Lo, d.Hi)
	case *ArrayDecl:
		if d.Size != nil {
			Inspect(d.Size, visit)
		}
	}
	for _, m := range members {
		Inspect(m, visit)
	}
}

func inspectPattern(p Pattern, visit func(Node) bool) {
	switch p := p.(type) {
	case *WaitPattern:
		inspectExprs(visit, p.Cond)
	case *ReceivePattern:
		inspectExprs(visit, p.Chan, p.Lhs)
	case *EventPattern:
		inspectExprs(visit, p.Chan, p.Msg, p.Dir)
	}
}

func inspectExpr(e Expr, visit func(Node) bool) {
	switch e := e.(type) {
	case *Selector:
		inspectExprs(visit, e.X)
	case *Index:
		inspectExprs(visit, e.X, e.I)
	case *Call:
		inspectExprs(visit, e.Fun)
		for _, a := range e.Args {
			inspectExprs(visit, a.X)
		}
	case *New:
		inspectExprs(visit, e.Size)
	case *Sizeof:
		inspectExprs(visit, e.X)
	case *Choose:
		inspectExprs(visit, e.X)
	case *Unary:
		inspectExprs(visit, e.X)
	case *Binary:
		inspectExprs(visit, e.X, e.Y)
	case *Assign:
		inspectExprs(visit, e.Lhs, e.Rhs)
	case *Convert:
		inspectExprs(visit, e.X)
	}
}

func inspectStmt(s Stmt, visit func(Node) bool) {
	switch s := s.(type) {
	case *Block:
		inspectStmts(visit, s.Stmts...)
	case *Declare:
		inspectExprs(visit, s.Init)
	case *AssignStmt:
		inspectExprs(visit, s.Lhs, s.Rhs)
	case *CallStmt:
		inspectExprs(visit, s.Lhs, s.Call)
	case *ChooseStmt:
		inspectExprs(visit, s.Lhs, s.Choose)
	case *If:
		inspectExprs(visit, s.Cond)
		inspectStmts(visit, s.Then, s.Else)
	case *While:
		inspectExprs(visit, s.Cond)
		Inspect(s.Body, visit)
	case *Foreach:
		inspectExprs(visit, s.Var, s.Coll)
		Inspect(s.Body, visit)
	case *Labeled:
		Inspect(s.Stmt, visit)
	case *Atomic:
		Inspect(s.Body, visit)
	case *Select:
		for _, j := range s.Joins {
			Inspect(j, visit)
		}
	case *Try:
		Inspect(s.Body, visit)
		for _, h := range s.Handlers {
			Inspect(h, visit)
		}
	default:
		inspectOperation(s, visit)
	}
}

// inspectOperation visits below the statements that have expressions only.
func inspectOperation(s Stmt, visit func(Node) bool) {
	switch s := s.(type) {
	case *Return:
		inspectExprs(visit, s.X)
	case *Assert:
		inspectExprs(visit, s.Cond)
		if s.Text != nil {
			Inspect(s.Text, visit)
		}
	case *Assume:
		inspectExprs(visit, s.Cond)
	case *Async:
		inspectExprs(visit, s.Call)
	case *Send:
		inspectExprs(visit, s.Chan, s.X)
	case *Trace:
		Inspect(s.Format, visit)
		inspectExprs(visit, s.Args...)
	case *Accept:
		inspectExprs(visit, s.Cond)
	case *EventStmt:
		inspectExprs(visit, s.Chan, s.Msg, s.Dir)
	case *InvokePlugin:
		inspectExprs(visit, s.Args...)
	case *InvokeScheduler:
		inspectExprs(visit, s.Args...)
	}
}
