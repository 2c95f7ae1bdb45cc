package frontend

import (
	"modernc.org/cc/v4"

	"c2bp/frontend/core"
	"c2bp/source"
)

// This file finds out what evaluating an expression may read and write. Values
// that are computed early must not change until they are used, and effects whose
// order C leaves open must be reported: the order here is left to right.

// effects are the variables that an evaluation may read and write. The region,
// all address-taken variables, stands for what is reached through pointers.
type effects struct {
	reads, writes map[*core.Var]bool
	readsRegion   bool
	writesRegion  bool
	callees       []*function
}

func newEffects() *effects {
	return &effects{reads: map[*core.Var]bool{}, writes: map[*core.Var]bool{}}
}

// mayWrite reports whether the evaluation may change v.
func (e *effects) mayWrite(v *core.Var) bool {
	return e.writes[v] || e.writesRegion && v.AddrTaken
}

func (e *effects) mayRead(v *core.Var) bool {
	return e.reads[v] || e.readsRegion && v.AddrTaken
}

// conflicts reports whether the order of the two evaluations matters. region
// says whether any represented variable has its address taken.
func (e *effects) conflicts(o *effects, region bool) bool {
	return e.disturbs(o, region) || o.disturbs(e, region)
}

// disturbs reports whether e may write what o may read or write.
func (e *effects) disturbs(o *effects, region bool) bool {
	if e.writesRegion && (o.readsRegion || o.writesRegion) && region {
		return true
	}
	for v := range e.writes {
		if o.mayRead(v) || o.mayWrite(v) {
			return true
		}
	}
	if e.writesRegion {
		for v := range o.reads {
			if v.AddrTaken {
				return true
			}
		}
	}
	return false
}

// add puts the effects of a call of f into e and reports whether e has grown.
func (e *effects) add(f *effects) bool {
	n := len(e.reads) + len(e.writes)
	for v := range f.reads {
		if v.Kind == core.Global {
			e.reads[v] = true
		}
	}
	for v := range f.writes {
		if v.Kind == core.Global {
			e.writes[v] = true
		}
	}
	grown := len(e.reads)+len(e.writes) > n || f.readsRegion && !e.readsRegion || f.writesRegion && !e.writesRegion
	e.readsRegion = e.readsRegion || f.readsRegion
	e.writesRegion = e.writesRegion || f.writesRegion
	return grown
}

// hasEffects reports whether evaluating n does more than compute a value.
func (b *functionLowerer) hasEffects(n cc.Node) bool {
	if isNil(n) {
		return false
	}
	if known, ok := b.memo[n]; ok {
		return known
	}
	has := false
	switch e := n.(type) {
	case *cc.AssignmentExpression:
		has = e.Case != cc.AssignmentExpressionCond
	case *cc.PostfixExpression:
		has = e.Case == cc.PostfixExpressionCall && calleeName(e) != typesCompatible || e.Case == cc.PostfixExpressionInc || e.Case == cc.PostfixExpressionDec
	case *cc.UnaryExpression:
		has = e.Case == cc.UnaryExpressionInc || e.Case == cc.UnaryExpressionDec
	case *cc.PrimaryExpression:
		has = e.Case == cc.PrimaryExpressionStmt
	}
	if !has && evaluated(n) {
		for _, c := range children(n) {
			has = has || b.hasEffects(c)
		}
	}
	b.memo[n] = has
	return has
}

// evaluated reports whether the operands of n are evaluated.
func evaluated(n cc.Node) bool {
	switch e := n.(type) {
	case *cc.UnaryExpression:
		switch e.Case {
		case cc.UnaryExpressionSizeofExpr, cc.UnaryExpressionSizeofType, cc.UnaryExpressionAlignofExpr, cc.UnaryExpressionAlignofType:
			return false
		}
	case *cc.TypeName, *cc.DeclarationSpecifiers:
		return false
	}
	return true
}

// effectsOf collects the effects of evaluating n.
func (b *functionLowerer) effectsOf(n cc.Node) *effects {
	e := b.directEffects(n)
	for _, f := range e.callees {
		e.add(f.effects)
	}
	return e
}

