package shylock

import (
	"bytes"
	"fmt"
	"unicode"
	"unicode/utf8"
)

// This file cuts a text into tokens.

// tokenKind is the kind of a token.
type tokenKind int

const (
	tokEOF tokenKind = iota
	tokName
	tokKeyword
	tokOp
	tokBad // reported by the lexer
)

// token is a token with its place, from offset off up to end.
type token struct {
	kind     tokenKind
	text     string
	off, end int
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
	case t.kind == tokKeyword:
		return fmt.Sprintf("the keyword %q", t.text)
	case len(t.text) > 40:
		return fmt.Sprintf("%q…", t.text[:40])
	}
	return fmt.Sprintf("%q", t.text)
}

// isKeyword reports whether a word is reserved.
func isKeyword(word string) bool {
	switch word {
	case "globals", "locals", "fields", "new", "nil", "skip", "assert", "return", "while", "do", "od", "if", "then", "else", "fi":
		return true
	}
	return false
}

// operators are the operators, those of two characters first.
var operators = []string{":=", "::", "!=", "=", ".", ",", ";", "+", "(", ")", "[", "]", "&", "|", "!"}

// lookalikes are operators of other languages, with those that are meant.
var lookalikes = map[string]string{"==": "=", "&&": "&", "||": "|", "->": "."}

// lex cuts a text into tokens, the last of which is a tokEOF.
func lex(text []byte, report func(off int, format string, args ...any)) (list []token) {
	for off := 0; ; {
		off = blanks(text, off, report)
		t := next(text, off, report)
		list = append(list, t)
		if t.kind == tokEOF {
			return list
		}
		off = t.end
	}
}

// next returns the token at off.
func next(text []byte, off int, report func(off int, format string, args ...any)) token {
	rest := text[off:]
	if len(rest) == 0 {
		return token{kind: tokEOF, off: off, end: off}
	}
	r, n := utf8.DecodeRune(rest)
	make := func(kind tokenKind, n int) token {
		return token{kind: kind, text: string(rest[:n]), off: off, end: off + n}
	}
	if isLetter(r) {
		n := wordLength(rest)
		if isKeyword(string(rest[:n])) {
			return make(tokKeyword, n)
		}
		return make(tokName, n)
	}
	if len(rest) >= 2 {
		if meant := lookalikes[string(rest[:2])]; meant != "" {
			report(off, "there is no operator %q: it is spelled %q", rest[:2], meant)
			return make(tokBad, 2)
		}
	}
	for _, op := range operators {
		if bytes.HasPrefix(rest, []byte(op)) {
			return make(tokOp, len(op))
		}
	}
	report(off, "unexpected character %q", rest[:n])
	return make(tokBad, n)
}

// isLetter reports whether a name can start with r.
func isLetter(r rune) bool { return r == '_' || unicode.IsLetter(r) }

// wordLength returns the length of the name that text starts with. Primes belong to a name: p'.
func wordLength(text []byte) (n int) {
	for n < len(text) {
		r, size := utf8.DecodeRune(text[n:])
		if !isLetter(r) && !unicode.IsDigit(r) && r != '\'' {
			break
		}
		n += size
	}
	return n
}

// blanks returns the offset of the first byte at or after off that is neither white space nor in a comment.
func blanks(text []byte, off int, report func(off int, format string, args ...any)) int {
	for off < len(text) {
		rest := text[off:]
		r, n := utf8.DecodeRune(rest)
		switch {
		case unicode.IsSpace(r), r == '\uFEFF' && off == 0:
			off += n
		case bytes.HasPrefix(rest, []byte("//")):
			end := bytes.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest)
			}
			off += end
		case bytes.HasPrefix(rest, []byte("/*")):
			end := bytes.Index(rest[2:], []byte("*/"))
			if end < 0 {
				report(off, `this comment is not closed: expected "*/" before the end of the file`)
				return len(text)
			}
			off += end + 4
		default:
			return off
		}
	}
	return off
}
