package chc

import (
	"fmt"
	"strings"
)

// This file defines symbols of SMT-LIB (version 2.6, section 3.1).

// taken are words that have a meaning in terms: the reserved words, and the functions of the theory
// Core. Quotes do not take away the meaning of the latter: |and| is and.
var taken = map[string]bool{
	"_": true, "as": true, "let": true, "exists": true, "forall": true, "match": true, "par": true,
	"BINARY": true, "DECIMAL": true, "HEXADECIMAL": true, "NUMERAL": true, "STRING": true,
	"true": true, "false": true, "not": true, "and": true, "or": true, "xor": true, "ite": true,
	"distinct": true, "implies": true, "iff": true, "if": true,
}

// symbol returns the symbol for name, followed by a suffix such as ".in". Different pairs have
// different symbols, because %XX can be undone and a suffix starts at the last dot that is not in
// braces.
func symbol(name, suffix string) string {
	// A word with a meaning gets an escape for its first letter.
	text := escape(name)
	if suffix == "" && taken[name] {
		text = fmt.Sprintf("%%%02X%s", name[0], name[1:])
	}
	text += suffix
	if isSimple(text) {
		return text
	}
	return "|" + text + "|"
}

// escape writes bytes that a quoted symbol or a comment must not have as %XX, and the percent sign
// too where it could be mistaken for such an escape.
func escape(name string) string {
	// Most names need no escapes.
	clean := true
	for i := range len(name) {
		clean = clean && !mustEscape(name, i)
	}
	if clean {
		return name
	}
	var b strings.Builder
	for i := range len(name) {
		if mustEscape(name, i) {
			fmt.Fprintf(&b, "%%%02X", name[i])
		} else {
			b.WriteByte(name[i])
		}
	}
	return b.String()
}

// mustEscape reports whether byte i of name must be escaped.
func mustEscape(name string, i int) bool {
	switch c := name[i]; {
	case c == '|', c == '\\', c < ' ', c > '~':
		return true
	case c == '%':
		return i+2 < len(name) && isHex(name[i+1]) && isHex(name[i+2])
	}
	return false
}

// isHex reports whether c is a digit of an escape.
func isHex(c byte) bool { return '0' <= c && c <= '9' || 'A' <= c && c <= 'F' }

// isSimple reports whether text is a symbol without quotes.
func isSimple(text string) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', strings.IndexByte("~!@$%^&*_-+=<>.?/", c) >= 0:
		case '0' <= c && c <= '9':
			if i == 0 {
				return false
			}
		default:
			return false
		}
	}
	return text != ""
}
