package frontend

import (
	"math/big"

	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
	"c2bp/source"
)

// This file lowers expressions over pointers.

// pointerValue lowers n for its value as a pointer. An integer as in *(int *)0x1000 becomes a
// ToPtr; arrays and functions are their addresses.
func (b *functionLowerer) pointerValue(n cc.ExpressionNode) core.Expr {
	return b.scalarValue(n, b.pointer())
}

// integerValue lowers n for its value as an integer; a _Bool is promoted. It is for indices, so the
// integer keeps its own type: an unsigned char index is never negative.
func (b *functionLowerer) integerValue(n cc.ExpressionNode) core.Expr {
	v := b.value(n)
	t, isInt := v.typ.(core.Int)
	if !isInt || t.Float {
		t = core.Int64
	}
	if t.Bool {
		t = core.Int32
	}
	return b.coerce(n, v, t)
}

// scalarValue lowers n for its value converted to the scalar type t.
func (b *functionLowerer) scalarValue(n cc.ExpressionNode, t core.Type) core.Expr {
	return b.coerce(n, b.value(n), t)
}

// coerce returns v, the value of n, converted to the scalar type t; a value that is not represented,
// like a long double, is arbitrary.
func (b *frame) coerce(n cc.ExpressionNode, v value, t core.Type) core.Expr {
	if !isScalarType(v.typ) {
		v = b.arbitraryOf(n, t, "%s", b.TextOf(n))
	}
	return b.converted(b.force(v), t)
}

// isScalarType reports whether t is an integer or pointer type. float and double are integer types
// of the core, with Float set, so they count as well.
func isScalarType(t core.Type) bool {
	_, ok := core.Word(t)
	return ok
}

// advance returns the pointer base plus i elements of type elem.
//
//	p + i of int *p             index p by i elements of 4 bytes
//	p + i of int (*p)[n]        index p by i * n elements of 4 bytes
func (b *frame) advance(pos source.Pos, base, i core.Expr, elem cc.Type) core.Expr {
	if size, ok := b.elementSize(elem); ok {
		return index(base, i, size, false)
	}
	if count, size, ok := b.variableSize(elem); ok {
		return index(base, multiple(i, count), size, false)
	}
	b.note(source.Note, pos, "the size of %s is not known: the offset is arbitrary", ctree.TypeName(elem, 4))
	return b.somewhere(base)
}

// multiple returns i times count as a signed number. 1 times count, as of p++, is count itself.
func multiple(i, count core.Expr) core.Expr {
	i, count = convert(i, core.Int64), convert(count, core.Int64)
	if c, ok := i.(*core.Const); ok {
		switch {
		case c.Val.Sign() == 0:
			return c
		case c.Val.Cmp(big.NewInt(1)) == 0:
			return count
		}
	}
	return binary(core.Mul, i, count)
}

// retreat returns the pointer base minus i elements of type elem. index negates the value, not the
// unsigned number: p - 1u steps back.
func (b *frame) retreat(pos source.Pos, base, i core.Expr, elem cc.Type) core.Expr {
	if size, ok := b.elementSize(elem); ok {
		return index(base, i, size, true)
	}
	return b.advance(pos, base, unary(core.Neg, convert(i, core.Int64)), elem)
}

// stepPointer returns the pointer x moved one element of n's pointee up or down.
func (b *frame) stepPointer(n cc.ExpressionNode, x core.Expr, up bool) core.Expr {
	b.pointers.stepped = true
	one := core.NewConst(1, core.Int32)
	if up {
		return b.advance(ccfix.At(n.Position()), x, one, ccfix.PointedTo(n))
	}
	return b.retreat(ccfix.At(n.Position()), x, one, ccfix.PointedTo(n))
}

