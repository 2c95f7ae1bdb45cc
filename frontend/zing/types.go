package zing

// This file defines types, symbols and scopes. Two types are the same if their pointers are: types
// are compared by name, and each name has one *Type.

// Kind is the kind of a type.
type Kind int

// The kinds of types. The numeric ones, from KindByte to KindDecimal, stand together, and so do the
// references, from KindObject to KindChan.
const (
	KindVoid Kind = iota // only as the result of a method
	KindBool
	KindByte
	KindSByte
	KindShort
	KindUShort
	KindInt
	KindUInt
	KindLong
	KindULong
	KindFloat
	KindDouble
	KindDecimal
	KindString
	KindEnum
	KindRange // a value is an int; the bounds are never checked
	KindStruct
	KindObject
	KindNull // the type of null
	KindClass
	KindInterface
	KindArray
	KindSet
	KindChan
)

// Type is a type: a predefined one, which is the same for all programs, or a declared one.
type Type struct {
	Kind  Kind
	Name  string
	Decl  Decl // nil if it is predefined
	Index int  // among Program.Types

	Elem  *Type // KindArray, KindSet, KindChan: the type of elements
	Fixed bool  // KindArray: all its arrays have Size elements
	Size  int   // KindArray
	Lo    int64 // KindRange: the first value
	Hi    int64 // KindRange: the last one, not below Lo
	Enum  []*EnumMember

	Fields     []*Field  // KindClass, KindStruct: instance fields, in the order of the text
	Statics    []*Field  // KindClass: static fields, in the order of the text
	Methods    []*Method // KindClass, KindInterface: in the order of the text
	Implements []*Type   // KindClass: its interfaces

	members map[string]Symbol // fields, methods or enum members, by name
}

// The predefined types.
var (
	Void    = &Type{Kind: KindVoid, Name: "void"}
	Bool    = &Type{Kind: KindBool, Name: "bool"}
	Byte    = &Type{Kind: KindByte, Name: "byte"}
	SByte   = &Type{Kind: KindSByte, Name: "sbyte"}
	Short   = &Type{Kind: KindShort, Name: "short"}
	UShort  = &Type{Kind: KindUShort, Name: "ushort"}
	Int     = &Type{Kind: KindInt, Name: "int"}
	UInt    = &Type{Kind: KindUInt, Name: "uint"}
	Long    = &Type{Kind: KindLong, Name: "long"}
	ULong   = &Type{Kind: KindULong, Name: "ulong"}
	Float   = &Type{Kind: KindFloat, Name: "float"}
	Double  = &Type{Kind: KindDouble, Name: "double"}
	Decimal = &Type{Kind: KindDecimal, Name: "decimal"}
	String  = &Type{Kind: KindString, Name: "string"}
	Object  = &Type{Kind: KindObject, Name: "object"}
	Null    = &Type{Kind: KindNull, Name: "null"}
)

// predefined are the types that keywords name.
var predefined = func() map[string]*Type {
	m := map[string]*Type{}
	for _, t := range []*Type{Void, Bool, Byte, SByte, Short, UShort, Int, UInt, Long, ULong, Float, Double, Decimal, String, Object} {
		m[t.Name] = t
	}
	return m
}()

// String returns the name of the type.
func (t *Type) String() string { return t.Name }

// IsInteger reports whether the values of t are integers; those of a range are.
func (t *Type) IsInteger() bool {
	return t.Kind >= KindByte && t.Kind <= KindULong || t.Kind == KindRange
}

// IsNumeric reports whether the values of t are integers or reals.
func (t *Type) IsNumeric() bool { return t.IsInteger() || t.Kind >= KindFloat && t.Kind <= KindDecimal }

// IsReference reports whether the values of t are references to objects, or null.
func (t *Type) IsReference() bool { return t.Kind >= KindObject }

// Base returns the type as which values of t are stored: Int for a range, else t.
func (t *Type) Base() *Type {
	if t.Kind == KindRange {
		return Int
	}
	return t
}

// Implementation returns the method of class t that a call of method m of an interface runs.
func (t *Type) Implementation(m *Method) *Method {
	if impl, ok := t.members[m.Name.Name].(*Method); ok && t.Kind == KindClass {
		return impl
	}
	panic("zing: class " + t.Name + " has no method " + m.Name.Name)
}

// Symbol is the meaning of a name: a *Local, *Param, *Field, *Method, *EnumMember or *Type.
type Symbol interface{ isSymbol() }

func (*Local) isSymbol()      {}
func (*Param) isSymbol()      {}
func (*Field) isSymbol()      {}
func (*Method) isSymbol()     {}
func (*EnumMember) isSymbol() {}
func (*Type) isSymbol()       {}

// Scope is a scope of local variables: a Block, or a Foreach.
type Scope struct {
	Parent *Scope // nil for the body of the method
	Locals []*Local
}

// Encloses reports whether s is an ancestor of inner, and not inner itself.
func (s *Scope) Encloses(inner *Scope) bool {
	for inner != nil {
		if inner = inner.Parent; inner == s {
			return inner != nil
		}
	}
	return false
}

// IsPlace reports whether a checked expression can be assigned to.
func IsPlace(e Expr) bool {
	switch e := e.(type) {
	case *Index:
		return true
	case *Name:
		switch e.Symbol.(type) {
		case *Local, *Param, *Field:
			return true
		}
	case *Selector:
		f, is := e.Symbol.(*Field)
		// A field of a struct is a place if the struct is one.
		return is && (f.Static || f.Owner.Kind == KindClass || IsPlace(e.X))
	}
	return false
}
