package frontend

import (
	"modernc.org/cc/v4"

	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
)

// This file maps C types to core types.

// coreType returns the core type of C type t: a scalar if it is an integer type of at most 64 bits, a
// pointer, float or double, an Agg for structs, unions and arrays, else opaque. An array is an array
// here; see [linker.parameterType] for one that is converted to a pointer.
//
//	int, enum e, char         Int        int[4], struct s, union u     Agg
//	int *, int (*)(void)      Ptr        long double, __int128         Opaque
//	float, double             Int with Float; Opaque on i386
func (l *typing) coreType(t cc.Type) core.Type {
	if s := l.scalarType(t); s != nil {
		return s
	}
	if t == nil {
		return core.Opaque{Name: "?"}
	}
	size, _ := l.layouts.SizeBytes(t)
	// Types whose values are not represented have a name and a size.
	switch t.Kind() {
	case cc.Void:
		return core.Void{}
	case cc.Struct, cc.Union, cc.Array:
		if t.VectorSize() <= 0 {
			return core.Agg{Name: ctree.TypeName(t, 4), Size: size}
		}
	}
	return core.Opaque{Name: ctree.TypeName(t, 4), Size: size}
}

// scalarType returns the core type of t if that is an Int or a Ptr, else nil. On i386 float and double
// are opaque: its registers hold more digits, and it is not specified when a compiler rounds.
func (l *typing) scalarType(t cc.Type) core.Type {
	switch bits := ctree.FloatBits(t); {
	case bits == 0:
		return ctree.IntegerOrPointer(t)
	case l.opaqueFloats():
		return nil
	case bits == 32:
		return core.Float32
	}
	return core.Float64
}

// objectType returns the type of a variable. extern void x; is allowed, and only the address of
// such an object can be used.
func (l *typing) objectType(t cc.Type) core.Type {
	c := l.coreType(t)
	if _, void := c.(core.Void); void {
		return core.Opaque{Name: "void"}
	}
	return c
}

// parameterType returns the type of a parameter: arrays and functions are pointers there.
func (l *typing) parameterType(t cc.Type) core.Type {
	if t != nil && (t.Kind() == cc.Array || t.Kind() == cc.Function) {
		return l.pointer()
	}
	return l.objectType(t)
}

// pointer returns the type of pointers.
func (l *sources) pointer() core.Ptr {
	if l.opts.Bits32 {
		return core.Ptr{Bits: 32}
	}
	return core.Ptr{Bits: 64}
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
