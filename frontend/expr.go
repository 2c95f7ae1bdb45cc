package frontend

import (
	"fmt"

	"modernc.org/cc/v4"

	"c2bp/frontend/core"
	"c2bp/source"
)

// This file lowers expressions for their value. Side effects become nodes, and
// the value that remains is a pure expression over the state after them: i++ is
// the node i := i + 1 and the value i - 1.

// value is what an expression evaluates to.
type value struct {
	expr core.Expr // nil if the value is not known
	typ  core.Type
	why  string // for an integer that is not known: why it is arbitrary
}

func known(e core.Expr) value { return value{expr: e, typ: e.Type()} }

var (
	void   = value{typ: core.Void{}}
	opaque = value{typ: core.Opaque{Name: "?"}}
)

// arbitrary is an unknown value of e's type; an integer gets a diagnostic.
func (b *functionLowerer) arbitrary(e cc.ExpressionNode, format string, args ...any) value {
	return b.arbitraryOf(e, coreType(e.Type()), format, args...)
}

func (b *functionLowerer) arbitraryOf(e cc.ExpressionNode, t core.Type, format string, args ...any) value {
	why := fmt.Sprintf(format, args...)
	if _, isInt := t.(core.Int); isInt {
		b.note(source.Note, at(e.Position()), "%s is an arbitrary value", why)
	}
	return value{typ: t, why: why}
}

// temp makes a temporary variable.
func (b *functionLowerer) temp(t core.Type) *core.Var {
	b.temps++
	v := &core.Var{Name: b.fresh(fmt.Sprintf("$%d", b.temps), b.pos), Type: t, Kind: core.Temp, Proc: b.proc, Pos: b.pos}
	b.proc.Locals = append(b.proc.Locals, v)
	return v
}

// force makes an expression of an integer value: what is not known is put into a
// temporary.
func (b *functionLowerer) force(v value) core.Expr {
	if v.expr != nil {
		return v.expr
	}
	t := b.temp(v.typ.(core.Int))
	b.emit(&core.Havoc{Locs: []core.Loc{t.Ref()}, Why: v.why})
	return t.Ref()
}

// keep makes v independent of what next writes.
func (b *functionLowerer) keep(v value, next ...cc.Node) value {
	if v.expr == nil {
		return v
	}
	for _, n := range next {
		if !b.hasEffects(n) {
			continue
		}
		eff := b.effectsOf(n)
		if reads(v.expr, eff.mayWrite) {
			t := b.temp(v.typ)
			b.assign(t, v.expr)
			return known(t.Ref())
		}
	}
	return v
}

func (b *functionLowerer) assign(v *core.Var, e core.Expr) {
	b.emit(&core.Assign{Lhs: []core.Loc{v.Ref()}, Rhs: []core.Expr{e}})
}

// value lowers e for its value.
func (b *functionLowerer) value(n cc.ExpressionNode) value {
	n = strip(n)
	if c := b.constantCondition(n); c != nil {
		return known(c)
	}
	if b.isLogical(n) {
		return b.logicalValue(n)
	}
	if op, x, y, ok := binaryOperator(n); ok {
		return b.binaryValue(n, op, x, y)
	}
	switch e := n.(type) {
	case *cc.PrimaryExpression:
		return b.primary(e)
	case *cc.PostfixExpression:
		return b.postfix(e)
	case *cc.UnaryExpression:
		return b.unaryValue(e)
	case *cc.CastExpression:
		return b.cast(e)
	case *cc.ConditionalExpression:
		return b.conditionalValue(e)
	case *cc.AssignmentExpression:
		return b.assignment(e)
	case *cc.ExpressionList:
		for ; e.ExpressionList != nil; e = e.ExpressionList {
			b.effect(e.AssignmentExpression)
		}
		return b.value(e.AssignmentExpression)
	}
	return b.arbitrary(n, "this expression")
}

