package frontend

import (
	"modernc.org/cc/v4"

	"c2bp/frontend/core"
	"c2bp/source"
)

// This file lowers initialisers. Which part of an object an expression initialises is
// found by the rules of C23 6.7.11: braces may be left out, designators choose where to
// go on. cc knows the same, but by its own offsets.

// item is one element of an initialiser list.
type item struct {
	designators []*cc.Designator
	init        *cc.Initializer
}

// leaf is a part of an object with the expression that initialises it.
type leaf struct {
	place
	expr cc.ExpressionNode
}

// flattener assigns the expressions of an initialiser to the parts of an object.
type flattener struct {
	*functionLowerer
	leaves []leaf
	items  []item // what is left of the innermost list in braces
}

// maxRange bounds the elements that a range designator [a ... b] initialises one by one.
const maxRange = 4096

func listItems(l *cc.InitializerList) (out []item) {
	for ; l != nil; l = l.InitializerList {
		it := item{init: l.Initializer}
		if l.Designation != nil {
			for d := l.Designation.DesignatorList; d != nil; d = d.DesignatorList {
				it.designators = append(it.designators, d.Designator)
			}
		}
		out = append(out, it)
	}
	return out
}

// object assigns init to the whole of p.
func (f *flattener) object(p place, init *cc.Initializer) {
	if init.Case == cc.InitializerExpr {
		f.leaves = append(f.leaves, leaf{p, init.AssignmentExpression})
		return
	}
	f.list(p, init.InitializerList)
}

// list assigns a list in braces to p.
func (f *flattener) list(p place, l *cc.InitializerList) {
	outer := f.items
	defer func() { f.items = outer }()
	f.items = listItems(l)
	switch {
	case len(f.items) == 0:
	case !f.hasParts(p) || f.isWhole(p, f.items[0]):
		f.object(p, f.items[0].init)
	default:
		f.parts(p, 0, true)
	}
}

// hasParts reports whether p is initialised part by part.
func (f *flattener) hasParts(p place) bool {
	switch p.ctype.(type) {
	case *cc.ArrayType, *cc.StructType, *cc.UnionType:
		return true
	}
	return false
}

// isWhole reports whether it initialises all of p, an array or structure: a string for
// characters, a structure of the same type.
func (f *flattener) isWhole(p place, it item) bool {
	if len(it.designators) > 0 || it.init.Case != cc.InitializerExpr {
		return false
	}
	e := strip(it.init.AssignmentExpression)
	switch t := p.ctype.(type) {
	case *cc.ArrayType:
		_, width, ok := stringBytes(e)
		s, isInt := intType(t.Elem())
		return ok && isInt && s.Bits == 8*width
	case *cc.StructType, *cc.UnionType:
		k := e.Type().Kind()
		return (k == cc.Struct || k == cc.Union) && t.IsCompatible(e.Type())
	}
	return true
}

// part is part number i of an array, structure or union; ok is false behind the last.
func (f *flattener) part(p place, i int64) (q place, ok bool) {
	switch t := p.ctype.(type) {
	case *cc.ArrayType:
		if n, known := f.elements(t); known && i >= n && !t.IsIncomplete() {
			return place{}, false
		}
		addr := f.advance(f.pos, p.addr, core.NewConst(i, core.Int64), t.Elem())
		if size, ok := f.elementSize(t.Elem()); ok {
			addr = elementOf(addr, p.addr, size, 0)
		}
		return f.at(addr, t.Elem(), false, f.stride(p.align, t.Elem())), true
	case *cc.StructType:
		if m := members(t.NumFields(), t.FieldByIndex); i < int64(len(m)) {
			return f.field(p, m[i], f.pos), true
		}
	case *cc.UnionType:
		if m := members(t.NumFields(), t.FieldByIndex); i < int64(len(m)) {
			return f.field(p, m[i], f.pos), true
		}
	}
	return place{}, false
}

// members lists the members that can be initialised.
func members(n int, field func(int) *cc.Field) (out []*cc.Field) {
	for i := range n {
		if f := field(i); f != nil && (f.Name() != "" || !f.IsBitfield()) {
			out = append(out, f)
		}
	}
	return out
}

