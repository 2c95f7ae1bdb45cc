package frontend

import (
	"math/big"

	"modernc.org/cc/v4"

	"c2bp/frontend/core"
)

// This file computes with addresses: conversions between pointers and integers,
// pointer arithmetic, comparisons. All of it is pure, and used for statements and for
// predicates alike.

// to returns x, an integer or a pointer, converted to the scalar type t. It panics for any other t:
// callers ask isScalarType before.
func to(x core.Expr, t core.Type) core.Expr {
	switch t := t.(type) {
	case core.Int:
		if _, isPtr := x.Type().(core.Ptr); isPtr {
			return toInt(x, t)
		}
		return convert(x, t)
	case core.Ptr:
		if _, isPtr := x.Type().(core.Ptr); isPtr {
			return x
		}
		return toPtr(x, t)
	}
	panic("frontend: no scalar type: " + t.String())
}

// toInt returns the pointer x converted to the integer type t; to _Bool, the condition that x is
// not null. For example (long)&((struct s *)0)->f is the constant 4 if f is at offset 4, and
// (long)p is a ToInt.
func toInt(x core.Expr, t core.Int) core.Expr {
	if t.Bool {
		return convert(isTrue(x), t)
	}
	if t.Float { // no C: a constraint violation
		return convert(toInt(x, x.Type().(core.Ptr).Word()), t)
	}
	if p := x.Type().(core.Ptr); t.Bits > p.Bits { // gcc extends addresses by their sign
		return convert(toInt(x, core.Int{Bits: p.Bits, Signed: true}), t)
	}
	// Numbers and constant addresses stay numbers.
	if p, ok := x.(*core.ToPtr); ok {
		return convert(convert(p.X, p.Typ.Word()), t)
	}
	if n := constantAddress(x); n != nil {
		return &core.Const{Val: t.Convert(n), Typ: t}
	}
	if n := numberOf(x); n != nil {
		return convert(n, t)
	}
	return &core.ToInt{X: x, To: t}
}

// numberOf returns the address x as a number if it is a constant plus a distance that need not be
// constant, as in offsetof(struct s, member[i]); else nil.
func numberOf(x core.Expr) core.Expr {
	// The base is a constant number; distances are added modulo the width.
	switch e := x.(type) {
	case *core.ToPtr:
		if c, ok := e.X.(*core.Const); ok {
			return convert(c, e.Typ.Word())
		}
	case *core.Offset:
		if n := numberOf(e.X); n != nil {
			w := n.Type().(core.Int)
			return binary(core.Add, n, &core.Const{Val: w.Convert(big.NewInt(e.Off)), Typ: w})
		}
	case *core.Index:
		if n := numberOf(e.X); n != nil {
			w := n.Type().(core.Int)
			step := binary(core.Mul, convert(e.I, w), &core.Const{Val: w.Convert(big.NewInt(e.Size)), Typ: w})
			return binary(core.Add, n, step)
		}
	}
	return nil
}

// toPtr returns the integer x converted to a pointer. If x is computed from a pointer p and a
// constant, as in (char *)((unsigned long)p + 4), the result is the pointer p + 4.
func toPtr(x core.Expr, t core.Ptr) core.Expr {
	if p := pointerInside(x, t); p != nil {
		return p
	}
	if c, ok := x.(*core.Const); ok {
		x = &core.Const{Val: t.Word().Convert(c.Val), Typ: t.Word()}
	}
	return &core.ToPtr{X: x, Typ: t}
}

// pointerInside returns the pointer whose address is x modulo the width of addresses, if x is a
// pointer plus or minus constants; else nil. A ToPtr of such a number would hide that the result is
// in the object of p. A product, a mask or a second pointer in x hides it all the same: the result
// is nil.
func pointerInside(x core.Expr, t core.Ptr) core.Expr {
	wide := func(u core.Int) bool { return u.Bits >= t.Bits && !u.Bool }
	switch x := x.(type) {
	case *core.Conv:
		// Conversions between integers as wide as addresses keep them modulo the width.
		if from, ok := x.X.Type().(core.Int); ok && wide(x.To) && wide(from) {
			return pointerInside(x.X, t)
		}
	case *core.ToInt:
		// The pointer itself.
		if wide(x.To) {
			return x.X
		}
	case *core.Binary:
		// p + c, c + p, p - c
		if x.Op != core.Add && x.Op != core.Sub || !wide(x.X.Type().(core.Int)) {
			return nil
		}
		base, step := x.X, x.Y
		if _, isConst := base.(*core.Const); isConst && x.Op == core.Add {
			base, step = step, base
		}
		c, ok := step.(*core.Const)
		if !ok {
			return nil
		}
		p := pointerInside(base, t)
		if p == nil {
			return nil
		}
		// The constant counts modulo the width, with its sign.
		off := core.Int{Bits: t.Bits, Signed: true}.Convert(c.Val).Int64()
		if x.Op == core.Sub {
			off = -off
		}
		return offset(p, off, "")
	}
	return nil
}

