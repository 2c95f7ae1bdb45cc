package frontend

import (
	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
	"c2bp/source"
)

// This file warns about side effects whose order C does not specify (C23 6.5.1p2).

// checkOrder warns if the effects of two operands conflict: C does not order them. The order left
// to right is assumed all the same, with a line in the ledger: the verdict holds for compilers that
// evaluate so.
func (b *functionLowerer) checkOrder(n cc.Node, x, y cc.Node) { b.checkOrderOf(n, x, y) }

// checkOrderOf is checkOrder for any number of operands.
func (b *functionLowerer) checkOrderOf(n cc.Node, operands ...cc.Node) {
	// Operands without effects commute, whatever they read.
	any := false
	for _, x := range operands {
		any = any || b.hasEffects(x)
	}
	if !any || len(operands) < 2 {
		return
	}
	// Compare the effects of each two operands.
	all := make([]*effects, len(operands))
	for i, x := range operands {
		all[i] = b.effectsOf(x)
	}
	for i, x := range all {
		for _, y := range all[i+1:] {
			if x.conflicts(y) {
				b.unordered(n)
				return
			}
		}
	}
}

// checkMembers warns if the effects of two initialisers in the list n, overridden ones included,
// conflict: C does not order them. The order here is that of gcc: by members. The second loop
// compares initialisers in the order of the text, and one without effects only with those that have
// some.
func (f *flattener) checkMembers(n cc.Node, leaves []leaf) {
	any := false
	for _, e := range f.seen {
		any = any || f.hasEffects(e)
	}
	// 1. An initialiser that reads the object itself.
	own := f.ownVariable(leaves)
	if !any && own == nil {
		return
	}
	all := make([]*effects, len(f.seen))
	for i, e := range f.seen {
		if all[i] = f.effectsOf(e); own != nil && (all[i].reads[own] || all[i].readsMemory && f.names(e, own)) {
			f.unorderedMembers(n)
			return
		}
	}
	// 2. Two that conflict with each other.
	for i, x := range f.seen {
		for j := range i {
			if y := f.seen[j]; x != y && (f.hasEffects(x) || f.hasEffects(y)) && all[i].conflicts(all[j]) {
				f.unorderedMembers(n)
				return
			}
		}
	}
}

// ownVariable returns the variable that contains leaves if an initialiser names it, else nil. For
// int a[2] = { 1, a[0] } it is a: whether a[0] is stored when it is read is not specified.
func (f *flattener) ownVariable(leaves []leaf) *core.Var {
	if len(leaves) == 0 || leaves[0].addr == nil {
		return nil
	}
	v := objectOf(leaves[0].addr)
	if v == nil {
		return nil
	}
	for _, e := range f.seen {
		if f.names(e, v) {
			return v
		}
	}
	return nil
}

// names reports whether the variable v is named in n where it is evaluated.
func (l *program) names(n cc.ExpressionNode, v *core.Var) (found bool) {
	ctree.Walk(n, func(n cc.Node) bool {
		if id, ok := n.(*cc.PrimaryExpression); ok && id.Case == cc.PrimaryExpressionIdent {
			d, isVar := id.ResolvedTo().(*cc.Declarator)
			found = found || isVar && l.vars[d] == v
		}
		return !found && evaluated(n)
	})
	return found
}

// unorderedMembers warns that the order of the initialisers in n matters.
func (l *sources) unorderedMembers(n cc.Node) {
	pos := ccfix.At(n.Position())
	l.note(source.Warning, pos, "the order of side effects in %s is not defined by C; that of the members is assumed", l.TextOf(n))
	l.ledger.add("order of evaluation at %s:%d: by members", pos.File, pos.Line)
}

// checkAssignment is checkOrder for an assignment: its own store follows the
// evaluation of both sides, but not the side effects that are pending then.
//
//	i = i + 1      fine: the store follows the reads
//	i = i++        a pending store to i: a warning
//	i = (i++, 0)   fine: the comma is a sequence point
//	i += f()       a warning if f may write i
//	a[i] = i++     the address reads i: a warning
func (b *functionLowerer) checkAssignment(e *cc.AssignmentExpression, compound bool) {
	if !b.hasEffects(e.UnaryExpression) && !b.hasEffects(e.AssignmentExpression) {
		return
	}
	// 1. A place: computing its address may conflict with the right side.
	v, ok := b.simpleVariable(e.UnaryExpression)
	if !ok {
		lhs := effectCollector{b, newEffects()}
		lhs.address(e.UnaryExpression)
		rhs := b.effectsOf(e.AssignmentExpression)
		if compound {
			lhs.read(e.UnaryExpression)
		}
		for _, f := range lhs.callees {
			lhs.add(f.effects)
		}
		text := b.TextOf(ctree.Strip(e.UnaryExpression))
		same := func(x cc.ExpressionNode) bool { return b.TextOf(ctree.Strip(x)) == text } // p->n = p->n++
		if lhs.conflicts(rhs) || b.pending(e.AssignmentExpression, same) {
			b.unordered(e)
		}
		return
	}
	// 2. A variable.
	own := func(lhs cc.ExpressionNode) bool {
		w, ok := b.simpleVariable(lhs)
		return ok && v == w
	}
	if b.pending(e.AssignmentExpression, own) || compound && b.effectsOf(e.AssignmentExpression).mayWrite(v) {
		b.unordered(e)
	}
}

// pending reports whether n assigns to a place that own accepts without a sequence point before the
// end of its evaluation. Only stores of n itself count: a function that n calls has sequence points
// before it returns.
func (b *frame) pending(n cc.ExpressionNode, own func(lhs cc.ExpressionNode) bool) bool {
	if n = ctree.Strip(n); !b.hasEffects(n) {
		return false
	}
	// && and || have a sequence point after the first operand.
	if op, x, y, ok := ctree.BinaryOperator(n); ok {
		return b.pending(y, own) || !op.IsLogical() && b.pending(x, own)
	}
	switch e := n.(type) {
	case *cc.ExpressionList:
		// So has the comma operator.
		for e.ExpressionList != nil {
			e = e.ExpressionList
		}
		return b.pending(e.AssignmentExpression, own)
	case *cc.ConditionalExpression:
		// And ?: after its condition.
		return !ctree.IsNil(e.ExpressionList) && b.pending(e.ExpressionList, own) || b.pending(e.ConditionalExpression, own)
	case *cc.AssignmentExpression:
		return own(e.UnaryExpression) || b.pending(e.UnaryExpression, own) || b.pending(e.AssignmentExpression, own)
	case *cc.CastExpression:
		return b.pending(e.CastExpression, own)
	case *cc.UnaryExpression:
		if e.Case == cc.UnaryExpressionInc || e.Case == cc.UnaryExpressionDec {
			return own(e.UnaryExpression)
		}
		return !ctree.IsNil(e.CastExpression) && b.pending(e.CastExpression, own)
	case *cc.PostfixExpression:
		switch e.Case {
		case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
			return own(e.PostfixExpression)
		case cc.PostfixExpressionIndex:
			return b.pending(e.PostfixExpression, own) || b.pending(e.ExpressionList, own)
		}
	}
	return false
}

// unordered warns that the order of the operands of n matters.
func (l *sources) unordered(n cc.Node) {
	pos := ccfix.At(n.Position())
	l.note(source.Warning, pos, "the order of side effects in %s is not defined by C; left to right is assumed", l.TextOf(n))
	l.ledger.add("order of evaluation at %s:%d: left to right", pos.File, pos.Line)
}
