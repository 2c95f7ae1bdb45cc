package frontend

import (
	"modernc.org/cc/v4"

	"c2bp/frontend/ctree"
)

// This file corrects the types that cc gives to rows of arrays of arrays. In
//
//	int a[2][4];
//
// it takes a[1] for a pointer wherever it stands, so that &a[1] is for it a pointer to a
// pointer, and &a[1] + 1 eight bytes further instead of sixteen.

const misread = "the parser takes this array for a pointer: spell the type here"

// checkTypeof refuses types that cc finds out, wrongly, from an expression.
func (l *linker) checkTypeof(n cc.Node) {
	switch n := n.(type) {
	case *cc.TypeSpecifier:
		if isMisread(n.ExpressionList) && !l.excused[n] {
			l.error(at(n.ExpressionList.Position()), misread)
		}
	case *cc.Declaration:
		if x := n.Initializer.AssignmentExpression; !ctree.IsNil(x) && isPointerToRow(x) {
			l.error(at(x.Position()), misread)
		}
	}
}

// excuseMisread finds types that cc misreads where it makes no difference, see rowAgainstArray.
func (l *linker) excuseMisread(n *cc.PostfixExpression) {
	if !rowAgainstArray(ctree.Arguments(n)) {
		return
	}
	if l.excused == nil {
		l.excused = map[*cc.TypeSpecifier]bool{}
	}
	for _, a := range ctree.Arguments(n) {
		l.excused[typeofIn(a)] = true
	}
}
