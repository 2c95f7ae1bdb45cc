package boolprog

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"c2bp/source"
)

// This file cuts text into tokens. It works on bytes, on demand, and attaches comments that start
// with //@ to the token after them.

// tokenKind is the kind of a token; the text of a keyword or operator tells which one it is.
type tokenKind int

const (
	tokEOF  tokenKind = iota
	tokName           // a predicate in braces, too: its text includes them
	tokKeyword
	tokNumber
	tokOp
	tokBad // not a token; reported by the lexer
)

// token is a token with its offset. The text of a name in braces is in normal form, that of others
// is as in the file; a tokBad or tokEOF has none.
type token struct {
	kind tokenKind
	text string
	off  int
}

// is reports whether t is the keyword or operator text. It compares the first byte first, since
// most tokens differ there.
func (t *token) is(text string) bool {
	return (t.kind == tokKeyword || t.kind == tokOp) && t.text[0] == text[0] && t.text == text
}

// describe names t in an error message.
func (t *token) describe() string {
	if t.kind == tokEOF {
		return "the end of the file"
	}
	text := t.text
	if len(text) > 40 {
		text = text[:40] + "…"
	}
	return `"` + strings.ToValidUTF8(text, "?") + `"`
}

// lexer cuts a text into tokens. It reports text that it cannot read and returns a tokBad for it.
type lexer struct {
	annots []string // texts after "//@" of the comments before the latest token
	text   []byte
	str    string // text again, for the tokens to share
	off    int
	boppo  bool  // names may contain - and #
	class  place // position with respect to classes

	references bool // the program has classes: their words are keywords
	report     func(off int, format string, args ...any)
}

// skipBlanks steps over blanks and comments and keeps the annotations among them.
func (l *lexer) skipBlanks() {
	l.annots = nil
	for l.off < len(l.text) {
		c := l.text[l.off]
		if isBlank(c) {
			l.off++
			continue
		}
		if c != '/' || !l.comment(l.text[l.off:]) {
			return
		}
	}
}

// comment steps over a comment at the start of rest, if there is one, and reports whether it did.
// An unclosed comment is an error; it takes the rest of the text, and does not count.
func (l *lexer) comment(rest []byte) bool {
	switch {
	// To the end of the line; an annotation is kept.
	case bytes.HasPrefix(rest, []byte("//")):
		n := bytes.IndexByte(rest, '\n')
		if n < 0 {
			n = len(rest)
		}
		if n > 2 && rest[2] == '@' {
			l.annots = append(l.annots, string(rest[3:n]))
		}
		l.off += n
	case bytes.HasPrefix(rest, []byte("/*")):
		n := bytes.Index(rest[2:], []byte("*/"))
		if n < 0 {
			l.report(l.off, `this comment is not closed: expected "*/" before the end of the file`)
			l.off = len(l.text)
			return false
		}
		l.off += n + 4
	default:
		return false
	}
	return true
}

// operators are the operators by their first byte, the longer of two with a common start first: :=
// before :. "==" is not an operator of the language, but a common mistake.
var operators = func() (by [256][]string) {
	for _, op := range []string{
		":=", "=>", "==", "!=", "&&", "||",
		":", "=", "!", "~", "&", "|", "^", "*", "?", "'", ",", ";", "(", ")", "[", "]", "<", ">", ".",
	} {
		by[op[0]] = append(by[op[0]], op)
	}
	return by
}()

// next returns the next token; at the end of the text it returns tokEOF again
// and again.
func (l *lexer) next() token {
	l.skipBlanks()
	t := l.scan()
	l.class = l.class.after(&t)
	return t
}

