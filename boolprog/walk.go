package boolprog

// This file traverses expressions and statements.

// Inspect calls visit for e and its subexpressions, an operator before its operands, operands from
// left to right. It does not recurse. e may be nil: then it does nothing.
func Inspect(e Expr, visit func(Expr)) {
	if e == nil {
		return
	}
	var room [16]Expr // for most expressions
	stack := append(room[:0], e)
	for len(stack) > 0 {
		e := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		visit(e)
		// Push the right operand first, so that the left one is visited first.
		switch e := e.(type) {
		case *Not:
			stack = append(stack, e.X)
		case *Binary:
			stack = append(stack, e.Y, e.X)
		case *Choose:
			stack = append(stack, e.N, e.P)
		case *Select:
			stack = append(stack, e.X)
		}
	}
}

// Copy returns a copy of e that shares nothing with it.
func Copy(e Expr) Expr {
	switch e := e.(type) {
	case *Const:
		return &Const{e.Val}
	case *Ref:
		c := *e
		return &c
	case *Nondet:
		return &Nondet{}
	case *Null:
		c := *e
		return &c
	case *New:
		c := *e
		return &c
	case *Any:
		c := *e
		return &c
	case *Not:
		return &Not{Copy(e.X)}
	case *Binary:
		return &Binary{e.Op, Copy(e.X), Copy(e.Y)}
	case *Choose:
		return &Choose{Copy(e.P), Copy(e.N), e.Strict}
	case *Select:
		return &Select{Copy(e.X), e.Field, e.Pos}
	}
	return nil
}

// InspectRefs calls visit for every variable that e mentions, from left to right.
func InspectRefs(e Expr, visit func(*Ref)) {
	Inspect(e, func(e Expr) {
		if r, ok := e.(*Ref); ok {
			visit(r)
		}
	})
}

// InspectStmts calls visit for every statement of list, in program order: an if or while before the
// statements in its blocks.
func InspectStmts(list []*Stmt, visit func(*Stmt)) {
	for _, s := range list {
		visit(s)
		switch op := s.Op.(type) {
		case *If:
			for _, then := range op.Thens {
				InspectStmts(then, visit)
			}
			InspectStmts(op.Else, visit)
		case *While:
			InspectStmts(op.Body, visit)
		}
	}
}
