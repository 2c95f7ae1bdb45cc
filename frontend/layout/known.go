package layout

import (
	"math/big"

	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
)

// This file finds out which of cc's sizes and offsets, and what it has computed from
// them, can be believed. Besides sizes it does not scale constant pointers and takes
// (_Bool)2 for 2.

// checkEvaluated checks a decision of cc that depends on the value or the type of an expression.
// Enumeration constants get other values; any other decision that is, or may be, wrong is an error.
func (l *Table) checkEvaluated(n cc.Node) {
	switch n := n.(type) {
	case *cc.EnumSpecifier:
		l.checkEnumerators(n)
	case *cc.StaticAssertDeclaration:
		l.checkAssertion(n)
	case *cc.PostfixExpression:
		if ctree.CalleeName(n) == ctree.CompatibleName {
			l.excuseMisread(n)
		} else {
			l.checkChoice(n)
		}
	case *cc.Designator:
		l.checkDesignator(n)
	case *cc.GenericSelection:
		l.lowering.CheckGeneric(n)
	default:
		l.checkTypeof(n)
	}
}

// checkDesignator checks the indices of a designator, which tell cc the length of an array: in int
// a[] = { [sizeof(struct s)] = 1 } that depends on a size.
func (l *Table) checkDesignator(n *cc.Designator) {
	for _, e := range []cc.ExpressionNode{n.ConstantExpression, n.ConstantExpression2} {
		if ctree.IsNil(e) {
			continue
		}
		x, err := l.lowering.Pure(e)
		if c, ok := x.(*core.Const); err == nil && ok && ctree.Integer(e.Value()) != nil && c.Val.Cmp(ctree.Integer(e.Value())) != 0 {
			l.lowering.Error(ccfix.At(e.Position()), "not supported: an index of which the parser has a wrong value")
		}
	}
}

// checkAssertion checks _Static_assert, of which a macro has made 1 || (condition).
func (l *Table) checkAssertion(n *cc.StaticAssertDeclaration) {
	e, ok := n.ConstantExpression.(*cc.ConstantExpression)
	if !ok {
		return
	}
	op, _, condition, ok := ctree.BinaryOperator(e.ConditionalExpression)
	if !ok || op != core.LOr {
		return
	}
	// cc has seen the 1 only; a condition that is not constant here is taken to hold.
	if x, err := l.lowering.Pure(condition); err == nil {
		if c, ok := x.(*core.Const); ok && c.Val.Sign() == 0 {
			l.lowering.Error(ccfix.At(n.Position()), "the static assertion fails")
		}
	}
}

// checkChoice checks that cc has chosen the right operand of __builtin_choose_expr; all
// types depend on that.
func (l *Table) checkChoice(n *cc.PostfixExpression) {
	args := ctree.Arguments(n)
	if len(args) != 3 {
		return
	}
	v := ctree.Integer(args[0].Value())
	if x, err := l.lowering.Pure(args[0]); err == nil {
		// Sign()&1 is 0 for 0 and 1 for all other numbers.
		if c, ok := x.(*core.Const); ok && v != nil && c.Val.Sign()&1 == v.Sign()&1 {
			return
		}
	} else if !l.DependsOnLayout(args[0]) && !ctree.ComparesTypes(args[0]) {
		return
	}
	l.lowering.Error(ccfix.At(n.Position()), "not supported: the condition of __builtin_choose_expr, of which the parser has a wrong value")
}

// checkEnumerators computes the constants whose values depend on a layout that cc has wrong. In
//
//	enum { A = sizeof(struct s), B, C = 7, D };
//
// these are A and B if cc has a wrong size of s; last is the value of the constant before.
func (l *Table) checkEnumerators(n *cc.EnumSpecifier) {
	wrong := false
	var last *core.Const
	for e := n.EnumeratorList; e != nil; e = e.EnumeratorList {
		if v := e.Enumerator.ConstantExpression; !ctree.IsNil(v) {
			if wrong = l.DependsOnLayout(v); wrong {
				x, _ := l.lowering.Pure(v)
				last, _ = x.(*core.Const)
			}
		} else if last != nil {
			// Without an expression it is one more than the constant before.
			last = &core.Const{Val: new(big.Int).Add(last.Val, big.NewInt(1)), Typ: last.Typ}
		}
		if !wrong {
			continue
		}
		// A constant that an int holds is an int (C11 6.7.2.2p3).
		if last != nil && core.Int32.Contains(last.Val) {
			last = &core.Const{Val: last.Val, Typ: core.Int32}
		} else {
			last = nil // the type depends on all of them
		}
		l.constants[ccfix.RawAt(e.Enumerator.Token.Position())] = last
	}
}

