package frontend

import (
	"slices"

	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/checks"
	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
	"c2bp/frontend/layout"
	"c2bp/source"
)

// This file lowers lvalues to the places that they denote.

// place is the denotation of an lvalue: a variable v of a type other than Agg, or a place in memory
// at addr. Both are nil if it is not known. For example
//
//	x            v, also if its address is taken
//	s.f          addr &s + the offset of f
//	p->f, *p     addr p + the offset of f, and p
//	a            addr &a, of type Agg: its value is its address
//	int a[n]     addr the value of the variable a
type place struct {
	v        *core.Var
	addr     core.Expr
	bit      int       // of a bit-field
	typ      core.Type // of the stored value
	ctype    cc.Type   // the C type, nil if it is not needed
	isBool   bool      // a bit-field of type _Bool
	align    int64     // what addr is a multiple of, see layout/align.go; 0 if typ is aligned
	packed   bool      // addr need not be aligned for typ
	volatile bool
	kept     *core.Var // volatile in C, but it keeps the values written to it: see volatilekept.go
	inUnion  bool      // a member of a union, or a part of one
	partOf   int64     // of a byte, the size of the number that it is a part of, if the program says so
}

// known reports whether p is a known variable or address.
func (p place) known() bool { return p.v != nil || p.addr != nil }

// loc returns p as a location of scalar or opaque type. p must be known. For the address of a whole
// variable of this type it is the variable.
func (p place) loc() core.Loc {
	if p.v != nil {
		return p.v.Ref()
	}
	// A place without special properties may be a whole variable.
	if p.bit == 0 && !p.packed {
		if t, ok := p.typ.(core.Int); !ok || t.Bits%8 == 0 {
			l := mem(p.addr, p.typ)
			if m, ok := l.(*core.Mem); ok {
				m.ToChars, m.Tag, m.PartOf = toCharacters(p.ctype), pointeeTag(p.ctype), p.partOf
			}
			return l
		}
	}
	return &core.Mem{Addr: p.addr, Typ: p.typ, Bit: p.bit, Packed: p.packed, ToChars: toCharacters(p.ctype), Tag: pointeeTag(p.ctype)}
}

// isArray reports whether p is an array, whose value is the address of its first
// element.
func (p place) isArray() bool { return p.ctype != nil && p.ctype.Kind() == cc.Array }

// assumeAccess notes that memory is accessed. Checks cover a part of the assumption.
func (l *sources) assumeAccess() {
	l.ledger.add(checks.NoInvalidAccess+"%s", l.opts.Checks.Parts())
}

// lvalue evaluates the side effects of an lvalue and returns the place that it denotes. If it does
// not understand n there is a warning, and the place is not known: reads of it are arbitrary, and a
// write to it changes all memory.
func (b *functionLowerer) lvalue(n cc.ExpressionNode) place {
	n = ctree.Strip(n)
	switch e := n.(type) {
	case *cc.PrimaryExpression:
		switch e.Case {
		case cc.PrimaryExpressionIdent:
			// x
			return b.identifierPlace(e)
		case cc.PrimaryExpressionString, cc.PrimaryExpressionLString:
			// "text": an object of static storage duration.
			if v := b.stringLiteral(e); v != nil {
				return place{addr: b.addressOf(v), typ: v.Type, ctype: e.Type().Undecay()}
			}
		case cc.PrimaryExpressionGeneric:
			if a := e.GenericSelection.Associated(); a != nil {
				return b.lvalue(a.AssignmentExpression)
			}
		}
	case *cc.UnaryExpression:
		if e.Case == cc.UnaryExpressionDeref {
			return b.dereference(e)
		}
	case *cc.PostfixExpression:
		switch e.Case {
		case cc.PostfixExpressionSelect:
			// s.f, of an lvalue s or of a value such as f().f
			return b.member(e, b.structure(e.PostfixExpression))
		case cc.PostfixExpressionPSelect:
			// p->f
			elem := ccfix.PointedTo(e.PostfixExpression)
			b.assumeAccess()
			base, volatile, align, _ := b.base(e, e.PostfixExpression)
			return b.member(e, b.at(base, elem, volatile, align))
		case cc.PostfixExpressionIndex:
			// a[i], i[a]
			return b.element(e)
		case cc.PostfixExpressionComplit:
			// (T){ … }
			return b.literalPlace(e)
		}
	}
	// A struct that is no lvalue has a place all the same: the temporary with its value.
	if _, isAgg := b.coreType(n.Type()).(core.Agg); isAgg && !isLvalue(n) {
		return b.structure(n)
	}
	b.effect(n)
	b.note(source.Warning, ccfix.At(n.Position()), "%s is not understood as a place in memory", b.TextOf(n))
	return place{typ: b.coreType(n.Type()), ctype: n.Type()}
}

