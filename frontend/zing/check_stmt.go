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

// assignStmt checks an assignment, which may be one that changes a set.
func (c *checker) assignStmt(s *AssignStmt) {
	s.Lhs = c.place(s.Lhs)
	t := s.Lhs.TypeOf()
	if b, ok := s.Rhs.(*Binary); ok && t.Kind == KindSet && (b.Op == Add || b.Op == Sub) {
		c.setUpdate(s, b)
		return
	}
	s.Rhs = c.convert(c.expr(s.Rhs), t, plain)
}

// setUpdate checks s = s + x, s = x + s and s = s - x.
func (c *checker) setUpdate(s *AssignStmt, b *Binary) {
	b.X, b.Y = c.expr(b.X), c.expr(b.Y)
	t := s.Lhs.TypeOf()
	typed(b, t)
	set := ExprString(s.Lhs)
	var x *Expr
	switch {
	case ExprString(b.X) == set:
		x = &b.Y
	case b.Op == Add && ExprString(b.Y) == set:
		x = &b.X
	default:
		c.errorf(s, "expected a statement of the form %s = %s + x; or %s = %s - x;", set, set, set, set)
		return
	}
	whole := (*x).TypeOf() == t
	if !whole {
		*x = c.convert(*x, t.Elem, implicit)
	}
	s.Set = &SetUpdate{Remove: b.Op == Sub, X: *x, Whole: whole}
}

// callStmt checks a call whose result is assigned or dropped.
func (c *checker) callStmt(s *CallStmt) {
	if s.Lhs != nil {
		s.Lhs = c.place(s.Lhs)
	}
	c.call(s.Call)
	if s.Lhs == nil || s.Call.Method == nil {
		return
	}
	if m := s.Call.Method; m.Result == Void {
		c.errorf(s.Call, "method %q has no result", m.Name.Name)
		return
	}
	s.Convert = c.result(s.Call, s.Lhs)
}

// result checks that the value of e can be assigned to lhs, and reports whether it has to be
// converted.
func (c *checker) result(e, lhs Expr) bool {
	from, to := e.TypeOf(), lhs.TypeOf()
	ok, changes := convertible(from, to, plain)
	if !ok {
		c.errorf(e, "cannot use a value of type %s as one of type %s", from, to)
	}
	return ok && changes
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

// send checks that a message has exactly the type of the channel's elements.
func (c *checker) send(s *Send) {
	s.Chan, s.X = c.expr(s.Chan), c.expr(s.X)
	elem := c.elem(s.Chan)
	t := s.X.TypeOf()
	switch {
	case elem == invalid || t == invalid || t == elem:
	case t == Null && (elem.IsReference() || elem == String):
		typed(s.X, elem)
	default:
		c.errorf(s.X, "channels of type %q take values of exactly the type %s, found %s", s.Chan.TypeOf(), elem, t)
	}
}

// elem returns the type of the elements of a checked channel.
func (c *checker) elem(ch Expr) *Type {
	t := ch.TypeOf()
	switch {
	case t == invalid:
		return t
	case t.Kind != KindChan:
		c.errorf(ch, "expected a channel, found a value of type %s", t)
		return invalid
	}
	return t.Elem
}

// event checks the parts of an event.
func (c *checker) event(e *Event) {
	e.Chan = c.convert(c.expr(e.Chan), Int, implicit)
	e.Msg = c.convert(c.expr(e.Msg), Int, implicit)
	e.Dir = c.condition(e.Dir)
}
