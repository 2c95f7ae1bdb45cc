package frontend

import (
	"math/big"

	"modernc.org/cc/v4"

	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
	"c2bp/frontend/layout"
)

// This file lowers C expressions without side effects, && || and ?: included, to core expressions:
// constant expressions and predicates. pureplace.go has the lvalues.

// pureLowerer lowers pure expressions; ident gives the meaning of identifiers that are not
// enumeration constants: a variable of any type, or the address of a function. Its methods return
// an error, with a place in the text, for everything that has side effects, control flow of its
// own, or no value in the core: users see it as the reason why a predicate is refused.
type pureLowerer struct {
	*program
	ident func(*cc.PrimaryExpression) (core.Expr, error)
}

// pure lowers e; with a nil ident no variable is allowed. The result is of type Int or Ptr. A call
// with a nil ident is how the front end asks whether e is an integer or address constant.
func (l *program) pure(e cc.ExpressionNode, ident func(*cc.PrimaryExpression) (core.Expr, error)) (core.Expr, error) {
	if ident == nil {
		ident = func(n *cc.PrimaryExpression) (core.Expr, error) {
			return nil, ctree.Errorf(n, "%s is not constant", n.Token.SrcStr())
		}
	}
	return pureLowerer{l, ident}.expr(e)
}

// expr lowers e for its value, of type Int or Ptr.
func (p pureLowerer) expr(e cc.Node) (core.Expr, error) {
	// Floating-point literals first: some are respelt as other expressions, see floating.go.
	if n, ok := e.(cc.ExpressionNode); ok {
		if c := p.floatConstant(n); c != nil {
			return c, nil
		}
	}
	if op, x, y, ok := ctree.BinaryOperator(e); ok {
		return p.binary(e, op, x, y)
	}
	switch e := e.(type) {
	case *cc.PrimaryExpression:
		return p.primary(e)
	case *cc.ExpressionList:
		if e.ExpressionList != nil {
			return nil, ctree.Errorf(e, "the comma operator is not allowed here")
		}
		return p.expr(e.AssignmentExpression)
	case *cc.ConstantExpression:
		return p.expr(e.ConditionalExpression)
	case *cc.CastExpression:
		return p.cast(e)
	case *cc.UnaryExpression:
		return p.unary(e)
	case *cc.ConditionalExpression:
		return p.conditional(e)
	case *cc.PostfixExpression:
		return p.postfix(e)
	case *cc.AssignmentExpression:
		return nil, ctree.Errorf(e, "an assignment is not allowed here")
	}
	return nil, ctree.Errorf(e, "this expression is not supported here")
}

// primary lowers an identifier, literal, parentheses or _Generic.
func (p pureLowerer) primary(e *cc.PrimaryExpression) (core.Expr, error) {
	switch e.Case {
	case cc.PrimaryExpressionIdent:
		// An enumeration constant; any other name is a matter of ident.
		if en, ok := e.ResolvedTo().(*cc.Enumerator); ok {
			if c := p.layouts.EnumValue(en); c != nil {
				return c, nil
			}
		}
		return p.valueOf(e)
	case cc.PrimaryExpressionInt, cc.PrimaryExpressionChar, cc.PrimaryExpressionLChar:
		if c := p.literal(e); c != nil {
			return c, nil
		}
	case cc.PrimaryExpressionExpr:
		return p.expr(e.ExpressionList)
	case cc.PrimaryExpressionGeneric:
		// The association that cc has chosen; checkGeneric has checked it.
		if a := e.GenericSelection.Associated(); a != nil {
			return p.expr(a.AssignmentExpression)
		}
	case cc.PrimaryExpressionStmt:
		return nil, ctree.Errorf(e, "a statement expression is not allowed here")
	case cc.PrimaryExpressionFloat:
		return nil, ctree.Errorf(e, noFloat)
	case cc.PrimaryExpressionString, cc.PrimaryExpressionLString:
		return nil, ctree.Errorf(e, "a string literal is not supported here: each is an object of its own")
	}
	return nil, ctree.Errorf(e, "this expression is not supported here")
}

const noFloat = "a floating-point number of this type is not supported here, only float and double"

// postfix lowers a[i], s.f and p->f, and the calls of functions of the compiler and of mathematics that
// are pure.
func (p pureLowerer) postfix(e *cc.PostfixExpression) (core.Expr, error) {
	switch e.Case {
	case cc.PostfixExpressionCall:
		// __builtin_choose_expr(1, x, y) is x, whatever y is.
		if chosen := ctree.ChosenExpr(e); chosen != nil {
			return p.expr(chosen)
		}
		if ctree.CalleeName(e) == ctree.CompatibleName {
			if x := p.typesCompatible(e); x != nil {
				return x, nil
			}
		}
		if c := p.bits(e); c != nil {
			return c, nil
		}
		if x, err := p.mathPure(e); x != nil || err != nil {
			return x, err
		}
		return nil, ctree.Errorf(e, "a call is not allowed here")
	case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
		return nil, ctree.Errorf(e, "a side effect is not allowed here")
	case cc.PostfixExpressionIndex, cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect:
		return p.valueOf(e)
	}
	return nil, ctree.Errorf(e, "this expression is not supported here")
}