// parts assigns items to the parts of p from number i on; top says that p is what the
// braces are for, so that designators are about p.
func (f *flattener) parts(p place, i int64, top bool) {
	_, union := p.ctype.(*cc.UnionType)
	for len(f.items) > 0 {
		it := f.items[0]
		if len(it.designators) > 0 {
			if !top {
				return
			}
			i = f.designated(p, it)
			continue
		}
		q, ok := f.part(p, i)
		if !ok || union && i > 0 {
			if top { // too many: cc has reported it
				f.items = nil
			}
			return
		}
		f.next(q)
		if i++; union {
			i = 1 << 30
		}
	}
}

// next assigns the next items to q.
func (f *flattener) next(q place) {
	it := f.items[0]
	if it.init.Case == cc.InitializerInitList || !f.hasParts(q) || f.isWhole(q, it) {
		f.items = f.items[1:]
		f.object(q, it.init)
		return
	}
	before := len(f.items)
	f.parts(q, 0, false)
	if len(f.items) == before { // nothing to initialise in q
		if s, _ := f.sizeBytes(q.ctype); s > 0 {
			f.items = f.items[1:]
		}
	}
}

// designated assigns the designated item it, the first, and those that follow it in the
// same part of p. It returns the number of the part where p goes on.
func (f *flattener) designated(p place, it item) int64 {
	d := it.designators[0]
	lo, hi, chain := f.designator(p, d)
	if lo < 0 {
		f.items = f.items[1:]
		return 0
	}
	rest := item{designators: it.designators[1:], init: it.init}
	after := f.items[1:]
	if hi-lo > maxRange {
		f.note(source.Warning, at(d.Position()), "an initialiser for more than %d elements: only the last ones are initialised", maxRange)
		lo = hi - maxRange
	}
	for i := lo; i <= hi; i++ {
		f.items = append([]item{rest}, after...)
		q, ok := f.part(p, i)
		if !ok {
			f.items = after
			return i
		}
		switch {
		case len(chain) > 0: // a member of an anonymous member
			f.items[0].designators = it.designators
			f.nested(q)
		case len(rest.designators) > 0:
			f.nested(q)
		default:
			f.next(q)
		}
	}
	return hi + 1
}

// nested follows the designators of the first item into q, and goes on there.
func (f *flattener) nested(q place) {
	i := f.designated(q, f.items[0])
	if _, union := q.ctype.(*cc.UnionType); !union {
		f.parts(q, i, false)
	}
}

// designator is the range of part numbers of p that d names; -1 if there is none. If d
// names a member of an anonymous member, the number is that one's, and chain is not
// empty.
func (f *flattener) designator(p place, d *cc.Designator) (lo, hi int64, chain []*cc.Field) {
	name := ""
	switch d.Case {
	case cc.DesignatorField:
		name = d.Token2.SrcStr()
	case cc.DesignatorField2:
		name = d.Token.SrcStr()
	default:
		return f.indexDesignator(d)
	}
	var list []*cc.Field
	switch t := p.ctype.(type) {
	case *cc.StructType:
		list = members(t.NumFields(), t.FieldByIndex)
	case *cc.UnionType:
		list = members(t.NumFields(), t.FieldByIndex)
	}
	for i, m := range list {
		if m.Name() == name {
			return int64(i), int64(i), nil
		}
		if m.Name() == "" && hasMember(m.Type(), name) {
			return int64(i), int64(i), []*cc.Field{m}
		}
	}
	return -1, -1, nil
}

func (f *flattener) indexDesignator(d *cc.Designator) (lo, hi int64, chain []*cc.Field) {
	c, ok := f.constantValue(d.ConstantExpression)
	if !ok || !c.Val.IsInt64() {
		return -1, -1, nil
	}
	lo, hi = c.Val.Int64(), c.Val.Int64()
	if d.Case == cc.DesignatorIndex2 {
		if c, ok = f.constantValue(d.ConstantExpression2); ok && c.Val.IsInt64() {
			hi = c.Val.Int64()
		}
	}
	return lo, hi, nil
}

