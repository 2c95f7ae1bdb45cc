package ccfix

import (
	"bytes"
	"strings"
)

// This file splits C text into tokens.

// cToken is a lexical token of C, comments and white space left out: the bytes from start to end.
// Prefixes of literals are identifiers of their own, and so are the parts of operators: -> is two
// tokens.
type cToken struct {
	start, end int
	kind       byte // 'i' identifier, '0' number, '"' literal, else the character
}

// lex splits text into tokens and pairs its parentheses and square brackets: match[i] is the index
// of the partner of bracket i, or -1. Braces have no partners.
func lex(text []byte) (toks []cToken, match []int) {
	// Cut tokens off, one after another.
	for i := 0; i < len(text); {
		c, n := text[i], 1
		switch {
		// A backslash outside of literals is one at the end of a line.
		case c <= ' ' || c == '\\':
			i++
			continue
		case CommentLength(text[i:]) > 0:
			i += CommentLength(text[i:])
			continue
		case c == '"' || c == '\'':
			n, c = LiteralLength(text[i:]), '"'
		// A number, also one that means nothing: letters, digits and points. A sign ends it.
		case c >= '0' && c <= '9':
			for i+n < len(text) && (IsIdentByte(text[i+n]) || text[i+n] == '.') {
				n++
			}
			c = '0'
		case IsIdentByte(c):
			for i+n < len(text) && IsIdentByte(text[i+n]) {
				n++
			}
			c = 'i'
		}
		toks = append(toks, cToken{i, i + n, c})
		i += n
	}
	// Pair the brackets; those that a brace or a semicolon leaves open have no partner.
	match = make([]int, len(toks))
	for i := range match {
		match[i] = -1
	}
	var open []int
	for i, t := range toks {
		switch t.kind {
		case '(', '[':
			open = append(open, i)
		case ')', ']':
			if n := len(open) - 1; n >= 0 && (toks[open[n]].kind == '(') == (t.kind == ')') {
				match[i], match[open[n]] = open[n], i
				open = open[:n]
			}
		// Within a statement only: one bracket too many does not mix up the rest of the text.
		case '{', '}', ';':
			open = open[:0]
		}
	}
	return toks, match
}

// CommentLength returns the length of the comment that text starts with, or 0. The newline after //
// is no part of it, and a comment that does not end takes all of the text.
func CommentLength(text []byte) int {
	switch {
	case len(text) > 1 && text[0] == '/' && text[1] == '*':
		if i := bytes.Index(text[2:], []byte("*/")); i >= 0 {
			return i + 4
		}
		return len(text)
	case len(text) > 1 && text[0] == '/' && text[1] == '/':
		for i := 0; i < len(text); i++ {
			if text[i] == '\n' {
				return i
			}
		}
		return len(text)
	}
	return 0
}

// LiteralLength returns the length of the string or character constant that text starts with, which
// begins with its quote; one that does not end on its line ends there.
func LiteralLength(text []byte) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '\n':
			return i
		case text[0]:
			return i + 1
		}
	}
	return len(text)
}

// IsIdentByte reports whether c may be part of an identifier; bytes of other characters than ASCII may.
func IsIdentByte(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// IsIdentifier reports whether s consists of such bytes; it may begin with a digit.
func IsIdentifier(s string) bool {
	for i := range len(s) {
		if !IsIdentByte(s[i]) {
			return false
		}
	}
	return s != ""
}

// WordsOf returns the identifiers in a string literal, and its numbers: call and foo of "call
// foo\n".
func WordsOf(literal string) []string {
	var text strings.Builder
	for i := 0; i < len(literal); i++ {
		if literal[i] == '\\' { // of an escape sequence nothing that matters is longer than this
			i++
			text.WriteByte(' ')
			continue
		}
		text.WriteByte(literal[i])
	}
	return strings.FieldsFunc(text.String(), func(c rune) bool {
		return c != '_' && c != '$' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c < 0x80
	})
}

// HasWord reports whether text has the identifier name, and not only as a part of a longer one.
func HasWord(text, name string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 || name == "" {
			return false
		}
		i += at
		at = i + len(name)
		if (i == 0 || !IsIdentByte(text[i-1])) && (at == len(text) || !IsIdentByte(text[at])) {
			return true
		}
	}
}
