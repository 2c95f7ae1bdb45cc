package zing

// This file checks expressions; operators are in check_operators.go and calls in check_call.go.

// expr checks an expression that stands for a value and returns the one that takes its place. That
// one has a type, perhaps invalid.
func (c *checker) expr(e Expr) Expr {
	switch e := e.(type) {
	case *StringLit:
		return typed(e, String)
	case *BoolLit:
		return typed(e, Bool)
	case *NullLit:
		return typed(e, Null)
	case *Name:
		return c.name(e)
	case *This:
		if c.static || c.class == nil {
			return c.fail(e, "there is no this here: expected it in an instance method")
		}
		return typed(e, c.class)
	case *Self:
		if c.method == nil {
			return c.fail(e, "there is no self here: no process runs")
		}
		return typed(e, Int)
	case *Selector:
		return c.selector(e)
	case *Index:
		return c.index(e)
	case *Call:
		return c.callExpr(e)
	case *New:
		return c.newExpr(e)
	case *Sizeof:
		return c.sizeof(e)
	case *Choose:
		return c.fail(e, "choose stands only as the whole right side of an assignment statement: x = choose(…);")
	case *TypeExpr:
		return c.fail(e, "%q is a type: expected a value", e.Of.Name)
	case *Unary:
		return c.unary(e)
	case *Binary:
		return c.binary(e)
	case *Assign:
		return c.assign(e)
	}
	return e // a number, which has its type
}

// index checks X[I].
func (c *checker) index(e *Index) Expr {
	e.X = c.expr(e.X)
	e.I = c.convert(c.expr(e.I), Int, implicit)
	switch t := e.X.TypeOf(); {
	case t == invalid:
		return typed(e, invalid)
	case t.Kind != KindArray:
		return c.fail(e, "expected an array in front of the brackets, found a value of type %s", t)
	default:
		return typed(e, t.Elem)
	}
}

// assign checks an assignment inside an expression.
func (c *checker) assign(e *Assign) Expr {
	if c.wait {
		return c.fail(e, "the condition of a wait cannot assign")
	}
	e.Lhs = c.place(e.Lhs)
	e.Rhs = c.convert(c.expr(e.Rhs), e.Lhs.TypeOf(), plain)
	return typed(e, e.Lhs.TypeOf())
}

// place checks an expression that is assigned to.
func (c *checker) place(e Expr) Expr {
	e = c.expr(e)
	if e.TypeOf() != invalid && !IsPlace(e) {
		return c.fail(e, "this cannot be assigned to: expected a variable, parameter, field or array element")
	}
	return e
}

// condition checks an expression of type bool.
func (c *checker) condition(e Expr) Expr {
	e = c.expr(e)
	if t := e.TypeOf(); t != invalid && t != Bool {
		return c.fail(e, "expected a value of type bool, found one of type %s", t)
	}
	return e
}

// newExpr checks new T and new T[n].
func (c *checker) newExpr(e *New) Expr {
	t := c.resolve(e.Of, false)
	if e.Size != nil {
		e.Size = c.convert(c.expr(e.Size), Int, implicit)
	}
	sized := t.Kind == KindArray && !t.Fixed
	switch {
	case t == invalid:
	case t.Kind != KindClass && t.Kind != KindArray && t.Kind != KindSet && t.Kind != KindChan:
		return c.fail(e, "there are no objects of type %q: expected a class, array, set or chan", t)
	case sized && e.Size == nil:
		return c.fail(e, "expected the size: new %s[n]", t)
	case t.Kind == KindArray && !sized && e.Size != nil:
		return c.failAt(e, e.Size, "an array of type %q has %d elements: expected new %s", t, t.Size, t)
	case !sized && e.Size != nil:
		return c.failAt(e, e.Size, "%q is not an array type: expected new %s", t, t)
	}
	return typed(e, t)
}

// typeOperand returns the type that the operand of sizeof or choose means, or nil if it is a value. A
// name alone is tried as a type first; if it is also that of a value, only one that fits.
func (c *checker) typeOperand(e Expr, fits func(*Type) bool) *Type {
	switch e := e.(type) {
	case *TypeExpr:
		e.Type = c.resolve(e.Of, false)
		return e.Type
	case *Name:
		t := c.types[e.Name]
		if t == nil || c.lookup(e.Name) != t && !fits(t) {
			return nil
		}
		e.Symbol = t
		return t
	}
	return nil
}

// sizeof checks sizeof(x).
func (c *checker) sizeof(e *Sizeof) Expr {
	fits := func(t *Type) bool { return t.Fixed }
	if t := c.typeOperand(e.X, fits); t != nil {
		if !fits(t) && t != invalid {
			return c.failAt(e, e.X, "type %q has no fixed size: expected an array type with one, or a value", t)
		}
		e.Of = t
		return typed(e, Int)
	}
	e.X = c.expr(e.X)
	switch t := e.X.TypeOf(); {
	case t == invalid:
	case t.Kind != KindArray && t.Kind != KindSet && t.Kind != KindChan:
		return c.failAt(e, e.X, "expected an array, set or channel, found a value of type %s", t)
	}
	return typed(e, Int)
}

// choose checks the operand of choose in an assignment statement.
func (c *checker) choose(e *Choose) Expr {
	const want = "expected bool, an enum, a range, or an array or set"
	fits := func(t *Type) bool { return t == Bool || t.Kind == KindEnum || t.Kind == KindRange }
	if t := c.typeOperand(e.X, fits); t != nil {
		if !fits(t) && t != invalid {
			return c.failAt(e, e.X, "cannot choose from type %q: %s", t, want)
		}
		e.Of = t
		return typed(e, t)
	}
	e.X = c.expr(e.X)
	switch t := e.X.TypeOf(); {
	case t == invalid:
		return typed(e, invalid)
	case t.Kind != KindArray && t.Kind != KindSet:
		return c.failAt(e, e.X, "cannot choose from a value of type %s: %s", t, want)
	default:
		return typed(e, t.Elem)
	}
}
