package zing

// This file checks statements that move values: assignments, calls and sends.

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