// DependsOnLayout reports whether cc's value of the constant expression n may be wrong: something
// in it has a size, an offset or a value that cc does not compute as gcc does.
func (l *Table) DependsOnLayout(n cc.Node) (found bool) {
	ctree.Walk(n, func(n cc.Node) bool {
		switch e := n.(type) {
		case *cc.UnaryExpression:
			// Sizes and alignments.
			found = found || e.Case == cc.UnaryExpressionAlignofExpr || e.Case == cc.UnaryExpressionAlignofType && !l.knownAlign(e) ||
				e.Case == cc.UnaryExpressionSizeofExpr && !isArrayForBoth(e.UnaryExpression)
		case *cc.PostfixExpression:
			if e.Case == cc.PostfixExpressionSelect || e.Case == cc.PostfixExpressionPSelect {
				f, _, _, known := l.MemberOffset(e)
				found = found || !known || NameAt(f) != NameAt(e.Field())
			}
		// Operands of sizeof and casts; (_Bool)2 is 2 to cc.
		case *cc.TypeName:
			found = found || !l.knownLayout(e.Type()) || e.Type() != nil && e.Type().Kind() == cc.Bool
		case *cc.PrimaryExpression:
			// Strings that cc has wrong, and enumeration constants that it may have wrong.
			_, _, length, _ := l.parser.ReadString(e)
			found = found || length != 0
			if c, ok := e.ResolvedTo().(*cc.Enumerator); ok {
				_, wrong := l.constants[ccfix.RawAt(c.Token.Position())]
				found = found || wrong
			}
		}
		// Sums of pointers are not scaled in constants.
		if op, x, y, ok := ctree.BinaryOperator(n); ok && (op == core.Add || op == core.Sub) {
			found = found || ctree.IsPointer(x) || ctree.IsPointer(y)
		}
		// The type itself, or the one that it points to.
		if e, ok := n.(cc.ExpressionNode); ok && !found {
			t := e.Type()
			if p, ok := t.(*cc.PointerType); ok && p.Elem() != nil {
				t = p.Elem()
			}
			found = !l.knownLayout(t)
		}
		return !found
	})
	return found
}

// isArrayForBoth reports whether cc and operandType agree whether n, the operand of
// sizeof, is an array.
func isArrayForBoth(n cc.ExpressionNode) bool {
	t, u := ctree.Strip(n).Type(), ccfix.OperandType(n)
	if t == nil || u == nil || t.Undecay() == nil {
		return false
	}
	return (t.Undecay().Kind() == cc.Array) == (u.Kind() == cc.Array)
}

// knownAlign reports whether cc's alignment of a type is right: n is an _Alignof of it, or
// __alignof__.
func (l *Table) knownAlign(n *cc.UnaryExpression) bool {
	v, known := l.AlignOf(n.Token.SrcStr(), n.TypeName.Type())
	return known && v == int64(n.TypeName.Type().Align())
}

// knownLayout reports whether cc's size of t and its offsets in t are right, also those of structs
// in t.
func (l *Table) knownLayout(t cc.Type) bool {
	if t == nil || t.Kind() == cc.Function || t.Kind() == cc.Void || t.Kind() == cc.InvalidKind {
		return true
	}
	// An incomplete type has no size to be wrong; an array without a length has elements.
	if t.IsIncomplete() {
		a, isArray := t.(*cc.ArrayType)
		return !isArray || l.knownLayout(a.Elem())
	}
	r := l.Of(t)
	if !r.Known || r.Size != t.Size() {
		return false
	}
	for i, f := range AllMembers(t) {
		p := r.at[i]
		if !f.IsBitfield() && p.Byte != f.Offset() || f.IsBitfield() && !isPadding(f) && 8*p.Byte+int64(p.Bit) != 8*f.Offset()+int64(f.OffsetBits()) {
			return false
		}
		if !l.knownLayout(f.Type()) {
			return false
		}
	}
	return true
}

// excuseMisread finds types that cc misreads where it makes no difference, see
// ccfix.RowAgainstArray. n is a call of the built-in function that compares types.
func (l *Table) excuseMisread(n *cc.PostfixExpression) {
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

// checkTypeof refuses types that cc finds out, wrongly, from an expression.
func (l *Table) checkTypeof(n cc.Node) {
	switch n := n.(type) {
	case *cc.TypeSpecifier:
		if ccfix.IsMisread(n.ExpressionList) && !l.excused[n] {
			l.lowering.Error(ccfix.At(n.ExpressionList.Position()), ccfix.Misread)
		}
	case *cc.Declaration:
		if x := n.Initializer.AssignmentExpression; !ctree.IsNil(x) && ccfix.IsPointerToRow(x) {
			l.lowering.Error(ccfix.At(x.Position()), ccfix.Misread)
		}
	}
}