// identifierPlace returns the place of the variable that e names; it is not known for undeclared
// names, and for locals in an initialiser of static storage duration.
func (b *frame) identifierPlace(e *cc.PrimaryExpression) place {
	d, ok := e.ResolvedTo().(*cc.Declarator)
	if !ok {
		return place{typ: b.coreType(e.Type())}
	}
	v := b.vars[d]
	switch {
	case v == nil && d.Name() == "__func__":
		if v = b.functionName(); v != nil {
			return place{addr: b.addressOf(v), typ: v.Type, ctype: d.Type()}
		}
		fallthrough
	case v == nil || b.fn == nil && v.Kind != core.Global: // not in an initialiser
		return place{typ: b.coreType(e.Type())}
	}
	// The cases by the type of the variable: aggregates are places in memory.
	p := b.unlessKept(place{v: v, typ: v.Type, ctype: d.Type(), volatile: b.isVolatileVar(v)})
	// The type of a parameter may say array, where its variable holds a pointer.
	if d.IsParam() {
		p.ctype = nil
	}
	switch v.Type.(type) {
	case core.Agg:
		return b.unlessKept(place{addr: b.addressOf(v), typ: v.Type, ctype: d.Type(), volatile: b.isVolatileVar(v)})
	case core.Ptr:
		if p.isArray() { // of variable length: v holds its address
			return place{addr: v.Ref(), typ: core.Agg{Name: ctree.TypeName(d.Type(), 4)}, ctype: d.Type(), volatile: b.isVolatileVar(v)}
		}
	}
	return p
}

// dereference returns the place *pointer.
func (b *functionLowerer) dereference(e *cc.UnaryExpression) place {
	ptr := ctree.Strip(e.CastExpression)
	if a, ok := ptr.(*cc.UnaryExpression); ok && a.Case == cc.UnaryExpressionAddrof { // *&x is x
		return b.lvalue(a.CastExpression)
	}
	// The access is assumed to be valid.
	elem := ccfix.PointedTo(ptr)
	b.assumeAccess()
	base, volatile, align, _ := b.base(e, ptr)
	p := b.at(base, elem, volatile, align)
	p.partOf = b.numberAround(elem, ptr)
	return p
}

// numberAround returns the size of the numbers that a pointer to bytes, of type elem, leads into as its casts show; 0 if
// they show none.
//
//	*(volatile char *)((void *)words + (n >> 3))     8 if words is an unsigned long *
func (l *typing) numberAround(elem cc.Type, pointer cc.ExpressionNode) int64 {
	if elem == nil || !slices.Contains([]cc.Kind{cc.Char, cc.SChar, cc.UChar}, elem.Kind()) {
		return 0
	}
	for n := ctree.Strip(pointer); ; {
		// 1. A pointer to numbers.
		p, ok := n.Type().(*cc.PointerType)
		if !ok {
			return 0
		}
		if t, isInt := ctree.IntType(p.Elem()); isInt && t.Bits > 8 {
			return int64(t.Bits / 8)
		}
		// 2. Bytes of it, some of them further on.
		switch e := n.(type) {
		case *cc.CastExpression:
			if e.Case != cc.CastExpressionCast {
				return 0
			}
			n = ctree.Strip(e.CastExpression)
		case *cc.AdditiveExpression:
			n = ctree.Strip(e.AdditiveExpression)
		default:
			return 0
		}
	}
}

// at returns the place of type t at an address, a multiple of align or, if that is 0, of the
// alignment of t. If t is volatile, or threads may change the object, the place is volatile.
func (l *sharing) at(addr core.Expr, t cc.Type, volatile bool, align int64) place {
	if align == 0 {
		align = l.layouts.AlignmentOf(t)
	}
	p := place{addr: addr, typ: l.objectType(t), ctype: t, align: align, volatile: volatile || isVolatileType(t) || l.sharedAddress(addr)}
	p.packed = l.layouts.IsPacked(p.typ, align)
	// The address of a whole scalar variable denotes the variable.
	if r, ok := mem(addr, p.typ).(*core.VarRef); ok {
		p.v, p.volatile = r.Var, p.volatile || l.isVolatileVar(r.Var)
	}
	return l.unlessKept(p)
}

