package zing

// This file resolves names: a variable of an inner block comes before one of an outer block, then
// come parameters, members of the class, and types.

// enter opens the scope of a block, or of a foreach statement, and leave closes it.
func (c *checker) enter() *Scope {
	s := &Scope{}
	if c.names != nil {
		s.Parent = c.names.scope
	}
	c.names = &names{outer: c.names, scope: s, locals: map[string]*Local{}}
	return s
}
func (c *checker) leave() { c.names = c.names.outer }

// declareLocal declares a variable of the innermost scope.
func (c *checker) declareLocal(v *Local) {
	n := c.names
	v.Scope = n.scope
	n.scope.Locals = append(n.scope.Locals, v)
	if v.Of == nil {
		return // a hidden counter
	}
	v.Type = c.resolve(v.Of, false)
	name := v.Name.Name
	if first := n.locals[name]; first != nil {
		c.errorf(&v.Name, "variable %q is declared twice in this block: first at %s", name, first.Name.Pos())
		return
	}
	c.hides(v)
	n.locals[name] = v
}

// hides reports a variable that has the name of a parameter or of a variable of an outer block. In
// the outermost block the former is an error.
func (c *checker) hides(v *Local) {
	name := v.Name.Name
	for n := c.names.outer; n != nil; n = n.outer {
		if other := n.locals[name]; other != nil {
			c.warnf(&v.Name, "variable %q hides the one declared at %s", name, other.Name.Pos())
			return
		}
	}
	a := c.param(name)
	switch {
	case a == nil:
	case c.names.outer == nil:
		c.errorf(&v.Name, "variable %q has the name of a parameter", name)
	default:
		c.warnf(&v.Name, "variable %q hides the parameter declared at %s", name, a.Name.Pos())
	}
}

// param returns the parameter of that name, or nil.
func (c *checker) param(name string) *Param {
	if c.method == nil {
		return nil
	}
	for _, a := range c.method.Params {
		if a.Name.Name == name {
			return a
		}
	}
	return nil
}

// lookup returns the meaning of a name, or nil.
func (c *checker) lookup(name string) Symbol {
	for n := c.names; n != nil; n = n.outer {
		if v := n.locals[name]; v != nil {
			return v
		}
	}
	if a := c.param(name); a != nil {
		return a
	}
	if c.class != nil {
		if m := c.class.members[name]; m != nil {
			return m
		}
	}
	if t := c.types[name]; t != nil {
		return t
	}
	return nil
}

// name checks a name that stands for a value.
func (c *checker) name(e *Name) Expr {
	e.Symbol = c.lookup(e.Name)
	switch s := e.Symbol.(type) {
	case *Local:
		if e.Start.Before(s.Name.Start) {
			c.warnf(e, "variable %q is used before its declaration", e.Name)
		}
		return typed(e, s.Type)
	case *Param:
		return typed(e, s.Type)
	case *Field:
		if !s.Static && c.static {
			return c.fail(e, "field %q is not static: expected an object in front of it, since there is no this here", e.Name)
		}
		return typed(e, s.Type)
	case *Method:
		return c.fail(e, "%q is a method: expected a variable, parameter or field", e.Name)
	case *Type:
		return c.fail(e, "%q is a type: expected a value", e.Name)
	}
	return c.fail(e, "%q is not declared", e.Name)
}

// typeName returns the type that e means in front of a dot and the name of a member, or nil if e is a
// value. If a type and a variable have the name, the type is meant if only it has the member, as in C#.
func (c *checker) typeName(e Expr, member string) *Type {
	n, ok := e.(*Name)
	if !ok || c.types[n.Name] == nil {
		return nil
	}
	t := c.types[n.Name]
	if s := c.lookup(n.Name); s != t && (isMember(variableType(s), member, false) || !isMember(t, member, true)) {
		return nil
	}
	n.Symbol = t
	return t
}

// variableType returns the type of a variable, parameter or field, or nil.
func variableType(s Symbol) *Type {
	switch s := s.(type) {
	case *Local:
		return s.Type
	case *Param:
		return s.Type
	case *Field:
		return s.Type
	}
	return nil
}

// isMember reports whether t has a member of that name that is static or not, as asked. Members of
// enums are static.
func isMember(t *Type, name string, static bool) bool {
	if t == nil {
		return false
	}
	switch s := t.members[name].(type) {
	case *Field:
		return s.Static == static
	case *Method:
		return s.Static == static
	case *EnumMember:
		return static
	}
	return false
}

// selector checks X.name that stands for a value.
func (c *checker) selector(e *Selector) Expr {
	if t := c.typeName(e.X, e.Name.Name); t != nil {
		return c.staticSelector(e, t)
	}
	e.X = c.expr(e.X)
	t := e.X.TypeOf()
	switch f, isField := t.members[e.Name.Name].(*Field); {
	case t == invalid:
		return typed(e, invalid)
	case isField && f.Static:
		return c.failAt(e, &e.Name, "field %q is static: it is reached as %s.%s", f.Name.Name, f.Owner, f.Name.Name)
	case isField:
		e.Symbol = f
		return typed(e, f.Type)
	case t.members[e.Name.Name] != nil:
		return c.failAt(e, &e.Name, "%q is a method: expected a field", e.Name.Name)
	}
	return c.failAt(e, &e.Name, "type %q has no field %q", t, e.Name.Name)
}

// failAt reports an error at a part of e and makes e invalid.
func (c *checker) failAt(e Expr, at Node, format string, args ...any) Expr {
	c.errorf(at, format, args...)
	return typed(e, invalid)
}

// staticSelector checks T.name.
func (c *checker) staticSelector(e *Selector, t *Type) Expr {
	switch s := t.members[e.Name.Name].(type) {
	case *EnumMember:
		e.Symbol = s
		return typed(e, t)
	case *Field:
		if s.Static {
			e.Symbol = s
			return typed(e, s.Type)
		}
		return c.failAt(e, &e.Name, "field %q of %q is not static: expected an object in front of it", s.Name.Name, t)
	case *Method:
		return c.failAt(e, &e.Name, "%q is a method: expected a field", e.Name.Name)
	}
	if t.Kind == KindEnum {
		return c.failAt(e, &e.Name, "enum %q has no member %q", t, e.Name.Name)
	}
	return c.failAt(e, &e.Name, "type %q has no static field %q", t, e.Name.Name)
}
