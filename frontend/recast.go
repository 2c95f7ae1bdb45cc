package frontend

import (
	"fmt"
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/ctree"
)

// This file finds the functions of which the program makes pointers to functions of another type:
//
//	o->enable = (int (*)(void *))open_device;
//
// Who is given such a pointer may hand it back as what it was given as, so that the types of such
// functions do not say which pointers from outside lead to them. What is told apart are types
// of functions: after one pointer to a function of a type has been converted, each function of
// that type may have been.

// recasts are types of functions to which pointers are converted, see signatureOf.
type recasts map[string]bool

// convertedBy notes what the text n, of the function f or, with nil, of an initialiser, converts.
func (l *typing) convertedBy(n cc.Node, f *function) {
	ctree.Walk(n, func(n cc.Node) bool {
		switch n := n.(type) {
		case *cc.CastExpression:
			if n.Case == cc.CastExpressionCast {
				l.converts(n.CastExpression, n.Type())
			}
		case *cc.AssignmentExpression:
			if n.Case == cc.AssignmentExpressionAssign {
				l.converts(n.AssignmentExpression, n.UnaryExpression.Type())
			}
		case *cc.Initializer:
			if n.Case == cc.InitializerExpr {
				l.converts(n.AssignmentExpression, n.Type())
			}
		case *cc.PostfixExpression:
			if n.Case != cc.PostfixExpressionCall {
				break
			}
			if t := ctree.FunctionType(n.PostfixExpression.Type()); t != nil {
				params := parameters(t)
				for i, a := range ctree.Arguments(n) {
					if i < len(params) {
						l.converts(a, params[i].Type())
					} else { // who reads it says as what
						l.converts(a, nil)
					}
				}
			}
		case *cc.JumpStatement:
			if n.Case == cc.JumpStatementReturn && f != nil {
				l.converts(n.ExpressionList, f.typ.Result())
			}
		}
		return true
	})
}

// converts notes that the value of e becomes one of type to, of any if that is nil.
func (l *typing) converts(e cc.ExpressionNode, to cc.Type) {
	if ctree.IsNil(e) || e.Type() == nil || to != nil && to.Kind() == cc.Void {
		return
	}
	from := ctree.GivenFunction(e.Type())
	if from == nil {
		return
	}
	key := l.signatureOf(from)
	if t := ctree.GivenFunction(to); t == nil || l.signatureOf(t) != key { // to is no pointer to a function, or to another
		l.recasts[key] = true
	}
}

// signatureOf tells types of functions apart as calls through pointers from outside do.
func (l *typing) signatureOf(t *cc.FunctionType) string {
	var b strings.Builder
	fmt.Fprint(&b, l.coreType(t.Result()))
	for _, p := range l.formalTypes(t) {
		fmt.Fprint(&b, " ", p)
	}
	for _, p := range l.pointeesOf(t) {
		fmt.Fprintf(&b, " %v%p", p.Void, p.Record)
	}
	return b.String()
}
