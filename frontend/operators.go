package frontend

import (
	"math/big"

	"modernc.org/cc/v4"

	"c2bp/frontend/core"
)

// This file reads operators, types and constants from cc's nodes.

// strip returns n without the parentheses, one-element lists and __builtin_choose_expr around it.
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
		case *cc.PostfixExpression:
			// __builtin_choose_expr is the operand that it chooses.
			chosen := chosenExpr(e)
			if chosen == nil {
				return n
			}
			n = chosen
		default:
			return n
		}
	}
}

// chosenExpr returns the operand that __builtin_choose_expr(constant, x, y) stands for, the other of
// which is not evaluated; nil if e is another call.
func chosenExpr(e *cc.PostfixExpression) cc.ExpressionNode {
	if e.Case != cc.PostfixExpressionCall || calleeName(e) != "__builtin_choose_expr" {
		return nil
	}
	args := arguments(e)
	if len(args) != 3 {
		return nil
	}
	c := integer(args[0].Value())
	switch {
	case c == nil:
		return nil
	case c.Sign() != 0:
		return args[1]
	}
	return args[2]
}

// calleeName returns the identifier that a call names, or "".
func calleeName(e *cc.PostfixExpression) string {
	if id, ok := e.PostfixExpression.(*cc.PrimaryExpression); ok && id.Case == cc.PrimaryExpressionIdent {
		return id.Token.SrcStr()
	}
	return ""
}

