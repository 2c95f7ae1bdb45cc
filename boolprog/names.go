package boolprog

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// This file defines valid names.

// keywords are the keywords by their first letter.
var keywords = func() (by [128][]string) {
	for _, word := range []string{
		"decl", "dfs", "void", "bool", "begin", "end", "enforce", "skip", "goto", "assume", "assert",
		"return", "constrain", "if", "then", "elsif", "else", "fi", "while", "do", "od", "dead",
		"print", "abortif", "choose", "schoose", "T", "F", "true", "false",
	} {
		by[word[0]] = append(by[word[0]], word)
	}
	return by
}()

// referenceWords are keywords in programs with classes only.
var referenceWords = []string{"class", "ref", "new", "null"}

// IsReferenceWord reports whether name is reserved in programs with classes only.
func IsReferenceWord(name string) bool { return slices.Contains(referenceWords, name) }

// IsKeyword reports whether name is reserved: no variable, label or procedure may have it, so a
// program builder must rename it. In programs with classes class, ref, new and null are reserved,
// too.
func IsKeyword(name string) bool {
	return name != "" && name[0] < utf8.RuneSelf && slices.Contains(keywords[name[0]], name)
}

// ValidName reports whether name can be declared: an identifier that is not a keyword, or a
// predicate in braces whose own braces are balanced and whose blanks are single (see NormalName).
// The names of Boppo's dialect are valid.
func ValidName(name string) bool {
	// A predicate: braced must read it as a whole, in normal form.
	if strings.HasPrefix(name, "{") {
		end, bad := braced([]byte(name), 0)
		return bad < 0 && end == len(name) && name == NormalName(name) && name != "{}"
	}
	if name == "" || IsKeyword(name) || !isLetter(name[0]) {
		return false
	}
	for i := 1; i < len(name); i++ {
		if !isLetter(name[i]) && !isDigit(name[i]) && name[i] != '-' && name[i] != '#' {
			return false
		}
	}
	return true
}

// NormalName returns the normal form of a predicate name in braces: every run of blanks becomes
// one, and there are none at the ends: "{ x  == 1}" is "{x == 1}". Other names are returned
// unchanged.
func NormalName(name string) string {
	if len(name) < 2 || name[0] != '{' {
		return name
	}
	// The braces are cut off; inner blanks split the rest into words.
	inner := strings.FieldsFunc(name[1:len(name)-1], func(r rune) bool { return r < 0x80 && isBlank(byte(r)) })
	return "{" + strings.Join(inner, " ") + "}"
}

// braced returns the end of the predicate name that starts at text[start] == '{': the offset after
// its closing brace, or -1 if there is none. bad is the offset of a byte that no name may contain,
// or -1. Braces nest: of "{a[{i}] == 1} x" the end is after "1}".
func braced(text []byte, start int) (end, bad int) {
	depth := 0
	for i := start; i < len(text); {
		c := text[i]
		switch {
		case c == '{':
			depth++
		case c == '}':
			depth--
		case c < ' ' && !isBlank(c) || c == 0x7f:
			return -1, i
		// Other characters are UTF-8.
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRune(text[i:])
			if r == utf8.RuneError && n == 1 {
				return -1, i
			}
			i += n
			continue
		}
		i++
		// After the first byte the depth is 1 at least, so 0 is the closing brace.
		if depth == 0 {
			return i, -1
		}
	}
	return -1, -1
}

// isLetter reports whether c may begin an identifier: an ASCII letter or an underscore.
func isLetter(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_'
}

// isDigit reports whether c is a decimal digit.
func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isBlank reports whether c is white space, as in C.
func isBlank(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f'
}
