package harness

import (
	"fmt"
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/ctree"
)

// This file spells types in C, in terms of names of file scope.

// declaration returns the declaration of declarator, a name with *, [] and () around it, with type t;
// ok is false if t has no name. It works from the outside of the type in:
//
//	int (*x)[3]:  pointer to int[3], x     ->  int[3], *x  ->  int, (*x)[3]  ->  int (*x)[3]
func declaration(t cc.Type, declarator string) (text string, ok bool) {
	return declare(t, declarator, 0)
}

// declare is declaration at a depth of derivation.
func declare(t cc.Type, declarator string, depth int) (string, bool) {
	if t == nil || depth > ctree.MaxDepth {
		return "", false
	}
	// * binds less than [] and ().
	grouped := declarator
	if strings.HasPrefix(declarator, "*") {
		grouped = "(" + declarator + ")"
	}
	switch t := t.(type) {
	case *cc.PointerType:
		return declare(t.Elem(), "*"+qualifiers(t)+declarator, depth+1)
	case *cc.ArrayType:
		if t.IsVLA() {
			return "", false
		}
		length := ""
		if t.Len() >= 0 {
			length = fmt.Sprint(t.Len())
		}
		return declare(t.Elem(), grouped+"["+length+"]", depth+1)
	case *cc.FunctionType:
		params, ok := parameterList(t, nil, depth)
		if !ok {
			return "", false
		}
		return declare(t.Result(), grouped+"("+params+")", depth+1)
	}
	base, ok := specifier(t)
	if declarator != "" && !strings.HasPrefix(declarator, " ") {
		base += " "
	}
	return qualifiers(t) + base + declarator, ok
}

// parameterList returns the parameters of t, with the given names if there are any. ok is false if a
// type has no name, and for f(), which says nothing.
func parameterList(t *cc.FunctionType, names []string, depth int) (text string, ok bool) {
	var list []string
	for i, p := range t.Parameters() {
		name := ""
		if names != nil {
			name = names[i]
		}
		d, ok := declare(p.Type(), name, depth+1)
		if !ok {
			return "", false
		}
		list = append(list, strings.TrimSuffix(d, " "))
	}
	if t.IsVariadic() {
		list = append(list, "...")
	}
	return strings.Join(list, ", "), true
}

// qualifiers returns const and volatile, each with a blank after it, where t has them.
func qualifiers(t cc.Type) (text string) {
	if t.Attributes().IsConst() {
		text += "const "
	}
	if t.Attributes().IsVolatile() {
		text += "volatile "
	}
	return text
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
