package syntax

import (
	"strings"

	"c2bp/source"
)

// This file turns text into tokens.

// kind is the kind of a token.
type kind int

const (
	end     kind = iota
	ident        // a name or a word
	number       // as C's preprocessor reads it
	char         // 'a', with its quotes
	text         // "a", with its quotes
	punct        // an operator or separator of C
	foreign      // a character that begins no token
)

// token is a token with its place.
type token struct {
	kind kind
	text string
	pos  source.Pos
}

// is reports whether t is the word or punctuator s.
func (t token) is(s string) bool { return (t.kind == ident || t.kind == punct) && t.text == s }

// String returns t for messages.
func (t token) String() string {
	switch t.kind {
	case end:
		return "the end of the file"
	case text, char:
		return t.text
	}
	return `"` + t.text + `"`
}

// punctuators are listed such that none is the beginning of a later one.
var punctuators = []string{
	"<<=", ">>=", "...",
	"->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
	"{", "}", "(", ")", "[", "]", ";", ",", ":", ".", "=", "<", ">", "+", "-", "*", "/", "%", "&", "|", "^", "~", "!", "?",
}

// lexer reads one file.
type lexer struct {
	file   *source.File
	cursor source.Cursor
	at     int // offset of the next byte
}

// tokens returns the tokens of file, the last of which has the kind end. It stops at the first
// comment or literal that is not closed.
func tokens(file *source.File) (list []token, err *source.Diagnostic) {
	l := &lexer{file: file, cursor: source.Cursor{File: file}}
	for {
		if err := l.skip(); err != nil {
			return nil, err
		}
		t, err := l.next()
		if err != nil {
			return nil, err
		}
		if t.kind == end {
			// Errors about it show the line of the last token.
			if n := len(list); n > 0 {
				t.pos = list[n-1].pos
				t.pos.Col += len(list[n-1].text)
			}
			return append(list, t), nil
		}
		list = append(list, t)
	}
}

// skip skips blanks and comments.
func (l *lexer) skip() *source.Diagnostic {
	for l.at < len(l.file.Text) {
		rest := string(l.file.Text[l.at:min(len(l.file.Text), l.at+2)])
		switch {
		case strings.ContainsRune(" \t\r\n\f\v", rune(rest[0])):
			l.at++
		case rest == "//":
			l.at += lineLength(l.file.Text[l.at:])
		case rest == "/*":
			n := strings.Index(string(l.file.Text[l.at+2:]), "*/")
			if n < 0 {
				return l.errorf(l.at, `a comment without an end; expected "*/"`)
			}
			l.at += 2 + n + 2
		default:
			return nil
		}
	}
	return nil
}

// lineLength returns the number of bytes before the end of the first line of b.
func lineLength(b []byte) int {
	for i, c := range b {
		if c == '\n' {
			return i
		}
	}
	return len(b)
}

// next returns the token at the present place.
func (l *lexer) next() (token, *source.Diagnostic) {
	start := l.at
	t := token{pos: l.cursor.Pos(start)}
	if start == len(l.file.Text) {
		return t, nil
	}
	// 1. Names and numbers: the longest run of letters, and of the signs of exponents.
	c := l.file.Text[start]
	switch rest := l.file.Text[start:]; {
	case isLetter(c):
		t.kind = ident
		for l.at < len(l.file.Text) && (isLetter(l.file.Text[l.at]) || isDigit(l.file.Text[l.at])) {
			l.at++
		}
	case isDigit(c):
		t.kind = number
		for l.at < len(l.file.Text) && (isLetter(l.file.Text[l.at]) || isDigit(l.file.Text[l.at]) || l.file.Text[l.at] == '.') {
			l.at++
		}
	// 2. Literals.
	case c == '"' || c == '\'':
		t.kind = text
		if c == '\'' {
			t.kind = char
		}
		n := literalLength(rest)
		if n < 0 {
			return t, l.errorf(start, "a literal without an end; expected %c on the same line", c)
		}
		l.at += n
	// 3. Punctuators; anything else is an error of the parser, which knows the expectation.
	default:
		t.kind = foreign
		l.at++
		for l.at < len(l.file.Text) && l.file.Text[l.at]&0xc0 == 0x80 { // the rest of a character
			l.at++
		}
		for _, p := range punctuators {
			if strings.HasPrefix(string(rest[:min(len(rest), 3)]), p) {
				t.kind, l.at = punct, start+len(p)
				break
			}
		}
	}
	t.text = string(l.file.Text[start:l.at])
	return t, nil
}

// literalLength returns the length of the literal that b begins with, -1 if it does not end on its
// line.
func literalLength(b []byte) int {
	for i := 1; i < len(b) && b[i] != '\n'; i++ {
		switch b[i] {
		case '\\':
			i++
			if i < len(b) && b[i] == '\n' {
				return -1
			}
		case b[0]:
			return i + 1
		}
	}
	return -1
}

// errorf returns an error at a byte offset.
func (l *lexer) errorf(offset int, format string, args ...any) *source.Diagnostic {
	return l.file.Errorf(l.file.Pos(offset), format, args...)
}

func isLetter(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
