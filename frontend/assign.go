package frontend

import (
	"modernc.org/cc/v4"

	"c2bp/frontend/core"
	"c2bp/source"
)

// This file lowers what stores: assignments, ++ and --, initialisation.

// place is what an lvalue denotes.
type place struct {
	v       *core.Var // a variable, or nil
	typ     core.Type
	pointer bool // reached through a pointer: anything address-taken may be it
}

// lvalue evaluates the side effects of an lvalue and says what it denotes.
func (b *functionLowerer) lvalue(n cc.ExpressionNode) place {
	n = strip(n)
	p := place{typ: coreType(n.Type())}
	switch e := n.(type) {
	case *cc.PrimaryExpression:
		if e.Case == cc.PrimaryExpressionIdent {
			if d, ok := e.ResolvedTo().(*cc.Declarator); ok {
				if v := b.vars[d]; v != nil {
					return place{v: v, typ: v.Type}
				}
			}
			return p
		}
		b.effect(e)
	case *cc.UnaryExpression:
		if e.Case == cc.UnaryExpressionDeref {
			return b.dereference(e.CastExpression, p)
		}
		b.effect(e)
	case *cc.PostfixExpression:
		switch e.Case {
		case cc.PostfixExpressionSelect:
			base := b.lvalue(e.PostfixExpression)
			return place{typ: fieldType(e.Field(), e.Type()), pointer: base.pointer}
		case cc.PostfixExpressionPSelect:
			base := b.dereference(e.PostfixExpression, p)
			return place{typ: fieldType(e.Field(), e.Type()), pointer: base.pointer}
		case cc.PostfixExpressionIndex:
			return b.element(e, p)
		}
		b.effect(e)
	default:
		b.effect(n)
	}
	return p
}

// isScalar reports whether v is represented, so that it matters who writes it.
func isScalar(v *core.Var) bool {
	_, ok := v.Type.(core.Int)
	return ok
}

// dereference is the place *pointer, of type p.typ; *&x is x.
func (b *functionLowerer) dereference(pointer cc.ExpressionNode, p place) place {
	if a, ok := strip(pointer).(*cc.UnaryExpression); ok && a.Case == cc.UnaryExpressionAddrof {
		return b.lvalue(a.CastExpression)
	}
	if d := decayed(pointer); d != nil { // *a is a[0]
		return place{typ: p.typ, pointer: b.lvalue(d).pointer}
	}
	b.effect(pointer)
	b.ledger.add(noInvalidAccess)
	p.pointer = true
	return p
}

const noInvalidAccess = "memory: no access outside of an object or after its lifetime"

// element is the place x[i].
func (b *functionLowerer) element(e *cc.PostfixExpression, p place) place {
	x, i := e.PostfixExpression, e.ExpressionList
	if _, swapped := intType(x.Type()); swapped {
		x, i = i, x
	}
	b.checkOrder(e, x, i)
	b.ledger.add(noInvalidAccess)
	p.pointer = true
	if d := decayed(x); d != nil {
		p.pointer = b.lvalue(d).pointer
	} else {
		b.effect(x)
	}
	b.effect(i)
	return p
}

// decayed is n if it is an array that has become a pointer to its first element.
func decayed(n cc.ExpressionNode) cc.ExpressionNode {
	n = strip(n)
	if n.Type() == nil || n.Type().Undecay() == nil || n.Type().Undecay().Kind() != cc.Array {
		return nil
	}
	switch e := n.(type) {
	case *cc.PrimaryExpression:
		if e.Case == cc.PrimaryExpressionIdent {
			if d, ok := e.ResolvedTo().(*cc.Declarator); ok && (d.IsParam() || d.Type().Kind() == cc.Ptr) {
				return nil
			}
		}
		return n
	case *cc.PostfixExpression, *cc.UnaryExpression:
		return n
	}
	return nil
}

