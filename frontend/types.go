package frontend

import (
	"modernc.org/cc/v4"

	"c2bp/frontend/core"
)

// This file maps C types to core types.

// coreType is the core type of C type t: its width and sign if it is an integer
// type of at most 64 bits, else opaque.
func coreType(t cc.Type) core.Type {
	if t == nil {
		return core.Opaque{Name: "?"}
	}
	if e, ok := t.(*cc.EnumType); ok {
		t = e.UnderlyingType()
	}
	switch {
	case t.Kind() == cc.Void:
		return core.Void{}
	case t.VectorSize() > 0 || !cc.IsIntegerType(t) || t.Size() < 1 || t.Size() > 8:
		return core.Opaque{Name: typeName(t, 4)}
	case t.Kind() == cc.Bool:
		return core.Bool
	}
	return core.Int{Bits: int(8 * t.Size()), Signed: cc.IsSignedInteger(t)}
}

// intType is coreType for a type that must be an integer type; ok is false if it
// is none.
func intType(t cc.Type) (core.Int, bool) {
	i, ok := coreType(t).(core.Int)
	return i, ok
}

// fieldType is the core type of a member: as declared, or the width of a
// bit-field. gcc computes with exactly that width.
func fieldType(f *cc.Field, t cc.Type) core.Type {
	i, ok := coreType(t).(core.Int)
	if !ok || f == nil || !f.IsBitfield() {
		return coreType(t)
	}
	if i, ok = coreType(f.Type()).(core.Int); !ok || i.Bool {
		return coreType(f.Type())
	}
	i.Bits = int(f.ValueBits())
	return i
}

// typeName spells a type in a few words; depth bounds the pointers followed.
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

func tagged(kind string, tag cc.Token) string {
	if name := tag.SrcStr(); name != "" {
		return kind + " " + name
	}
	return kind
}

// functionType is the function type behind t, a function or a pointer to one.
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

// isVolatile reports whether reads of the object d may yield anything.
func isVolatile(d *cc.Declarator) bool {
	return d.IsVolatile() || d.Type() != nil && d.Type().Attributes().IsVolatile()
}

// isConst reports whether d is declared const, so that its initial value is its
// value.
func isConst(d *cc.Declarator) bool {
	return d.IsConst() || d.Type() != nil && d.Type().Attributes().IsConst()
}
