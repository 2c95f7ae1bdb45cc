package ccfix

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

// PointedTo returns the type that the pointer or array n points to, or nil.
func PointedTo(n cc.ExpressionNode) cc.Type {
	// 1. The type that cc has is right unless it is a pointer made of an array.
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
	// 2. t is a row or the type of a parameter: the form of n tells which.
	switch e := n.(type) {
	case *cc.UnaryExpression:
		if e.Case == cc.UnaryExpressionAddrof {
			return OperandType(e.CastExpression)
		}
	case *cc.AdditiveExpression:
		if ctree.IsPointer(e.AdditiveExpression) {
			return PointedTo(e.AdditiveExpression)
		}
		return PointedTo(e.MultiplicativeExpression)
	case *cc.ConditionalExpression:
		if e.Case == cc.ConditionalExpressionCond {
			for _, arm := range []cc.ExpressionNode{e.ExpressionList, e.ConditionalExpression} {
				if !ctree.IsNil(arm) && IsPointerToRow(arm) {
					return PointedTo(arm)
				}
			}
			if ctree.IsNil(e.ExpressionList) {
				return PointedTo(e.LogicalOrExpression)
			}
		}
	default:
		if last := resultOf(n); last != nil {
			return PointedTo(last)
		}
	}
	return t
}

// resultOf returns the expression inside of n whose value is that of n, where n is a list, a
// statement expression or a generic selection, or nil: x of (f(), x) and of ({ f(); x; }).
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

// isDecayed reports whether t is a pointer that cc has made of an array: a row of an array of
// arrays, or a parameter.
func isDecayed(t cc.Type) bool {
	p, ok := t.(*cc.PointerType)
	return ok && p.Undecay() != nil && p.Undecay().Kind() == cc.Array
}

// IsPointerToRow reports whether n is a pointer to an array that is a pointer to a pointer
// for cc.
func IsPointerToRow(n cc.ExpressionNode) bool {
	p, ok := n.Type().(*cc.PointerType)
	if !ok || !isDecayed(p.Elem()) {
		return false
	}
	t := PointedTo(n)
	return t != nil && t.Kind() == cc.Array
}

// IsMisread reports whether cc takes n, the operand of typeof, for something else.
func IsMisread(n cc.ExpressionNode) bool {
	e, ok := ctree.Strip(n).(*cc.PostfixExpression)
	row := ok && e.Case == cc.PostfixExpressionIndex && Decayed(e) != nil
	return row || IsPointerToRow(n)
}

// RowAgainstArray reports whether one of two types that are compared is that of a pointer to a row,
// which cc may misread, and the other that of an array: no pointer is like an array. Macros that
// count the elements of an array ask that.
func RowAgainstArray(args []cc.ExpressionNode) bool {
	if len(args) != 2 {
		return false
	}
	for i, a := range args {
		s, other := TypeofIn(a), TypeofIn(args[1-i])
		if s == nil || other == nil {
			continue
		}
		_, isAddress := ctree.Strip(s.ExpressionList).(*cc.UnaryExpression)
		if array := ctree.Strip(other.ExpressionList); isAddress && IsPointerToRow(s.ExpressionList) && Decayed(array) == array {
			return true
		}
	}
	return false
}

// TypeofIn returns the typeof of an expression that an argument of the function is, which stands for a
// type; nil if it is another type.
func TypeofIn(a cc.ExpressionNode) *cc.TypeSpecifier {
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

// OperandType returns the type of the operand of sizeof. Only an array itself has not become a
// pointer there; cc also counts parameters and the sum arr + 0 as arrays.
//
//	int a[3][4];     a: int[3][4]     a[0]: int[4]     *a: int[4]     a + 0: int (*)[4]
func OperandType(n cc.ExpressionNode) cc.Type {
	n = ctree.Strip(n)
	// An object, a member, an element, or a target has its declared type.
	switch e := n.(type) {
	case *cc.PrimaryExpression:
		switch e.Case {
		case cc.PrimaryExpressionIdent:
			if d, ok := e.ResolvedTo().(*cc.Declarator); ok && !d.IsParam() && d.Type() != nil {
				return d.Type()
			}
		case cc.PrimaryExpressionString, cc.PrimaryExpressionLString:
			return n.Type().Undecay()
		}
	case *cc.PostfixExpression:
		switch e.Case {
		case cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect:
			if f := e.Field(); f != nil {
				return f.Type()
			}
		case cc.PostfixExpressionIndex:
			x := e.PostfixExpression
			if _, swapped := ctree.IntType(x.Type()); swapped {
				x = e.ExpressionList
			}
			if t := PointedTo(x); t != nil {
				return t
			}
		case cc.PostfixExpressionComplit:
			return e.TypeName.Type()
		}
	case *cc.UnaryExpression:
		if e.Case == cc.UnaryExpressionDeref {
			if t := PointedTo(e.CastExpression); t != nil {
				return t
			}
			return n.Type().Undecay()
		}
	}
	// Anything else has become a pointer if it was an array.
	if t, ok := n.Type().(*cc.PointerType); ok && t.Elem() != nil {
		return t.Elem().Pointer()
	}
	return n.Type()
}

// Decayed returns n, without its parentheses, if it is an array that has become a pointer to its
// first element, else nil.
func Decayed(n cc.ExpressionNode) cc.ExpressionNode {
	n = ctree.Strip(n)
	if t := OperandType(n); t == nil || t.Kind() != cc.Array {
		return nil
	}
	switch e := n.(type) {
	case *cc.PrimaryExpression:
		return n
	case *cc.PostfixExpression:
		switch e.Case {
		case cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect, cc.PostfixExpressionIndex, cc.PostfixExpressionComplit:
			return n
		}
	case *cc.UnaryExpression:
		if e.Case == cc.UnaryExpressionDeref {
			return n
		}
	}
	return nil
}

// Misread says, in a message, that cc takes an array for a pointer.
const Misread = "the parser takes this array for a pointer: spell the type here"
