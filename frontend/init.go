package frontend

import (
	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
	"c2bp/source"
)

// This file assigns the expressions of an initialiser to parts of an object, by the rules of C23
// 6.7.11: braces may be left out, and designators choose the part at which to continue. cc does the
// same, but with its own offsets.

// item is one element of an initialiser list.
type item struct {
	designators []*cc.Designator
	init        *cc.Initializer
}

// flattener assigns the items of an initialiser to parts of an object; see parts.go. It reads the
// list from left to right with one item of look-ahead: items[0] is the next one. In
//
//	struct { int a[2]; struct { int x, y; } s; } v = { 1, 2, .s.y = 3, };
//
// the items 1 and 2 go to a without braces, and the designator leads to number 1 of s in part 1 of
// v.
type flattener struct {
	*functionLowerer
	seen  []cc.ExpressionNode // all expressions, overridden ones too, in the order of the text
	items []item              // the rest of the innermost list in braces
}

const wrongLength = "not supported: a string literal of which the parser has a wrong length"

// maxRange bounds the elements that a range designator [a ... b] initialises one by one.
const maxRange = 4096

// listItems returns the items of a list. A nil list, as of {}, has none.
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

// object assigns init to the whole of n. Earlier initialisers of n and its parts are forgotten, but
// stay in seen: they may have effects.
func (f *flattener) object(n *part, init *cc.Initializer) {
	if init.Case == cc.InitializerExpr {
		f.seen = append(f.seen, init.AssignmentExpression)
		// cc may give a string the wrong length, on which other parts depend.
		if _, _, wrong, _ := f.ReadString(init.AssignmentExpression); wrong != 0 && f.hasParts(n.place) {
			f.error(ccfix.At(init.Position()), wrongLength)
		}
		n.reset()
		n.expr = init.AssignmentExpression
		return
	}
	f.list(n, init.InitializerList)
}

