package ctree

import (
	"modernc.org/cc/v4"

	"c2bp/frontend/core"
)

// This file reads the types of cc.

// IntegerOrPointer returns the core type of t if that is an integer type or a pointer, else nil:
// for vectors and integers of 128 bits, too. An enumeration has its underlying type.
func IntegerOrPointer(t cc.Type) core.Type {
	if t == nil {
		return nil
	}
	if e, ok := t.(*cc.EnumType); ok {
		t = e.UnderlyingType()
	}
	switch {
	case t.VectorSize() > 0:
		return nil
	case t.Kind() == cc.Ptr:
		return core.Ptr{Bits: int(8 * t.Size())}
	case !cc.IsIntegerType(t) || t.Size() < 1 || t.Size() > 8:
		return nil
	case t.Kind() == cc.Bool:
		return core.Bool
	}
	return core.Int{Bits: int(8 * t.Size()), Signed: cc.IsSignedInteger(t)}
}

// IntType returns the core type of t; ok is false if t is no integer type.
func IntType(t cc.Type) (core.Int, bool) {
	i, ok := IntegerOrPointer(t).(core.Int)
	return i, ok
}

// FieldType returns the type of the value of a member of an integer type: as declared, or the width
// of a bit-field. gcc computes with exactly that width. f may be nil, for no member; t is the type
// that the expression has to cc.
func FieldType(f *cc.Field, t cc.Type) (core.Int, bool) {
	i, ok := IntType(t)
	if !ok || f == nil || !f.IsBitfield() {
		return i, ok
	}
	// A bit-field of type _Bool stays a _Bool.
	if i, ok = IntType(f.Type()); !ok || i.Bool {
		return i, ok
	}
	i.Bits = int(f.ValueBits())
	return i, true
}

// TypeName spells a type in a few words; depth bounds the pointers followed: "struct s*", "int[]",
// "function*", and "..." where it ends.
func TypeName(t cc.Type, depth int) string {
	if t == nil || depth == 0 {
		return "..."
	}
	switch t := t.(type) {
	case *cc.PointerType:
		if t.Elem() == nil {
			return "..."
		}
		return TypeName(t.Elem(), depth-1) + "*"
	case *cc.ArrayType:
		return TypeName(t.Elem(), depth-1) + "[]"
	case *cc.FunctionType:
		return "function"
	case *cc.StructType:
		return tagged("struct", t.Tag())
	case *cc.UnionType:
		return tagged("union", t.Tag())
	case *cc.EnumType:
		return tagged("enum", t.Tag())
	}
	if t.VectorSize() > 0 {
		return "vector"
	}
	return t.Kind().String()
}

// tagged returns kind with the tag after it, if there is one.
func tagged(kind string, tag cc.Token) string {
	if name := tag.SrcStr(); name != "" {
		return kind + " " + name
	}
	return kind
}

// FunctionType returns t, or the function type that t points to, directly or not; nil for others. A
// call may be of any of them: (**f)() is f().
func FunctionType(t cc.Type) *cc.FunctionType {
	for depth := 0; t != nil && depth < 8; depth++ {
		switch x := t.(type) {
		case *cc.FunctionType:
			return x
		case *cc.PointerType:
			t = x.Elem()
		default:
			return nil
		}
	}
	return nil
}

// GivenFunction returns the type of the function that an argument of type t is, a function or a
// pointer to one; nil for others: a pointer to a pointer to a function is data.
func GivenFunction(t cc.Type) *cc.FunctionType {
	if p, ok := t.(*cc.PointerType); ok {
		t = p.Elem()
	}
	f, _ := t.(*cc.FunctionType)
	return f
}

// IsFloating reports whether t is a floating-point type, a complex one included.
func IsFloating(t cc.Type) bool { return t != nil && cc.IsFloatingPointType(t) }

// FloatBits returns the width of float and double, 0 for other types.
func FloatBits(t cc.Type) int {
	if t != nil && t.VectorSize() <= 0 {
		switch t.Kind() {
		case cc.Float:
			return 32
		case cc.Double:
			return 64
		}
	}
	return 0
}

// Pointee returns the type that t points to, nil if t is no pointer type. An array is none here.
func Pointee(t cc.Type) cc.Type {
	if p, ok := t.(*cc.PointerType); ok {
		return p.Elem()
	}
	return nil
}

// FixedSize reports whether no array of variable length is part of t. Pointers to such arrays have
// a fixed size.
func FixedSize(t cc.Type) bool {
	switch t := t.(type) {
	case *cc.ArrayType:
		// The length must be a constant expression.
		if n := t.SizeExpression(); !IsNil(n) && (Integer(n.Value()) == nil || !n.Pure()) {
			return false
		}
		return !t.IsVLA() && FixedSize(t.Elem())
	case *cc.StructType:
		return fixedFields(t.NumFields(), t.FieldByIndex)
	case *cc.UnionType:
		return fixedFields(t.NumFields(), t.FieldByIndex)
	}
	return true
}

// fixedFields reports whether no array of variable length is part of one of n members.
func fixedFields(n int, field func(int) *cc.Field) bool {
	for i := 0; i < n; i++ {
		if f := field(i); f != nil && !FixedSize(f.Type()) {
			return false
		}
	}
	return true
}

// MaxDepth bounds the derivations of a type that are followed.
const MaxDepth = 50
