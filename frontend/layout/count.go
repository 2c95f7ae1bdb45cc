package layout

import (
	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/ctree"
)

// This file counts the elements of arrays that a string in braces initialises.

// CountStrings counts the elements of the arrays below n, a declaration, whose lengths are
// those of strings in braces: int w[] = { L"ab" }. cc counts the items.
func (l *Table) CountStrings(n cc.Node) {
	ctree.Walk(n, func(n cc.Node) bool {
		switch e := n.(type) {
		case *cc.InitDeclarator:
			if e.Initializer != nil && e.Initializer.Case == cc.InitializerInitList {
				l.countString(e.Declarator.Type(), e.Initializer.InitializerList)
			}
		case *cc.PostfixExpression:
			if e.Case == cc.PostfixExpressionComplit {
				l.countString(e.TypeName.Type(), e.InitializerList)
				// cc may give the literal another type than its type name.
				if e.Type() != nil {
					l.countString(e.Type().Undecay(), e.InitializerList)
				}
			}
		}
		return true
	})
}

// countString notes the number of elements of t, an array without a length, that list gives it, if
// that is one string of t's elements.
func (l *Table) countString(t cc.Type, list *cc.InitializerList) {
	a, ok := t.(*cc.ArrayType)
	if !ok || !ctree.IsNil(a.SizeExpression()) || list == nil || list.InitializerList != nil || list.Designation != nil || list.Initializer.Case != cc.InitializerExpr {
		return
	}
	text, width, ok := l.parser.StringBytes(list.Initializer.AssignmentExpression)
	elem, isInt := ctree.IntType(a.Elem())
	if !ok || !isInt || elem.Bits != 8*width {
		return
	}
	// A type with a name is one for all its variables, which may have strings of several lengths.
	n := int64(len(text) / width)
	if old, known := l.counted[a]; known && old != n {
		l.lowering.Error(ccfix.At(list.Position()), "not supported: a string in braces for an array whose type has a name and no length")
	}
	l.counted[a] = n
}