// cast lowers a cast to a scalar type. A cast to a packed enumeration is an
// error.
func (p pureLowerer) cast(e *cc.CastExpression) (core.Expr, error) {
	t := e.TypeName.Type()
	x, err := p.expr(e.CastExpression)
	if err != nil {
		return nil, err
	}
	if p.layouts.IsPackedEnum(t) {
		return nil, ctree.Errorf(e, layout.NoPackedEnum)
	}
	// The operand has a value, so only the target can be without one.
	if s := p.scalarType(t); s != nil {
		return to(x, s), nil
	}
	if t.Kind() == cc.Void {
		return nil, ctree.Errorf(e, "the value is void")
	}
	return nil, ctree.Errorf(e, noFloat)
}

// unary lowers an expression with a unary operator.
func (p pureLowerer) unary(e *cc.UnaryExpression) (core.Expr, error) {
	switch e.Case {
	case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
		return nil, ctree.Errorf(e, "a side effect is not allowed here")
	case cc.UnaryExpressionSizeofExpr, cc.UnaryExpressionSizeofType, cc.UnaryExpressionAlignofExpr, cc.UnaryExpressionAlignofType:
		// A constant, or an array of variable length, which a predicate cannot ask for.
		if c := p.literal(e); c != nil {
			return c, nil
		}
		return nil, ctree.Errorf(e, "the size is not constant")
	case cc.UnaryExpressionAddrof:
		return p.addressOf(e)
	case cc.UnaryExpressionDeref:
		return p.valueOf(e)
	}
	op, arith := ctree.UnaryOperator(e)
	if !arith {
		return nil, ctree.Errorf(e, "this expression is not supported here")
	}
	x, err := p.expr(e.CastExpression)
	if err != nil {
		return nil, err
	}
	// Arithmetic.
	switch {
	case op == core.Not:
		return isFalse(x), nil
	case isPtr(x):
		return nil, ctree.Errorf(e, "%s of a pointer is not defined", op)
	case op == core.BitNot && isFloat(x.Type()):
		return nil, ctree.Errorf(e, "~ of a floating-point number is not defined")
	// Unary plus.
	case op < 0:
		return promote(x), nil
	}
	return unary(op, x), nil
}

// condition lowers e for its truth value, also that of a literal whose value is not represented: 0.5L.
func (p pureLowerer) condition(e cc.ExpressionNode) (core.Expr, error) {
	if c := p.foldCondition(e); c != nil {
		return c, nil
	}
	return p.expr(e)
}

// binary lowers x op y. Both operands of && and || must be pure, also where the first one decides.
func (p pureLowerer) binary(e cc.Node, op core.BinaryOp, x, y cc.ExpressionNode) (core.Expr, error) {
	// 1. The operands, as conditions for && and ||.
	lower := func(n cc.ExpressionNode) (core.Expr, error) { return p.expr(n) }
	if op.IsLogical() {
		lower = p.condition
	}
	a, err := lower(x)
	if err != nil {
		return nil, err
	}
	b, err := lower(y)
	if err != nil {
		return nil, err
	}
	// 2. The operator, of conditions, pointers or numbers.
	if op.IsLogical() {
		return logical(op, isTrue(a), isTrue(b)), nil
	}
	if isPtr(a) || isPtr(b) {
		return p.pointerBinary(e, op, x, y, a, b)
	}
	if !floatOperator(op, a, b) {
		return nil, ctree.Errorf(e, "%s of floating-point numbers is not defined", op)
	}
	// A predicate with it would have no meaning in any state; of floats the quotient is an infinity
	// or a NaN.
	if c, ok := b.(*core.Const); ok && c.Val.Sign() == 0 && !isFloat(a.Type()) && !isFloat(b.Type()) && (op == core.Div || op == core.Rem) {
		return nil, ctree.Errorf(e, "division by zero")
	}
	return binary(op, a, b), nil
}

