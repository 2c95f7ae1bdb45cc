package frontend

import (
	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/core"
	"c2bp/source"
)

// This file lowers initialisers to stores, a leaf of the tree of parts after the other.

// initialise lowers the initialiser of a variable. zeroed says that its storage is zero already.
// The leaves are stored in the order of the members, and not in the one of the text, as gcc does:
//
//	struct { int a, b; } s = { .b = f(), .a = g() };     calls g, then f
func (b *functionLowerer) initialise(p place, init *cc.Initializer, zeroed bool) {
	// 1. A scalar, perhaps in braces, or a whole struct or union.
	for init.Case == cc.InitializerInitList && isScalarType(p.typ) {
		if init.InitializerList == nil { // = {}
			b.assign(p.loc(), to(truth(false), p.typ))
			return
		}
		init = init.InitializerList.Initializer
	}
	if init.Case == cc.InitializerExpr {
		if _, isArray := p.ctype.(*cc.ArrayType); !isArray {
			b.initialiseLeaf(leaf{place: p, expr: init.AssignmentExpression})
			return
		}
	}
	// 2. An object with parts: find the leaves, then store them.
	root := &part{place: p}
	f := &flattener{functionLowerer: b}
	f.object(root, init)
	leaves := root.leaves()
	f.evaluate(init, leaves)
	b.initialiseParts(root, leaves, zeroed)
}

// initialiseList lowers an initialiser in braces. It is initialise for compound literals, (int[]){
// 1, 2 }; l may be nil.
func (b *functionLowerer) initialiseList(p place, l *cc.InitializerList, zeroed bool) {
	root := &part{place: p}
	f := &flattener{functionLowerer: b}
	f.list(root, l)
	leaves := root.leaves()
	// (int){}: 0.
	if len(leaves) == 0 && isScalarType(p.typ) {
		b.assign(p.loc(), to(truth(false), p.typ))
		return
	}
	if l != nil {
		f.evaluate(l, leaves)
	}
	b.initialiseParts(root, leaves, zeroed)
}

// initialiseParts stores the leaves of an initialiser in the object root. Parts without a leaf are
// zero. If all members have one, only padding is left, whose value C does not specify. zeroed says
// that the object is zero already.
//
//	struct { int a; char c; } s = { .c = 'x' };    fill &s with 0; s.c := 'x'
//	struct { int a; char c; } s = { 1, 'x' };      begin s; s.a := 1; s.c := 'x'
func (b *functionLowerer) initialiseParts(root *part, leaves []leaf, zeroed bool) {
	if root.addr != nil && !zeroed && !b.covers(root.place, leaves) {
		// Only padding keeps its value: begin with an arbitrary object instead of a zero one.
		if v := wholeVariable(root.addr); v != nil && b.complete(root) {
			b.emit(&core.Havoc{Locs: []core.Loc{v.Ref()}, Begin: true})
		} else {
			b.emit(&core.Fill{Dst: root.addr, Size: b.sizeExpr(root.ctype), Byte: core.NewConst(0, core.Uint8)})
		}
	}
	b.initialiseLeaves(leaves)
}

// wholeVariable returns the variable whose address addr is, or nil.
func wholeVariable(addr core.Expr) *core.Var {
	if a, ok := addr.(*core.AddrOf); ok {
		return a.Var
	}
	return nil
}

// initialiseLeaves stores leaves. An expression of a range designator is evaluated once and stored
// several times, see sharedValues.
func (b *functionLowerer) initialiseLeaves(leaves []leaf) {
	shared := b.shared(leaves)
	for _, f := range leaves {
		if _, several := shared[f.expr]; several {
			b.initialiseShared(f, shared)
		} else {
			b.initialiseLeaf(f)
		}
	}
}

// covers reports whether every byte of p belongs to a leaf that is stored in any case. If it does,
// clearing the object before would be of no use. If the answer is false although all bytes are
// covered, the object is cleared, which is sound.
func (l *typing) covers(p place, leaves []leaf) bool {
	size, ok := l.layouts.SizeBytes(p.ctype)
	seen := map[string]bool{}
	for _, f := range leaves {
		// It is a part of another leaf, is arbitrary, or may not be stored at all, see
		// initialiseLeaf.
		if f.inner || f.expr == nil || f.refine && !f.isArray() {
			continue
		}
		// Bit-fields and other parts of bytes cover none.
		n, known := l.layouts.SizeBytes(f.ctype)
		if t, isInt := f.typ.(core.Int); !known || isInt && t.Bits != 8*int(n) {
			return false
		}
		if text, _, isString := l.StringBytes(f.expr); isString && f.isArray() {
			n = min(n, int64(len(text)))
		}
		// A part that is initialised twice counts once.
		if key := core.ExprString(f.address()); !seen[key] {
			seen[key] = true
			size -= n
		}
	}
	return ok && size <= 0
}

// address returns the address of a leaf. It serves as a key only: of a variable it is the variable
// itself.
func (f leaf) address() core.Expr {
	if f.v != nil {
		return f.v.Ref()
	}
	return f.addr
}

// initialiseLeaf stores one leaf.
func (b *functionLowerer) initialiseLeaf(f leaf) {
	switch _, isAgg := f.typ.(core.Agg); {
	case f.expr == nil:
		b.emit(&core.Fill{Dst: f.addr, Size: b.sizeExpr(f.ctype), Why: "an initialiser of many elements"})
		return
	case isAgg && f.refine && !f.isArray():
		// { .p = q, .p.x = 1 }: by C the other members are those of q, but gcc drops q.
		f.refine = false
		b.note(source.Warning, ccfix.At(f.expr.Position()), "%s is initialised again in part: compilers differ in what the rest is", b.TextOf(f.expr))
		b.perhaps(func() { b.initialiseLeaf(f) })
		return
	}
	// A string for an array of characters, cut to its length.
	if text, _, ok := b.StringBytes(f.expr); ok && f.isArray() && f.addr != nil {
		if n, known := b.layouts.SizeBytes(f.ctype); known && int64(len(text)) > n {
			text = text[:n]
		}
		b.emit(&core.Data{Dst: f.addr, Bytes: text})
		return
	}
	// By the type: aggregates are copied, scalars assigned.
	switch _, isAgg := f.typ.(core.Agg); {
	case isAgg:
		b.copyInto(f.place, f.expr)
	case isScalarType(f.typ) && !f.isBool && f.known():
		l := f.loc()
		if m, ok := l.(*core.Mem); ok {
			m.To = b.pointee(f.ctype)
		}
		b.into(l, f.expr)
	case isScalarType(f.typ):
		b.store(f.expr, f.place, b.value(f.expr), false)
	default:
		if !b.copyOpaque(f.place, f.expr) {
			b.lose(f.expr)
			b.havocOpaque(f.place)
		}
	}
}