// effect lowers e for its side effects.
func (b *functionLowerer) effect(n cc.ExpressionNode) {
	if isNil(n) || !b.hasEffects(n) {
		return
	}
	n = strip(n)
	if op, x, y, ok := binaryOperator(n); ok && !op.IsLogical() {
		b.checkOrder(n, x, y)
		b.effect(x)
		b.effect(y)
		return
	}
	if b.isLogical(n) {
		b.logicalEffect(n)
		return
	}
	switch e := n.(type) {
	case *cc.PrimaryExpression:
		if e.Case == cc.PrimaryExpressionStmt {
			b.statements(e.CompoundStatement)
		} else {
			b.value(n)
		}
	case *cc.ExpressionList:
		for ; e != nil; e = e.ExpressionList {
			b.effect(e.AssignmentExpression)
		}
	case *cc.CastExpression:
		b.effect(e.CastExpression)
	case *cc.ConditionalExpression:
		b.conditionalEffect(e)
	case *cc.PostfixExpression:
		switch e.Case {
		case cc.PostfixExpressionCall:
			b.call(e, nil)
		case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
			b.increment(e.PostfixExpression, e.Case == cc.PostfixExpressionInc)
		default:
			b.value(n)
		}
	default:
		b.value(n)
	}
}

func (b *functionLowerer) binaryValue(n cc.ExpressionNode, op core.BinaryOp, x, y cc.ExpressionNode) value {
	b.checkOrder(n, x, y)
	v := b.keep(b.value(x), y)
	w := b.value(y)
	_, intX := v.typ.(core.Int)
	_, intY := w.typ.(core.Int)
	if !intX || !intY {
		return b.arbitrary(n, "%s", b.textOf(n))
	}
	left, right, narrow := b.mutated(op, b.force(v), b.force(w))
	b.assume(op, left)
	r := binary(op, left, right)
	if narrow != nil {
		r = convert(r, *narrow)
	}
	return known(r)
}

func (b *functionLowerer) primary(e *cc.PrimaryExpression) value {
	switch e.Case {
	case cc.PrimaryExpressionIdent:
		return b.identifierValue(e)
	case cc.PrimaryExpressionInt, cc.PrimaryExpressionChar, cc.PrimaryExpressionLChar:
		if c := b.literal(e); c != nil {
			return known(c)
		}
	case cc.PrimaryExpressionStmt:
		return b.statementExpression(e, nil)
	case cc.PrimaryExpressionGeneric:
		if a := e.GenericSelection.Associated(); a != nil {
			return b.value(a.AssignmentExpression)
		}
	}
	return b.arbitrary(e, "%s", b.textOf(e))
}

func (b *functionLowerer) identifierValue(e *cc.PrimaryExpression) value {
	switch d := e.ResolvedTo().(type) {
	case *cc.Enumerator:
		if c := b.enumValue(d); c != nil {
			return known(c)
		}
	case *cc.Declarator:
		if v := b.vars[d]; v != nil {
			return b.read(e, v)
		}
	}
	return b.arbitrary(e, "%s", e.Token.SrcStr())
}

func (b *functionLowerer) read(e cc.ExpressionNode, v *core.Var) value {
	_, isInt := v.Type.(core.Int)
	switch {
	case !isInt:
		return value{typ: v.Type}
	case v.Volatile:
		return b.arbitrary(e, "a read of the volatile %s", v.Name)
	case b.values[v] != nil:
		b.ledger.add("const: objects declared const keep their initial values")
		return known(b.values[v])
	}
	return known(v.Ref())
}

// statementExpression lowers ({ … }); the value of its last statement goes to
// dst, or is returned if dst is nil.
func (b *functionLowerer) statementExpression(e *cc.PrimaryExpression, dst *core.Var) value {
	result := void
	for l := e.CompoundStatement.BlockItemList; l != nil; l = l.BlockItemList {
		last := lastExpression(l)
		if last == nil {
			b.blockItem(l.BlockItem)
			continue
		}
		labels := l.BlockItem.Statement
		for labels.Case == cc.StatementLabeled {
			b.labelOnly(labels.LabeledStatement)
			labels = labels.LabeledStatement.Statement
		}
		b.step(at(last.Position()), b.textOf(last), func() {
			if dst != nil {
				b.into(dst, last.ExpressionList)
				return
			}
			if result = b.value(last.ExpressionList); result.expr != nil {
				t := b.temp(result.typ)
				b.assign(t, result.expr)
				result = known(t.Ref())
			}
		})
	}
	return result
}