// pointerBinary returns x op y where at least one of the values a of x and b of y is a pointer.
// Of p == 0 and 0 == p the number becomes a pointer. Differences of integers and pointers are
// errors.
func (p pureLowerer) pointerBinary(e cc.Node, op core.BinaryOp, x, y cc.ExpressionNode, a, b core.Expr) (core.Expr, error) {
	if op.IsComparison() {
		return comparePointers(op, to(a, p.pointer()), to(b, p.pointer())), nil
	}
	// i + p is p + i.
	if !isPtr(a) && op == core.Add {
		x, a, b = y, b, a
	}
	if op != core.Add && op != core.Sub || !isPtr(a) || op == core.Add && isPtr(b) {
		return nil, ctree.Errorf(e, "%s of a pointer is not defined", op)
	}
	size, err := p.stepSize(x)
	switch {
	case err != nil:
		return nil, err
	case isPtr(b):
		return p.difference(e, a, b, size)
	}
	return index(a, wide(b), size, op == core.Sub), nil
}

// difference returns the number of elements of size bytes from b to a. The result is of type
// ptrdiff_t, the signed word of a pointer.
func (p pureLowerer) difference(e cc.Node, a, b core.Expr, size int64) (core.Expr, error) {
	t := core.Int{Bits: p.pointer().Bits, Signed: true}
	if size == 0 {
		return nil, ctree.Errorf(e, "the elements have no size")
	}
	// Constant addresses have a constant difference.
	if c, d := constantAddress(a), constantAddress(b); c != nil && d != nil {
		n := t.Convert(new(big.Int).Sub(c, d))
		return &core.Const{Val: new(big.Int).Quo(n, big.NewInt(size)), Typ: t}, nil
	}
	return &core.Diff{X: a, Y: b, Size: size, Typ: t}, nil
}

// isPtr reports whether e is of pointer type.
func isPtr(e core.Expr) bool {
	_, ok := e.Type().(core.Ptr)
	return ok
}

// wide returns the integer i as an operand of pointer arithmetic. Any other integer stays as it is:
// an Index holds indices of all integer types.
func wide(i core.Expr) core.Expr {
	switch t := i.Type().(core.Int); {
	case t.Bool:
		return promote(i)
	case t.Float: // no C: a constraint violation
		return convert(i, core.Int64)
	}
	return i
}

// logical returns x && y or x || y; constants are folded. If only y is a constant, the operator
// stays.
func logical(op core.BinaryOp, x, y core.Expr) core.Expr {
	a, okA := x.(*core.Const)
	b, okB := y.(*core.Const)
	switch {
	case okA && (a.Val.Sign() != 0) == (op == core.LOr):
		return truth(op == core.LOr)
	case okA && okB:
		return truth(b.Val.Sign() != 0)
	}
	return &core.Binary{Op: op, X: x, Y: y}
}

// chosen returns the operand of e that its condition chooses, the first or the second, if both are
// integers; else nil. Only the type of the other one is needed, which need not be a pure expression.
//
//	sizeof(long) == 8 ? 1 : f()     1, converted to the common type with that of f()
func (p pureLowerer) chosen(e *cc.ConditionalExpression, first bool) core.Expr {
	live, dead := e.ExpressionList, e.ConditionalExpression
	if !first {
		live, dead = dead, live
	}
	t, ok := p.typeOf(dead)
	if !ok {
		return nil
	}
	x, err := p.expr(live)
	if err != nil {
		return nil
	}
	if own, ok := x.Type().(core.Int); ok {
		return convert(x, commonType(own, t))
	}
	return nil
}

// conditional lowers c ? x : y.
//
//	c ? -1 : 1u      both operands are converted to unsigned first
//	c ? p : 0        0 becomes the null pointer
//	a ?: b           a is the condition and the second operand
func (p pureLowerer) conditional(e *cc.ConditionalExpression) (core.Expr, error) {
	// 1. The condition; a constant one chooses an operand.
	x, err := p.condition(e.LogicalOrExpression)
	if err != nil {
		return nil, err
	}
	c := isTrue(x)
	if k, ok := c.(*core.Const); ok && !ctree.IsNil(e.ExpressionList) {
		if v := p.chosen(e, k.Val.Sign() != 0); v != nil {
			return v, nil
		}
	}
	// 2. The operands, converted to their common type.
	if !ctree.IsNil(e.ExpressionList) {
		if x, err = p.expr(e.ExpressionList); err != nil {
			return nil, err
		}
	}
	y, err := p.expr(e.ConditionalExpression)
	if err != nil {
		return nil, err
	}
	// A null pointer constant among them becomes a pointer.
	if isPtr(x) || isPtr(y) {
		x, y = to(x, p.pointer()), to(y, p.pointer())
	} else {
		t := commonType(x.Type().(core.Int), y.Type().(core.Int))
		x, y = convert(x, t), convert(y, t)
	}
	if k, ok := c.(*core.Const); ok {
		if k.Val.Sign() != 0 {
			return x, nil
		}
		return y, nil
	}
	return &core.Cond{C: c, X: x, Y: y}, nil
}
