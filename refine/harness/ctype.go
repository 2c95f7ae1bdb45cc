package harness

import (
	"fmt"
	"math/big"
	"strings"

	"c2bp/frontend/core"
	"c2bp/ieee"
)

// This file writes core types and values in C. A type need not be the declared one: functions and
// variables are linked by name and size.

// typeName returns t in C.
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

// intName returns an integer type in C.
func intName(t core.Int) string {
	if t.Bool {
		return "_Bool"
	}
	if t.Float {
		return t.String()
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

// declaration returns a declaration of name with type t.
//
//	int n        void *p        struct { unsigned char bytes[8]; } s
func declaration(t core.Type, name string) string {
	s := typeName(t)
	if !strings.HasSuffix(s, "*") {
		s += " "
	}
	return s + name
}

// literal returns the C expression of the integer v, a value of t.
//
//	-5   7u   9223372036854775807ll   -2147483647 - 1
func literal(v *big.Int, t core.Int) string {
	if t.Float {
		return ieee.Exact(v.Uint64(), t.Bits)
	}
	suffix := ""
	if t.Bits > 32 {
		suffix = "ll"
	}
	if !t.Signed && t.Bits >= 32 {
		return v.String() + "u" + suffix
	}
	// C has no literal for the least value of int and long long.
	if t.Bits >= 32 && v.Cmp(t.Min()) == 0 {
		next := new(big.Int).Add(v, big.NewInt(1))
		return next.String() + suffix + " - 1"
	}
	return v.String() + suffix
}

// constant returns v, the value of an input or argument, as a C expression of type t; at is the
// address that v is, if it is one.
//
//	5                                  a number
//	(void *)4096ull                    a number that is a pointer
//	(char *)a1 + 8                     an address in the first argument
//	c2bp_memory1                       an address in allocated memory
//	(unsigned long long)((char *)a1)   an address that is a number
func constant(v *big.Int, t core.Type, at place) string {
	word, ok := core.Word(t)
	if !ok || v == nil {
		return "0"
	}
	_, pointer := t.(core.Ptr)
	// An address is relative to an object of the harness or to an argument.
	if at.base != number {
		if pointer {
			return at.String()
		}
		return "(" + intName(word) + ")(" + at.String() + ")"
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

// String returns p as a C expression in a function that the harness defines.
//
//	(char *)a1 + 8    c2bp_memory2    c2bp_environment1 + 4
func (p place) String() string {
	s := ""
	switch p.base {
	case outside:
		s = p.in.name
		p.off -= p.in.from
	case argument:
		s = fmt.Sprintf("(char *)a%d", p.index+1)
	case made:
		s = fmt.Sprintf("c2bp_memory%d", p.index+1)
	}
	if p.off != 0 {
		s += fmt.Sprintf(" + %d", p.off)
	}
	return s
}

// comment returns text in a form that can be put into a C comment.
func comment(text string) string {
	return strings.NewReplacer("*/", "* /", "/*", "/ *", "\n", " ", "\r", " ", `\`, `\ `).Replace(text)
}
