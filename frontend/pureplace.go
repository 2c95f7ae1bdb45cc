package frontend

import (
	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
	"c2bp/frontend/layout"
)

// This file lowers lvalues in pure expressions: x, *p, p->f, s.f, a[i].

// purePlace is the denotation of an lvalue or function designator. It is to predicates as place is
// to statements; nothing is emitted to find it. For a function v and value are nil, and addr is a
// FuncAddr.
type purePlace struct {
	v        *core.Var // a whole variable, or nil:
	addr     core.Expr // the address
	typ      cc.Type   // as declared: arrays and functions are not converted to pointers
	value    core.Type // of the stored value
	bit      int       // of a bit-field
	bitField bool
	align    int64 // what addr is a multiple of, see layout/align.go
	volatile bool
}

// valueOf returns the value of the lvalue e. Arrays and functions are converted to addresses. A
// volatile place is refused, since a predicate about it could change without a statement.
func (p pureLowerer) valueOf(e cc.ExpressionNode) (core.Expr, error) {
	// 1. The place; arrays and functions are done then.
	pl, err := p.place(e)
	if err != nil {
		return nil, err
	}
	if pl.typ != nil {
		if p.layouts.IsPackedEnum(pl.typ) {
			return nil, ctree.Errorf(e, layout.NoPackedEnum)
		}
		switch pl.typ.(type) {
		case *cc.FunctionType:
			return pl.addr, nil
		case *cc.ArrayType:
			if !pl.isPointer() {
				return p.addressOfPlace(e, pl)
			}
		}
	}
	// 2. Refuse types without values, and volatile places.
	switch pl.value.(type) {
	case core.Int, core.Ptr:
	case core.Agg:
		return nil, ctree.Errorf(e, "this is a %s: a predicate can only be about its members", kindName(pl.typ))
	case core.Void:
		return nil, ctree.Errorf(e, "the value is void")
	// A function whose type is not known.
	case nil:
		return nil, ctree.Errorf(e, "this expression is not supported here")
	default:
		return nil, ctree.Errorf(e, "a value of type %s is not supported here, only integers, float, double and pointers", ctree.TypeName(pl.typ, 4))
	}
	switch {
	case pl.volatile && pl.v != nil:
		return nil, ctree.Errorf(e, "%s is volatile: its value is not known, and a predicate about it would never be", pl.v.Name)
	case pl.volatile:
		return nil, ctree.Errorf(e, "this is volatile: its value is not known, and a predicate about it would never be")
	case pl.v == nil:
		// The location must be the one that statements access, so that it has the same meaning in
		// both.
		if packed := pl.bit == 0 && p.layouts.IsPacked(pl.value, pl.align); packed || pl.bitField {
			return &core.Mem{Addr: pl.addr, Typ: pl.value, Bit: pl.bit, Packed: packed}, nil
		}
		l := mem(pl.addr, pl.value)
		if m, ok := l.(*core.Mem); ok {
			m.Tag = pointeeTag(pl.typ)
		}
		return l, nil
	}
	// A constant with a known value, or the variable itself.
	if c := p.values[pl.v]; c != nil {
		return c, nil
	}
	return pl.v.Ref(), nil
}

// isPointer reports whether pl is a variable of pointer type: an array that is a formal is one.
func (pl purePlace) isPointer() bool {
	if pl.v == nil {
		return false
	}
	_, ok := pl.v.Type.(core.Ptr)
	return ok
}

// kindName returns the word for a struct, union or other object in messages.
func kindName(t cc.Type) string {
	switch t.(type) {
	case *cc.StructType:
		return "struct"
	case *cc.UnionType:
		return "union"
	}
	return "whole object"
}

