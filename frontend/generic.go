package frontend

import (
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/core"
)

// This file evaluates __builtin_types_compatible_p, and checks what cc has decided by the
// types of expressions, about which it may be wrong.

// typesCompatible is the value of __builtin_types_compatible_p, nil if it is not known.
func (l *linker) typesCompatible(e *cc.PostfixExpression) core.Expr {
	args := arguments(e)
	if len(args) != 2 {
		return nil
	}
	var types [2]qualified
	for i, a := range args {
		literal, ok := strip(a).(*cc.PostfixExpression)
		if !ok || literal.Case != cc.PostfixExpressionComplit {
			return nil
		}
		types[i] = l.namedType(literal.TypeName)
	}
	switch compatible(types[0], types[1], pointerDepth) {
	case yes:
		return truth(true)
	case no:
		return truth(false)
	}
	return nil
}

// pointerDepth bounds the pointers that are followed.
const pointerDepth = 20

// namedType is the type that n names. It has no type if cc may be wrong about that: about
// that of a conditional expression, of an enumerator, and of an argument list.
func (l *linker) namedType(n *cc.TypeName) qualified {
	certain := true
	walk(n, func(n cc.Node) bool {
		if s, ok := n.(*cc.TypeSpecifier); ok && s.Case == cc.TypeSpecifierTypeofExpr {
			certain = certain && l.agreeOnType(s.ExpressionList)
		}
		return true
	})
	if !certain || isArgumentList(n.Type()) {
		return qualified{}
	}
	return qualified{n.Type(), l.levelsOfName(n)}
}

// isArgumentList reports whether t is va_list, which is void * to cc.
func isArgumentList(t cc.Type) bool {
	return t != nil && t.Typedef() != nil && strings.HasSuffix(t.Typedef().Name(), "va_list")
}

// agreeOnType reports whether cc and the rules of this package give n the same type.
func (l *linker) agreeOnType(n cc.ExpressionNode) bool {
	x := strip(n)
	own, ok := l.typeOf(x)
	t, isInt := intType(x.Type())
	_, isConditional := x.(*cc.ConditionalExpression)
	return ok == isInt && own == t && (ok || !isConditional)
}

// checkGeneric checks that cc has chosen the right association of _Generic; all types
// depend on that.
func (l *linker) checkGeneric(n *cc.GenericSelection) {
	chosen := n.Associated()
	if chosen == nil {
		return // an error of the parser
	}
	operand := qualified{}
	if x := n.AssignmentExpression; l.agreeOnType(x) && !isArgumentList(x.Type()) {
		operand = qualified{x.Type(), l.levelsOfExpr(x)}
	}
	for a := n.GenericAssociationList; a != nil; a = a.GenericAssociationList {
		g := a.GenericAssociation
		if g.Case == cc.GenericAssociationType {
			if l.associated(operand, g.TypeName) != answerOf(g == chosen) {
				l.error(at(n.Position()), "not supported: this _Generic, as the type of %s is not certain", l.textOf(n.AssignmentExpression))
				return
			}
		}
		if g == chosen && g.Case == cc.GenericAssociationType {
			return // cc has not looked at the others, and no two types may be compatible
		}
	}
}

// associated reports whether a value of type t is one of the type that n names. It has no
// qualifiers of its own.
func (l *linker) associated(t qualified, n *cc.TypeName) answer {
	u := l.namedType(n)
	return compatible(t, u, pointerDepth).and(func() answer {
		if len(u.q) == 0 {
			return unknown
		}
		return answerOf(u.q[0] == 0)
	})
}
