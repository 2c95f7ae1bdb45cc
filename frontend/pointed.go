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

// pointedTo is the type of what the pointer or array n points to, or nil.
func pointedTo(n cc.ExpressionNode) cc.Type {
	n = ctree.Strip(n)
	var t cc.Type
	switch p := n.Type().(type) {
	case *cc.PointerType:
		t = p.Elem()
	case *cc.ArrayType:
		t = p.Elem()
	}
	if !isDecayed(t) {
		return t
	}
	switch e := n.(type) { // t is a row, or the type of a parameter
	case *cc.UnaryExpression:
		if e.Case == cc.UnaryExpressionAddrof {
			return operandType(e.CastExpression)
		}
	case *cc.AdditiveExpression:
		if ctree.IsPointer(e.AdditiveExpression) {
			return pointedTo(e.AdditiveExpression)
		}
		return pointedTo(e.MultiplicativeExpression)
	case *cc.ConditionalExpression:
		if e.Case == cc.ConditionalExpressionCond {
			for _, arm := range []cc.ExpressionNode{e.ExpressionList, e.ConditionalExpression} {
				if !ctree.IsNil(arm) && isPointerToRow(arm) {
					return pointedTo(arm)
				}
			}
			if ctree.IsNil(e.ExpressionList) {
				return pointedTo(e.LogicalOrExpression)
			}
		}
	default:
		if last := resultOf(n); last != nil {
			return pointedTo(last)
		}
	}
	return t
}

// resultOf is the expression inside of n whose value is that of n, where n is a list, a
// statement expression or a generic selection, or nil.
func resultOf(n cc.ExpressionNode) cc.ExpressionNode {
	switch e := n.(type) {
	case *cc.ExpressionList:
		for e.ExpressionList != nil {
			e = e.ExpressionList
		}
		return e.AssignmentExpression
	case *cc.PrimaryExpression:
		switch e.Case {
		case cc.PrimaryExpressionGeneric:
			if a := e.GenericSelection.Associated(); a != nil {
				return a.AssignmentExpression
			}
		case cc.PrimaryExpressionStmt:
			last := ctree.LastItem(e.CompoundStatement)
			if last == nil || last.Statement == nil || last.Statement.ExpressionStatement == nil || ctree.IsNil(last.Statement.ExpressionStatement.ExpressionList) {
				return nil
			}
			return last.Statement.ExpressionStatement.ExpressionList
		}
	}
	return nil
}

// isDecayed reports whether t is a pointer that cc has made of an array.
func isDecayed(t cc.Type) bool {
	p, ok := t.(*cc.PointerType)
	return ok && p.Undecay() != nil && p.Undecay().Kind() == cc.Array
}

// isPointerToRow reports whether n is a pointer to an array that is a pointer to a pointer
// for cc.
func isPointerToRow(n cc.ExpressionNode) bool {
	p, ok := n.Type().(*cc.PointerType)
	if !ok || !isDecayed(p.Elem()) {
		return false
	}
	t := pointedTo(n)
	return t != nil && t.Kind() == cc.Array
}

// isMisread reports whether cc takes n, the operand of typeof, for something else.
func isMisread(n cc.ExpressionNode) bool {
	e, ok := ctree.Strip(n).(*cc.PostfixExpression)
	row := ok && e.Case == cc.PostfixExpressionIndex && decayed(e) != nil
	return row || isPointerToRow(n)
}

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

// rowAgainstArray reports whether one of two types that are compared is that of a pointer to a row,
// which cc may misread, and the other that of an array: no pointer is like an array. Macros that
// count the elements of an array ask that.
func rowAgainstArray(args []cc.ExpressionNode) bool {
	if len(args) != 2 {
		return false
	}
	for i, a := range args {
		s, other := typeofIn(a), typeofIn(args[1-i])
		if s == nil || other == nil {
			continue
		}
		_, isAddress := ctree.Strip(s.ExpressionList).(*cc.UnaryExpression)
		if array := ctree.Strip(other.ExpressionList); isAddress && isPointerToRow(s.ExpressionList) && decayed(array) == array {
			return true
		}
	}
	return false
}

// typeofIn is the typeof of an expression that an argument of the function is, which stands for a
// type; nil if it is another type.
func typeofIn(a cc.ExpressionNode) *cc.TypeSpecifier {
	literal, ok := ctree.Strip(a).(*cc.PostfixExpression)
	if !ok || literal.Case != cc.PostfixExpressionComplit || literal.TypeName.AbstractDeclarator != nil {
		return nil
	}
	q := literal.TypeName.SpecifierQualifierList
	if q == nil || q.SpecifierQualifierList != nil || q.TypeSpecifier == nil || q.TypeSpecifier.Case != cc.TypeSpecifierTypeofExpr {
		return nil
	}
	return q.TypeSpecifier
}
