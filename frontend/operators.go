package frontend

import (
	"math/big"

	"modernc.org/cc/v4"

	"c2bp/frontend/core"
)

// This file reads operators and constants off cc's nodes.

// strip removes the parentheses and one-element lists around n.
func strip(n cc.ExpressionNode) cc.ExpressionNode {
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
		default:
			return n
		}
	}
}

// binaryOperator is the operator and the operands of a binary expression, && and
// || included; ok is false for other nodes.
func binaryOperator(n cc.Node) (op core.BinaryOp, x, y cc.ExpressionNode, ok bool) {
	switch e := n.(type) {
	case *cc.MultiplicativeExpression:
		op, ok = pick(int(e.Case), []opCase{
			{int(cc.MultiplicativeExpressionMul), core.Mul},
			{int(cc.MultiplicativeExpressionDiv), core.Div},
			{int(cc.MultiplicativeExpressionMod), core.Rem}})
		return op, e.MultiplicativeExpression, e.CastExpression, ok
	case *cc.AdditiveExpression:
		op, ok = pick(int(e.Case), []opCase{
			{int(cc.AdditiveExpressionAdd), core.Add},
			{int(cc.AdditiveExpressionSub), core.Sub}})
		return op, e.AdditiveExpression, e.MultiplicativeExpression, ok
	case *cc.ShiftExpression:
		op, ok = pick(int(e.Case), []opCase{
			{int(cc.ShiftExpressionLsh), core.Shl},
			{int(cc.ShiftExpressionRsh), core.Shr}})
		return op, e.ShiftExpression, e.AdditiveExpression, ok
	case *cc.RelationalExpression:
		op, ok = pick(int(e.Case), []opCase{
			{int(cc.RelationalExpressionLt), core.Lt},
			{int(cc.RelationalExpressionGt), core.Gt},
			{int(cc.RelationalExpressionLeq), core.Le},
			{int(cc.RelationalExpressionGeq), core.Ge}})
		return op, e.RelationalExpression, e.ShiftExpression, ok
	case *cc.EqualityExpression:
		op, ok = pick(int(e.Case), []opCase{
			{int(cc.EqualityExpressionEq), core.Eq},
			{int(cc.EqualityExpressionNeq), core.Ne}})
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

// opCase pairs a Case number of cc with an operator.
type opCase struct {
	kase int
	op   core.BinaryOp
}

func pick(kase int, table []opCase) (core.BinaryOp, bool) {
	for _, row := range table {
		if row.kase == kase {
			return row.op, true
		}
	}
	return 0, false
}

// compoundOperator is the operator of a compound assignment.
func compoundOperator(c cc.AssignmentExpressionCase) (core.BinaryOp, bool) {
	return pick(int(c), []opCase{
		{int(cc.AssignmentExpressionMul), core.Mul},
		{int(cc.AssignmentExpressionDiv), core.Div},
		{int(cc.AssignmentExpressionMod), core.Rem},
		{int(cc.AssignmentExpressionAdd), core.Add},
		{int(cc.AssignmentExpressionSub), core.Sub},
		{int(cc.AssignmentExpressionLsh), core.Shl},
		{int(cc.AssignmentExpressionRsh), core.Shr},
		{int(cc.AssignmentExpressionAnd), core.And},
		{int(cc.AssignmentExpressionXor), core.Xor},
		{int(cc.AssignmentExpressionOr), core.Or}})
}

// unaryOperator is the operator of + (given as -1), -, ~ and !.
func unaryOperator(e *cc.UnaryExpression) (op core.UnaryOp, ok bool) {
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

// typeOf is the type of n if that is an integer type, by the rules of arith.go.
func typeOf(n cc.ExpressionNode) (core.Int, bool) {
	n = strip(n)
	if op, x, y, ok := binaryOperator(n); ok {
		if op.IsComparison() || op.IsLogical() {
			return core.Int32, true
		}
		t, ok1 := typeOf(x)
		u, ok2 := typeOf(y)
		switch {
		case !ok1 || !ok2:
			return intType(n.Type()) // p - q
		case op.IsShift():
			return promoted(t), true
		}
		return commonType(t, u), true
	}
	switch e := n.(type) {
	case *cc.PrimaryExpression:
		if en, ok := e.ResolvedTo().(*cc.Enumerator); ok && e.Case == cc.PrimaryExpressionIdent {
			if c := enumConstant(en); c != nil {
				return c.Typ, true
			}
		}
	case *cc.PostfixExpression:
		if f := e.Field(); f != nil && (e.Case == cc.PostfixExpressionSelect || e.Case == cc.PostfixExpressionPSelect) {
			t, ok := fieldType(f, e.Type()).(core.Int)
			return t, ok
		}
	case *cc.UnaryExpression:
		if op, ok := unaryOperator(e); ok && op != core.Not {
			t, ok := typeOf(e.CastExpression)
			return promoted(t), ok
		}
	case *cc.ConditionalExpression:
		return conditionalType(e)
	}
	return intType(n.Type())
}

// conditionalType is the type of c ? x : y if it is an integer type.
func conditionalType(e *cc.ConditionalExpression) (core.Int, bool) {
	x := cc.ExpressionNode(e.LogicalOrExpression)
	if !isNil(e.ExpressionList) {
		x = e.ExpressionList
	}
	t, ok1 := typeOf(x)
	u, ok2 := typeOf(e.ConditionalExpression)
	if !ok1 || !ok2 {
		return core.Int{}, false
	}
	return commonType(t, u), true
}

// integer is v as a number.
func integer(v cc.Value) *big.Int {
	switch v := v.(type) {
	case cc.Int64Value:
		return big.NewInt(int64(v))
	case cc.UInt64Value:
		return new(big.Int).SetUint64(uint64(v))
	}
	return nil
}

// literal is the value that cc gives to a leaf: a constant, sizeof or _Alignof.
// Values of other expressions are computed here, not taken from cc.
func literal(e cc.ExpressionNode) *core.Const {
	t, ok := intType(e.Type())
	v := integer(e.Value())
	if !ok || v == nil {
		return nil
	}
	return &core.Const{Val: t.Convert(v), Typ: t}
}

// enumConstant is the value of an enumeration constant. It has type int where
// that fits, as in gcc, else the type of the enumeration.
func enumConstant(e *cc.Enumerator) *core.Const {
	v := integer(e.Value())
	if v == nil {
		return nil
	}
	if core.Int32.Contains(v) {
		return &core.Const{Val: v, Typ: core.Int32}
	}
	t, ok := intType(e.Type())
	if !ok || !t.Contains(v) {
		t = core.Int64
		if !t.Contains(v) {
			t = core.Uint64
		}
	}
	return &core.Const{Val: v, Typ: t}
}

// addressConstant is the value of a cast of a constant address to an integer
// type: offsetof, (long)NULL.
func addressConstant(e *cc.CastExpression, t core.Int) *core.Const {
	if _, isInt := intType(e.CastExpression.Type()); isInt || !e.CastExpression.Pure() || t.Bool {
		return nil
	}
	if e.CastExpression.Type() == nil || e.CastExpression.Type().Kind() != cc.Ptr {
		return nil
	}
	v := integer(e.CastExpression.Value())
	if v == nil {
		return nil
	}
	return &core.Const{Val: t.Convert(v), Typ: t}
}