// pointerBinary returns the value of x op y where at least one operand is a pointer; v and w are
// their values. Anything else that cc accepts, such as p * 2, has an arbitrary value.
func (b *frame) pointerBinary(n cc.ExpressionNode, op core.BinaryOp, x, y cc.ExpressionNode, v, w value) value {
	_, ptrX := v.typ.(core.Ptr)
	_, ptrY := w.typ.(core.Ptr)
	p := b.pointer()
	// Comparisons, p + i, i + p, p - i, p - q.
	switch {
	// 0, NULL and other numbers become pointers before they are compared.
	case op.IsComparison():
		left, right := to(b.force(v), p), to(b.force(w), p)
		b.comparesPointer(left, right)
		return known(comparePointers(op, left, right))
	case op == core.Add && ptrX && !ptrY:
		b.pointers.stepped = true
		return known(b.inside(b.advance(ccfix.At(n.Position()), b.force(v), indexable(b.force(w)), ccfix.PointedTo(x))))
	case op == core.Add && ptrY && !ptrX:
		b.pointers.stepped = true
		return known(b.inside(b.advance(ccfix.At(n.Position()), b.force(w), indexable(b.force(v)), ccfix.PointedTo(y))))
	case op == core.Sub && ptrX && !ptrY:
		b.pointers.stepped = true
		return known(b.inside(b.retreat(ccfix.At(n.Position()), b.force(v), indexable(b.force(w)), ccfix.PointedTo(x))))
	case op == core.Sub && ptrX && ptrY:
		return b.difference(n, ccfix.PointedTo(x), b.force(v), b.force(w))
	}
	return b.arbitrary(n, "%s", b.TextOf(n))
}

// indexable returns the integer i as an operand of pointer arithmetic.
func indexable(i core.Expr) core.Expr {
	switch t := i.Type().(core.Int); {
	case t.Bool:
		return promote(i)
	case t.Float: // no C: a constraint violation
		return convert(i, core.Int64)
	}
	return i
}

// difference returns x - y in elements of type elem. That of pointers into different objects is
// undefined (C11 6.5.6p9), hence the assumption.
func (b *frame) difference(n cc.ExpressionNode, elem cc.Type, x, y core.Expr) value {
	t := core.Int{Bits: b.pointer().Bits, Signed: true}
	b.ledger.add(core.AssumePointers)
	size, ok := b.elementSize(elem)
	// Of arrays of variable length: count units each.
	if count, unit, variable := b.variableSize(elem); !ok && variable && unit > 0 {
		return known(binary(core.Div, &core.Diff{X: x, Y: y, Size: unit, Typ: t}, convert(count, t)))
	}
	if !ok || size == 0 {
		return b.arbitraryOf(n, t, "%s", b.TextOf(n))
	}
	if a, c := constantAddress(x), constantAddress(y); a != nil && c != nil {
		d := a.Sub(a, c)
		return known(&core.Const{Val: t.Convert(d.Quo(d, big.NewInt(size))), Typ: t})
	}
	return known(&core.Diff{X: x, Y: y, Size: size, Typ: t})
}

// pointerCast returns x, an integer or pointer, cast to the pointer type of e. A constant distance
// that leads from a structure to a member becomes an Offset with the name of the member.
//
//	(int *)((char *)p + 4)              &p->f for a member f at offset 4 of *p
//	(struct s *)((char *)&p->m - 8)     p, for a member m at offset 8
//
// The address is the same without it; the name makes it the same expression as p->f.
func (l *typing) pointerCast(e *cc.CastExpression, x core.Expr) core.Expr {
	p := to(x, l.pointer())
	// 1. Split the pointer into a base and a constant distance in bytes.
	base, off := p, int64(0)
	switch q := p.(type) {
	case *core.Offset:
		if q.Field != "" {
			return p
		}
		base, off = q.X, q.Off
	case *core.Index:
		c, ok := q.I.(*core.Const)
		if !ok || !c.Val.IsInt64() || c.Val.Int64() > 1<<32 || c.Val.Int64() < -1<<32 {
			return p
		}
		base, off = q.X, c.Val.Int64()*q.Size
	default:
		return p
	}
	// 2. Name the member of the structure at the base that is there.
	if inner := innerPointer(e.CastExpression); inner != nil {
		if name := l.fieldAt(ccfix.PointedTo(inner), off); name != "" {
			return offset(base, off, name)
		}
	}
	// 3. Or go back from a member to its structure, as container_of does.
	if outer, ok := base.(*core.Offset); ok && outer.Off == -off {
		return outer.X
	}
	return p
}