// place lowers the lvalue or function designator n.
func (p pureLowerer) place(n cc.ExpressionNode) (purePlace, error) {
	n = ctree.Strip(n)
	switch e := n.(type) {
	case *cc.PrimaryExpression:
		if e.Case == cc.PrimaryExpressionIdent {
			return p.named(e)
		}
	case *cc.PostfixExpression:
		switch e.Case {
		case cc.PostfixExpressionIndex:
			// a[i], i[a]
			return p.indexed(e)
		case cc.PostfixExpressionSelect:
			// s.f, of an lvalue s
			base, err := p.place(e.PostfixExpression)
			if err != nil {
				return base, err
			}
			// s must be in memory: its address is part of that of the member.
			if base.addr, err = p.addressOfPlace(e, base); err != nil {
				return base, err
			}
			return p.member(e, base)
		case cc.PostfixExpressionPSelect:
			// p->f
			base, err := p.first(e.PostfixExpression)
			if err != nil {
				return purePlace{}, err
			}
			return p.member(e, base)
		}
	case *cc.UnaryExpression:
		if e.Case == cc.UnaryExpressionDeref {
			return p.pointee(e)
		}
	}
	// No lvalue: an error in the expression itself is the better message.
	if _, err := p.expr(n); err != nil {
		return purePlace{}, err
	}
	return purePlace{}, ctree.Errorf(n, "this has no address")
}

// named returns the variable or function that e names.
func (p pureLowerer) named(e *cc.PrimaryExpression) (purePlace, error) {
	x, err := p.ident(e)
	if err != nil {
		return purePlace{}, err
	}
	t := ccfix.OperandType(e)
	switch x := x.(type) {
	case *core.VarRef:
		if _, isPtr := x.Var.Type.(core.Ptr); isPtr && x.Var.Kind == core.Local && t != nil && t.Kind() == cc.Array {
			return purePlace{addr: x, typ: t, align: p.layouts.AlignmentOf(t)}, nil // of variable length: the variable holds the address
		}
		return purePlace{v: x.Var, typ: t, value: x.Var.Type, align: p.layouts.AlignmentOf(t), volatile: p.isVolatileVar(x.Var)}, nil
	case *core.FuncAddr:
		return purePlace{addr: x, typ: ctree.FunctionType(e.Type())}, nil
	}
	return purePlace{}, ctree.Errorf(e, "this has no address")
}

// pointee returns *p. Of *&x it is x.
func (p pureLowerer) pointee(e *cc.UnaryExpression) (purePlace, error) {
	if u, ok := ctree.Strip(e.CastExpression).(*cc.UnaryExpression); ok && u.Case == cc.UnaryExpressionAddrof {
		return p.place(u.CastExpression)
	}
	return p.first(e.CastExpression)
}

// first returns the place to which n points, a pointer, or an array for its first element.
//
//	a of int a[4]        &a[0], aligned as a
//	a of f(int a[4])     the int to which the pointer a leads
//	p                    *p
func (p pureLowerer) first(n cc.ExpressionNode) (purePlace, error) {
	// An array that is no formal: its own address, with its own alignment and qualifiers.
	if a := ccfix.Decayed(n); a != nil {
		array, err := p.place(a)
		if err != nil {
			return purePlace{}, err
		}
		if !array.isPointer() {
			addr, err := p.addressOfPlace(a, array)
			pl := p.at(addr, ccfix.PointedTo(n))
			pl.align, pl.volatile = array.align, pl.volatile || array.volatile
			return pl, err
		}
	}
	x, err := p.expr(n)
	if err == nil && !isPtr(x) {
		err = ctree.Errorf(n, "expected a pointer")
	}
	if err != nil {
		return purePlace{}, err
	}
	return p.at(x, ccfix.PointedTo(n)), nil
}

