package frontend

import (
	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
	"c2bp/source"
)

// This file lowers reads and stores of places: assignments, ++ and --.

// isScalar reports whether v is of an integer or floating-point type.
func isScalar(v *core.Var) bool {
	_, ok := v.Type.(core.Int)
	return ok
}

// load returns the value stored in p, which n denotes. An array yields its address. For a struct or
// union the value is the place itself: nothing is copied.
func (b *frame) load(n cc.ExpressionNode, p place) value {
	// The cases are in order: objects that are not scalars, volatile places, unknown places, constants.
	if !p.isArray() {
		b.assumeKept(p)
	}
	switch {
	case p.isArray() && p.addr != nil:
		return known(b.perhapsMissing(p.addr))
	case p.isArray():
		return b.arbitraryOf(n, b.pointer(), "%s", b.TextOf(n))
	case !isScalarType(p.typ) && p.v != nil && p.v.AddrTaken:
		return value{typ: p.typ, addr: b.addressOf(p.v)}
	case !isScalarType(p.typ):
		return value{typ: p.typ, addr: p.addr}
	case p.volatile && p.known() && b.concurrent:
		return b.sharedRead(p)
	// Of a pointer: the stored value or any other one.
	case p.volatile && p.known() && p.typ == core.Type(b.pointer()):
		return b.volatilePointer(n, p)
	case p.volatile && p.v != nil && p.v.AddrTaken && !b.isVolatileVar(p.v): // *(volatile int *)&x
		p.addr, p.v = b.addressOf(p.v), nil
		return b.volatileRead(n, p)
	case p.volatile && p.v != nil:
		return b.arbitraryOf(n, p.typ, "a read of the volatile %s", p.v.Name)
	case p.volatile && p.known():
		return b.volatileRead(n, p)
	case p.volatile:
		return b.arbitraryOf(n, p.typ, "a read of the volatile %s", b.TextOf(n))
	case !p.known():
		return b.arbitraryOf(n, p.typ, "a read of %s", b.TextOf(n))
	case p.v != nil && b.values[p.v] != nil:
		b.ledger.add("const: objects declared const keep their initial values")
		return known(b.values[p.v])
	// A bit-field of type _Bool is stored as a number of one bit.
	case p.isBool:
		return known(convert(p.loc(), core.Bool))
	}
	// A plain read.
	b.readsBool(p)
	l := p.loc()
	// To is the record to which a pointer that is read here is declared to point.
	if m, ok := l.(*core.Mem); ok {
		m.To = b.pointee(p.ctype)
	}
	return known(l)
}

// store assigns the scalar v to p and returns the value of p afterwards, if that is wanted; n is
// the left side. A value that is not represented makes p arbitrary. The value of an assignment is
// that of the left operand after it, in its type (C11 6.5.16p3):
//
//	y = (c = 300)      of char c: c := (int8)300, y := the same constant converted
func (b *frame) store(n cc.ExpressionNode, p place, v value, wanted bool) value {
	// 1. Places that are not known, or of a type without values.
	if !p.known() {
		b.lost(v)
		b.unknownWrite(n)
		return value{typ: p.typ, why: b.TextOf(n)}
	}
	if !isScalarType(p.typ) {
		b.lost(v)
		b.havocOpaque(p)
		return value{typ: p.typ}
	}
	// 2. Unknown values: p gets any value of its type, unless the type of v has fewer values.
	if v.expr == nil || !isScalarType(v.typ) {
		if v.expr == nil && isScalarType(v.typ) && v.typ != p.typ {
			v = known(b.force(v)) // not every value of p's type may occur
		} else {
			b.storeUnknown(p.loc(), v)
			// A volatile place is not read again for the value.
			if p.volatile || !wanted {
				return value{typ: p.typ, why: v.why}
			}
			return known(p.loc())
		}
	}
	// 3. Known ones. If the value is wanted, it must be an expression that the store does not change.
	x := b.stored(p, v.expr)
	_, isConst := x.(*core.Const)
	switch {
	case isConst || !wanted:
	case p.v != nil && !p.volatile:
		b.assign(p.loc(), x)
		return known(p.v.Ref())
	case p.v != nil || readsMemory(x): // the store must not change the value
		t := b.temp(p.typ)
		b.assign(t.Ref(), x)
		x = t.Ref()
	}
	b.assign(p.loc(), x)
	return known(x)
}

