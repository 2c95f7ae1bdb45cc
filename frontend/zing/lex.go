package zing

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"c2bp/source"
)

// This file cuts a text into tokens. White space, comments and preprocessor lines stand between
// tokens and are not kept.

// tokenKind is the kind of a token.
type tokenKind int

const (
	tokEOF tokenKind = iota
	tokName
	tokKeyword
	tokInt
	tokReal
	tokString
	tokOp
	tokBad // not a token; reported by the lexer
)

// token is a token with its place, from offset off up to end.
type token struct {
	kind     tokenKind
	text     string // of a name without @; of a string its value; of a real without suffix; else as in the file
	off, end int
	lit      literal // of a tokInt or tokReal
}

// is reports whether t is the keyword or operator text.
func (t *token) is(text string) bool {
	return (t.kind == tokKeyword || t.kind == tokOp) && t.text == text
}

// describe names t in an error message.
func (t *token) describe() string {
	switch {
	case t.kind == tokEOF:
		return "the end of the file"
	case t.kind == tokString:
		return "a string"
	case t.kind == tokKeyword:
		return fmt.Sprintf("the keyword %q", t.text)
	case len(t.text) > 40:
		return fmt.Sprintf("%q…", t.text[:40])
	}
	return fmt.Sprintf("%q", t.text)
}

// keywords are the reserved words.
var keywords = wordSet(`accept activate array assert assume async atomic bool byte chan choose class
	decimal double else end enum event false first float foreach goto if in int interface invokeplugin
	invokescheduler long new null object out raise range receive return sbyte select self send set
	short sizeof static string struct this timeout trace true try typeof uint ulong ushort visible
	void wait while with yield`)

