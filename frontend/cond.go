package frontend

import (
	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
	"c2bp/source"
)

// This file lowers conditions: && || ! and ?: are control flow. The parts of a condition are tested by
// Branch and Assume nodes, and not stored.

// isLogical reports whether n, an expression of value 0 or 1, must become control flow: && and ||,
// comparisons of values that are not represented, and ! of such. A comparison of numbers or
// pointers is no control flow: its value is an expression.
func (l *typing) isLogical(n cc.ExpressionNode) bool {
	n = ctree.Strip(n)
	if e, ok := n.(*cc.UnaryExpression); ok {
		if e.Case != cc.UnaryExpressionNot {
			return false
		}
		return !l.hasValue(e.CastExpression) || l.isLogical(e.CastExpression)
	}
	// Operators: && and ||, comparisons of values that are not represented, (a && b) == 0.
	op, x, y, ok := ctree.BinaryOperator(n)
	if !ok {
		return false
	}
	if op.IsLogical() {
		return true
	}
	if !op.IsComparison() {
		return false
	}
	if !l.hasValue(x) || !l.hasValue(y) {
		return true
	}
	inner, _ := comparedWithZero(n)
	return inner != nil && l.isLogical(inner)
}

// hasValue reports whether n is a number or a pointer, arrays and functions included.
func (l *typing) hasValue(n cc.ExpressionNode) bool {
	t := n.Type()
	return t != nil && (l.scalarType(t) != nil || t.Kind() == cc.Array || t.Kind() == cc.Function)
}

// comparedWithZero returns e and the operator for the conditions e == 0 and e != 0; e is nil for others.
// op is meaningful only if e is not nil.
func comparedWithZero(n cc.ExpressionNode) (e cc.ExpressionNode, op core.BinaryOp) {
	op, x, y, ok := ctree.BinaryOperator(n)
	if !ok || op != core.Eq && op != core.Ne {
		return nil, op
	}
	// On either side.
	if isZero(y) {
		return x, op
	}
	if isZero(x) {
		return y, op
	}
	return nil, op
}

// isZero reports whether n is the literal 0.
func isZero(n cc.ExpressionNode) bool {
	p, ok := ctree.Strip(n).(*cc.PrimaryExpression)
	if !ok || p.Case != cc.PrimaryExpressionInt {
		return false
	}
	v := ctree.Integer(p.Value())
	return v != nil && v.Sign() == 0
}

// constantCondition returns the value of n if n is && || or ?: of constants; nil for others, since
// other operators fold constants themselves.
func (l *program) constantCondition(n cc.ExpressionNode) *core.Const {
	if op, _, _, ok := ctree.BinaryOperator(n); !ok || !op.IsLogical() {
		if _, ok := n.(*cc.ConditionalExpression); !ok {
			return nil
		}
	}
	x, err := l.pure(n, nil)
	if err != nil {
		return nil
	}
	c, _ := x.(*core.Const)
	return c
}

// logicalEffect evaluates a condition for its side effects. f() && g(); calls g only if f() is
// true. If only the first operand has effects, the branch remains, but both ways lead to end.
func (b *functionLowerer) logicalEffect(n cc.ExpressionNode) {
	op, x, y, ok := ctree.BinaryOperator(n)
	if ok && op.IsLogical() && b.hasEffects(y) {
		// Only the second operand is skipped.
		next, end := newLabel(), newLabel()
		if op == core.LAnd {
			b.cond(x, next, end)
		} else {
			b.cond(x, end, next)
		}
		b.place(next)
		b.effect(y)
		b.place(end)
		return
	}
	end := newLabel()
	b.cond(n, end, end)
	b.place(end)
}