// innerPointer returns the pointer to a struct or union from which n is computed by casts and sums,
// or nil.
func innerPointer(n cc.ExpressionNode) cc.ExpressionNode {
	for {
		n = ctree.Strip(n)
		if t := ccfix.PointedTo(n); t != nil && (t.Kind() == cc.Struct || t.Kind() == cc.Union) {
			return n
		}
		// Go through casts and to the operand of a sum that is not constant.
		switch e := n.(type) {
		case *cc.CastExpression:
			n = e.CastExpression
		case *cc.AdditiveExpression:
			if e.Case == cc.AdditiveExpressionAdd && isConstantNode(e.AdditiveExpression) {
				n = e.MultiplicativeExpression
			} else {
				n = e.AdditiveExpression
			}
		default:
			return nil
		}
	}
}

// isConstantNode reports whether cc knows the value of n, an integer.
func isConstantNode(n cc.ExpressionNode) bool { return n.Pure() && ctree.Integer(n.Value()) != nil }

// functionValue returns the address of the function that d declares. An alias has the address of
// its target, so both compare equal.
func (b *frame) functionValue(d *cc.Declarator) value {
	named := b.functionOf(d)
	f := b.resolveAlias(named)
	address := &core.FuncAddr{Proc: f.proc, Typ: b.pointer()}
	if f.def == nil && (f.missing || named.missing) {
		return b.perhapsNull(address)
	}
	return known(address)
}

// perhapsNull returns address or null: the function or object is declared weak and may be missing.
//
//	if (hook) hook();     both ways are possible for a weak hook without a definition
func (b *frame) perhapsNull(address core.Expr) value {
	t := b.temp(b.pointer())
	end := newLabel()
	br := b.branch()
	b.arm(br)
	b.assign(t.Ref(), address)
	b.jump(end)
	b.arm(br)
	b.assign(t.Ref(), core.Null(b.pointer()))
	b.place(end)
	return known(t.Ref())
}

// addressValue lowers &x. Lowering the place of x reads nothing in it: &p->f and &a[i] are sums.
func (b *functionLowerer) addressValue(e *cc.UnaryExpression) value {
	n := ctree.Strip(e.CastExpression)
	if t := n.Type(); t != nil && ctree.FunctionType(t.Undecay()) != nil && (t.Kind() == cc.Function || t.Undecay().Kind() == cc.Function) {
		return b.value(n)
	}
	if u, ok := n.(*cc.UnaryExpression); ok && u.Case == cc.UnaryExpressionDeref { // &*p is p
		return known(b.pointerValue(u.CastExpression))
	}
	// Any other lvalue.
	outer := b.addressed
	b.addressed = n
	p := b.lvalue(n)
	b.addressed = outer
	switch {
	case p.v != nil:
		return known(b.perhapsMissing(b.addressOf(p.v)))
	case p.addr != nil:
		x, ok := p.addr.(*core.Index)
		b.pointers.stepped = b.pointers.stepped || ok
		if ok && x.Count != 0 { // &a[n] of an array of n elements is allowed (C23 6.5.7)
			at := &core.Index{X: x.X, I: x.I, Size: x.Size}
			if x.Count < core.OpenEnd {
				at.Row = x.Count
			}
			return known(b.perhapsMissing(at))
		}
		return known(b.perhapsMissing(p.addr))
	}
	return b.arbitraryOf(e, b.pointer(), "%s", b.TextOf(e))
}