// directEffects collects the effects of n but those of the functions it calls.
func (b *functionLowerer) directEffects(n cc.Node) *effects {
	e := newEffects()
	var visit func(cc.Node) bool
	visit = func(n cc.Node) bool {
		switch x := n.(type) {
		case *cc.AssignmentExpression:
			if x.Case == cc.AssignmentExpressionCond {
				return true
			}
			b.writeEffect(e, x.UnaryExpression)
			if _, ok := b.simpleVariable(x.UnaryExpression); ok && x.Case == cc.AssignmentExpressionAssign {
				walk(x.AssignmentExpression, visit)
				return false
			}
		case *cc.UnaryExpression:
			switch x.Case {
			case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
				b.writeEffect(e, x.UnaryExpression)
			case cc.UnaryExpressionDeref:
				e.readsRegion = true
			}
		case *cc.PostfixExpression:
			switch x.Case {
			case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
				b.writeEffect(e, x.PostfixExpression)
			case cc.PostfixExpressionPSelect, cc.PostfixExpressionIndex:
				e.readsRegion = true
			case cc.PostfixExpressionCall:
				b.callEffect(e, x)
			}
		case *cc.PrimaryExpression:
			if d, ok := x.ResolvedTo().(*cc.Declarator); ok && x.Case == cc.PrimaryExpressionIdent {
				if v := b.vars[d]; v != nil {
					e.reads[v] = true
				}
			}
		case *cc.AsmStatement:
			e.readsRegion, e.writesRegion = true, true
		}
		return evaluated(n)
	}
	walk(n, visit)
	return e
}

func (b *functionLowerer) writeEffect(e *effects, lhs cc.ExpressionNode) {
	n := strip(lhs)
	for {
		if v, ok := b.simpleVariable(n); ok {
			e.writes[v] = true
			return
		}
		if p, ok := n.(*cc.PostfixExpression); ok && p.Case == cc.PostfixExpressionSelect {
			n = strip(p.PostfixExpression)
			continue
		}
		break
	}
	if id := identifier(n); id != nil {
		if d, ok := id.ResolvedTo().(*cc.Declarator); ok && n == cc.ExpressionNode(id) {
			if v := b.vars[d]; v != nil { // volatile or opaque
				e.writes[v] = true
				return
			}
		}
	}
	e.writesRegion = true
}

func (b *functionLowerer) callEffect(e *effects, call *cc.PostfixExpression) {
	f := b.calleeOf(call)
	switch {
	case f == nil:
		e.readsRegion, e.writesRegion = true, true
		b.anyCallee(e)
	case f.def != nil:
		e.callees = append(e.callees, f)
	case !isIntrinsic(f.name) || mayStore(f.name, arguments(call)):
		e.readsRegion, e.writesRegion = true, true
		for _, a := range arguments(call) {
			if functionType(a.Type()) != nil { // it may be called back
				b.anyCallee(e)
			}
		}
	}
}

// anyCallee adds every function whose address is taken.
func (b *functionLowerer) anyCallee(e *effects) {
	for _, g := range b.order {
		if g.addrTaken && g.def != nil {
			e.callees = append(e.callees, g)
		}
	}
}

// summarise computes the effects of every function, calls included. Callees come
// before callers where possible, so few rounds are needed.
func (l *linker) summarise(bodies []*functionLowerer) {
	for _, b := range bodies {
		b.fn.effects = b.directEffects(b.fn.def.CompoundStatement)
		b.fn.effects.callees = distinct(b.fn.effects.callees)
	}
	order := bottomUp(l.defined)
	for changed := true; changed; {
		changed = false
		for _, f := range order {
			for _, g := range f.effects.callees {
				changed = f.effects.add(g.effects) || changed
			}
		}
	}
	for _, o := range l.ordered {
		l.region = l.region || o.v.AddrTaken && isScalar(o.v)
	}
	for _, b := range bodies {
		for _, v := range append(b.proc.Locals, b.proc.Formals...) {
			l.region = l.region || v.AddrTaken && isScalar(v)
		}
	}
}

// distinct drops repetitions.
func distinct(list []*function) (out []*function) {
	seen := map[*function]bool{}
	for _, f := range list {
		if !seen[f] {
			seen[f] = true
			out = append(out, f)
		}
	}
	return out
}