// lastExpression is the expression statement that l, the rest of a block, ends
// with, if nothing else is left.
func lastExpression(l *cc.BlockItemList) *cc.ExpressionStatement {
	if l.BlockItemList != nil || l.BlockItem.Case != cc.BlockItemStmt {
		return nil
	}
	s := l.BlockItem.Statement
	for s != nil && s.Case == cc.StatementLabeled {
		s = s.LabeledStatement.Statement
	}
	if s == nil || s.Case != cc.StatementExpr || isNil(s.ExpressionStatement.ExpressionList) {
		return nil
	}
	return s.ExpressionStatement
}

func (b *functionLowerer) postfix(e *cc.PostfixExpression) value {
	switch e.Case {
	case cc.PostfixExpressionCall:
		return b.callValue(e)
	case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
		return b.postIncrement(e)
	case cc.PostfixExpressionComplit:
		return b.compoundLiteral(e)
	}
	v := b.lvalue(e)
	if v.v != nil {
		return b.read(e, v.v)
	}
	return b.arbitraryOf(e, v.typ, "a read of %s", b.textOf(e))
}

func (b *functionLowerer) compoundLiteral(e *cc.PostfixExpression) value {
	l := e.InitializerList
	if t, ok := intType(e.TypeName.Type()); ok && l != nil && l.Initializer.Case == cc.InitializerExpr {
		v := b.value(l.Initializer.AssignmentExpression)
		if _, isInt := v.typ.(core.Int); isInt {
			return known(convert(b.force(v), t))
		}
	}
	for ; l != nil; l = l.InitializerList {
		b.initEffects(l.Initializer)
	}
	return b.arbitrary(e, "%s", b.textOf(e))
}

func (b *functionLowerer) unaryValue(e *cc.UnaryExpression) value {
	switch e.Case {
	case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
		return b.increment(e.UnaryExpression, e.Case == cc.UnaryExpressionInc)
	case cc.UnaryExpressionAddrof:
		b.lvalue(e.CastExpression)
		return opaque
	case cc.UnaryExpressionDeref:
		v := b.lvalue(e)
		if v.v != nil {
			return b.read(e, v.v)
		}
		return b.arbitraryOf(e, v.typ, "a read of %s", b.textOf(e))
	case cc.UnaryExpressionSizeofExpr, cc.UnaryExpressionSizeofType, cc.UnaryExpressionAlignofExpr, cc.UnaryExpressionAlignofType:
		if c := b.literal(e); c != nil {
			return known(c)
		}
		return b.arbitrary(e, "%s", b.textOf(e))
	}
	op, arith := unaryOperator(e)
	if !arith {
		b.effect(e.CastExpression)
		return b.arbitrary(e, "%s", b.textOf(e))
	}
	v := b.value(e.CastExpression)
	if _, isInt := v.typ.(core.Int); !isInt {
		return b.arbitrary(e, "%s", b.textOf(e))
	}
	x := b.force(v)
	if op < 0 {
		return known(promote(x))
	}
	if op == core.Neg {
		b.assume(core.Sub, x)
	}
	return known(unary(op, x))
}

func (b *functionLowerer) cast(e *cc.CastExpression) value {
	t := coreType(e.TypeName.Type())
	b.refusePackedEnum(at(e.Position()), e.TypeName.Type())
	if i, isInt := t.(core.Int); isInt {
		if c := b.addressConstant(e, i); c != nil {
			return known(c)
		}
	}
	v := b.value(e.CastExpression)
	to, isInt := t.(core.Int)
	if !isInt {
		return value{typ: t}
	}
	if _, fromInt := v.typ.(core.Int); !fromInt {
		return b.arbitraryOf(e, to, "%s", b.textOf(e))
	}
	if v.expr == nil && v.typ != core.Type(core.Bool) && to.Bits <= v.typ.(core.Int).Bits && !to.Bool {
		return value{typ: to, why: v.why}
	}
	return known(convert(b.force(v), to))
}

// assume puts into the ledger what an operator takes for granted.
func (b *functionLowerer) assume(op core.BinaryOp, x core.Expr) {
	t, _ := promote(x).Type().(core.Int)
	switch op {
	case core.Add, core.Sub, core.Mul:
		if t.Signed || x.Type().(core.Int).Signed {
			b.ledger.add("integers: signed overflow is absent")
		}
	case core.Div, core.Rem:
		b.ledger.add("integers: no division by zero, and no quotient out of range")
	case core.Shl, core.Shr:
		b.ledger.add("integers: shift amounts are within the width, and no signed value is shifted out of range")
	}
}