// stored returns x converted to the type of p. To a _Bool any value but 0 becomes 1 (C11 6.3.1.2).
func (l *sources) stored(p place, x core.Expr) core.Expr {
	if p.isBool {
		x = to(x, core.Bool)
	}
	return l.converted(x, p.typ)
}

// unknownWrite makes all memory arbitrary that a write to n, an unknown place, may change. The
// right side must have been lowered before.
func (b *frame) unknownWrite(n cc.ExpressionNode) {
	b.emit(&core.Havoc{Region: true, Why: "write to " + b.TextOf(n)})
	b.note(source.Warning, ccfix.At(n.Position()), "a write to %s makes everything in memory arbitrary", b.TextOf(n))
}

// havocOpaque lowers a store of a value that is not represented, like a long double: reads of its bytes
// as another type yield any value.
func (b *frame) havocOpaque(p place) {
	// Nobody can read the bytes.
	if p.v != nil && !p.v.AddrTaken || !p.known() {
		return
	}
	b.emit(&core.Havoc{Locs: []core.Loc{p.loc()}, Why: "a value of type " + ctree.TypeName(p.ctype, 4)})
}

// readsMemory reports whether e reads memory, so that a write may change its value.
func readsMemory(e core.Expr) bool { return len(core.Loads(e)) > 0 }

// checkConst reports an error about an assignment to a constant, which cc accepts: reads of constants
// are replaced by their values.
func (l *program) checkConst(n cc.ExpressionNode, p place) {
	if p.v != nil && isScalar(p.v) && l.consts[p.v] {
		l.error(ccfix.At(n.Position()), "assignment to the constant %s", p.v.Name)
	}
}

// assignment lowers = and the compound assignments; wanted says whether its value is used. The left
// side is evaluated first. In a[i] = f() the index is kept in a temporary if f may change i.
func (b *functionLowerer) assignment(e *cc.AssignmentExpression, wanted bool) value {
	// 1. The destination, kept from the effects of the right side. Of a direct assignment the right
	// side stores its value itself, so only the effects before its store count.
	op, compound := ctree.CompoundOperator(e.Case)
	b.checkAssignment(e, compound)
	lhs, rhs := e.UnaryExpression, e.AssignmentExpression
	p := b.lvalue(lhs)
	b.checkConst(lhs, p)
	t, isScalar := p.typ, isScalarType(p.typ)
	direct := !compound && p.known() && !p.isBool && !(isScalar && wanted)
	if direct {
		p = b.keepPlace(p, evaluatedBefore(rhs)...)
	} else {
		p = b.keepPlace(p, rhs)
	}
	// 2. The right side and the store, by the type of the destination.
	if _, isAgg := t.(core.Agg); isAgg {
		b.copyInto(p, rhs)
		return value{typ: t, addr: p.addr}
	}
	switch {
	case !isScalar && !compound && b.copyOpaque(p, rhs):
		return value{typ: t, addr: b.opaqueAddress(p)}
	case !isScalar:
		b.lose(rhs)
		return b.store(lhs, p, value{typ: t}, wanted)
	case compound:
		return b.compound(e, op, p, wanted)
	case p.v != nil && !p.volatile:
		return b.assignVariable(p.v, rhs)
	case direct:
		b.into(p.loc(), rhs)
		return void
	}
	return b.store(lhs, p, b.value(rhs), wanted)
}

// evaluatedBefore returns the nodes that are evaluated between the address of a destination and the
// store of n in it. The body of a function that n calls is not among them: the destination of a call
// is determined before.
func evaluatedBefore(n cc.ExpressionNode) []cc.Node {
	if e, ok := ctree.Strip(n).(*cc.PostfixExpression); ok && e.Case == cc.PostfixExpressionCall {
		return append(nodes(ctree.Arguments(e)), e.PostfixExpression)
	}
	return []cc.Node{n}
}