// hasMember reports whether t has a member of that name, in anonymous members too.
func hasMember(t cc.Type, name string) bool {
	var list []*cc.Field
	switch t := t.(type) {
	case *cc.StructType:
		list = members(t.NumFields(), t.FieldByIndex)
	case *cc.UnionType:
		list = members(t.NumFields(), t.FieldByIndex)
	}
	for _, m := range list {
		if m.Name() == name || m.Name() == "" && hasMember(m.Type(), name) {
			return true
		}
	}
	return false
}

// initialise lowers the initialiser of a variable. zeroed says that its storage is zero
// already.
func (b *functionLowerer) initialise(p place, init *cc.Initializer, zeroed bool) {
	for init.Case == cc.InitializerInitList && isScalarType(p.typ) {
		if init.InitializerList == nil { // = {}
			b.assign(p.loc(), to(truth(false), p.typ))
			return
		}
		init = init.InitializerList.Initializer
	}
	if init.Case == cc.InitializerExpr {
		if _, isArray := p.ctype.(*cc.ArrayType); !isArray {
			b.initialiseLeaf(leaf{p, init.AssignmentExpression})
			return
		}
	}
	f := &flattener{functionLowerer: b}
	f.object(p, init)
	b.initialiseParts(p, f.leaves, zeroed)
}

// initialiseList lowers an initialiser in braces.
func (b *functionLowerer) initialiseList(p place, l *cc.InitializerList, zeroed bool) {
	f := &flattener{functionLowerer: b}
	f.list(p, l)
	if len(f.leaves) == 0 && isScalarType(p.typ) {
		b.assign(p.loc(), to(truth(false), p.typ))
		return
	}
	b.initialiseParts(p, f.leaves, zeroed)
}

// initialiseParts stores the leaves of an initialiser in the object p. What has no leaf
// is zero.
func (b *functionLowerer) initialiseParts(p place, leaves []leaf, zeroed bool) {
	if p.addr != nil && !zeroed && !b.covers(p, leaves) && b.opts.mutation != noZeros {
		b.emit(&core.Fill{Dst: p.addr, Size: b.sizeExpr(p.ctype), Byte: core.NewConst(0, core.Uint8)})
	}
	for _, f := range leaves {
		b.initialiseLeaf(f)
	}
}

// covers reports whether every byte of p is part of a leaf.
func (b *functionLowerer) covers(p place, leaves []leaf) bool {
	size, ok := b.sizeBytes(p.ctype)
	seen := map[string]bool{}
	for _, f := range leaves {
		n, known := b.sizeBytes(f.ctype)
		if t, isInt := f.typ.(core.Int); !known || isInt && t.Bits != 8*int(n) {
			return false
		}
		if text, _, isString := stringBytes(f.expr); isString && f.isArray() {
			n = min(n, int64(len(text)))
		}
		if key := core.ExprString(f.address()); !seen[key] {
			seen[key] = true
			size -= n
		}
	}
	return ok && size <= 0
}

// address is the address of a leaf.
func (f leaf) address() core.Expr {
	if f.v != nil {
		return f.v.Ref()
	}
	return f.addr
}

// initialiseLeaf stores one leaf.
func (b *functionLowerer) initialiseLeaf(f leaf) {
	if text, _, ok := stringBytes(f.expr); ok && f.isArray() && f.addr != nil {
		if n, known := b.sizeBytes(f.ctype); known && int64(len(text)) > n {
			text = text[:n]
		}
		b.emit(&core.Data{Dst: f.addr, Bytes: text})
		return
	}
	switch _, isAgg := f.typ.(core.Agg); {
	case isAgg:
		b.copyInto(f.place, f.expr)
	case isScalarType(f.typ) && !f.isBool && f.known():
		b.into(f.loc(), f.expr)
	case isScalarType(f.typ):
		b.store(f.expr, f.place, b.value(f.expr), false)
	default:
		b.lose(f.expr)
		b.havocOpaque(f.place)
	}
}
