package frontend

import (
	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/ctree"
)

// This file refuses types that cc finds out, wrongly, from an expression: it takes rows of arrays
// for pointers, see [ccfix.PointedTo].

const misread = "the parser takes this array for a pointer: spell the type here"

// checkTypeof refuses types that cc finds out, wrongly, from an expression.
func (l *linker) checkTypeof(n cc.Node) {
	switch n := n.(type) {
	case *cc.TypeSpecifier:
		if ccfix.IsMisread(n.ExpressionList) && !l.excused[n] {
			l.error(ccfix.At(n.ExpressionList.Position()), misread)
		}
	case *cc.Declaration:
		if x := n.Initializer.AssignmentExpression; !ctree.IsNil(x) && ccfix.IsPointerToRow(x) {
			l.error(ccfix.At(x.Position()), misread)
		}
	}
}

// excuseMisread finds types that cc misreads where it makes no difference, see rowAgainstArray.
func (l *linker) excuseMisread(n *cc.PostfixExpression) {
	if !ccfix.RowAgainstArray(ctree.Arguments(n)) {
		return
	}
	if l.excused == nil {
		l.excused = map[*cc.TypeSpecifier]bool{}
	}
	for _, a := range ctree.Arguments(n) {
		l.excused[ccfix.TypeofIn(a)] = true
	}
}