// compound lowers p op= e. Unlike in p = p op e the place is evaluated once, in assignment (C11
// 6.5.16.2p3).
func (b *functionLowerer) compound(e *cc.AssignmentExpression, op core.BinaryOp, p place, wanted bool) value {
	// 1. Both operands; the old value is kept from the effects of the right side.
	lhs, rhs := e.UnaryExpression, e.AssignmentExpression
	old := b.keep(b.load(lhs, p), rhs)
	v := b.value(rhs)
	if !isScalarType(v.typ) {
		b.lost(old)
		b.lost(v)
		return b.store(lhs, p, b.arbitraryOf(e, p.typ, "%s", b.TextOf(e)), wanted)
	}
	// 2. A pointer moves.
	x, y := b.force(old), b.force(v)
	if _, isPtr := p.typ.(core.Ptr); isPtr {
		elem := ccfix.PointedTo(lhs)
		b.pointers.stepped = true
		switch op {
		case core.Add:
			x = b.advance(ccfix.At(e.Position()), x, indexable(to(y, asInt(y))), elem)
		case core.Sub:
			x = b.retreat(ccfix.At(e.Position()), x, indexable(to(y, asInt(y))), elem)
		default:
			return b.store(lhs, p, b.arbitraryOf(e, p.typ, "%s", b.TextOf(e)), wanted)
		}
		return b.store(lhs, p, known(x), wanted)
	}
	// 3. A number: the operation is in the common type, the store converts.
	y = to(y, asInt(y))
	if !floatOperator(op, x, y) {
		b.error(ccfix.At(e.Position()), "%s of floating-point numbers is not defined", op)
		return b.store(lhs, p, b.arbitraryOf(e, p.typ, "%s", b.TextOf(e)), wanted)
	}
	b.operate(e, "", op, x, y)
	return b.store(lhs, p, known(binary(op, x, y)), wanted)
}

// asInt returns the integer type with the values of x. A pointer counts as the unsigned number of
// its width.
func asInt(x core.Expr) core.Int {
	w, _ := core.Word(x.Type())
	return w
}

// assignVariable lowers v = e; the value of a constant assignment is the constant.
func (b *functionLowerer) assignVariable(v *core.Var, n cc.ExpressionNode) value {
	before := len(b.nodes)
	b.into(v.Ref(), n)
	// If the only node assigns a constant, the constant is the value.
	if len(b.nodes) == before+1 {
		if a, ok := b.nodes[before].Stmt.(*core.Assign); ok {
			if c, ok := a.Rhs[0].(*core.Const); ok {
				return known(c)
			}
		}
	}
	return known(v.Ref())
}

// increment lowers ++ or -- and returns the new value if it is wanted.
func (b *functionLowerer) increment(n cc.ExpressionNode, up, wanted bool) value {
	p := b.lvalue(n)
	b.checkConst(n, p)
	if !isScalarType(p.typ) {
		return b.store(n, p, value{typ: p.typ}, wanted)
	}
	return b.store(n, p, known(b.stepped(n, b.force(b.load(n, p)), up)), wanted)
}

// stepped returns old plus or minus one; a _Bool becomes true with ++ and is inverted with --. n is
// the operand, whose pointee says how far a pointer moves.
func (b *frame) stepped(n cc.ExpressionNode, old core.Expr, up bool) core.Expr {
	t, isInt := old.Type().(core.Int)
	switch {
	case !isInt:
		// A pointer moves by one element.
		return b.stepPointer(n, old, up)
	case t.Bool && up:
		return truth(true)
	}
	// For a _Bool with --, old - 1 is -1 or 0, which the store converts to 1 or 0.
	b.operate(n, " "+direction(up).String()+" 1", direction(up), old, truth(true))
	return binary(direction(up), old, truth(true))
}

// direction returns + or -.
func direction(up bool) core.BinaryOp {
	if up {
		return core.Add
	}
	return core.Sub
}

// postIncrement lowers x++ and x-- for the old value.
//
//	y = i++       i := i + 1; y := i - 1
//	y = (*p)++    $1 := *p; *p := $1 + 1; y := $1
func (b *functionLowerer) postIncrement(e *cc.PostfixExpression) value {
	up := e.Case == cc.PostfixExpressionInc
	n := e.PostfixExpression
	// 1. Of a variable the old value is the new one stepped back, which is exact: unsigned arithmetic
	// wraps back, signed does not overflow.
	if v, ok := b.simpleVariable(n); ok && v.Type != core.Type(core.Bool) && !isFloat(v.Type) && (isScalar(v) || b.fixedElement(n)) {
		b.increment(n, up, false)
		if isScalar(v) {
			return known(convert(binary(direction(!up), v.Ref(), truth(true)), v.Type.(core.Int)))
		}
		return known(b.stepPointer(n, v.Ref(), !up))
	}
	// 2. Otherwise it is kept in a temporary.
	p := b.lvalue(n)
	b.checkConst(n, p)
	if !isScalarType(p.typ) {
		return b.store(n, p, value{typ: p.typ}, true)
	}
	old := b.temp(p.typ)
	b.assign(old.Ref(), to(b.force(b.load(n, p)), p.typ))
	b.store(n, p, known(b.stepped(n, old.Ref(), up)), false)
	return known(old.Ref())
}

