package ctree

import (
	"math/big"
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/core"
)

// This file reads expressions, statements and attributes off the nodes of cc.

// Strip removes the parentheses and one-element lists around n, and __builtin_choose_expr around
// the operand that it stands for.
func Strip(n cc.ExpressionNode) cc.ExpressionNode {
	for {
		switch e := n.(type) {
		case *cc.PrimaryExpression:
			if e.Case != cc.PrimaryExpressionExpr {
				return n
			}
			n = e.ExpressionList
		case *cc.ExpressionList:
			if e.ExpressionList != nil {
				return n
			}
			n = e.AssignmentExpression
		case *cc.ConstantExpression:
			n = e.ConditionalExpression
		case *cc.PostfixExpression:
			chosen := ChosenExpr(e)
			if chosen == nil {
				return n
			}
			n = chosen
		default:
			return n
		}
	}
}

// ChosenExpr returns the operand that __builtin_choose_expr(constant, x, y) stands for; the other
// one is not evaluated. It returns nil for anything else, and if cc has no value of the constant.
func ChosenExpr(e *cc.PostfixExpression) cc.ExpressionNode {
	if e.Case != cc.PostfixExpressionCall || CalleeName(e) != "__builtin_choose_expr" {
		return nil
	}
	args := Arguments(e)
	if len(args) != 3 {
		return nil
	}
	c := Integer(args[0].Value())
	switch {
	case c == nil:
		return nil
	case c.Sign() != 0:
		return args[1]
	}
	return args[2]
}

// CalleeName returns the identifier that a call names, or "" if its callee is another expression,
// such as (*f) or p->f.
func CalleeName(e *cc.PostfixExpression) string {
	if id, ok := e.PostfixExpression.(*cc.PrimaryExpression); ok && id.Case == cc.PrimaryExpressionIdent {
		return id.Token.SrcStr()
	}
	return ""
}

// Arguments lists the arguments of a call, in order.
func Arguments(e *cc.PostfixExpression) (list []cc.ExpressionNode) {
	for l := e.ArgumentExpressionList; l != nil; l = l.ArgumentExpressionList {
		list = append(list, l.AssignmentExpression)
	}
	return list
}

// CompatibleName is the function that cc makes of __builtin_types_compatible_p.
const CompatibleName = "__ccgo__types_compatible_p"

// BinaryOperator returns the operator and the operands of a binary expression, && and || included;
// ok is false for other nodes: for assignments, the comma, and expressions of one operand that the
// grammar puts in such a node.
func BinaryOperator(n cc.Node) (op core.BinaryOp, x, y cc.ExpressionNode, ok bool) {
	switch e := n.(type) {
	case *cc.MultiplicativeExpression:
		op, ok = opOf(int(e.Case), int(cc.MultiplicativeExpressionMul), core.Mul, core.Div, core.Rem)
		return op, e.MultiplicativeExpression, e.CastExpression, ok
	case *cc.AdditiveExpression:
		op, ok = opOf(int(e.Case), int(cc.AdditiveExpressionAdd), core.Add, core.Sub)
		return op, e.AdditiveExpression, e.MultiplicativeExpression, ok
	case *cc.ShiftExpression:
		op, ok = opOf(int(e.Case), int(cc.ShiftExpressionLsh), core.Shl, core.Shr)
		return op, e.ShiftExpression, e.AdditiveExpression, ok
	case *cc.RelationalExpression:
		op, ok = opOf(int(e.Case), int(cc.RelationalExpressionLt), core.Lt, core.Gt, core.Le, core.Ge)
		return op, e.RelationalExpression, e.ShiftExpression, ok
	case *cc.EqualityExpression:
		op, ok = opOf(int(e.Case), int(cc.EqualityExpressionEq), core.Eq, core.Ne)
		return op, e.EqualityExpression, e.RelationalExpression, ok
	case *cc.AndExpression:
		return core.And, e.AndExpression, e.EqualityExpression, e.Case == cc.AndExpressionAnd
	case *cc.ExclusiveOrExpression:
		return core.Xor, e.ExclusiveOrExpression, e.AndExpression, e.Case == cc.ExclusiveOrExpressionXor
	case *cc.InclusiveOrExpression:
		return core.Or, e.InclusiveOrExpression, e.ExclusiveOrExpression, e.Case == cc.InclusiveOrExpressionOr
	case *cc.LogicalAndExpression:
		return core.LAnd, e.LogicalAndExpression, e.InclusiveOrExpression, e.Case == cc.LogicalAndExpressionLAnd
	case *cc.LogicalOrExpression:
		return core.LOr, e.LogicalOrExpression, e.LogicalAndExpression, e.Case == cc.LogicalOrExpressionLOr
	}
	return 0, nil, nil, false
}

