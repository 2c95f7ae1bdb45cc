package syntax

// This file checks bodies.

// stmt checks a statement.
func (c *checker) stmt(s Stmt) {
	switch s := s.(type) {
	case *Block:
		for _, s := range s.List {
			c.stmt(s)
		}
	case *If:
		c.expr(s.Cond, false)
		c.stmt(s.Then)
		if s.Else != nil {
			c.stmt(s.Else)
		}
	case *Assume:
		c.expr(s.Cond, false)
	case *Assign:
		// Ghost state, and nothing else, is assigned to.
		name := s.To.Text
		switch {
		case c.params[name]:
			c.errorf(s.To.Pos, `an assignment to the parameter "%s"; expected a variable of the rule's state`, name)
		case c.consts[name]:
			c.errorf(s.To.Pos, `an assignment to the constant "%s"; expected a variable of the rule's state`, name)
		case c.ghosts[name] == nil:
			c.errorf(s.To.Pos, `"%s" is no variable of the rule's state; expected one: a rule observes, and changes nothing else`, name)
		}
		c.expr(s.Value, s.Op == "=")
	}
}

// expr checks an expression; chooses says that choose may be its outermost operator.
func (c *checker) expr(e Expr, chooses bool) {
	switch e := e.(type) {
	case *Choose:
		if !chooses {
			c.errorf(e.Pos, "choose within an expression; expected it as the value of an assignment")
		}
		c.expr(e.X, chooses)
		c.expr(e.Y, chooses)
	case *Unary:
		if i, ok := bare(e.X).(*Ident); ok && e.Op == "&" && (c.ghosts[i.Text] != nil || c.params[i.Text]) {
			c.errorf(e.Pos, `the address of "%s"; expected its value: ghost state and parameters have no address`, i.Text)
		}
		c.expr(e.X, false)
	case *Ident:
		if e.Text == "_" {
			c.errorf(e.Pos, `"_" is no value; expected the name of a parameter`)
		}
	default:
		for _, x := range operands(e) {
			c.expr(x, false)
		}
	}
}

// bare returns e without parentheses around it.
func bare(e Expr) Expr {
	for {
		p, ok := e.(*Paren)
		if !ok {
			return e
		}
		e = p.X
	}
}

// operands returns the expressions that e is made of.
func operands(e Expr) []Expr {
	switch e := e.(type) {
	case *Paren:
		return []Expr{e.X}
	case *Unary:
		return []Expr{e.X}
	case *Binary:
		return []Expr{e.X, e.Y}
	case *Cond:
		return []Expr{e.C, e.X, e.Y}
	case *Member:
		return []Expr{e.X}
	case *Index:
		return []Expr{e.X, e.I}
	case *Call:
		return e.Args
	case *Cast:
		return []Expr{e.X}
	case *Choose:
		return []Expr{e.X, e.Y}
	}
	return nil
}

// Walk calls visit with e and all expressions in it.
func Walk(e Expr, visit func(Expr)) {
	visit(e)
	for _, x := range operands(e) {
		Walk(x, visit)
	}
}

// WalkExprs calls visit with each expression in s that is no part of another one.
func WalkExprs(s Stmt, visit func(Expr)) {
	switch s := s.(type) {
	case *Block:
		for _, s := range s.List {
			WalkExprs(s, visit)
		}
	case *If:
		visit(s.Cond)
		WalkExprs(s.Then, visit)
		if s.Else != nil {
			WalkExprs(s.Else, visit)
		}
	case *Assign:
		visit(s.Value)
	case *Assume:
		visit(s.Cond)
	}
}

// MentionsIn reports whether e has the name.
func MentionsIn(e Expr, name string) (found bool) {
	Walk(e, func(e Expr) {
		i, ok := e.(*Ident)
		found = found || ok && i.Text == name
	})
	return found
}

// Mentions reports whether an expression in s has the name.
func Mentions(s Stmt, name string) (found bool) {
	WalkExprs(s, func(e Expr) { found = found || MentionsIn(e, name) })
	return found
}