// cond evaluates n and jumps to yes if it is not zero, else to no. Afterwards no end is open: each
// way has jumped to one of the labels. The condition a && !b becomes
//
//	branch; assume a  -> next;  assume !a -> no
//	next: branch; assume b -> no;  assume !b -> yes
//
// so each Assume is about one comparison, and the values of a and b are never stored.
func (b *functionLowerer) cond(n cc.ExpressionNode, yes, no *label) {
	// 1. Constants.
	n = ctree.Strip(n)
	if c := b.constantCondition(n); c != nil {
		b.testExpr(c, yes, no)
		return
	}
	if c := b.foldCondition(n); c != nil {
		b.testExpr(c, yes, no)
		return
	}
	// 2. A condition compared with 0, as (a && b) != 0, is the condition or its negation.
	if e, op := comparedWithZero(n); e != nil && b.isLogical(e) {
		if op == core.Eq {
			yes, no = no, yes
		}
		b.cond(e, yes, no)
		return
	}
	// 3. && and ||: the second operand is not evaluated if it is never reached.
	if op, x, y, ok := ctree.BinaryOperator(n); ok && op.IsLogical() {
		next := newLabel()
		if op == core.LAnd {
			b.cond(x, next, no)
		} else {
			b.cond(x, yes, next)
		}
		next.closed = true
		// If x is a constant that decides, nothing leads to next.
		if b.place(next); !b.dead() {
			b.cond(y, yes, no)
		}
		return
	}
	// 4. Other expressions that are conditions of parts; all others are tested.
	switch e := n.(type) {
	case *cc.ExpressionList:
		for ; e.ExpressionList != nil; e = e.ExpressionList {
			b.effect(e.AssignmentExpression)
		}
		b.cond(e.AssignmentExpression, yes, no)
		return
	case *cc.UnaryExpression:
		if e.Case == cc.UnaryExpressionNot {
			b.cond(e.CastExpression, no, yes)
			return
		}
	case *cc.CastExpression:
		if t, ok := ctree.IntType(e.TypeName.Type()); ok && b.isLogical(e.CastExpression) && t.Bits > 0 {
			b.cond(e.CastExpression, yes, no) // 0 and 1 are values of every type
			return
		}
	case *cc.ConditionalExpression:
		b.conditionalCond(e, yes, no)
		return
	case *cc.PostfixExpression:
		if args := b.expectCall(e); args != nil && !b.hasEffects(args[1]) {
			b.cond(args[0], yes, no)
			return
		}
	}
	b.test(n, yes, no)
}

// conditionalCond is cond for c ? x : y and a ?: b. The result is never stored; the paths of c, x
// and y lead to yes and no at once.
func (b *functionLowerer) conditionalCond(e *cc.ConditionalExpression, yes, no *label) {
	if ctree.IsNil(e.ExpressionList) { // a ?: b
		next := newLabel()
		b.cond(e.LogicalOrExpression, yes, next)
		b.place(next)
		b.cond(e.ConditionalExpression, yes, no)
		return
	}
	x, y := newLabel(), newLabel()
	b.cond(e.LogicalOrExpression, x, y)
	b.place(x)
	b.cond(e.ExpressionList, yes, no)
	b.place(y)
	b.cond(e.ConditionalExpression, yes, no)
}

// test branches on the value of n, which is not split into parts any more.
func (b *functionLowerer) test(n cc.ExpressionNode, yes, no *label) {
	if op, x, y, ok := ctree.BinaryOperator(n); ok && b.isLogical(n) && op.IsComparison() {
		b.checkOrder(n, x, y)
		b.lose(x)
		b.lose(y)
		b.either(n, yes, no)
		return
	}
	// A value that is not represented allows both ways.
	v := b.value(n)
	if !isScalarType(v.typ) {
		b.lost(v)
		b.either(n, yes, no)
		return
	}
	// The branch itself takes the input.
	if v.expr == nil { // an unknown value needs no temporary
		br := b.arms(nil, yes, no)
		br.Input, br.Free = v.input, v.input != nil && v.input.CName == freeChoice
		return
	}
	b.testExpr(v.expr, yes, no)
}

// testExpr branches on the integer or pointer e. A constant condition leaves one way only, without
// a Branch.
func (b *frame) testExpr(e core.Expr, yes, no *label) {
	e = isTrue(e)
	if c, ok := e.(*core.Const); ok {
		b.skip()
		if c.Val.Sign() != 0 {
			b.jump(yes)
		} else {
			b.jump(no)
		}
		return
	}
	b.arms(e, yes, no)
}

// either branches to yes and no, whatever n is: its value is not represented.
func (b *frame) either(n cc.ExpressionNode, yes, no *label) {
	b.note(source.Note, ccfix.At(n.Position()), "the condition %s depends on what has no value here: both branches are considered", b.TextOf(n))
	b.arms(nil, yes, no)
}

// arms emits the branch of the condition e with its two arms, and returns the Branch; e is nil if
// the condition is not known. The first successor of the Branch is the way on which e holds.
func (b *frame) arms(e core.Expr, yes, no *label) *core.Node {
	br := b.branch()
	for _, arm := range []struct {
		origin core.Origin
		to     *label
	}{{core.BranchTrue, yes}, {core.BranchFalse, no}} {
		b.arm(br)
		var s core.Stmt = &core.Skip{}
		switch {
		case e != nil && arm.origin == core.BranchTrue:
			s = &core.Assume{Cond: e}
		case e != nil:
			s = &core.Assume{Cond: core.Negate(e)}
		}
		// Traces show which way was taken.
		b.emit(s).Origin = arm.origin
		b.jump(arm.to)
	}
	return br
}