// element returns the place x[i].
func (b *functionLowerer) element(e *cc.PostfixExpression) place {
	// 1. The array or pointer x, and the index i, in either order.
	x, i := e.PostfixExpression, e.ExpressionList
	// i[a] is a[i] (C11 6.5.2.1p2).
	if _, swapped := ctree.IntType(x.Type()); swapped {
		x, i = i, x
	}
	b.checkOrder(e, x, i)
	b.assumeAccess()
	// Elements of vectors are not represented.
	if t := x.Type(); t != nil && t.VectorSize() > 0 {
		b.effect(x)
		b.effect(i)
		return place{typ: b.coreType(e.Type()), ctype: e.Type()}
	}
	elem := ccfix.PointedTo(x)
	// 2. The address; an index of an array in a structure has the bound of the array.
	base, volatile, align, isArray := b.base(e, x)
	base = b.keep(known(base), i).expr
	at := b.integerValue(i)
	if isArray {
		b.indexed(e, x, at)
	}
	addr := b.advance(ccfix.At(e.Position()), base, at, elem)
	if size, ok := b.elementSize(elem); ok {
		count := b.bound(x)
		if _, isConst := core.ConstantOf(at); count == 0 && !isConst {
			count = b.boundAs(x, size)
		}
		addr = elementOf(addr, base, size, count)
	}
	p := b.at(addr, elem, volatile, b.stride(align, elem))
	p.partOf = b.numberAround(elem, x)
	return p
}

// bound returns the number of elements of the array x if x is a member with others after it, so that
// an index beyond is undefined and leads into another member; else 0. An array at the end of a
// structure may be longer than declared, as is common in C (gcc's -fstrict-flex-arrays=0): the result
// is core.OpenEnd. Arrays of several dimensions are often indexed as if they had one: 0.
func (l *sources) bound(x cc.ExpressionNode) int64 {
	e, ok := ccfix.Decayed(x).(*cc.PostfixExpression)
	if !ok || e.Case != cc.PostfixExpressionSelect && e.Case != cc.PostfixExpressionPSelect || e.Field() == nil {
		return 0
	}
	// 1. The structure that has x as a member.
	t := e.PostfixExpression.Type()
	if e.Case == cc.PostfixExpressionPSelect {
		t = ccfix.PointedTo(e.PostfixExpression)
	}
	record, ok := t.(*cc.StructType)
	if !ok {
		return 0
	}
	// 2. The array: of one dimension, and with a length.
	array, ok := e.Field().Type().(*cc.ArrayType)
	if !ok || array.Elem().Kind() == cc.Array {
		return 0
	}
	if array.Len() <= 0 {
		return core.OpenEnd
	}
	// 3. It is not the last member with a name.
	found := false
	for i := range record.NumFields() {
		switch f := record.FieldByIndex(i); {
		case f == e.Field():
			found = true
		case found && f.Name() != "":
			return array.Len()
		}
	}
	return core.OpenEnd
}

// boundAs is bound for x that is an array of a structure as elements of another type: as many of size bytes as the
// array has room for, if that leaves no rest. Checks say nothing of such an index.
//
//	u8 rom[128]   ((u16 *)d->rom)[i]     64
func (b *functionLowerer) boundAs(x cc.ExpressionNode, size int64) int64 {
	cast, ok := ctree.Strip(x).(*cc.CastExpression)
	if !ok || cast.Case != cc.CastExpressionCast || size <= 0 || b.opts.Checks.Has(checks.Bounds) {
		return 0
	}
	count := b.bound(cast.CastExpression)
	if count == 0 || count == core.OpenEnd {
		return count
	}
	t, isArray := ccfix.OperandType(ccfix.Decayed(cast.CastExpression)).(*cc.ArrayType)
	if !isArray {
		return 0
	}
	bytes, known := b.elementSize(t.Elem())
	if bytes *= count; !known || bytes%size != 0 {
		return 0
	}
	return bytes / size
}

// stride returns the alignment of the elements of an array of elem that is aligned by align; 0
// stands for the alignment of elem. Elements of 12 bytes in an array that is aligned by 8 are
// aligned by 4.
func (l *typing) stride(align int64, elem cc.Type) int64 {
	if size, ok := l.elementSize(elem); ok && align != 0 {
		return layout.AlignedAt(align, size)
	}
	return 0
}