// scan reads the token at the offset.
func (l *lexer) scan() token {
	start := l.off
	if start >= len(l.text) {
		return token{kind: tokEOF, off: len(l.text)}
	}
	switch c := l.text[start]; {
	// Names, numbers, and predicates in braces.
	case isLetter(c):
		return l.name()
	// Letters are taken along, so that 1x is one wrong token.
	case isDigit(c):
		for l.off < len(l.text) && (isDigit(l.text[l.off]) || isLetter(l.text[l.off])) {
			l.off++
		}
		return token{kind: tokNumber, text: l.str[start:l.off], off: start}
	// All braces but those of classes are parts of names.
	case c == '{' && l.class != classNamed:
		return l.predicate()
	case c == '{', c == '}' && l.class == classOpen:
		l.off++
		return token{kind: tokOp, text: l.str[start:l.off], off: start}
	}
	// Operators, the longer first.
	for _, op := range operators[l.text[start]] {
		if strings.HasPrefix(l.str[start:], op) {
			l.off += len(op)
			return token{kind: tokOp, text: op, off: start}
		}
	}
	// Anything else is an error.
	l.illegal()
	return token{kind: tokBad, off: start}
}

// name reads an identifier or keyword.
func (l *lexer) name() token {
	start := l.off
	for l.off < len(l.text) {
		c := l.text[l.off]
		// In Boppo's dialect x-1 and x#1 are names.
		if !isLetter(c) && !isDigit(c) && !(l.boppo && (c == '-' || c == '#')) {
			break
		}
		l.off++
	}
	// Keywords are names that are reserved.
	text := l.str[start:l.off]
	kind := tokName
	if IsKeyword(text) || l.references && slices.Contains(referenceWords, text) {
		kind = tokKeyword
	}
	return token{kind: kind, text: text, off: start}
}

// predicate reads a name in braces.
func (l *lexer) predicate() token {
	start := l.off
	end, bad := braced(l.text, start)
	switch {
	// Recover after the byte, or at the end of the text.
	case bad >= 0:
		l.report(bad, "byte 0x%02x cannot stand in a predicate name", l.text[bad])
		l.off = bad + 1
		return token{kind: tokBad, off: start}
	case end < 0:
		l.report(start, `this "{" is not closed: a predicate name needs balanced braces`)
		l.off = len(l.text)
		return token{kind: tokBad, off: start}
	}
	l.off = end
	name := NormalName(string(l.text[start:end]))
	if name == "{}" {
		l.report(start, "empty predicate name: expected a predicate between the braces")
	}
	return token{kind: tokName, text: name, off: start}
}

// illegal reports the byte at the offset, which starts no token. It steps over it, over following
// bytes of the same kind, or over the rest of a string literal.
func (l *lexer) illegal() {
	start := l.off
	c := l.text[start]
	binary := func(c byte) bool { return c >= utf8.RuneSelf || c < ' ' && !isBlank(c) || c == 0x7f }
	l.off++
	switch {
	case c == '}':
		l.report(start, `unexpected "}": no "{" is open`)
	case c == '-' || c == '#':
		l.report(start, `unexpected "%c": names may contain it in Boppo's dialect only`, c)
	// A string literal is skipped as a whole, or it would give more errors.
	case c == '"':
		rest, _, _ := bytes.Cut(l.text[l.off:], []byte("\n"))
		// Without a closing quote on the line only the opening one is skipped.
		l.off += bytes.IndexByte(rest, '"') + 1
		l.report(start, "unexpected character %q: there are no strings", c)
	// So is a run of bytes that are no text.
	case binary(c):
		for l.off < len(l.text) && binary(l.text[l.off]) {
			l.off++
		}
		l.report(start, "unexpected byte 0x%02x: expected a Boolean program (ASCII text outside predicate names and comments)", c)
	default:
		l.report(start, "unexpected character %q", c)
	}
}

// quoter makes diagnostics that share one copy of a quoted line, since lines may have megabytes.
type quoter struct {
	file *source.File
	line int
	text string
}

// diagnostic returns a diagnostic at a position.
func (q *quoter) diagnostic(sev source.Severity, pos source.Pos, msg string) *source.Diagnostic {
	if pos.Line != q.line {
		q.line, q.text = pos.Line, q.file.Line(pos.Line)
	}
	return &source.Diagnostic{Pos: pos, Severity: sev, Msg: msg, Quote: q.text}
}
