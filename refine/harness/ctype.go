package harness

import (
	"fmt"
	"math/big"
	"strings"

	"c2bp/frontend/core"
)

// This file spells core types and values in C. A type need not be the one that the program
// declares: functions and variables meet at link time, by name and size.

// typeName is t in C.
func typeName(t core.Type) string {
	switch t := t.(type) {
	case core.Int:
		return intName(t)
	case core.Ptr:
		return "void *"
	case core.Agg:
		return fmt.Sprintf("struct { unsigned char bytes[%d]; }", max(t.Size, 1))
	case core.Opaque:
		return t.Name
	}
	return "void"
}

func intName(t core.Int) string {
	if t.Bool {
		return "_Bool"
	}
	name := "long long"
	switch {
	case t.Bits <= 8:
		name = "char"
	case t.Bits <= 16:
		name = "short"
	case t.Bits <= 32:
		name = "int"
	}
	switch {
	case !t.Signed:
		return "unsigned " + name
	case name == "char":
		return "signed char"
	}
	return name
}

// declaration declares name as of type t.
func declaration(t core.Type, name string) string {
	s := typeName(t)
	if !strings.HasSuffix(s, "*") {
		s += " "
	}
	return s + name
}

// literal is the integer v, a value of t.
func literal(v *big.Int, t core.Int) string {
	suffix := ""
	if t.Bits > 32 {
		suffix = "ll"
	}
	if !t.Signed && t.Bits >= 32 {
		return v.String() + "u" + suffix
	}
	if t.Bits >= 32 && v.Cmp(t.Min()) == 0 {
		next := new(big.Int).Add(v, big.NewInt(1))
		return next.String() + suffix + " - 1"
	}
	return v.String() + suffix
}

// constant is v, which an Input or argument holds, as an initialiser of type t; outside
// is the address of the memory that the program does not define, nil if v is none of its.
func constant(v *big.Int, t core.Type, outside *big.Int) string {
	word, ok := core.Word(t)
	if !ok || v == nil {
		return "0"
	}
	_, pointer := t.(core.Ptr)
	if outside != nil {
		s := "c2bp_outside + " + new(big.Int).Sub(v, outside).String()
		if !pointer {
			s = "(" + intName(word) + ")(" + s + ")"
		}
		return s
	}
	v = word.Convert(v)
	if !pointer {
		return literal(v, word)
	}
	if v.Sign() == 0 {
		return "0"
	}
	return "(void *)" + literal(v, word)
}

// comment is text to be put into a C comment.
func comment(text string) string {
	return strings.NewReplacer("*/", "* /", "/*", "/ *", "\n", " ", "\r", " ", `\`, `\ `).Replace(text)
}
