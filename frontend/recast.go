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
// A pointer that escapes with the other type may come back with it, so the types of such functions do
// not tell which pointers from outside lead to them. The analysis distinguishes types of functions,
// not functions: if a pointer to one function is converted, all functions of its type count as
// converted.

// recasts is the set of the types of functions whose pointers are converted to other types, see
// signatureOf.
type recasts map[string]bool

// convertedBy notes the pointers to functions that the text n converts, by casts, assignments,
// initialisers, arguments and returns. n is of the function f, or of an initialiser if f is nil.
func (l *typing) convertedBy(n cc.Node, f *function) {
	ctree.Walk(n, func(n cc.Node) bool {
		switch n := n.(type) {
		case *cc.CastExpression:
			// (T)e
			if n.Case == cc.CastExpressionCast {
				l.converts(n.CastExpression, n.Type())
			}
		case *cc.AssignmentExpression:
			// x = e
			if n.Case == cc.AssignmentExpressionAssign {
				l.converts(n.AssignmentExpression, n.UnaryExpression.Type())
			}
		case *cc.Initializer:
			// T x = e, and parts of lists
			if n.Case == cc.InitializerExpr {
				l.converts(n.AssignmentExpression, n.Type())
			}
		case *cc.PostfixExpression:
			// f(e)
			if n.Case != cc.PostfixExpressionCall {
				break
			}
			if t := ctree.FunctionType(n.PostfixExpression.Type()); t != nil {
				params := parameters(t)
				for i, a := range ctree.Arguments(n) {
					if i < len(params) {
						l.converts(a, params[i].Type())
					} else { // va_arg may read it as any type
						l.converts(a, nil)
					}
				}
			}
		case *cc.JumpStatement:
			// return e
			if n.Case == cc.JumpStatementReturn && f != nil {
				l.converts(n.ExpressionList, f.typ.Result())
			}
		}
		return true
	})
}

// converts notes that the value of e is converted to type to, or to any type if that is nil.
func (l *typing) converts(e cc.ExpressionNode, to cc.Type) {
	if ctree.IsNil(e) || e.Type() == nil || to != nil && to.Kind() == cc.Void {
		return
	}
	// Only pointers to functions, functions themselves, and pointers to structs are of interest.
	from := ctree.GivenFunction(e.Type())
	if from == nil {
		l.convertsStruct(e.Type(), to)
		return
	}
	key := l.signatureOf(from)
	if t := ctree.GivenFunction(to); t == nil || l.signatureOf(t) != key { // to is no pointer to a function, or to another
		l.recasts[key] = true
	}
}

// convertsStruct notes that a pointer of type from is converted to type to, if from is a pointer to a struct and to
// may be one to its first member: a pointer to anything but void or another struct.
func (l *typing) convertsStruct(from, to cc.Type) {
	p, ok := from.Decay().(*cc.PointerType)
	if !ok || !isStruct(elementType(p.Elem())) {
		return
	}
	if to != nil {
		q, ok := to.Decay().(*cc.PointerType)
		if !ok || q.Elem().Kind() == cc.Void || isStruct(elementType(q.Elem())) {
			return
		}
	}
	if d := firstDeclarator(elementType(p.Elem())); d != nil {
		l.asScalars[d] = true
	}
}

// signatureOf returns a text that is the same for function types that calls through pointers from
// outside do not distinguish.
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