// offset returns the pointer x plus off bytes; field names the member that is there.
//
//	offset(p + 4, 4, "f")       p + 8, named f
//	offset(p + 0 f, 4, "g")     p + 0 f, + 4 g: the names of both members stay
func offset(x core.Expr, off int64, field string) core.Expr {
	if o, ok := x.(*core.Offset); ok && o.Field == "" {
		x, off = o.X, o.Off+off
	}
	// Adjacent offsets are one, unless the inner one names a member.
	if off == 0 && field == "" {
		return x
	}
	if p, ok := x.(*core.ToPtr); ok { // a number, as in (char *)0 + 8: in no object
		if c, ok := p.X.(*core.Const); ok {
			return numbered(p.Typ, new(big.Int).Add(c.Val, big.NewInt(off)))
		}
	}
	return &core.Offset{X: x, Off: off, Field: field}
}

// numbered returns the pointer with the address n. n may be out of range: it counts modulo the
// width.
func numbered(t core.Ptr, n *big.Int) core.Expr {
	return &core.ToPtr{X: &core.Const{Val: t.Word().Convert(n), Typ: t.Word()}, Typ: t}
}

// index returns the pointer x plus i elements of size bytes, or minus as many. Constant indices are
// merged with those in x.
func index(x, i core.Expr, size int64, minus bool) core.Expr {
	// Elements without bytes, as empty structs of GNU C, are all at one address.
	if size == 0 {
		return x
	}
	// 1. A constant index: it is added to the index, or the number, that x is.
	if c, ok := i.(*core.Const); ok {
		n := new(big.Int).Set(c.Val)
		if t := c.Typ; !t.Signed && t.Bits == x.Type().(core.Ptr).Bits { // -1UL steps back
			t.Signed = true
			n = new(big.Int).Set(t.Convert(n))
		}
		if minus {
			n.Neg(n)
		}
		// p + 1 + 2 is p + 3 if both steps have the same size.
		if old, ok := x.(*core.Index); ok && old.Size == size {
			if d, ok := old.I.(*core.Const); ok {
				x, n = old.X, n.Add(n, d.Val)
			}
		}
		if n.Sign() == 0 {
			return x
		}
		if a := constantAddress(x); a != nil {
			return numbered(x.Type().(core.Ptr), a.Add(a, n.Mul(n, big.NewInt(size))))
		}
		t := c.Typ
		// The sum, or the negated index, may not be a value of the type of the index.
		if !t.Contains(n) || t.Bool {
			t = core.Int64
		}
		return &core.Index{X: x, I: &core.Const{Val: n, Typ: t}, Size: size}
	}
	// 2. Any other one. The value of the index counts: -i of an unsigned i would wrap.
	if minus {
		i = unary(core.Neg, convert(i, core.Int64))
	}
	return &core.Index{X: x, I: i, Size: size}
}

// element returns the address of x[i]; unlike x + i it keeps an index of 0.
func element(x, i core.Expr, size int64) core.Expr {
	return elementOf(index(x, i, size, false), x, size, 0)
}

// elementOf returns p, which is x plus an index, as the address of an element of an array at x that
// has count elements; 0 if that is not known. p must be x itself or the result of index for x; any
// other p is returned as it is.
func elementOf(p, x core.Expr, size, count int64) core.Expr {
	switch e, ok := p.(*core.Index); {
	case p == x && size != 0:
		return &core.Index{X: x, I: core.NewConst(0, core.Int32), Size: size, Count: count}
	case ok && e.X == x:
		return &core.Index{X: x, I: e.I, Size: e.Size, Count: count}
	}
	return p
}