// binaryOperator returns the operator and the operands of a binary expression, && and
// || included; ok is false for other nodes.
func binaryOperator(n cc.Node) (op core.BinaryOp, x, y cc.ExpressionNode, ok bool) {
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

// opOf returns the operator for a Case number of cc, where the numbers from first on
// stand for ops.
func opOf(kase, first int, ops ...core.BinaryOp) (core.BinaryOp, bool) {
	if i := kase - first; i >= 0 && i < len(ops) {
		return ops[i], true
	}
	return 0, false
}

// compoundOperator returns the operator of a compound assignment; ok is false for =.
func compoundOperator(c cc.AssignmentExpressionCase) (core.BinaryOp, bool) {
	return opOf(int(c), int(cc.AssignmentExpressionMul), core.Mul, core.Div, core.Rem, core.Add, core.Sub,
		core.Shl, core.Shr, core.And, core.Xor, core.Or)
}

// unaryOperator returns the operator of + (given as -1), -, ~ and !.
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

// integerType is the result of typeOf.
type integerType struct {
	t  core.Int
	ok bool
}

// typeOf returns the type of n if that is an integer type, by the rules of arith.go.
func (l *linker) typeOf(n cc.ExpressionNode) (core.Int, bool) {
	n = strip(n)
	r, seen := l.types[n]
	if !seen {
		r.t, r.ok = l.findType(n)
		l.types[n] = r
	}
	return r.t, r.ok
}

// findType is typeOf without the memo.
func (l *linker) findType(n cc.ExpressionNode) (core.Int, bool) {
	if op, x, y, ok := binaryOperator(n); ok {
		if op.IsComparison() || op.IsLogical() {
			// Conditions are of type int.
			return core.Int32, true
		}
		t, ok1 := l.typeOf(x)
		u, ok2 := l.typeOf(y)
		switch {
		case !ok1 || !ok2:
			return intType(n.Type()) // p - q
		case op.IsShift():
			// The type of a shift is that of its promoted left operand.
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
		// A bit-field has the type of its width.
		if f := e.Field(); f != nil && (e.Case == cc.PostfixExpressionSelect || e.Case == cc.PostfixExpressionPSelect) {
			return fieldType(f, e.Type())
		}
	case *cc.UnaryExpression:
		// + - ~ promote; ! is an int.
		if op, ok := unaryOperator(e); ok && op != core.Not {
			t, ok := l.typeOf(e.CastExpression)
			return promoted(t), ok
		}
	case *cc.ConditionalExpression:
		return l.conditionalType(e)
	}
	return intType(n.Type())
}

// conditionalType returns the type of c ? x : y if it is an integer type.
func (l *linker) conditionalType(e *cc.ConditionalExpression) (core.Int, bool) {
	x := cc.ExpressionNode(e.LogicalOrExpression)
	if !isNil(e.ExpressionList) {
		x = e.ExpressionList
	}
	t, ok1 := l.typeOf(x)
	u, ok2 := l.typeOf(e.ConditionalExpression)
	if !ok1 || !ok2 {
		return core.Int{}, false
	}
	return commonType(t, u), true
}

// integer returns v as a number.
func integer(v cc.Value) *big.Int {
	switch v := v.(type) {
	case cc.Int64Value:
		return big.NewInt(int64(v))
	case cc.UInt64Value:
		return new(big.Int).SetUint64(uint64(v))
	}
	return nil
}

// literal returns the value that cc gives to a leaf: a constant, sizeof or _Alignof; nil if it gives
// none. Values of other expressions are computed here, not taken from cc.
func (l *linker) literal(e cc.ExpressionNode) *core.Const {
	t, ok := intType(e.Type())
	v := integer(e.Value())
	if u, isUnary := e.(*cc.UnaryExpression); isUnary {
		v = l.measure(u)
	}
	if !ok || v == nil {
		return nil
	}
	return &core.Const{Val: t.Convert(v), Typ: t}
}

// operandType returns the type of the operand of sizeof. Only an array itself is not converted to a
// pointer there; cc also counts parameters and the sum arr + 0 as arrays.
func operandType(n cc.ExpressionNode) cc.Type {
	n = strip(n)
	switch e := n.(type) {
	case *cc.PrimaryExpression:
		switch e.Case {
		case cc.PrimaryExpressionIdent:
			// A parameter of array type is a pointer.
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
			// The element type, from the type of the array or pointer.
			x := e.PostfixExpression
			if _, swapped := intType(x.Type()); swapped {
				x = e.ExpressionList
			}
			if t := pointedTo(x); t != nil {
				return t
			}
		case cc.PostfixExpressionComplit:
			return e.TypeName.Type()
		}
	case *cc.UnaryExpression:
		if e.Case == cc.UnaryExpressionDeref {
			if t := pointedTo(e.CastExpression); t != nil {
				return t
			}
			return n.Type().Undecay()
		}
	}
	// Any other expression is a value, of pointer type if cc says it is an array.
	if t, ok := n.Type().(*cc.PointerType); ok && t.Elem() != nil {
		return t.Elem().Pointer()
	}
	return n.Type()
}

// fixedSize reports whether no array of variable length is part of t.
func fixedSize(t cc.Type) bool {
	switch t := t.(type) {
	case *cc.ArrayType:
		// The size must be a constant without side effects.
		if n := t.SizeExpression(); !isNil(n) && (integer(n.Value()) == nil || !n.Pure()) {
			return false
		}
		return !t.IsVLA() && fixedSize(t.Elem())
	case *cc.StructType:
		return fixedFields(t.NumFields(), t.FieldByIndex)
	case *cc.UnionType:
		return fixedFields(t.NumFields(), t.FieldByIndex)
	}
	return true
}

// fixedFields reports whether no member has an array of variable length.
func fixedFields(n int, field func(int) *cc.Field) bool {
	for i := 0; i < n; i++ {
		if f := field(i); f != nil && !fixedSize(f.Type()) {
			return false
		}
	}
	return true
}

// enumValue returns the value of an enumeration constant, nil if it is not known.
func (l *linker) enumValue(e *cc.Enumerator) *core.Const {
	if c, ok := l.layouts.constants[rawAt(e.Token.Position())]; ok {
		return c
	}
	return enumConstant(e)
}

// enumConstant returns the value of an enumeration constant according to cc, nil if it has none. It is
// an int where that holds the value, as in gcc, else of the type of the enumeration.
func enumConstant(e *cc.Enumerator) *core.Const {
	v := integer(e.Value())
	if v == nil {
		return nil
	}
	if core.Int32.Contains(v) {
		return &core.Const{Val: v, Typ: core.Int32}
	}
	// cc may give a wider constant the wrong type.
	t, ok := intType(e.Type())
	if !ok || !t.Contains(v) {
		t = core.Int64
		if !t.Contains(v) {
			t = core.Uint64
		}
	}
	return &core.Const{Val: v, Typ: t}
}

// namesObject reports whether an object occurs in n: its address is not known at compile time. cc takes
// the address of a compound literal for its value.
func namesObject(n cc.Node) (found bool) {
	walk(n, func(n cc.Node) bool {
		switch e := n.(type) {
		case *cc.PrimaryExpression:
			switch e.Case {
			case cc.PrimaryExpressionIdent:
				_, isObject := e.ResolvedTo().(*cc.Declarator)
				found = found || isObject
			case cc.PrimaryExpressionString, cc.PrimaryExpressionLString:
				found = true
			}
		case *cc.PostfixExpression:
			found = found || e.Case == cc.PostfixExpressionComplit
		}
		return !found
	})
	return found
}

// addressConstant returns the value of the cast e of a constant address to an integer type, as in
// offsetof and (long)NULL; nil for other casts.
func (l *linker) addressConstant(e *cc.CastExpression, t core.Int) *core.Const {
	if _, isInt := intType(e.CastExpression.Type()); isInt || !e.CastExpression.Pure() || t.Bool {
		return nil
	}
	if e.CastExpression.Type() == nil || e.CastExpression.Type().Kind() != cc.Ptr {
		return nil
	}
	// cc knows the value, and it depends neither on a layout that cc computes wrongly nor on the address
	// of an object.
	v := integer(e.CastExpression.Value())
	if v == nil || l.dependsOnLayout(e.CastExpression) || namesObject(e.CastExpression) {
		return nil
	}
	return &core.Const{Val: t.Convert(v), Typ: t}
}
