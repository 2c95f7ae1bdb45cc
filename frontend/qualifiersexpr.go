package frontend

import (
	"modernc.org/cc/v4"

	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
)

// This file finds the qualifiers of the types of expressions: see qualifiers.go.

// levelsOfExpr returns the levels of the type of n; nil if they are not known. The qualifiers at
// the top are those of the lvalue: of a value they have no meaning, and callers drop them.
func (l *typing) levelsOfExpr(n cc.ExpressionNode) levels {
	n = ctree.Strip(n)
	switch e := n.(type) {
	case *cc.PrimaryExpression:
		switch e.Case {
		case cc.PrimaryExpressionIdent:
			// An object has the levels of its declaration; a function has none.
			if d, ok := e.ResolvedTo().(*cc.Declarator); ok && d.Type() != nil && d.Type().Kind() != cc.Function {
				return l.levelsOf(d)
			}
		case cc.PrimaryExpressionString:
			// char *, without const in C.
			return levels{0, 0}
		case cc.PrimaryExpressionGeneric:
			if a := e.GenericSelection.Associated(); a != nil {
				return l.levelsOfExpr(a.AssignmentExpression)
			}
		}
	case *cc.CastExpression:
		return l.levelsOfName(e.TypeName)
	case *cc.UnaryExpression:
		switch e.Case {
		case cc.UnaryExpressionAddrof:
			return l.levelsOfExpr(e.CastExpression).pointer(0)
		case cc.UnaryExpressionDeref:
			return l.levelsOfExpr(e.CastExpression).inner()
		}
	case *cc.PostfixExpression:
		return l.levelsOfPostfix(e)
	case *cc.AssignmentExpression:
		return l.levelsOfExpr(e.UnaryExpression)
	}
	// p + i, i + p, p - i
	if op, x, y, ok := ctree.BinaryOperator(n); ok && (op == core.Add || op == core.Sub) {
		switch _, isInt := l.typeOf(n); {
		case isInt:
		case ctree.IsPointer(x):
			return l.levelsOfExpr(x)
		case ctree.IsPointer(y):
			return l.levelsOfExpr(y)
		}
	}
	if _, isInt := l.typeOf(n); isInt {
		return levels{0}
	}
	return nil
}

// levelsOfPostfix is levelsOfExpr for a postfix expression.
func (l *typing) levelsOfPostfix(e *cc.PostfixExpression) levels {
	switch e.Case {
	// The element is one level below the array or pointer.
	case cc.PostfixExpressionIndex:
		x := e.PostfixExpression
		if _, swapped := ctree.IntType(x.Type()); swapped {
			x = e.ExpressionList
		}
		return l.levelsOfExpr(x).inner()
	case cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect:
		whole := l.levelsOfExpr(e.PostfixExpression)
		if e.Case == cc.PostfixExpressionPSelect {
			whole = whole.inner()
		}
		// A member has the qualifiers of the whole object, too.
		if f := e.Field(); f != nil && len(whole) > 0 {
			return l.levelsOf(f.Declarator()).and(whole[0])
		}
	case cc.PostfixExpressionComplit:
		return l.levelsOfName(e.TypeName)
	case cc.PostfixExpressionCall:
		// The result of a function that is called by its name.
		if id := identifier(e.PostfixExpression); id != nil {
			if d, ok := id.ResolvedTo().(*cc.Declarator); ok && d.Type() != nil && d.Type().Kind() == cc.Function {
				return l.levelsOfResult(d)
			}
		}
	}
	if _, isInt := l.typeOf(e); isInt {
		return levels{0}
	}
	return nil
}