// isTrue returns the condition that x is not zero or not null.
func isTrue(x core.Expr) core.Expr {
	t, isPtr := x.Type().(core.Ptr)
	// A NaN is true: it is not equal to 0.
	if i, ok := x.Type().(core.Int); ok && i.Float {
		return floatBinary(core.Ne, x, core.NewFloat(0, i), i)
	}
	// A number is its own condition: any value but 0 is true.
	if !isPtr {
		return x
	}
	return comparePointers(core.Ne, x, core.Null(t))
}

// isFalse returns the value of !x.
func isFalse(x core.Expr) core.Expr {
	t, isPtr := x.Type().(core.Ptr)
	if !isPtr {
		return unary(core.Not, x)
	}
	return comparePointers(core.Eq, x, core.Null(t))
}

// comparePointers returns x op y for a comparison op. The address of a variable or function is not
// null. An address plus a distance counts as that of a part of the object, so it is not null
// either.
func comparePointers(op core.BinaryOp, x, y core.Expr) core.Expr {
	// null is on the right.
	if core.IsNull(x) && !core.IsNull(y) && (op == core.Eq || op == core.Ne) {
		x, y = y, x
	}
	switch {
	case core.IsNull(x) && core.IsNull(y):
		return truth(op == core.Eq || op == core.Le || op == core.Ge)
	case core.IsNull(y) && isAddress(x) && op == core.Eq:
		return truth(false)
	case core.IsNull(y) && isAddress(x) && op == core.Ne:
		return truth(true)
	}
	return &core.Binary{Op: op, X: x, Y: y}
}

// isAddress reports whether x is the address of a variable, of a part of one, or of a function. It
// is false for an address in the object of a pointer, as &p->f: p may be null.
func isAddress(x core.Expr) bool {
	for {
		switch e := x.(type) {
		case *core.AddrOf, *core.FuncAddr:
			return true
		case *core.Offset:
			x = e.X
		case *core.Index:
			x = e.X
		default:
			return false
		}
	}
}

// constantAddress returns the address x if it is a number known here, as in offsetof, else
// nil.
func constantAddress(x core.Expr) *big.Int {
	// Add up the distances down to a number.
	off := new(big.Int)
	for {
		switch e := x.(type) {
		case *core.ToPtr:
			c, ok := e.X.(*core.Const)
			if !ok {
				return nil
			}
			w := e.Typ.Word()
			return new(big.Int).Set(w.Convert(off.Add(off, w.Convert(c.Val))))
		case *core.Offset:
			off.Add(off, big.NewInt(e.Off))
			x = e.X
		case *core.Index:
			c, ok := e.I.(*core.Const)
			if !ok {
				return nil
			}
			off.Add(off, new(big.Int).Mul(c.Val, big.NewInt(e.Size)))
			x = e.X
		default:
			return nil
		}
	}
}

// mem returns the location of type t at an address: a variable if it is the address of one of that
// type. Access to &x by another type, and aggregates, stay places in memory.
func mem(addr core.Expr, t core.Type) core.Loc {
	if a, ok := addr.(*core.AddrOf); ok && a.Var.Type == t {
		switch t.(type) {
		case core.Int, core.Ptr:
			return a.Var.Ref()
		}
	}
	return &core.Mem{Addr: addr, Typ: t}
}

// addressOf returns &v.
func (l *sources) addressOf(v *core.Var) core.Expr { return &core.AddrOf{Var: v, Typ: l.pointer()} }

// elementSize returns the size by which pointers to t are scaled; void and functions count
// one byte, as for gcc. ok is false where it is not constant or not known.
func (l *typing) elementSize(t cc.Type) (size int64, ok bool) {
	if t == nil {
		return 0, false
	}
	if t.Kind() == cc.Void || t.Kind() == cc.Function {
		return 1, true
	}
	return l.layouts.SizeBytes(t)
}

// fieldAt returns the name of the member of struct or union t at byte off, or "". Of several
// members there, as in a union, it is the first.
func (l *typing) fieldAt(t cc.Type, off int64) string {
	// The first member with a name at the offset; unnamed ones are not searched.
	var n int
	var field func(int) *cc.Field
	switch t := t.(type) {
	case *cc.StructType:
		n, field = t.NumFields(), t.FieldByIndex
	case *cc.UnionType:
		n, field = t.NumFields(), t.FieldByIndex
	}
	for i := range n {
		f := field(i)
		if f == nil || f.Name() == "" {
			continue
		}
		if at, bit, ok := l.layouts.FieldOffset(f); ok && at == off && bit == 0 {
			return f.Name()
		}
	}
	return ""
}