// logicalValue stores a condition, 0 or 1, in a temporary.
//
//	y = a && b      $1 := 1 and $1 := 0 on the two ways; y := $1
func (b *functionLowerer) logicalValue(n cc.ExpressionNode) value {
	t := b.temp(core.Int32)
	t.Logical = true
	b.storeCondition(t.Ref(), n)
	return known(t.Ref())
}

// storeCondition assigns 1 to dst where the condition n holds, and 0 where it does not. The address
// of dst must not depend on anything that n changes.
func (b *functionLowerer) storeCondition(dst core.Loc, n cc.ExpressionNode) {
	yes, no, end := newLabel(), newLabel(), newLabel()
	b.cond(n, yes, no)
	t := dst.Type().(core.Int)
	b.place(yes)
	b.assign(dst, convert(truth(true), t)) // a bit-field of one bit may hold 0 and -1
	b.jump(end)
	b.place(no)
	b.assign(dst, convert(truth(false), t))
	b.place(end)
}

// conditionalEffect lowers c ? x : y for its side effects.
func (b *functionLowerer) conditionalEffect(e *cc.ConditionalExpression) {
	if b.assertion(e) {
		return
	}
	yes, no, end := newLabel(), newLabel(), newLabel()
	b.cond(e.LogicalOrExpression, yes, no)
	b.place(yes)
	// a ?: b has no second operand: nothing to do if a is true.
	if !ctree.IsNil(e.ExpressionList) {
		b.effect(e.ExpressionList)
	}
	b.jump(end)
	b.place(no)
	b.effect(e.ConditionalExpression)
	b.place(end)
}

// conditionalValue lowers c ? x : y for its value: a temporary with the value, or with the address of a
// struct or union.
func (b *functionLowerer) conditionalValue(e *cc.ConditionalExpression) value {
	// A scalar goes to a temporary on both ways.
	switch t := b.conditionalCore(e).(type) {
	case core.Int, core.Ptr:
		dst := b.temp(t)
		b.conditionalInto(dst.Ref(), e)
		return known(dst.Ref())
	case core.Agg: // the address of one of the two
		if ctree.IsNil(e.ExpressionList) {
			break
		}
		dst := b.temp(b.pointer())
		b.choose(e, func(n cc.ExpressionNode) {
			if v := b.aggregateValue(n); v.addr != nil {
				b.assign(dst.Ref(), v.addr)
			} else {
				b.assign(dst.Ref(), b.anyValue(t))
			}
		})
		return value{typ: t, addr: dst.Ref()}
	}
	// void, or a value that is not represented.
	t := b.coreType(e.Type())
	if _, isVoid := t.(core.Void); isVoid || ctree.IsNil(e.ExpressionList) {
		b.conditionalEffect(e)
	} else {
		b.choose(e, b.lose)
	}
	return value{typ: t}
}

// conditionalCore returns the type of c ? x : y: the common type of two integers, a pointer if one
// of x and y is a pointer, else the type according to cc. cc's own type is wrong for some integer
// operands, so it is the last choice.
func (l *typing) conditionalCore(e *cc.ConditionalExpression) core.Type {
	if t, ok := l.conditionalType(e); ok {
		return t
	}
	// In a ?: b the first operand is also the result.
	x := cc.ExpressionNode(e.LogicalOrExpression)
	if !ctree.IsNil(e.ExpressionList) {
		x = e.ExpressionList
	}
	for _, n := range []cc.ExpressionNode{x, e.ConditionalExpression} {
		if t := n.Type(); t != nil && (t.Kind() == cc.Ptr || t.Kind() == cc.Function || t.Kind() == cc.Array) {
			return l.pointer()
		}
	}
	return l.coreType(e.Type())
}

// conditionalInto assigns c ? x : y to dst on each way. Both operands are first
// converted to their common type.
func (b *functionLowerer) conditionalInto(dst core.Loc, e *cc.ConditionalExpression) {
	// The common type comes first: (c ? -1 : 1u) is unsigned.
	t := b.conditionalCore(e)
	yes, no, end := newLabel(), newLabel(), newLabel()
	if ctree.IsNil(e.ExpressionList) { // a ?: b evaluates a once
		v := b.coerce(e.LogicalOrExpression, b.value(e.LogicalOrExpression), t)
		b.testExpr(v, yes, no)
		b.place(yes)
		b.assign(dst, to(v, dst.Type()))
	} else {
		b.cond(e.LogicalOrExpression, yes, no)
		b.place(yes)
		b.intoVia(dst, t, e.ExpressionList)
	}
	b.jump(end)
	b.place(no)
	b.intoVia(dst, t, e.ConditionalExpression)
	b.place(end)
}
