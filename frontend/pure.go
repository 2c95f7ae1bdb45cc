package frontend

import (
	"fmt"

	"modernc.org/cc/v4"

	"c2bp/frontend/core"
)

// This file turns C expressions without side effects into core expressions,
// && || and ?: included: constant expressions and predicates.

// pureError says why an expression has no meaning as a pure expression.
type pureError struct {
	node cc.Node
	msg  string
}

func (e *pureError) Error() string { return e.msg }

func impure(n cc.Node, format string, args ...any) error {
	return &pureError{n, fmt.Sprintf(format, args...)}
}

// pureLowerer lowers pure expressions; ident gives the meaning of identifiers
// that are not enumeration constants.
type pureLowerer struct {
	*linker
	ident func(*cc.PrimaryExpression) (core.Expr, error)
}

// pure lowers e; with a nil ident no variable is allowed.
func (l *linker) pure(e cc.ExpressionNode, ident func(*cc.PrimaryExpression) (core.Expr, error)) (core.Expr, error) {
	if ident == nil {
		ident = func(n *cc.PrimaryExpression) (core.Expr, error) {
			return nil, impure(n, "%s is not constant", n.Token.SrcStr())
		}
	}
	return pureLowerer{l, ident}.expr(e)
}

const unsupported = "pointers, structs and arrays are not supported in predicates yet"

func (p pureLowerer) expr(e cc.Node) (core.Expr, error) {
	if op, x, y, ok := binaryOperator(e); ok {
		return p.binary(e, op, x, y)
	}
	switch e := e.(type) {
	case *cc.PrimaryExpression:
		return p.primary(e)
	case *cc.ExpressionList:
		if e.ExpressionList != nil {
			return nil, impure(e, "the comma operator is not allowed here")
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
		switch e.Case {
		case cc.PostfixExpressionCall:
			return nil, impure(e, "a call is not allowed here")
		case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
			return nil, impure(e, "a side effect is not allowed here")
		}
		return nil, impure(e, unsupported)
	case *cc.AssignmentExpression:
		return nil, impure(e, "an assignment is not allowed here")
	}
	return nil, impure(e, "this expression is not supported here")
}

func (p pureLowerer) primary(e *cc.PrimaryExpression) (core.Expr, error) {
	switch e.Case {
	case cc.PrimaryExpressionIdent:
		if en, ok := e.ResolvedTo().(*cc.Enumerator); ok {
			if c := p.enumValue(en); c != nil {
				return c, nil
			}
		}
		return p.ident(e)
	case cc.PrimaryExpressionInt, cc.PrimaryExpressionChar, cc.PrimaryExpressionLChar:
		if c := p.literal(e); c != nil {
			return c, nil
		}
	case cc.PrimaryExpressionExpr:
		return p.expr(e.ExpressionList)
	case cc.PrimaryExpressionGeneric:
		if a := e.GenericSelection.Associated(); a != nil {
			return p.expr(a.AssignmentExpression)
		}
	case cc.PrimaryExpressionStmt:
		return nil, impure(e, "a statement expression is not allowed here")
	case cc.PrimaryExpressionFloat:
		return nil, impure(e, "floating point is not supported here")
	}
	return nil, impure(e, unsupported)
}

func (p pureLowerer) cast(e *cc.CastExpression) (core.Expr, error) {
	t, ok := intType(e.TypeName.Type())
	if !ok {
		return nil, impure(e, unsupported)
	}
	x, err := p.expr(e.CastExpression)
	if err != nil {
		if c := p.addressConstant(e, t); c != nil {
			return c, nil
		}
		return nil, err
	}
	return convert(x, t), nil
}

func (p pureLowerer) unary(e *cc.UnaryExpression) (core.Expr, error) {
	switch e.Case {
	case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
		return nil, impure(e, "a side effect is not allowed here")
	case cc.UnaryExpressionSizeofExpr, cc.UnaryExpressionSizeofType, cc.UnaryExpressionAlignofExpr, cc.UnaryExpressionAlignofType:
		if c := p.literal(e); c != nil {
			return c, nil
		}
		return nil, impure(e, "the size is not constant")
	}
	op, arith := unaryOperator(e)
	if !arith {
		return nil, impure(e, unsupported)
	}
	x, err := p.expr(e.CastExpression)
	if err != nil {
		return nil, err
	}
	if op < 0 {
		return promote(x), nil
	}
	return unary(op, x), nil
}

func (p pureLowerer) binary(e cc.Node, op core.BinaryOp, x, y cc.ExpressionNode) (core.Expr, error) {
	a, err := p.expr(x)
	if err != nil {
		return nil, err
	}
	b, err := p.expr(y)
	if err != nil {
		return nil, err
	}
	if op.IsLogical() {
		return logical(op, a, b), nil
	}
	if c, ok := b.(*core.Const); ok && c.Val.Sign() == 0 && (op == core.Div || op == core.Rem) {
		return nil, impure(e, "division by zero")
	}
	return binary(op, a, b), nil
}

// logical is x && y or x || y; constants are folded.
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

func (p pureLowerer) conditional(e *cc.ConditionalExpression) (core.Expr, error) {
	c, err := p.expr(e.LogicalOrExpression)
	if err != nil {
		return nil, err
	}
	x := c
	if !isNil(e.ExpressionList) {
		if x, err = p.expr(e.ExpressionList); err != nil {
			return nil, err
		}
	}
	y, err := p.expr(e.ConditionalExpression)
	if err != nil {
		return nil, err
	}
	t := commonType(x.Type().(core.Int), y.Type().(core.Int))
	x, y = convert(x, t), convert(y, t)
	if k, ok := c.(*core.Const); ok {
		if k.Val.Sign() != 0 {
			return x, nil
		}
		return y, nil
	}
	return &core.Cond{C: c, X: x, Y: y}, nil
}