func wordSet(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// operators are the operators of two characters; the others have one.
var operators = []string{"<<", ">>", "==", "!=", "<=", ">=", "&&", "||", "->", ".."}

const single = "+-*/%&|^~!<>=.,;:()[]{}"

// lexer cuts a text into tokens. It reports text that it cannot read and returns a tokBad for it.
type lexer struct {
	text       []byte
	off        int
	lineStart  bool // only blanks stand before off on its line
	directives directives
	report     func(off int, format string, args ...any)
}

// unmarked returns a file whose text has no byte order mark, and in which each line ends with a line
// feed, so that positions count lines as Zing does: a lone carriage return becomes a line feed, and
// so does the last byte of a Unicode line or paragraph separator. Offsets are those of text, the
// original without the mark.
func unmarked(f *source.File) (positions *source.File, text []byte) {
	text = bytes.TrimPrefix(f.Text, []byte("\uFEFF"))
	lines := bytes.Clone(text)
	for i, c := range lines {
		switch {
		case c == '\r' && (i+1 == len(lines) || lines[i+1] != '\n'):
			lines[i] = '\n'
		case c == 0xE2 && isSeparator(lines[i:]):
			copy(lines[i:], "  \n")
		}
	}
	return source.NewFile(f.Name, lines), text
}

// isSeparator reports whether text starts with a line or paragraph separator, U+2028 or U+2029.
func isSeparator(text []byte) bool {
	return bytes.HasPrefix(text, []byte("\u2028")) || bytes.HasPrefix(text, []byte("\u2029"))
}

// newline returns the length of the end of line at the start of text, or 0.
func newline(text []byte) int {
	switch {
	case bytes.HasPrefix(text, []byte("\r\n")):
		return 2
	case len(text) > 0 && (text[0] == '\n' || text[0] == '\r'):
		return 1
	case isSeparator(text):
		return 3
	}
	return 0
}

// lineLength returns the length of the line that text starts with, without its end.
func lineLength(text []byte) int {
	for i := range text {
		if newline(text[i:]) > 0 {
			return i
		}
	}
	return len(text)
}

// next returns the next token.
func (l *lexer) next() token {
	l.blanks()
	rest := l.text[l.off:]
	t := token{off: l.off}
	l.lineStart = false
	switch r, n := utf8.DecodeRune(rest); {
	case len(rest) == 0:
		l.directives.atEnd(l)
	case isLetter(r):
		t.kind, t.text = tokName, l.word()
		if keywords[t.text] {
			t.kind = tokKeyword
		}
	case r == '@':
		l.at(&t)
	case isDigit(rest, 0), r == '.' && isDigit(rest, 1):
		l.number(&t)
	case r == '"':
		l.quoted(&t)
	default:
		l.operator(&t, rest, n)
	}
	t.end = l.off
	return t
}

// isLetter reports whether an identifier can start with r.
func isLetter(r rune) bool { return r == '_' || unicode.IsLetter(r) }

// isDigit reports whether text has a decimal digit at i.
func isDigit(text []byte, i int) bool { return i < len(text) && '0' <= text[i] && text[i] <= '9' }

// word steps over letters, digits and underscores and returns them.
func (l *lexer) word() string {
	start := l.off
	for l.off < len(l.text) {
		r, n := utf8.DecodeRune(l.text[l.off:])
		if !isLetter(r) && !unicode.IsDigit(r) {
			break
		}
		l.off += n
	}
	return string(l.text[start:l.off])
}

// at reads a token that starts with @: a name, which may be a keyword, or a verbatim string.
func (l *lexer) at(t *token) {
	rest := l.text[l.off+1:]
	switch r, _ := utf8.DecodeRune(rest); {
	case r == '"':
		l.verbatim(t)
	case len(rest) > 0 && isLetter(r):
		l.off++
		t.kind, t.text = tokName, l.word()
	default:
		l.bad(t, 1, `expected a name or a string after "@"`)
	}
}

// operator reads an operator; the first character of rest has n bytes.
func (l *lexer) operator(t *token, rest []byte, n int) {
	t.kind = tokOp
	for _, op := range operators {
		if bytes.HasPrefix(rest, []byte(op)) {
			t.text = op
			l.off += 2
			return
		}
	}
	switch c := rest[0]; {
	case strings.IndexByte(single, c) >= 0:
		t.text = string(c)
		l.off++
	case c == '\'':
		// Step over all of it.
		if n := bytes.IndexByte(rest[1:lineLength(rest)], c); n >= 0 {
			l.bad(t, n+2, "there are no character literals")
			return
		}
		l.bad(t, 1, "there are no character literals")
	case c == '?':
		l.bad(t, 1, `there is no operator "?:"`)
	case c == '#':
		l.bad(t, 1, `"#" does not stand first on its line`)
	case c == 0:
		l.bad(t, len(rest), "NUL byte: this is not a text file")
	default:
		l.bad(t, n, "unexpected character %q", rest[:n])
	}
}

// bad makes t a tokBad of n more bytes and reports why.
func (l *lexer) bad(t *token, n int, format string, args ...any) {
	t.kind = tokBad
	l.report(l.off, format, args...)
	l.off += n
}

// blanks steps over white space, comments, preprocessor lines and text that these leave out.
func (l *lexer) blanks() {
	for l.off < len(l.text) {
		rest := l.text[l.off:]
		if n := newline(rest); n > 0 {
			l.off += n
			l.lineStart = true
			continue
		}
		r, n := utf8.DecodeRune(rest)
		switch {
		case unicode.IsSpace(r):
			l.off += n
		case bytes.HasPrefix(rest, []byte("//")):
			l.off += lineLength(rest)
		case bytes.HasPrefix(rest, []byte("/*")):
			l.comment(rest)
		case r == '#' && l.lineStart:
			l.directive()
		default:
			return
		}
	}
}

// comment steps over the comment that rest starts with; if it is not closed, over all.
func (l *lexer) comment(rest []byte) {
	n := bytes.Index(rest[2:], []byte("*/"))
	if n < 0 {
		l.report(l.off, `this comment is not closed: expected "*/" before the end of the file`)
		l.off = len(l.text)
		return
	}
	l.off += n + 4
}
