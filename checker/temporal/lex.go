package temporal

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"c2bp/source"
)

// This file splits the text of a formula into tokens.

// token is a token of a formula.
type token struct {
	kind tokenKind
	op   Op     // of an operator
	text string // of an atom; otherwise as written
	at   int    // its offset
}

type tokenKind uint8

const (
	endToken tokenKind = iota
	atomToken
	constantToken // its op is True or False
	unaryToken
	binaryToken
	openToken
	closeToken
)

// describe returns the token as messages name it.
func (t token) describe() string {
	if t.kind == endToken {
		return "the end of the formula"
	}
	return fmt.Sprintf("%q", t.text)
}

// lexer reads one token after the other.
type lexer struct {
	file *source.File
	text string
	at   int
}

// symbols are the operators made of other characters than letters, the longer ones first.
var symbols = []struct {
	text string
	op   Op
}{{"<->", Iff}, {"->", Implies}, {"&&", And}, {"||", Or}, {"&", And}, {"|", Or}}

// letters are the operators that are letters.
var letters = map[byte]Op{'X': Next, 'F': Finally, 'G': Globally, 'U': Until, 'R': Release, 'W': Weak}

// next reads a token.
func (l *lexer) next() (token, error) {
	for l.at < len(l.text) && strings.IndexByte(" \t\r\n", l.text[l.at]) >= 0 {
		l.at++
	}
	start, rest := l.at, l.text[l.at:]
	// take returns a token of n bytes.
	take := func(kind tokenKind, op Op, n int) (token, error) {
		l.at += n
		return token{kind, op, rest[:n], start}, nil
	}
	if rest == "" {
		return token{at: start}, nil
	}
	for _, s := range symbols {
		if strings.HasPrefix(rest, s.text) {
			return take(binaryToken, s.op, len(s.text))
		}
	}
	switch c := rest[0]; {
	case c == '!':
		return take(unaryToken, Not, 1)
	case c == '(':
		return take(openToken, 0, 1)
	case c == ')':
		return take(closeToken, 0, 1)
	case c == '{':
		n := braced(rest)
		if n == 0 {
			return token{}, l.errorf(start, `"{" is not closed; expected "}" at the end of the atom`)
		}
		return take(atomToken, 0, n)
	case c == '@':
		n := 1 + name(rest[1:])
		if n == 1 {
			return token{}, l.errorf(start+1, `expected the name of a label after "@"`)
		}
		return take(atomToken, 0, n)
	}
	return l.word(rest, take)
}

// word reads a word: letters that are operators, a constant, or an atom.
func (l *lexer) word(rest string, take func(tokenKind, Op, int) (token, error)) (token, error) {
	n := name(rest)
	switch word := rest[:n]; {
	case n == 0:
		return token{}, l.unexpected(rest)
	case word == "true":
		return take(constantToken, True, n)
	case word == "false":
		return take(constantToken, False, n)
	// Unary operators may be written together, as in GF p. A name that is like them needs braces.
	case strings.Trim(word, "XFG") == "" && !strings.HasPrefix(rest[n:], "?"):
		return take(unaryToken, letters[word[0]], 1)
	case n == 1 && letters[word[0]] != 0 && !strings.HasPrefix(rest[n:], "?"):
		return take(binaryToken, letters[word[0]], 1)
	}
	if strings.HasPrefix(rest[n:], "?") {
		n++
	}
	return take(atomToken, 0, n)
}

// name returns the length of the name, qualified by another one or not, at the start of a text; 0 if there is
// none.
func name(text string) int {
	n := identifier(text)
	if n > 0 && strings.HasPrefix(text[n:], "::") {
		if m := identifier(text[n+2:]); m > 0 {
			return n + 2 + m
		}
	}
	return n
}

// identifier returns the length of the identifier at the start of a text.
func identifier(text string) int {
	for i := 0; i < len(text); i++ {
		c := text[i]
		letter := c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return i
		}
	}
	return len(text)
}

// braced returns the length of the balanced braces at the start of a text; 0 if they are not closed.
func braced(text string) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// unexpected returns the error about a character that begins no token.
func (l *lexer) unexpected(rest string) error {
	switch r, _ := utf8.DecodeRuneInString(rest); r {
	case '}':
		return l.errorf(l.at, `"}" without "{"`)
	case '<', '-', '=':
		return l.errorf(l.at, `unexpected %q; expected "->" or "<->"`, string(r))
	default:
		return l.errorf(l.at, `unexpected %q; expected an atom such as {x?}, an operator or a parenthesis`, string(r))
	}
}

// errorf returns an error at an offset.
func (l *lexer) errorf(at int, format string, args ...any) error {
	return l.file.Errorf(l.file.Pos(at), format, args...)
}
