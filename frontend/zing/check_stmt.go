package zing

import "fmt"

// This file checks bodies and statements.

// plural returns a number of things: "1 parameter", "2 parameters".
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// body checks a method.
func (c *checker) body(m *Method) {
	c.method, c.static, c.atomic = m, m.Static, false
	c.collect(m)
	c.block(m.Body)
}

// collect numbers the variables of a method and joins goto statements with labels.
func (c *checker) collect(m *Method) {
	labels := map[string]*Labeled{}
	var gotos []*Goto
	local := func(v *Local) {
		v.Method, v.Index = m, len(m.Locals)
		m.Locals = append(m.Locals, v)
	}
	Inspect(m.Body, func(n Node) bool {
		switch n := n.(type) {
		case *Declare:
			local(n.Local)
		case *Foreach:
			if n.Local != nil {
				local(n.Local)
			}
			n.Counter = &Local{Type: Int}
			local(n.Counter)
		case *Labeled:
			if first := labels[n.Label.Name]; first != nil {
				c.errorf(&n.Label, "label %q is declared twice in method %q: first at %s", n.Label.Name, m.Name.Name, first.Pos())
				break
			}
			labels[n.Label.Name] = n
			m.Labels = append(m.Labels, n)
		case *Goto:
			gotos = append(gotos, n)
		}
		return true
	})
	for _, g := range gotos {
		if g.Target = labels[g.Label.Name]; g.Target == nil {
			c.errorf(&g.Label, "method %q has no label %q", m.Name.Name, g.Label.Name)
			continue
		}
		g.Target.Used = true
	}
}

// block checks a block. Its variables are in scope in all of it.
func (c *checker) block(b *Block) {
	b.Scope = c.enter()
	defer c.leave()
	for _, s := range b.Stmts {
		if d, ok := unlabeled(s).(*Declare); ok {
			c.declareLocal(d.Local)
		}
	}
	for _, s := range b.Stmts {
		c.stmt(s)
	}
}

// unlabeled returns s without its labels.
func unlabeled(s Stmt) Stmt {
	for {
		l, ok := s.(*Labeled)
		if !ok {
			return s
		}
		s = l.Stmt
	}
}

// direct checks the direct body of the statement that the keyword of names.
func (c *checker) direct(s Stmt, of string) {
	if l, ok := s.(*Labeled); ok && of != "foreach" && of != "->" {
		c.errorf(l, "a labelled statement is not the direct body of %s: expected braces around it", of)
		return
	}
	if d, ok := unlabeled(s).(*Declare); ok {
		c.errorf(d, "a declaration is not the direct body of %s: expected braces around it", of)
		return
	}
	c.stmt(s)
}

// stmt checks a statement.
func (c *checker) stmt(s Stmt) {
	switch s := s.(type) {
	case *Block:
		c.block(s)
	case *Declare:
		if s.Init != nil {
			s.Init = c.convert(c.expr(s.Init), s.Local.Type, plain)
		}
	case *AssignStmt:
		c.assignStmt(s)
	case *CallStmt:
		c.callStmt(s)
	case *ChooseStmt:
		s.Lhs = c.place(s.Lhs)
		c.choose(s.Choose)
		s.Convert = c.result(s.Choose, s.Lhs)
	case *If:
		s.Cond = c.condition(s.Cond)
		c.direct(s.Then, "if")
		if s.Else != nil {
			c.direct(s.Else, "else")
		}
	case *While:
		s.Cond = c.condition(s.Cond)
		c.direct(s.Body, "while")
	case *Foreach:
		c.foreach(s)
	case *Labeled:
		c.stmt(s.Stmt)
	case *Return:
		c.returnStmt(s)
	case *Atomic:
		c.atomicStmt(s)
	case *Select:
		c.selectStmt(s)
	case *Try:
		c.block(s.Body)
		for _, h := range s.Handlers {
			c.direct(h.Body, "with")
		}
	default:
		c.operation(s)
	}
}

// operation checks a statement that is one operation.
func (c *checker) operation(s Stmt) {
	switch s := s.(type) {
	case *Assert:
		s.Cond = c.condition(s.Cond)
		if s.Text != nil {
			typed(s.Text, String)
		}
	case *Assume:
		s.Cond = c.condition(s.Cond)
	case *Accept:
		s.Cond = c.condition(s.Cond)
	case *Async:
		c.async(s)
	case *Send:
		c.send(s)
	case *Yield:
		if c.method.Atomic {
			c.errorf(s, "an atomic method cannot yield")
		}
	case *Trace:
		typed(s.Format, String)
		c.values(s.Args)
	case *EventStmt:
		c.event(&s.Event)
	case *InvokePlugin:
		c.values(s.Args)
	case *InvokeScheduler:
		c.values(s.Args)
	}
}

// values checks expressions of any type.
func (c *checker) values(list []Expr) {
	for i, e := range list {
		list[i] = c.expr(e)
	}
}

// foreach checks a foreach statement.
func (c *checker) foreach(s *Foreach) {
	s.Coll = c.expr(s.Coll)
	s.Scope = c.enter()
	defer c.leave()
	if s.Local != nil {
		c.declareLocal(s.Local)
		s.Var = &Name{ExprBase{Span: s.Local.Name.Span}, s.Local.Name.Name, s.Local}
		typed(s.Var, s.Local.Type)
	} else {
		s.Var = c.place(s.Var)
	}
	c.declareLocal(s.Counter)
	switch coll, t := s.Coll.TypeOf(), s.Var.TypeOf(); {
	case coll == invalid:
	case coll.Kind != KindArray && coll.Kind != KindSet:
		c.errorf(s.Coll, "expected an array or a set, found a value of type %s", coll)
	case t != invalid && coll.Elem != invalid && t != coll.Elem:
		c.errorf(s.Var, "expected a variable of exactly the type %s of the elements, found %s", coll.Elem, t)
	}
	c.direct(s.Body, "foreach")
}

// returnStmt checks a return statement.
func (c *checker) returnStmt(s *Return) {
	t := c.method.Result
	switch {
	case s.X == nil && t == Void:
	case s.X == nil:
		c.errorf(s, "expected a value of type %s after return", t)
	case t == Void:
		c.errorf(s.X, "method %q has no result", c.method.Name.Name)
	default:
		s.X = c.convert(c.expr(s.X), t, implicit)
	}
}

// atomicStmt checks an atomic statement, which cannot nest.
func (c *checker) atomicStmt(s *Atomic) {
	switch {
	case c.method.Atomic:
		c.errorf(s, "method %q is atomic already", c.method.Name.Name)
	case c.atomic:
		c.errorf(s, "an atomic statement cannot be inside another one")
	}
	before := c.atomic
	c.atomic = true
	c.block(s.Body)
	c.atomic = before
}

// event checks the parts of an event.
func (c *checker) event(e *Event) {
	e.Chan = c.convert(c.expr(e.Chan), Int, implicit)
	e.Msg = c.convert(c.expr(e.Msg), Int, implicit)
	e.Dir = c.condition(e.Dir)
}
