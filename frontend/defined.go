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
// promotions, by n, whose text is given. Nothing is evaluated: it emits assertions for operators that are
// checked, and puts the assumptions about others into the ledger, each once. -x is 0 - x.
func (b *frame) operate(n cc.Node, text string, op core.BinaryOp, x, y core.Expr) {
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
	for _, p := range s.Arithmetic(op, x, y) {
		b.property(n, text, p)
	}
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
	for _, k := range r.opts.Checks.Kinds() {
		any := false
		for _, name := range k.Properties() {
			any = any || present[name]
		}
		if !any {
			c := &core.Check{Name: k.Properties()[0], Pos: r.entry.pos, Text: "no operation of this kind"}
			nodes = append(nodes, &core.Node{Stmt: &core.Assert{Cond: truth(true), Check: c}, Pos: r.entry.pos, Text: r.entry.name, First: true})
		}
	}
	return nodes
}