// store assigns v to p; text is the C text of the left side.
func (b *functionLowerer) store(n cc.ExpressionNode, p place, v value) value {
	b.checkConst(n, p)
	t, isInt := p.typ.(core.Int)
	_, fromInt := v.typ.(core.Int)
	switch {
	case p.v != nil && isInt && fromInt && v.expr != nil:
		x := convert(v.expr, t)
		b.assign(p.v, x)
		if _, ok := x.(*core.Const); ok || p.v.Volatile {
			return known(x)
		}
		return known(p.v.Ref())
	case p.v != nil && isInt:
		b.emit(&core.Havoc{Locs: []core.Loc{p.v.Ref()}, Why: v.why})
		if p.v.Volatile {
			return value{typ: t, why: v.why}
		}
		return known(p.v.Ref())
	case p.v != nil:
		return value{typ: p.typ}
	case p.pointer:
		b.pointerWrite(n)
	default:
		b.note(source.Note, at(n.Position()), "the value stored in %s is not kept: structs and arrays are not represented", b.textOf(n))
	}
	if isInt && fromInt && v.expr != nil {
		return known(convert(v.expr, t))
	}
	return value{typ: p.typ, why: v.why}
}

// checkConst refuses assignments to constants, which cc lets pass: their values
// are taken for granted.
func (b *functionLowerer) checkConst(n cc.ExpressionNode, p place) {
	if p.v != nil && isScalar(p.v) && b.consts[p.v] {
		b.error(at(n.Position()), "assignment to the constant %s", p.v.Name)
	}
}

// pointerWrite makes arbitrary what a write through a pointer may change.
func (b *functionLowerer) pointerWrite(n cc.ExpressionNode) {
	b.emit(&core.Havoc{Region: true, Why: "write through pointer: " + b.textOf(n)})
	b.note(source.Note, at(n.Position()), "a write through a pointer, %s, makes every address-taken variable arbitrary", b.textOf(n))
}

// assignment lowers = and the compound assignments.
func (b *functionLowerer) assignment(e *cc.AssignmentExpression) value {
	op, compound := compoundOperator(e.Case)
	b.checkAssignment(e, compound)
	p := b.lvalue(e.UnaryExpression)
	t, isInt := p.typ.(core.Int)
	switch {
	case compound && isInt:
		old := b.keep(b.current(e.UnaryExpression, p), e.AssignmentExpression)
		v := b.value(e.AssignmentExpression)
		if _, ok := v.typ.(core.Int); !ok {
			return b.store(e.UnaryExpression, p, b.arbitraryOf(e, t, "%s", b.textOf(e)))
		}
		x, y := b.force(old), b.force(v)
		b.assume(op, x)
		return b.store(e.UnaryExpression, p, known(binary(op, x, y)))
	case compound || !isInt:
		b.effect(e.AssignmentExpression)
		return b.store(e.UnaryExpression, p, value{typ: p.typ})
	case p.v != nil:
		return b.assignVariable(p.v, e)
	}
	v := b.value(e.AssignmentExpression)
	if _, ok := v.typ.(core.Int); !ok {
		v = value{typ: t}
	}
	return b.store(e.UnaryExpression, p, v)
}

// assignVariable lowers v = e; the value of a constant assignment is the
// constant.
func (b *functionLowerer) assignVariable(v *core.Var, e *cc.AssignmentExpression) value {
	if v.Volatile {
		x := b.value(e.AssignmentExpression)
		if _, ok := x.typ.(core.Int); !ok {
			x = b.arbitraryOf(e.AssignmentExpression, v.Type, "%s", b.textOf(e.AssignmentExpression))
		}
		if _, isConst := x.expr.(*core.Const); x.expr != nil && !isConst { // the value must stay
			t := b.temp(v.Type)
			b.assign(t, convert(x.expr, v.Type.(core.Int)))
			x = known(t.Ref())
		}
		return b.store(e.UnaryExpression, place{v: v, typ: v.Type}, x)
	}
	b.checkConst(e.UnaryExpression, place{v: v})
	before := len(b.nodes)
	b.into(v, e.AssignmentExpression)
	if len(b.nodes) == before+1 {
		if a, ok := b.nodes[before].Stmt.(*core.Assign); ok {
			if c, ok := a.Rhs[0].(*core.Const); ok {
				return known(c)
			}
		}
	}
	return known(v.Ref())
}

// current is the value stored in p now.
func (b *functionLowerer) current(n cc.ExpressionNode, p place) value {
	if p.v != nil {
		return b.read(n, p.v)
	}
	return b.arbitraryOf(n, p.typ, "a read of %s", b.textOf(n))
}

// increment lowers ++ or -- for effect and returns the new value.
func (b *functionLowerer) increment(n cc.ExpressionNode, up bool) value {
	p := b.lvalue(n)
	t, isInt := p.typ.(core.Int)
	if !isInt {
		return b.store(n, p, value{typ: p.typ})
	}
	old := b.force(b.current(n, p))
	op := direction(up)
	b.assume(op, old)
	if t.Bool && up {
		return b.store(n, p, known(truth(true)))
	}
	return b.store(n, p, known(binary(op, old, truth(true))))
}