// list assigns a list in braces to n: the parts that it leaves out are zero, whatever an earlier
// initialiser said of them.
func (f *flattener) list(n *part, l *cc.InitializerList) {
	outer := f.items
	defer func() { f.items = outer }()
	f.items = listItems(l)
	n.reset()
	switch {
	// {} clears all of n, which is a part without leaves.
	case len(f.items) == 0:
	// int x = { 1 }, char s[] = { "text" }.
	case !f.hasParts(n.place) || f.isWhole(n.place, f.items[0]):
		f.object(n, f.items[0].init)
		for _, it := range f.items[1:] { // elements of a vector
			f.loseAll(it.init)
		}
	default:
		f.parts(n, 0, true)
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

// isWhole reports whether item it initialises all of p, an array or structure: a string for
// characters, a structure of the same type. For anything without parts it is true: an expression
// initialises all of an int.
func (f *flattener) isWhole(p place, it item) bool {
	if len(it.designators) > 0 || it.init.Case != cc.InitializerExpr {
		return false
	}
	e := ctree.Strip(it.init.AssignmentExpression)
	switch t := p.ctype.(type) {
	case *cc.ArrayType:
		// "text" for characters of its width.
		_, width, ok := f.StringBytes(e)
		if !ok && ccfix.IsString(e) {
			f.error(ccfix.At(e.Position()), wrongLength)
		}
		s, isInt := ctree.IntType(t.Elem())
		return ok && isInt && s.Bits == 8*width
	case *cc.StructType, *cc.UnionType:
		// A value of a compatible type.
		k := e.Type().Kind()
		return (k == cc.Struct || k == cc.Union) && t.IsCompatible(e.Type())
	}
	return true
}

// partPlace returns part number i of an array, structure or union; ok is false after the last.
// Numbers count from 0: the index of an element, or the number among the members that can be
// initialised.
func (f *flattener) partPlace(p place, i int64) (q place, ok bool) {
	switch t := p.ctype.(type) {
	case *cc.ArrayType:
		// Of an incomplete array the initialiser decides on the length.
		if n, known := f.layouts.Elements(t); known && i >= n && !t.IsIncomplete() {
			return place{}, false
		}
		addr := f.advance(f.pos, p.addr, core.NewConst(i, core.Int64), t.Elem())
		// It is the address of an element for index 0, too.
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

// members returns the members that can be initialised: those with a name, and anonymous structures
// and unions. An unnamed bit-field is padding and takes no initialiser (C11 6.7.9p9).
func members(n int, field func(int) *cc.Field) (out []*cc.Field) {
	for i := range n {
		if f := field(i); f != nil && (f.Name() != "" || !f.IsBitfield()) {
			out = append(out, f)
		}
	}
	return out
}

// parts assigns items to the parts of n from number i on, until the items or the parts end; top
// says that the braces are those of n, so that designators are about n. It returns if the items
// end, if the parts of n end, or at a designator that belongs to an object around n; the caller
// continues with the items that are left.
func (f *flattener) parts(n *part, i int64, top bool) {
	_, union := n.ctype.(*cc.UnionType)
	for len(f.items) > 0 {
		// 1. A designator: continue at the part that it names, or in an object around n.
		it := f.items[0]
		if len(it.designators) > 0 {
			if !top {
				return
			}
			i = f.designated(n, it)
			continue
		}
		// 2. The next part; of a union only the first member is initialised without designators.
		var q *part
		ok := !union || i == 0
		if ok {
			q, ok = f.part(n, i)
		}
		if !ok {
			if top { // too many: cc has reported it
				f.items = nil
			}
			return
		}
		f.next(q)
		// No part has this number: the union is full.
		if i++; union {
			i = 1 << 30
		}
	}
}

// next assigns the next items to q: one if it is for the whole of q, else as many as q has parts.
// f.items is not empty. An item with braces always belongs to q as a whole.
func (f *flattener) next(q *part) {
	it := f.items[0]
	if it.init.Case == cc.InitializerInitList || !f.hasParts(q.place) || f.isWhole(q.place, it) {
		f.items = f.items[1:]
		f.object(q, it.init)
		return
	}
	before := len(f.items)
	f.enter(q)
	f.parts(q, 0, false)
	// An item that q did not take would be looked at forever: it is dropped, unless q has no bytes,
	// as an empty structure, and the next part gets it.
	if len(f.items) == before { // nothing to initialise in q
		if s, _ := f.layouts.SizeBytes(q.ctype); s > 0 {
			f.items = f.items[1:]
		}
	}
}

// designated assigns the first item, it, which has designators, and the items that follow it in the
// same part of n. It returns the number of the part at which n continues. For [2 ... 4].x = e the
// rest of the designators, .x, is followed in each of the elements 2 to 4.
func (f *flattener) designated(n *part, it item) int64 {
	// 1. The range of parts that the first designator names.
	d := it.designators[0]
	lo, hi, chain := f.designator(n.place, d)
	if lo < 0 {
		f.error(ccfix.At(d.Position()), "not supported: this designator is not understood")
		f.items = f.items[1:]
		return 0
	}
	rest := item{designators: it.designators[1:], init: it.init}
	// The items after this one belong to the last element alone, see below.
	after := f.items[1:]
	// A huge range: only the last elements are exact.
	if hi-lo > maxRange {
		f.note(source.Warning, ccfix.At(d.Position()), "an initialiser for more than %d elements: the array is arbitrary, but for its last elements", maxRange)
		n.reset()
		n.vague = true
		lo = hi - maxRange
	}
	// 2. Assign the item to each of them.
	for i := lo; i <= hi; i++ {
		f.items = []item{rest}
		// The items after this one continue after the last element of the range.
		if i == hi {
			f.items = append(f.items, after...)
		}
		q, ok := f.part(n, i)
		if !ok {
			f.items = after
			return i
		}
		// The rest of the designators leads into the part.
		switch {
		case len(chain) > 0: // a member of an anonymous member
			f.items[0].designators = it.designators
			f.nested(q)
		case len(rest.designators) > 0:
			f.nested(q)
		default:
			f.next(q)
		}
		q.ranged = q.ranged || lo < hi && !f.isConstant(it.init)
	}
	return hi + 1
}

// enter refuses to initialise a part of q after a range has initialised q with more than constants:
// gcc then drops the initialiser of the range for all of q.
func (f *flattener) enter(q *part) {
	if q.ranged {
		f.error(ccfix.At(f.items[0].init.Position()), "not supported: a part of what a range designator has initialised with more than constants")
	}
}

// isConstant reports whether all expressions in init are integer constants or strings.
func (f *flattener) isConstant(init *cc.Initializer) bool {
	if init.Case == cc.InitializerExpr {
		_, constant := f.constantValue(init.AssignmentExpression)
		_, _, text := f.StringBytes(init.AssignmentExpression)
		return constant || text
	}
	for l := init.InitializerList; l != nil; l = l.InitializerList {
		if !f.isConstant(l.Initializer) {
			return false
		}
	}
	return true
}

// nested follows the designators of the first item into q, and continues there. A union takes no
// further items: after .u.x = 1 the next one is for the part after u.
func (f *flattener) nested(q *part) {
	f.enter(q)
	i := f.designated(q, f.items[0])
	if _, union := q.ctype.(*cc.UnionType); !union {
		f.parts(q, i, false)
	}
}

// designator returns the range of part numbers of p that d names; -1 if there is none. If d names a
// member of an anonymous member, the number is that of the anonymous one, and chain is not empty.
// struct { struct { int x; }; int y; }: .x names part 0, and its chain is the anonymous member.
func (f *flattener) designator(p place, d *cc.Designator) (lo, hi int64, chain []*cc.Field) {
	// .name and the old form name: for members.
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
	// Look for the name among the members, and in the anonymous ones.
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

// indexDesignator is designator for [i] and [i ... j]. cc has refused ranges that are
// empty; a bound that is not constant is not understood.
func (f *flattener) indexDesignator(d *cc.Designator) (lo, hi int64, chain []*cc.Field) {
	c, ok := f.constantValue(d.ConstantExpression)
	if !ok || !c.Val.IsInt64() {
		return -1, -1, nil
	}
	lo, hi = c.Val.Int64(), c.Val.Int64()
	// An upper bound that is not constant leaves one element.
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
