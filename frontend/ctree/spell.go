package ctree

import (
	"fmt"
	"strings"

	"modernc.org/cc/v4"
)

// This file spells types in C.

// Speller spells types by the names that Specifier gives those that are derived from no others; its second
// result is false for a type without a name.
type Speller struct {
	Specifier func(t cc.Type) (name string, ok bool)
}

// Declaration returns the declaration of declarator, a name with *, [] and () around it, with type t; ok is false
// if some type in it has no name. Without a declarator it is the name of t. It works from the outside of the type
// in:
//
//	int (*x)[3]:  pointer to int[3], x     ->  int[3], *x  ->  int, (*x)[3]  ->  int (*x)[3]
func (s Speller) Declaration(t cc.Type, declarator string) (text string, ok bool) {
	return s.declaration(t, declarator, 0)
}

// declaration is Declaration at a depth of derivation.
func (s Speller) declaration(t cc.Type, declarator string, depth int) (string, bool) {
	if t == nil || depth > MaxDepth {
		return "", false
	}
	// * binds less than [] and ().
	grouped := declarator
	if strings.HasPrefix(declarator, "*") {
		grouped = "(" + declarator + ")"
	}
	switch t := t.(type) {
	case *cc.PointerType:
		return s.declaration(t.Elem(), "*"+qualifiers(t)+declarator, depth+1)
	case *cc.ArrayType:
		if t.IsVLA() {
			// Its length is a value of the run.
			return "", false
		}
		length := ""
		if t.Len() >= 0 {
			length = fmt.Sprint(t.Len())
		}
		return s.declaration(t.Elem(), grouped+"["+length+"]", depth+1)
	case *cc.FunctionType:
		params, ok := s.parameters(t, nil, depth)
		if !ok {
			return "", false
		}
		return s.declaration(t.Result(), grouped+"("+params+")", depth+1)
	}
	base, ok := s.Specifier(t)
	if declarator != "" && !strings.HasPrefix(declarator, " ") {
		base += " "
	}
	return qualifiers(t) + base + declarator, ok
}

// Parameters returns the parameters of t, with the given names if there are any; ok is false if a type has no
// name.
func (s Speller) Parameters(t *cc.FunctionType, names []string) (text string, ok bool) {
	return s.parameters(t, names, 0)
}

// parameters is Parameters at a depth of derivation.
func (s Speller) parameters(t *cc.FunctionType, names []string, depth int) (string, bool) {
	var list []string
	for i, p := range t.Parameters() {
		name := ""
		if names != nil {
			name = names[i]
		}
		text, ok := s.declaration(p.Type(), name, depth+1)
		if !ok {
			return "", false
		}
		list = append(list, strings.TrimSuffix(text, " "))
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