// base returns the value of the pointer n, which e follows, whether it points to volatile objects, a number
// of which it is a multiple, 0 for the alignment of its pointee, and whether n is an array. Side effects of n
// are lowered. The pointer of p->a[i] for an array member a is the address of that member, without a read.
func (b *functionLowerer) base(e, n cc.ExpressionNode) (addr core.Expr, volatile bool, align int64, isArray bool) {
	// An array is its own address, with its own alignment and qualifiers.
	if a := ccfix.Decayed(n); a != nil {
		if p := b.lvalue(a); p.isArray() && p.addr != nil {
			return p.addr, p.volatile, p.align, true
		}
	}
	x := b.pointerValue(n)
	b.followed(e, n, x)
	return x, b.pointsToVolatile(n), 0, false
}

// member returns the member that e selects of the struct or union at base. The place is not known
// if base has no address, as the result of a function whose type is not represented.
func (b *frame) member(e *cc.PostfixExpression, base place) place {
	if e.Field() == nil || base.addr == nil {
		return place{typ: b.coreType(e.Type()), ctype: e.Type()}
	}
	f, off, bit, ok := b.layouts.MemberOffset(e)
	if f == nil {
		b.error(ccfix.At(e.Position()), "%s", wrongMember)
		f = e.Field()
	}
	return b.fieldPlace(base, f, ccfix.At(e.Position()), off, bit, ok)
}

// field returns the member f of the struct or union at base; pos is where it is mentioned.
func (b *frame) field(base place, f *cc.Field, pos source.Pos) place {
	off, bit, ok := b.layouts.FieldOffset(f)
	return b.fieldPlace(base, f, pos, off, bit, ok)
}

// fieldPlace is field for a member at offset off, bit number bit; ok is false if they are not known.
//
//	struct { int a; unsigned b : 3, c : 5; }     of c: offset 4, bit 3, type uint5
func (b *frame) fieldPlace(base place, f *cc.Field, pos source.Pos, off int64, bit int, ok bool) place {
	t := f.Type()
	b.layouts.RefusePackedEnum(pos, t)
	_, isUnion := base.ctype.(*cc.UnionType)
	p := place{typ: b.coreType(t), ctype: t, align: 1, inUnion: base.inUnion || isUnion, volatile: base.volatile || isVolatileType(t) || f.Declarator() != nil && f.Declarator().IsVolatile()}
	if !ok {
		b.note(source.Note, pos, "the offset of member %s is not known: it is arbitrary", f.Name())
		p.addr = b.somewhere(base.addr)
		p.packed = b.layouts.IsPacked(p.typ, p.align)
		return p
	}
	// 1. The address.
	p.addr = b.memberOf(offset(base.addr, off, f.Name()), base.ctype, off)
	p = b.unlessKept(p)
	// 2. The alignment that follows from that of the base and the offset.
	p.align = base.align
	if p.align == 0 {
		p.align = b.layouts.AlignmentOf(base.ctype)
	}
	p.align = layout.AlignedAt(p.align, off)
	p.packed = b.layouts.IsPacked(p.typ, p.align)
	// 3. A bit-field has the type of its bits.
	if f.IsBitfield() {
		if w, isInt := ctree.IntType(t); isInt {
			p.isBool = w.Bool
			p.bit, p.typ = bit, core.Int{Bits: int(f.ValueBits()), Signed: w.Signed}
			p.packed = bit == 0 && b.layouts.IsPacked(p.typ, p.align)
		}
	}
	return p
}

// somewhere returns an address at an arbitrary distance from base, in the same object.
func (b *frame) somewhere(base core.Expr) core.Expr {
	i := b.force(value{typ: core.Int64, why: "an offset that is not known"})
	return &core.Index{X: base, I: i, Size: 1}
}

// structure returns the place that holds the value of n, a struct or union: the object itself if n
// is an lvalue, else a temporary. f().x reads the member of the temporary that holds the result of
// f.
func (b *functionLowerer) structure(n cc.ExpressionNode) place {
	n = ctree.Strip(n)
	if isLvalue(n) {
		return b.lvalue(n)
	}
	v := b.value(n)
	return place{addr: v.addr, typ: v.typ, ctype: n.Type(), volatile: v.addr != nil && b.sharedAddress(v.addr)}
}

// isLvalue reports whether n, of a struct or union type, is an lvalue by its form. A compound
// literal is one (C11 6.5.2.5p4); ({ … }), f(), x = y and c ? x : y are values.
func isLvalue(n cc.ExpressionNode) bool {
	switch e := n.(type) {
	case *cc.PrimaryExpression:
		return e.Case != cc.PrimaryExpressionStmt
	case *cc.UnaryExpression:
		return e.Case == cc.UnaryExpressionDeref
	case *cc.PostfixExpression:
		return e.Case != cc.PostfixExpressionCall
	}
	return false
}
