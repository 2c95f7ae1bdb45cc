package zing

// This file checks operators.

// isNumber reports whether e is a number, or an enum, which operators take for an int.
func isNumber(e Expr) bool { return e.TypeOf().IsNumeric() || e.TypeOf().Kind == KindEnum }

// isInteger reports whether e is an integer or an enum.
func isInteger(e Expr) bool { return e.TypeOf().IsInteger() || e.TypeOf().Kind == KindEnum }

// unary checks an operator with one operand.
func (c *checker) unary(e *Unary) Expr {
	e.X = c.expr(e.X)
	t := e.X.TypeOf()
	switch {
	case t == invalid:
		return typed(e, invalid)
	case e.Op == Not && t == Bool:
		return typed(e, Bool)
	case e.Op == Com && isInteger(e.X), e.Op == Plus && isNumber(e.X), e.Op == Neg && isNumber(e.X) && t != ULong:
		to := operandType(e.X)
		switch {
		case to.Kind < KindInt:
			to = Int
		case e.Op == Neg && to == UInt:
			to = Long
		}
		e.X = converted(e.X, to)
		return typed(e, to)
	}
	return c.fail(e, "operator %s does not apply to a value of type %s", e.Op, t)
}

// binary checks an operator with two operands.
func (c *checker) binary(e *Binary) Expr {
	e.X, e.Y = c.expr(e.X), c.expr(e.Y)
	if e.X.TypeOf() == invalid || e.Y.TypeOf() == invalid {
		return typed(e, invalid)
	}
	switch e.Op {
	case Mul, Div, Rem, Add, Sub:
		if isNumber(e.X) && isNumber(e.Y) {
			return c.promote(e, nil)
		}
		if e.X.TypeOf().Kind == KindSet || e.Y.TypeOf().Kind == KindSet {
			return c.fail(e, "operations on sets stand only in statements s = s + x; and s = s - x;")
		}
	case Shl, Shr:
		return c.shift(e)
	case Lt, Le, Gt, Ge:
		if isNumber(e.X) && isNumber(e.Y) && sameEnums(e) {
			return c.promote(e, Bool)
		}
	case Eq, Ne:
		return c.equal(e)
	case And, Or, Xor:
		switch {
		case e.X.TypeOf() == Bool && e.Y.TypeOf() == Bool:
			return typed(e, Bool)
		case isInteger(e.X) && isInteger(e.Y):
			return c.promote(e, nil)
		}
	case AndAnd, OrOr:
		if e.X.TypeOf() == Bool && e.Y.TypeOf() == Bool {
			return typed(e, Bool)
		}
	case In:
		return c.in(e)
	}
	return c.mismatch(e)
}

// mismatch reports operands to which the operator does not apply.
func (c *checker) mismatch(e *Binary) Expr {
	c.errorAt(e.OpPos, "operator %s does not apply to values of types %s and %s", e.Op, e.X.TypeOf(), e.Y.TypeOf())
	return typed(e, invalid)
}

// sameEnums reports whether not both operands are enums, of different types.
func sameEnums(e *Binary) bool {
	x, y := e.X.TypeOf(), e.Y.TypeOf()
	return x.Kind != KindEnum || y.Kind != KindEnum || x == y
}

// promote converts both operands to one type, which is that of the result, too, unless result is set.
func (c *checker) promote(e *Binary, result *Type) Expr {
	t := promoted(e.X, e.Y)
	if t == nil {
		return c.mismatch(e)
	}
	e.X, e.Y = converted(e.X, t), converted(e.Y, t)
	if result != nil {
		t = result
	}
	return typed(e, t)
}

// shift checks x << y and x >> y, whose right operand is an int.
func (c *checker) shift(e *Binary) Expr {
	if !isInteger(e.X) || !isInteger(e.Y) || operandType(e.Y).Kind > KindInt {
		return c.mismatch(e)
	}
	t := operandType(e.X)
	if t.Kind < KindInt {
		t = Int
	}
	e.X, e.Y = converted(e.X, t), converted(e.Y, Int)
	return typed(e, t)
}

// equal checks x == y and x != y.
func (c *checker) equal(e *Binary) Expr {
	x, y := e.X.TypeOf(), e.Y.TypeOf()
	// null has the type of the other operand.
	if x == Null && (y.IsReference() || y == String) {
		typed(e.X, y)
		return typed(e, Bool)
	}
	if y == Null && (x.IsReference() || x == String) {
		typed(e.Y, x)
		return typed(e, Bool)
	}
	switch {
	case x == y && (x == Bool || x == String || x.Kind == KindEnum):
		return typed(e, Bool)
	case isNumber(e.X) && isNumber(e.Y) && sameEnums(e):
		return c.promote(e, Bool)
	case x.IsReference() && y.IsReference() && (x == y || reference(x, y) || reference(y, x)):
		return typed(e, Bool)
	}
	return c.mismatch(e)
}

// in checks x in s.
func (c *checker) in(e *Binary) Expr {
	s := e.Y.TypeOf()
	if s.Kind != KindSet {
		return c.failAt(e, e.Y, "expected a set after in, found a value of type %s", s)
	}
	e.X = c.convert(e.X, s.Elem, implicit)
	return typed(e, Bool)
}
