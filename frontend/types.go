package frontend

import (
	"modernc.org/cc/v4"

	"c2bp/frontend/core"
)

// This file maps C types to core types.

// coreType returns the core type of C type t: a scalar if it is an integer type of at most 64 bits, a
// pointer, float or double, an Agg for structs, unions and arrays, else opaque. An array is an array
// here; see [linker.parameterType] for one that is converted to a pointer.
func (l *linker) coreType(t cc.Type) core.Type {
	if s := l.scalarType(t); s != nil {
		return s
	}
	if t == nil {
		return core.Opaque{Name: "?"}
	}
	size, _ := l.sizeBytes(t)
	// Types whose values are not represented have a name and a size.
	switch t.Kind() {
	case cc.Void:
		return core.Void{}
	case cc.Struct, cc.Union, cc.Array:
		if t.VectorSize() <= 0 {
			return core.Agg{Name: typeName(t, 4), Size: size}
		}
	}
	return core.Opaque{Name: typeName(t, 4), Size: size}
}

// scalarType returns the core type of t if that is an Int or a Ptr, else nil. On i386 float and double
// are opaque: its registers hold more digits, and it is not specified when a compiler rounds.
func (l *linker) scalarType(t cc.Type) core.Type {
	switch bits := floatBits(t); {
	case bits == 0:
		return integerOrPointer(t)
	case l.opaqueFloats():
		return nil
	case bits == 32:
		return core.Float32
	}
	return core.Float64
}

// integerOrPointer returns the core type of t if that is an integer type or a pointer, else nil.
func integerOrPointer(t cc.Type) core.Type {
	if t == nil {
		return nil
	}
	// An enumeration is its integer type.
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

// objectType returns the type of a variable.
func (l *linker) objectType(t cc.Type) core.Type {
	c := l.coreType(t)
	if _, void := c.(core.Void); void {
		return core.Opaque{Name: "void"}
	}
	return c
}

// parameterType returns the type of a parameter: arrays and functions are pointers there.
func (l *linker) parameterType(t cc.Type) core.Type {
	if t != nil && (t.Kind() == cc.Array || t.Kind() == cc.Function) {
		return l.pointer()
	}
	return l.objectType(t)
}

// pointer returns the type of pointers.
func (l *linker) pointer() core.Ptr {
	if l.opts.Bits32 {
		return core.Ptr{Bits: 32}
	}
	return core.Ptr{Bits: 64}
}

// intType returns coreType for a type that must be an integer type; ok is false if it
// is none.
func intType(t cc.Type) (core.Int, bool) {
	i, ok := integerOrPointer(t).(core.Int)
	return i, ok
}

// fieldType returns the type of the value of a member of an integer type: as declared, or
// the width of a bit-field. gcc computes with exactly that width.
func fieldType(f *cc.Field, t cc.Type) (core.Int, bool) {
	i, ok := intType(t)
	if !ok || f == nil || !f.IsBitfield() {
		return i, ok
	}
	// A bit-field of type _Bool is a _Bool.
	if i, ok = intType(f.Type()); !ok || i.Bool {
		return i, ok
	}
	i.Bits = int(f.ValueBits())
	return i, true
}

// typeName returns a type in a few words; depth bounds the pointers followed.
func typeName(t cc.Type, depth int) string {
	if t == nil || depth == 0 {
		return "..."
	}
	switch t := t.(type) {
	case *cc.PointerType:
		if t.Elem() == nil {
			return "..."
		}
		return typeName(t.Elem(), depth-1) + "*"
	case *cc.ArrayType:
		return typeName(t.Elem(), depth-1) + "[]"
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

// tagged returns "struct s", or "struct" without a tag.
func tagged(kind string, tag cc.Token) string {
	if name := tag.SrcStr(); name != "" {
		return kind + " " + name
	}
	return kind
}

// functionType returns the type of the function that t is, or to which t points, perhaps through other
// pointers; nil if there is none.
func functionType(t cc.Type) *cc.FunctionType {
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

// givenFunction returns the function type if t is one or a pointer to one, else nil: a pointer to a
// pointer to a function is data.
func givenFunction(t cc.Type) *cc.FunctionType {
	if p, ok := t.(*cc.PointerType); ok {
		t = p.Elem()
	}
	f, _ := t.(*cc.FunctionType)
	return f
}

// isConstType reports whether objects of type t, or the elements of an array, are const.
func isConstType(t cc.Type) bool {
	for {
		a, ok := t.(*cc.ArrayType)
		if !ok {
			return t.Attributes().IsConst()
		}
		t = a.Elem()
	}
}

// isConst reports whether d is declared const, so that it keeps its initial value.
func isConst(d *cc.Declarator) bool {
	return d.IsConst() || d.Type() != nil && d.Type().Attributes().IsConst()
}