// bottomUp orders functions so that callees precede their callers, cycles aside.
func bottomUp(list []*function) (order []*function) {
	type frame struct {
		f    *function
		next int // callee to visit next
	}
	seen := map[*function]bool{}
	for _, root := range list {
		if seen[root] {
			continue
		}
		seen[root] = true
		for stack := []frame{{root, 0}}; len(stack) > 0; {
			top := &stack[len(stack)-1]
			if top.next == len(top.f.effects.callees) {
				order = append(order, top.f)
				stack = stack[:len(stack)-1]
				continue
			}
			g := top.f.effects.callees[top.next]
			top.next++
			if !seen[g] {
				seen[g] = true
				stack = append(stack, frame{g, 0})
			}
		}
	}
	return order
}

// checkOrder reports operands whose effects conflict without C ordering them.
func (b *functionLowerer) checkOrder(n cc.Node, x, y cc.Node) { b.checkOrderOf(n, x, y) }

func (b *functionLowerer) checkOrderOf(n cc.Node, operands ...cc.Node) {
	any := false
	for _, x := range operands {
		any = any || b.hasEffects(x)
	}
	if !any || len(operands) < 2 {
		return
	}
	all := make([]*effects, len(operands))
	for i, x := range operands {
		all[i] = b.effectsOf(x)
	}
	for i, x := range all {
		for _, y := range all[i+1:] {
			if x.conflicts(y, b.region) {
				b.unordered(n)
				return
			}
		}
	}
}

// checkAssignment is checkOrder for an assignment: its own store follows the
// evaluation of both sides, but not the side effects that are pending then.
func (b *functionLowerer) checkAssignment(e *cc.AssignmentExpression, compound bool) {
	if !b.hasEffects(e.UnaryExpression) && !b.hasEffects(e.AssignmentExpression) {
		return
	}
	v, ok := b.simpleVariable(e.UnaryExpression)
	if !ok {
		if b.effectsOf(e.UnaryExpression).conflicts(b.effectsOf(e.AssignmentExpression), b.region) {
			b.unordered(e)
		}
		return
	}
	if b.pending(e.AssignmentExpression, v) || compound && b.effectsOf(e.AssignmentExpression).mayWrite(v) {
		b.unordered(e)
	}
}

// pending reports whether n assigns to v without a sequence point before the end
// of its evaluation.
func (b *functionLowerer) pending(n cc.ExpressionNode, v *core.Var) bool {
	if n = strip(n); !b.hasEffects(n) {
		return false
	}
	if op, x, y, ok := binaryOperator(n); ok {
		return b.pending(y, v) || !op.IsLogical() && b.pending(x, v)
	}
	own := func(lhs cc.ExpressionNode) bool {
		w, ok := b.simpleVariable(lhs)
		return ok && v == w
	}
	switch e := n.(type) {
	case *cc.ExpressionList:
		for e.ExpressionList != nil {
			e = e.ExpressionList
		}
		return b.pending(e.AssignmentExpression, v)
	case *cc.ConditionalExpression:
		return !isNil(e.ExpressionList) && b.pending(e.ExpressionList, v) || b.pending(e.ConditionalExpression, v)
	case *cc.AssignmentExpression:
		return own(e.UnaryExpression) || b.pending(e.UnaryExpression, v) || b.pending(e.AssignmentExpression, v)
	case *cc.CastExpression:
		return b.pending(e.CastExpression, v)
	case *cc.UnaryExpression:
		if e.Case == cc.UnaryExpressionInc || e.Case == cc.UnaryExpressionDec {
			return own(e.UnaryExpression)
		}
		return !isNil(e.CastExpression) && b.pending(e.CastExpression, v)
	case *cc.PostfixExpression:
		switch e.Case {
		case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
			return own(e.PostfixExpression)
		case cc.PostfixExpressionIndex:
			return b.pending(e.PostfixExpression, v) || b.pending(e.ExpressionList, v)
		}
	}
	return false
}

func (b *functionLowerer) unordered(n cc.Node) {
	pos := at(n.Position())
	b.note(source.Warning, pos, "the order of side effects in %s is not defined by C; left to right is assumed", b.textOf(n))
	b.ledger.add("order of evaluation at %s:%d: left to right", pos.File, pos.Line)
}