// fixedElement reports whether the size of the pointee of n is known, so that a step can be undone.
func (l *typing) fixedElement(n cc.ExpressionNode) bool {
	_, ok := l.elementSize(ccfix.PointedTo(n))
	return ok
}

// simpleVariable returns the variable that n names, if it is a scalar and reading it is exact. The
// variable may be set although ok is false.
func (l *sharing) simpleVariable(n cc.ExpressionNode) (*core.Var, bool) {
	id, ok := ctree.Strip(n).(*cc.PrimaryExpression)
	if !ok || id.Case != cc.PrimaryExpressionIdent {
		return nil, false
	}
	d, ok := id.ResolvedTo().(*cc.Declarator)
	if !ok {
		return nil, false
	}
	// Reads of volatile variables are not exact.
	v := l.vars[d]
	if v == nil || !isScalarType(v.Type) || l.isVolatileVar(v) || l.kept[v] {
		return nil, false
	}
	return v, d.IsParam() || d.Type().Kind() != cc.Array
}

// into assigns the value of n, converted, to a location of scalar type. The address of
// dst does not change while n is evaluated.
func (b *functionLowerer) into(dst core.Loc, n cc.ExpressionNode) {
	b.intoVia(dst, dst.Type(), n)
}

// intoVia assigns the value of n, converted to via and then to dst's type. In dst = c ? -1 : 1u the
// operands are converted to unsigned, via, before they are converted to the type of dst.
func (b *functionLowerer) intoVia(dst core.Loc, via core.Type, n cc.ExpressionNode) {
	// 1. Without a temporary, if the conversion to via changes nothing.
	n = ctree.Strip(n)
	t := dst.Type()
	direct := via == t
	if from, ok := b.typeOf(n); ok && !direct {
		w, isInt := via.(core.Int)
		direct = isInt && w.Holds(from)
	}
	if direct && b.intoDirect(dst, n) {
		return
	}
	// 2. By way of the value.
	v := b.value(n)
	literal := b.convertedLiteral(n, via)
	switch {
	case literal != nil:
		b.assign(dst, b.converted(literal, t))
	case !isScalarType(v.typ):
		b.checkScalar(n, v.typ)
		b.lost(v)
		v = b.arbitraryOf(n, t, "%s", b.TextOf(n))
		b.emit(&core.Havoc{Locs: []core.Loc{dst}, Why: v.why})
	// The Havoc goes to dst itself, with no temporary.
	case v.expr == nil && v.typ == t && direct:
		b.storeUnknown(dst, v)
	default:
		b.assign(dst, b.converted(b.converted(b.force(v), via), t))
	}
}

// intoDirect lowers dst = n without a temporary, if n is an expression that can store its value
// itself: a condition, c ? x : y, a call, x++ and so on. It reports whether it did. If it returns
// false, nothing was emitted.
func (b *functionLowerer) intoDirect(dst core.Loc, n cc.ExpressionNode) bool {
	if _, isInt := dst.Type().(core.Int); isInt && b.isLogical(n) {
		b.storeCondition(dst, n)
		return true
	}
	// c ? x : y, a comma expression, ({ … }), a call, x++: each stores to dst at its end.
	switch e := n.(type) {
	case *cc.ConditionalExpression:
		if b.constantCondition(n) != nil || !isScalarType(b.conditionalCore(e)) {
			return false
		}
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
			return b.statementExpressionInto(e, dst)
		}
	case *cc.PostfixExpression:
		switch e.Case {
		case cc.PostfixExpressionCall:
			return b.expectCall(e) == nil && ctree.CalleeName(e) != ctree.CompatibleName && b.call(e, dst)
		case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
			// dst gets the old value before x changes, if it is another variable, and not both have their
			// addresses taken.
			v, ok := b.simpleVariable(e.PostfixExpression)
			if d, isRef := dst.(*core.VarRef); !ok || !isRef || d.Var == v || v.AddrTaken && d.Var.AddrTaken {
				return false
			}
			b.assign(dst, to(v.Ref(), dst.Type()))
			b.increment(e.PostfixExpression, e.Case == cc.PostfixExpressionInc, false)
			return true
		}
	}
	return false
}
