package harness

import (
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/ctree"
)

// This file spells types in C, in terms of names of file scope.

// speller spells types by the names of file scope.
var speller = ctree.Speller{Specifier: specifier}

// declaration returns the declaration of declarator with type t; ok is false if t has no name.
func declaration(t cc.Type, declarator string) (text string, ok bool) {
	return speller.Declaration(t, declarator)
}

// specifier names a type that is no derived one, without qualifiers.
func specifier(t cc.Type) (name string, ok bool) {
	switch x := t.(type) {
	case *cc.StructType:
		return tagged(t, "struct ", x.Tag())
	case *cc.UnionType:
		return tagged(t, "union ", x.Tag())
	case *cc.EnumType:
		if name, ok := tagged(t, "enum ", x.Tag()); ok {
			return name, true
		}
		t = x.UnderlyingType()
	}
	switch t.Kind() {
	case cc.Void:
		return "void", true
	case cc.Bool:
		return "_Bool", true
	}
	if t.VectorSize() > 0 || !cc.IsArithmeticType(t) || cc.IsComplexType(t) {
		return "", false
	}
	return t.Kind().String(), true
}

// tagged names a struct, union or enumeration by its tag, or else by a typedef.
func tagged(t cc.Type, kind string, tag cc.Token) (name string, ok bool) {
	if s := tag.SrcStr(); s != "" {
		return kind + s, true
	}
	if d := t.Typedef(); d != nil && d.Name() != "" {
		return d.Name(), true
	}
	return "", false
}

// recordName returns the tag or typedef of a struct or union, without "struct"; "" for other types and
// those without a name.
func recordName(t cc.Type) string {
	switch t.(type) {
	case *cc.StructType, *cc.UnionType:
		name, _ := specifier(t)
		return strings.TrimPrefix(strings.TrimPrefix(name, "struct "), "union ")
	}
	return ""
}

// part returns the first member of a struct that is a struct of the given name: dev, for a
// platform_device and device. Members of anonymous structs are members. ok is false if there is none.
func part(t cc.Type, name string) (member string, ok bool) {
	s, isStruct := t.(*cc.StructType)
	if !isStruct {
		return "", false
	}
	for i := 0; i < s.NumFields(); i++ {
		f := s.FieldByIndex(i)
		if _, isStruct := f.Type().(*cc.StructType); !isStruct {
			continue
		}
		if f.Name() != "" && recordName(f.Type()) == name {
			return f.Name(), true
		}
		if inner, ok := part(f.Type(), name); f.Name() == "" && ok {
			return inner, true
		}
	}
	return "", false
}
