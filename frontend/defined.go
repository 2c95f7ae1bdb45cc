package frontend

import (
	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/checks"
	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
)

// This file makes operations of C properties where the user asks for it (package checks), and assumptions
// of the ledger elsewhere.

// operate says that the operator op is applied to x and y, of integer or floating-point types before the
// promotions, by n, whose text is followed by more. Nothing is evaluated: it emits assertions for operators that
// are checked, and puts the assumptions about others into the ledger, each once. -x is 0 - x.
func (b *frame) operate(n cc.ExpressionNode, more string, op core.BinaryOp, x, y core.Expr) {
	// 1. Floating-point operations are defined for all operands, but rounding is assumed.
	if isFloat(x.Type()) || isFloat(y.Type()) {
		b.ledger.add(exactFloats)
		return
	}
	// 2. The operands after the conversions.
	if op.IsShift() {
		x, y = promote(x), promote(y)
	} else {
		t := commonType(x.Type().(core.Int), y.Type().(core.Int))
		x, y = convert(x, t), convert(y, t)
	}
	// 3. The assumption, or the properties.
	s := b.opts.Checks
	switch op {
	case core.Add, core.Sub, core.Mul:
		if x.Type().(core.Int).Signed && !s.Has(checks.Overflow) {
			b.ledger.add(checks.NoOverflow)
		}
	case core.Div, core.Rem:
		if !s.Has(checks.Division) {
			b.ledger.add(checks.NoDivision)
		}
	case core.Shl, core.Shr:
		if !s.Has(checks.Shift) {
			b.ledger.add(checks.NoShift)
		}
	}
	if !s.Has(checks.Overflow) && !s.Has(checks.Division) && !s.Has(checks.Shift) {
		return // an operand may be deep
	}
	for _, p := range s.Arithmetic(op, x, y) {
		b.property(n, b.TextOf(n)+more, p)
	}
}

// followed says that e follows the value x of the pointer n. &p[i] computes an address only; p->f has an
// address in no case where p is null (C11 6.5.3.2).
func (b *frame) followed(e, n cc.ExpressionNode, x core.Expr) {
	if !b.opts.Checks.Has(checks.Null) || objectOf(x) != nil {
		return
	}
	if p, ok := e.(*cc.PostfixExpression); ok && p.Case == cc.PostfixExpressionIndex && b.addressed == e {
		return
	}
	// A number is null or not.
	cond := isTrue(x)
	if a := constantAddress(x); a != nil {
		cond = truth(a.Sign() != 0)
	}
	if c, ok := cond.(*core.Const); ok && c.Val.Sign() != 0 {
		return
	}
	b.property(n, b.TextOf(e), checks.NotNull(cond))
}

// inside returns x, a pointer that was moved. It is assumed to be in an object, so that it is not null: the
// result of container_of need not be checked.
func (b *frame) inside(x core.Expr) core.Expr {
	if o, ok := x.(*core.Offset); ok && b.opts.Checks.Has(checks.Null) && o.Off != 0 && objectOf(x) == nil && constantAddress(x) == nil {
		b.ledger.add(core.AssumePointers)
		b.emit(&core.Assume{Cond: isTrue(x)})
	}
	return x
}

// indexed says that e selects the element number i of x, an array. The address of the element after the last
// one may be computed.
func (b *frame) indexed(e *cc.PostfixExpression, x cc.ExpressionNode, i core.Expr) {
	n := b.arrayLength(x)
	if n == 0 || !b.opts.Checks.Has(checks.Bounds) {
		return
	}
	if b.addressed == cc.ExpressionNode(e) {
		n++
	}
	if p := checks.Index(i, n); !p.Always() {
		b.property(e, b.TextOf(e), p)
	}
}

// arrayLength returns the number of elements of the array x; 0 if that is not known, or if x is a member at the
// end of its structure or of a union, since such arrays are often used beyond their declared end.
func (l *sources) arrayLength(x cc.ExpressionNode) int64 {
	a := ccfix.Decayed(x)
	t, ok := ccfix.OperandType(a).(*cc.ArrayType)
	if !ok || t.Len() <= 0 {
		return 0
	}
	// A member.
	if e, ok := a.(*cc.PostfixExpression); ok && e.Field() != nil && (e.Case == cc.PostfixExpressionSelect || e.Case == cc.PostfixExpressionPSelect) {
		record := e.PostfixExpression.Type()
		if e.Case == cc.PostfixExpressionPSelect {
			record = ccfix.PointedTo(e.PostfixExpression)
		}
		s, ok := record.(*cc.StructType)
		if !ok || isLast(s, e.Field()) {
			return 0
		}
	}
	return t.Len()
}

// isLast reports whether no member with a name comes after f in s.
func isLast(s *cc.StructType, f *cc.Field) bool {
	found := false
	for i := range s.NumFields() {
		switch g := s.FieldByIndex(i); {
		case g == f:
			found = true
		case found && g.Name() != "":
			return false
		}
	}
	return true
}

// property asserts p for n, a construct with the given text.
func (b *frame) property(n cc.Node, text string, p checks.Property) {
	cond := p.Cond.Holds
	// A case distinction is stored first, so that there is one assertion.
	if p.Cond.If != nil {
		t := b.temp(core.Int32)
		t.Logical = true
		b.decide(t, &p.Cond)
		cond = t.Ref()
	}
	b.emit(&core.Assert{Cond: cond, Check: &core.Check{Name: p.Name, Pos: ccfix.At(n.Position()), Text: text}})
}

// decide stores in t whether c holds.
func (b *frame) decide(t *core.Var, c *checks.Condition) {
	if c.If == nil {
		b.assign(t.Ref(), c.Holds)
		return
	}
	b.whether(c.If, func() { b.decide(t, c.Then) }, func() { b.decide(t, c.Else) })
}

// checksIn reports whether an operator in n, an expression without effects, may be checked: then it is
// evaluated although nobody uses its value.
func (b *frame) checksIn(n cc.Node) (found bool) {
	if b.opts.Checks == 0 {
		return false
	}
	ctree.Walk(n, func(n cc.Node) bool {
		switch n := n.(type) {
		case *cc.UnaryExpression:
			found = found || n.Case == cc.UnaryExpressionMinus || n.Case == cc.UnaryExpressionDeref
		case *cc.PostfixExpression:
			found = found || n.Case == cc.PostfixExpressionIndex || n.Case == cc.PostfixExpressionPSelect
		default:
			op, _, _, ok := ctree.BinaryOperator(n)
			found = found || ok && !op.IsComparison() && !op.IsLogical()
		}
		return !found && evaluated(n)
	})
	return found
}

// nowhere returns an assertion that holds, in f, for each kind of check that asserts nothing in the
// procedures that r has lowered: no operation of this kind is reached that could be undefined.
func (r *reacher) nowhere() (nodes []*core.Node) {
	present := map[string]bool{}
	for p := range r.procs {
		for _, n := range p.Nodes {
			if a, ok := n.Stmt.(*core.Assert); ok && a.Check != nil {
				present[a.Check.Name] = true
			}
		}
	}
	kinds := r.opts.Checks &^ checks.OfProgram
	return kinds.Nowhere(func(name string) bool { return present[name] }, r.entry.pos, r.entry.name)
}