// indexed returns a[i] or i[a]. An index outside of the array is no error: the address is computed
// all the same.
func (p pureLowerer) indexed(e *cc.PostfixExpression) (purePlace, error) {
	x, y := e.PostfixExpression, e.ExpressionList
	// i[a]
	if ccfix.PointedTo(x) == nil {
		x, y = y, x
	}
	pl, err := p.first(x)
	if err != nil {
		return purePlace{}, err
	}
	i, err := p.expr(y)
	if err == nil && isPtr(i) {
		err = ctree.Errorf(e, "expected a pointer and an integer")
	}
	if err != nil {
		return purePlace{}, err
	}
	size, err := p.stepSize(x)
	if err != nil {
		return purePlace{}, err
	}
	pl.addr, pl.align = element(pl.addr, wide(i), size), layout.AlignedAt(pl.align, size)
	return pl, nil
}

// at returns the place of type t at an address.
func (p pureLowerer) at(addr core.Expr, t cc.Type) purePlace {
	return purePlace{addr: addr, typ: t, value: p.coreType(t), align: p.layouts.AlignmentOf(t), volatile: isVolatileType(t)}
}

// member returns the member that e, a . or ->, selects of base, whose address is known. The Offset
// has the member's name, as in statements, so both print alike and are one expression.
func (p pureLowerer) member(e *cc.PostfixExpression, base purePlace) (purePlace, error) {
	f, off, bit, known := p.layouts.MemberOffset(e)
	switch {
	case f == nil:
		return purePlace{}, ctree.Errorf(e, "%s", wrongMember)
	case !known:
		return purePlace{}, ctree.Errorf(e, "the offset of member %s is not known", f.Name())
	}
	pl := p.at(p.memberOf(offset(base.addr, off, f.Name()), base.typ, off), f.Type())
	pl.align, pl.volatile = layout.AlignedAt(base.align, off), pl.volatile || base.volatile
	// A bit-field has the type of its bits.
	if t, ok := ctree.IntType(f.Type()); ok && f.IsBitfield() {
		pl.bitField, pl.bit, pl.value = true, bit, core.Int{Bits: int(f.ValueBits()), Signed: t.Signed}
	}
	return pl, nil
}

const wrongMember = "the parser takes this for another member of that name"

// addressOf lowers &x.
func (p pureLowerer) addressOf(e *cc.UnaryExpression) (core.Expr, error) {
	// &*p is p, also if p is null (C11 6.5.3.2p3).
	n := ctree.Strip(e.CastExpression)
	if u, ok := n.(*cc.UnaryExpression); ok && u.Case == cc.UnaryExpressionDeref {
		return p.expr(u.CastExpression) // &*p
	}
	pl, err := p.place(n)
	switch {
	case err != nil:
		return nil, err
	case pl.bitField:
		return nil, ctree.Errorf(e, "a bit-field has no address")
	}
	return p.addressOfPlace(e, pl)
}

// addressOfPlace returns the address of pl, which e denotes or selects from. Only a variable in
// memory has an address; others may be in registers, and no pointer leads to them.
func (p pureLowerer) addressOfPlace(e cc.Node, pl purePlace) (core.Expr, error) {
	v := pl.v
	// Values without an address cannot be pointed to, so a predicate about their address is an error.
	switch {
	case v == nil:
		return pl.addr, nil
	case v.Kind == core.Ghost:
		return nil, ctree.Errorf(e, "%s is a value and has no address", v.Name)
	case v.Name == `\result` && !v.InMemory():
		return nil, ctree.Errorf(e, `\result is a value and has no address`)
	case !v.InMemory():
		return nil, ctree.Errorf(e, "%s's address is not taken in the program, so no pointer can be equal to it", v.Name)
	}
	return &core.AddrOf{Var: v, Typ: p.pointer()}, nil
}

// stepSize returns the size of the pointee of n.
func (p pureLowerer) stepSize(n cc.ExpressionNode) (int64, error) {
	t := ccfix.PointedTo(n)
	if size, known := p.program.elementSize(t); known {
		return size, nil
	}
	return 0, ctree.Errorf(n, "the size of what this points to is not known: %s", ctree.TypeName(t, 4))
}
