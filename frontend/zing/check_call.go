package zing

// This file checks calls.

// callExpr checks a call inside an expression, which is allowed in the condition of a wait only.
func (c *checker) callExpr(e *Call) Expr {
	if !c.wait {
		return c.fail(e, "a call does not stand inside an expression: expected it as a statement f(…); or x = f(…);, after async, or in a wait")
	}
	if c.call(e); e.Type == invalid {
		return e
	}
	if e.Method.Result != Bool {
		return c.fail(e, "method %q is called in a wait: expected the result bool, found %s", e.Method.Name.Name, e.Method.Result)
	}
	for _, a := range e.Method.Params {
		if a.Out {
			return c.fail(e, "method %q is called in a wait: it cannot have an out parameter", e.Method.Name.Name)
		}
	}
	return e
}

// call resolves a call and checks its arguments. The type of the call is the result, perhaps void.
func (c *checker) call(e *Call) {
	switch fun := e.Fun.(type) {
	case *Name:
		c.unqualified(e, fun)
	case *Selector:
		c.qualified(e, fun)
	default:
		c.fail(e, "expected the name of a method in front of the parentheses")
	}
	if e.Method == nil {
		typed(e, invalid)
		for i := range e.Args {
			e.Args[i].X = c.expr(e.Args[i].X)
		}
		return
	}
	typed(e, e.Method.Result)
	c.arguments(e)
}

// unqualified resolves f(…), a method of the class around it.
func (c *checker) unqualified(e *Call, fun *Name) {
	m, ok := c.lookup(fun.Name).(*Method)
	switch {
	case !ok && c.lookup(fun.Name) != nil:
		c.errorf(fun, "%q is not a method", fun.Name)
	case !ok:
		c.errorf(fun, "class %q has no method %q", c.class, fun.Name)
	case m.Static:
		e.Kind, e.Method = StaticCall, m
	case c.static:
		c.errorf(fun, "method %q is not static: expected an object in front of it, since there is no this here", fun.Name)
	default:
		e.Kind, e.Method, e.Receiver = InstanceCall, m, typed(&This{ExprBase{Span: fun.Span}}, c.class)
	}
}

// qualified resolves o.f(…) and C.f(…).
func (c *checker) qualified(e *Call, fun *Selector) {
	name := &fun.Name
	if t := c.typeName(fun.X, name.Name); t != nil {
		switch m, ok := t.members[name.Name].(*Method); {
		case !ok:
			c.errorf(name, "type %q has no method %q", t, name.Name)
		case !m.Static:
			c.errorf(name, "method %q of %q is not static: expected an object in front of it", name.Name, t)
		default:
			e.Kind, e.Method = StaticCall, m
		}
		return
	}
	fun.X = c.expr(fun.X)
	t := fun.X.TypeOf()
	switch m, ok := t.members[name.Name].(*Method); {
	case t == invalid:
	case !ok:
		c.errorf(name, "type %q has no method %q", t, name.Name)
	case m.Static:
		c.errorf(name, "method %q is static: it is called as %s.%s", name.Name, t, name.Name)
	case t.Kind == KindInterface:
		e.Kind, e.Method, e.Receiver = VirtualCall, m, fun.X
	default:
		e.Kind, e.Method, e.Receiver = InstanceCall, m, fun.X
	}
}

// arguments checks the arguments of a resolved call.
func (c *checker) arguments(e *Call) {
	m := e.Method
	if len(e.Args) != len(m.Params) {
		c.errorf(e, "method %q has %s, but the call has %d", m.Name.Name, plural(len(m.Params), "parameter"), len(e.Args))
		return
	}
	for i, p := range m.Params {
		a := &e.Args[i]
		switch {
		case a.Out && !p.Out:
			c.errorf(a.X, "parameter %q is not an out parameter", p.Name.Name)
		case !a.Out && p.Out:
			c.errorf(a.X, "parameter %q is an out parameter: expected out before the argument", p.Name.Name)
		case p.Out:
			a.X = c.place(a.X)
			if t := a.X.TypeOf(); t != invalid && p.Type != invalid && t != p.Type {
				c.errorf(a.X, "parameter %q is an out parameter of type %s: expected a variable of exactly that type, found %s", p.Name.Name, p.Type, t)
			}
		default:
			a.X = c.convert(c.expr(a.X), p.Type, implicit)
		}
	}
}

// async checks the call of an async statement.
func (c *checker) async(s *Async) {
	if c.call(s.Call); s.Call.Method == nil {
		return
	}
	if m := s.Call.Method; m.Result != Void {
		c.warnf(s, "the result of method %q is dropped", m.Name.Name)
	}
	for _, p := range s.Call.Method.Params {
		if p.Out {
			c.warnf(s, "the out parameter %q is dropped", p.Name.Name)
		}
	}
}