// opOf returns the operator for a Case number of cc, where the numbers from first on stand for ops;
// ok is false for others.
func opOf(kase, first int, ops ...core.BinaryOp) (core.BinaryOp, bool) {
	if i := kase - first; i >= 0 && i < len(ops) {
		return ops[i], true
	}
	return 0, false
}

// CompoundOperator returns the operator of a compound assignment, + of +=; ok is false for = and
// all else.
func CompoundOperator(c cc.AssignmentExpressionCase) (core.BinaryOp, bool) {
	return opOf(int(c), int(cc.AssignmentExpressionMul), core.Mul, core.Div, core.Rem, core.Add, core.Sub,
		core.Shl, core.Shr, core.And, core.Xor, core.Or)
}

// UnaryOperator returns the operator of + (given as -1), -, ~ and !; ok is false for other
// expressions.
func UnaryOperator(e *cc.UnaryExpression) (op core.UnaryOp, ok bool) {
	switch e.Case {
	case cc.UnaryExpressionPlus:
		return -1, true
	case cc.UnaryExpressionMinus:
		return core.Neg, true
	case cc.UnaryExpressionCpl:
		return core.BitNot, true
	case cc.UnaryExpressionNot:
		return core.Not, true
	}
	return 0, false
}

// Integer returns the value v of cc as a number, nil if it is no integer, or if there is no value.
func Integer(v cc.Value) *big.Int {
	switch v := v.(type) {
	case cc.Int64Value:
		return big.NewInt(int64(v))
	case cc.UInt64Value:
		return new(big.Int).SetUint64(uint64(v))
	}
	return nil
}

// EnumConstant returns the value of an enumeration constant according to cc, nil if it has none. It
// has type int where that fits, as in gcc, else the type of the enumeration.
func EnumConstant(e *cc.Enumerator) *core.Const {
	v := Integer(e.Value())
	if v == nil {
		return nil
	}
	if core.Int32.Contains(v) {
		return &core.Const{Val: v, Typ: core.Int32}
	}
	// A number that not even the type of the enumeration holds gets one that does.
	t, ok := IntType(e.Type())
	if !ok || !t.Contains(v) {
		t = core.Int64
		if !t.Contains(v) {
			t = core.Uint64
		}
	}
	return &core.Const{Val: v, Typ: t}
}

// LastItem returns the last item of a block, nil if it is empty.
func LastItem(s *cc.CompoundStatement) (last *cc.BlockItem) {
	for l := s.BlockItemList; l != nil; l = l.BlockItemList {
		last = l.BlockItem
	}
	return last
}

// ComparesTypes reports whether __builtin_types_compatible_p or _Generic is in n: its value depends
// on types that cc may have wrong.
func ComparesTypes(n cc.Node) (found bool) {
	Walk(n, func(n cc.Node) bool {
		switch e := n.(type) {
		case *cc.PostfixExpression:
			found = found || e.Case == cc.PostfixExpressionCall && CalleeName(e) == CompatibleName
		case *cc.GenericSelection:
			found = true
		}
		return !found
	})
	return found
}

// AttributeName returns name without the underscores that may be around it.
func AttributeName(name string) string {
	if short, ok := strings.CutPrefix(name, "__"); ok {
		if short, ok = strings.CutSuffix(short, "__"); ok {
			return short
		}
	}
	return name
}

// HasAttribute reports whether the attribute name is set, with or without underscores.
func HasAttribute(a *cc.Attributes, name string) bool {
	return a != nil && (a.IsAttrSet(name) || a.IsAttrSet("__"+name+"__"))
}

// IsPointer reports whether cc takes n for a pointer.
func IsPointer(n cc.ExpressionNode) bool {
	_, ok := n.Type().(*cc.PointerType)
	return ok
}
