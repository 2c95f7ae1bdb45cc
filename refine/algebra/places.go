package algebra

import (
	"c2bp/frontend/core"
)

// This file takes lvalues and addresses apart.

// Variable returns the variable that l is, nil for a place in memory.
func Variable(l core.Loc) *core.Var {
	if r, ok := l.(*core.VarRef); ok {
		return r.Var
	}
	return nil
}

// Address returns the address of l, in a program whose pointers have the given number of bits: of a
// variable the address of its object. It is nil if l is no lvalue.
func Address(l core.Loc, ptrBits int) core.Expr {
	switch l := l.(type) {
	case *core.Mem:
		return l.Addr
	case *core.VarRef:
		return &core.AddrOf{Var: l.Var, Typ: core.Ptr{Bits: ptrBits}}
	}
	return nil
}

// Constant returns the value of the constant e, 0 if e is none.
func Constant(e core.Expr) int64 {
	k, _ := core.ConstantOf(e)
	return k
}

// Base splits address e into a base and a constant offset from it: &p->b[2] into p and the offset of
// b[2].
func Base(e core.Expr) (base core.Expr, off int64) {
	for {
		switch x := e.(type) {
		case *core.Offset:
			off += x.Off
			e = x.X
		case *core.Index:
			// A constant index is a constant offset; another index ends the search.
			i, ok := core.ConstantOf(x.I)
			if !ok {
				return e, off
			}
			off += i * x.Size
			e = x.X
		default:
			return e, off
		}
	}
}

// Displace returns the address off bytes after e.
func Displace(e core.Expr, off int64) core.Expr {
	if off == 0 {
		return e
	}
	return &core.Offset{X: e, Off: off}
}

// Convert returns v as a value of type t: between integers, between integers and pointers. It is v itself
// if there is no conversion.
func Convert(v core.Expr, t core.Type) core.Expr {
	if v.Type() == t {
		return v
	}
	_, fromInt := v.Type().(core.Int)
	switch to := t.(type) {
	case core.Int:
		if fromInt {
			return &core.Conv{X: v, To: to}
		}
		return &core.ToInt{X: v, To: to}
	case core.Ptr:
		if fromInt {
			return &core.ToPtr{X: v, Typ: to}
		}
	}
	return v
}

// FollowsNull reports whether e reads memory at null or at a constant offset from it, which no run
// does.
func FollowsNull(e core.Expr) bool {
	found := false
	core.Walk(e, func(e core.Expr) bool {
		if m, ok := e.(*core.Mem); ok {
			base, _ := Base(m.Addr)
			if p, ok := base.(*core.ToPtr); ok && IsConst(p.X) {
				found = found || Constant(p.X) == 0
			}
		}
		return !found
	})
	return found
}

// simplifyPointers compares the bases of two addresses instead of the addresses, if these are at
// constant offsets from them: &p->lock == &dev.lock becomes p == &dev. The address of a variable goes
// to the right side. known is set if both sides have one base.
func simplifyPointers(x *core.Binary) (simple core.Expr, known bool) {
	p, at := Base(x.X)
	q, off := Base(x.Y)
	if core.Equal(p, q) {
		return x, true
	}
	x1, y1 := x.X, x.Y
	// 1. The address of a variable goes to the right side.
	if IsAddress(p) && !IsAddress(q) {
		p, at, q, off = q, off, p, at
		x1, y1 = y1, x1
	}
	switch {
	// 2. Null is not at a distance from anything.
	case IsNull(p), IsNull(q):
		return x, false
	// 3. The left side is a base already.
	case x1 == p:
		return &core.Binary{Op: x.Op, X: x1, Y: y1}, false
	}
	// 4. The displacement of the left side goes to the right.
	return &core.Binary{Op: x.Op, X: p, Y: Displace(q, off-at)}, false
}

// IsNull reports whether e is a constant used as a pointer, such as the null pointer.
func IsNull(e core.Expr) bool {
	p, ok := e.(*core.ToPtr)
	return ok && IsConst(p.X)
}

// IsAddress reports whether e is the address of a variable.
func IsAddress(e core.Expr) bool {
	_, ok := e.(*core.AddrOf)
	return ok
}

// IsConst reports whether e is a constant.
func IsConst(e core.Expr) bool {
	_, ok := e.(*core.Const)
	return ok
}

// KeepsValue reports whether the target type of conversion k holds all values of the source type.
func KeepsValue(k *core.Conv) bool {
	from, ok := k.X.Type().(core.Int)
	return ok && k.To.Holds(from)
}

// IsScalar reports whether t is a number or a pointer.
func IsScalar(t core.Type) bool {
	_, ok := core.Word(t)
	return ok
}

// Bit returns the number of the first bit of l in its first byte; it is not 0 for some bit-fields.
func Bit(l core.Loc) int {
	if m, ok := l.(*core.Mem); ok {
		return m.Bit
	}
	return 0
}

// ReadsMemory reports whether e reads a place in memory.
func ReadsMemory(e core.Expr) bool { return len(core.Loads(e)) > 0 }

// InMemory reports whether l is in memory: a dereference, or a variable whose address is taken.
func InMemory(l core.Loc) bool {
	v := Variable(l)
	return v == nil || v.InMemory()
}
