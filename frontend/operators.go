package frontend

import (
	"modernc.org/cc/v4"

	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
)

// This file reads operators, types and constants from cc's nodes.

// integerType is the result of typeOf. ok is false for types that are no integer types of the core.
type integerType struct {
	t  core.Int
	ok bool
}

// typeOf returns the type of n if that is an integer type, by the rules of arith.go. Side effects
// in n do not matter: only its type is asked for.
func (l *typing) typeOf(n cc.ExpressionNode) (core.Int, bool) {
	n = ctree.Strip(n)
	r, seen := l.types[n]
	if !seen {
		r.t, r.ok = l.findType(n)
		l.types[n] = r
	}
	return r.t, r.ok
}

// findType is typeOf without the memo.
func (l *typing) findType(n cc.ExpressionNode) (core.Int, bool) {
	if op, x, y, ok := ctree.BinaryOperator(n); ok {
		if op.IsComparison() || op.IsLogical() {
			// Conditions are of type int.
			return core.Int32, true
		}
		t, ok1 := l.typeOf(x)
		u, ok2 := l.typeOf(y)
		switch {
		case !ok1 || !ok2:
			return ctree.IntType(n.Type()) // p - q
		case op.IsShift():
			// The type of a shift is that of its promoted left operand.
			return promoted(t), true
		}
		return commonType(t, u), true
	}
	switch e := n.(type) {
	case *cc.PrimaryExpression:
		if en, ok := e.ResolvedTo().(*cc.Enumerator); ok && e.Case == cc.PrimaryExpressionIdent {
			if c := ctree.EnumConstant(en); c != nil {
				return c.Typ, true
			}
		}
	case *cc.PostfixExpression:
		// A bit-field has the type of its width.
		if f := e.Field(); f != nil && (e.Case == cc.PostfixExpressionSelect || e.Case == cc.PostfixExpressionPSelect) {
			return ctree.FieldType(f, e.Type())
		}
	case *cc.UnaryExpression:
		// + - ~ promote; ! is an int.
		if op, ok := ctree.UnaryOperator(e); ok && op != core.Not {
			t, ok := l.typeOf(e.CastExpression)
			return promoted(t), ok
		}
	case *cc.ConditionalExpression:
		return l.conditionalType(e)
	}
	return ctree.IntType(n.Type())
}

// conditionalType returns the type of c ? x : y if it is an integer type. Of a ?: b the first
// operand counts as the second one, too.
func (l *typing) conditionalType(e *cc.ConditionalExpression) (core.Int, bool) {
	x := cc.ExpressionNode(e.LogicalOrExpression)
	if !ctree.IsNil(e.ExpressionList) {
		x = e.ExpressionList
	}
	t, ok1 := l.typeOf(x)
	u, ok2 := l.typeOf(e.ConditionalExpression)
	if !ok1 || !ok2 {
		return core.Int{}, false
	}
	return commonType(t, u), true
}

// literal returns the value that cc gives to a leaf: a constant, sizeof or _Alignof; nil if it gives
// none. Values of other expressions are computed here, not taken from cc.
func (l *typing) literal(e cc.ExpressionNode) *core.Const {
	t, ok := ctree.IntType(e.Type())
	v := ctree.Integer(e.Value())
	// The layouts of this package decide on sizes, since cc computes some wrongly.
	if u, isUnary := e.(*cc.UnaryExpression); isUnary {
		v = l.layouts.Measure(u)
	}
	if !ok || v == nil {
		return nil
	}
	return &core.Const{Val: t.Convert(v), Typ: t}
}

// namesObject reports whether an object occurs in n: its address is not known at compile time. cc takes
// the address of a compound literal for its value.
func namesObject(n cc.Node) (found bool) {
	ctree.Walk(n, func(n cc.Node) bool {
		switch e := n.(type) {
		case *cc.PrimaryExpression:
			switch e.Case {
			// A function is one as well; an enumerator is not.
			case cc.PrimaryExpressionIdent:
				_, isObject := e.ResolvedTo().(*cc.Declarator)
				found = found || isObject
			case cc.PrimaryExpressionString, cc.PrimaryExpressionLString:
				found = true
			}
		case *cc.PostfixExpression:
			found = found || e.Case == cc.PostfixExpressionComplit
		}
		return !found
	})
	return found
}

// addressConstant returns the value of the cast e of a constant address to an integer type, as in
// offsetof and (long)NULL; nil for other casts. It is nil for (long)&x: only the linker knows such
// an address.
func (l *typing) addressConstant(e *cc.CastExpression, t core.Int) *core.Const {
	if _, isInt := ctree.IntType(e.CastExpression.Type()); isInt || !e.CastExpression.Pure() || t.Bool {
		return nil
	}
	if e.CastExpression.Type() == nil || e.CastExpression.Type().Kind() != cc.Ptr {
		return nil
	}
	// cc knows the value, and it depends neither on a layout that cc computes wrongly nor on the address
	// of an object.
	v := ctree.Integer(e.CastExpression.Value())
	if v == nil || l.layouts.DependsOnLayout(e.CastExpression) || namesObject(e.CastExpression) {
		return nil
	}
	return &core.Const{Val: t.Convert(v), Typ: t}
}