func direction(up bool) core.BinaryOp {
	if up {
		return core.Add
	}
	return core.Sub
}

// postIncrement lowers x++ and x-- for the old value: the new one stepped back,
// which is exact (unsigned arithmetic wraps back, signed does not overflow).
func (b *functionLowerer) postIncrement(e *cc.PostfixExpression) value {
	up := e.Case == cc.PostfixExpressionInc
	n := e.PostfixExpression
	v, ok := b.simpleVariable(n)
	if t, isInt := b.typeOf(n); ok && isInt && !t.Bool {
		b.increment(n, up)
		if b.opts.mutation == newForOld {
			return known(v.Ref())
		}
		return known(convert(binary(direction(!up), v.Ref(), truth(true)), t))
	}
	p := b.lvalue(n)
	t, isInt := p.typ.(core.Int)
	if !isInt {
		return b.store(n, p, value{typ: p.typ})
	}
	old := b.temp(t)
	b.assign(old, b.force(b.current(n, p)))
	b.assume(direction(up), old.Ref())
	b.store(n, p, known(binary(direction(up), old.Ref(), truth(true))))
	return known(old.Ref())
}

// simpleVariable is the variable that n names, if reading it is exact.
func (b *functionLowerer) simpleVariable(n cc.ExpressionNode) (*core.Var, bool) {
	id, ok := strip(n).(*cc.PrimaryExpression)
	if !ok || id.Case != cc.PrimaryExpressionIdent {
		return nil, false
	}
	d, ok := id.ResolvedTo().(*cc.Declarator)
	if !ok {
		return nil, false
	}
	v := b.vars[d]
	return v, v != nil && isScalar(v) && !v.Volatile
}

// into assigns the value of n, converted, to an integer or opaque variable.
func (b *functionLowerer) into(dst *core.Var, n cc.ExpressionNode) {
	if t, isInt := dst.Type.(core.Int); isInt {
		b.intoVia(dst, t, n)
	} else {
		b.effect(n)
	}
}

// intoVia assigns the value of n, converted to via and then to dst's type.
func (b *functionLowerer) intoVia(dst *core.Var, via core.Int, n cc.ExpressionNode) {
	n = strip(n)
	t := dst.Type.(core.Int)
	from, ok := b.typeOf(n)
	direct := ok && (via == t || via.Holds(from))
	if direct && b.intoDirect(dst, n) {
		return
	}
	v := b.value(n)
	switch _, isInt := v.typ.(core.Int); {
	case !isInt:
		v = b.arbitraryOf(n, t, "%s", b.textOf(n))
		b.emit(&core.Havoc{Locs: []core.Loc{dst.Ref()}, Why: v.why})
	case v.expr == nil && v.typ == dst.Type && direct:
		b.emit(&core.Havoc{Locs: []core.Loc{dst.Ref()}, Why: v.why})
	default:
		b.assign(dst, convert(convert(b.force(v), via), t))
	}
}

// intoDirect lowers dst = n without a temporary where n has its own way to store
// its value; it reports whether it did.
func (b *functionLowerer) intoDirect(dst *core.Var, n cc.ExpressionNode) bool {
	if b.isLogical(n) {
		b.storeCondition(dst, n)
		return true
	}
	switch e := n.(type) {
	case *cc.ConditionalExpression:
		b.conditionalInto(dst, e)
		return true
	case *cc.ExpressionList:
		for ; e.ExpressionList != nil; e = e.ExpressionList {
			b.effect(e.AssignmentExpression)
		}
		b.into(dst, e.AssignmentExpression)
		return true
	case *cc.PrimaryExpression:
		if e.Case == cc.PrimaryExpressionStmt {
			b.statementExpression(e, dst)
			return true
		}
	case *cc.PostfixExpression:
		switch e.Case {
		case cc.PostfixExpressionCall:
			return b.expectCall(e) == nil && calleeName(e) != typesCompatible && b.call(e, dst)
		case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
			v, ok := b.simpleVariable(e.PostfixExpression)
			if !ok || v == dst {
				return false
			}
			b.assign(dst, convert(v.Ref(), dst.Type.(core.Int)))
			b.increment(e.PostfixExpression, e.Case == cc.PostfixExpressionInc)
			return true
		}
	}
	return false
}
