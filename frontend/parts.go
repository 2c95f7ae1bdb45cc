package frontend

import (
	"slices"
	"sort"

	"modernc.org/cc/v4"

	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
)

// This file represents an initialiser as a tree of the parts of an object, in which a later
// initialiser replaces the parts that it covers (C23 6.7.11p20, p22):
//
//	struct { struct { int x, y; } p; int z; } s = { .p.x = 1, .z = 2, .p = { .y = 3 } };
//
//	s ── p ── y = 3
//	  └─ z = 2

// part is an object, or a part of one, with its initialiser. Only parts that the initialiser
// mentions are in the tree; what it leaves out is zero.
type part struct {
	place
	number int64             // in the object around it
	expr   cc.ExpressionNode // initialises all of it, before its own parts; nil without one
	ranged bool              // a range designator has initialised it with more than constants
	vague  bool              // it is arbitrary, except its parts
	parts  []*part           // with initialisers, ordered by number
}

// reset removes the initialisers of n and of its parts.
func (n *part) reset() { n.expr, n.ranged, n.vague, n.parts = nil, false, false, nil }

// part returns part number i of n, which is about to be initialised; ok is false after the last.
// A part that is there already keeps its initialisers: the new ones come on top of them.
func (f *flattener) part(n *part, i int64) (q *part, ok bool) {
	// Only the last initialised member of a union counts.
	if _, union := n.ctype.(*cc.UnionType); union {
		n.parts = slices.DeleteFunc(n.parts, func(q *part) bool { return q.number != i })
	}
	// Parts are sorted by number.
	at := sort.Search(len(n.parts), func(k int) bool { return n.parts[k].number >= i })
	if at < len(n.parts) && n.parts[at].number == i {
		return n.parts[at], true
	}
	p, ok := f.partPlace(n.place, i)
	if !ok {
		return nil, false
	}
	q = &part{place: p, number: i}
	n.parts = slices.Insert(n.parts, at, q)
	return q, true
}

// leaf is a part of an object with the expression that initialises it; without one it is arbitrary.
// In { .p = q, .p.x = 1 } there are two: p with refine, and p.x with inner.
type leaf struct {
	place
	expr   cc.ExpressionNode
	refine bool // other leaves, after it, are parts of this one
	inner  bool // it is part of another leaf
}

// leaves returns the leaves below n: a part follows the whole, and parts are in the order in which
// they lie in memory, as gcc evaluates them.
func (n *part) leaves() (list []leaf) {
	var visit func(n *part, inner bool)
	visit = func(n *part, inner bool) {
		whole := n.expr != nil || n.vague
		// First the whole, then the parts that replace some of it.
		if whole {
			list = append(list, leaf{place: n.place, expr: n.expr, refine: len(n.parts) > 0, inner: inner})
		}
		for _, q := range n.parts {
			visit(q, inner || whole)
		}
	}
	visit(n, false)
	return list
}

// complete reports whether every scalar in n has an initialiser, so that compilers do not clear n
// before: padding keeps its value. Of struct { char c; int i; } s = { 1, 2 } all members have one,
// and three bytes of padding have not.
func (l *typing) complete(n *part) bool {
	if n.expr != nil {
		return len(n.parts) == 0 && !n.isArray() // of strings, see covers
	}
	// 1. The number of parts that n has.
	var count int64
	switch t := n.ctype.(type) {
	case *cc.ArrayType:
		elements, known := l.layouts.Elements(t)
		if count = elements; !known {
			return false
		}
	case *cc.StructType:
		count = int64(len(members(t.NumFields(), t.FieldByIndex)))
	case *cc.UnionType: // the rest of a bigger union is cleared
		size, known := l.layouts.SizeBytes(t)
		if len(n.parts) == 1 {
			only := n.parts[0]
			own, ok := l.layouts.SizeBytes(only.ctype)
			return known && ok && own == size && !only.isBitField() && l.complete(only)
		}
		return size == 0
	default:
		return false
	}
	// 2. All of them must have initialisers that are complete.
	if int64(len(n.parts)) < count {
		return false
	}
	for _, q := range n.parts {
		if !l.complete(q) {
			return false
		}
	}
	return true
}

// isBitField reports whether p is a bit-field that does not fill its type.
func (p place) isBitField() bool {
	t, isInt := p.typ.(core.Int)
	declared, ok := ctree.IntType(p.ctype)
	return isInt && ok && t.Bits < declared.Bits
}

// overridden returns the expressions with side effects that no leaf has: later initialisers override
// them. Whether they are evaluated is not specified (C23 6.7.11, footnote); gcc does not.
func (f *flattener) overridden(leaves []leaf) (list []cc.ExpressionNode) {
	used := map[cc.ExpressionNode]bool{}
	for _, x := range leaves {
		used[x.expr] = true
	}
	// Expressions that no leaf uses, each once.
	for _, e := range f.seen {
		if !used[e] && f.hasEffects(e) {
			used[e] = true
			list = append(list, e)
		}
	}
	return list
}

// evaluate emits the evaluation, on one of two ways, of overridden expressions, and warns where the
// order of evaluation matters: it is indeterminate (C23 6.7.11p24). The other expressions are
// evaluated where their leaves are stored.
func (f *flattener) evaluate(n cc.Node, leaves []leaf) {
	f.checkMembers(n, leaves)
	for _, e := range f.overridden(leaves) {
		f.perhaps(func() { f.effect(e) })
	}
}

// perhaps emits a branch: the first way leads around the nodes that do emits, the second through.
// Both ways lead on, so an execution with the nodes and one without are possible.
func (b *frame) perhaps(do func()) {
	end := newLabel()
	branch := b.branch()
	b.arm(branch)
	b.jump(end)
	b.arm(branch)
	do()
	b.place(end)
}

// sharedValues holds the values of expressions that initialise several elements through a range
// designator: they are evaluated once. The variable is nil before.
type sharedValues map[cc.ExpressionNode]*core.Var

// shared returns the expressions with side effects that several leaves have; nil if there are none.
// [0 ... 3] = f() has four leaves with the same expression; f is called once.
func (f *frame) shared(leaves []leaf) sharedValues {
	var s sharedValues
	seen := map[cc.ExpressionNode]bool{}
	for _, x := range leaves {
		// Without side effects it may as well be evaluated again.
		if x.expr != nil && seen[x.expr] && f.hasEffects(x.expr) {
			if s == nil {
				s = sharedValues{}
			}
			s[x.expr] = nil
		}
		seen[x.expr] = true
	}
	return s
}

// initialiseShared stores a leaf whose value is one of s, and evaluates that if it is the
// first.
func (b *functionLowerer) initialiseShared(f leaf, s sharedValues) {
	v := s[f.expr]
	// The first time: evaluate into a temporary.
	if v == nil {
		v = b.temp(f.typ)
		s[f.expr] = v
		first := f
		first.place = b.variablePlace(v, f.ctype)
		first.isBool = f.isBool
		b.initialiseLeaf(first)
	}
	switch _, isAgg := f.typ.(core.Agg); {
	case isAgg:
		b.copyTo(f.addr, b.addressOf(v), f.ctype)
	case isScalarType(f.typ):
		b.store(f.expr, f.place, known(v.Ref()), false)
	default:
		b.havocOpaque(f.place)
	}
}

// variablePlace returns the place of the temporary v, of type t.
func (l *sources) variablePlace(v *core.Var, t cc.Type) place {
	if _, isAgg := v.Type.(core.Agg); isAgg {
		return place{addr: l.addressOf(v), typ: v.Type, ctype: t}
	}
	return place{v: v, typ: v.Type, ctype: t}
}
