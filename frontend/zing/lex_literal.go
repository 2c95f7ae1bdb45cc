package zing

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// This file reads literals: numbers, with suffixes as in C#, and strings.

// literal is the value of a number.
type literal struct {
	typ     *Type
	abs     uint64  // of an integer
	real    float64 // of a real
	decimal bool    // an integer in decimal notation without U, which a minus sign may make fit an int or a long
}

// number reads an integer or real literal.
func (l *lexer) number(t *token) {
	rest := l.text[l.off:]
	// 1. The digits.
	n, isReal := digits(rest), false
	base := 10
	if n > 1 && (rest[1] == 'x' || rest[1] == 'X') {
		base = 16
	} else {
		n, isReal = fraction(rest, n)
	}
	text := string(rest[:n])
	// 2. The suffix, which is everything up to the end of the word.
	start := l.off
	l.off += n
	suffix := strings.ToUpper(l.word())
	// 3. The value.
	switch suffix {
	case "F", "D", "M":
		isReal = true
	case "", "U", "L", "UL", "LU":
		if isReal && suffix != "" {
			l.badNumber(t, start, "a real has one of the suffixes F, D and M, not %q", suffix)
			return
		}
	default:
		l.badNumber(t, start, "%q is not a number", l.text[start:l.off])
		return
	}
	if isReal {
		l.realNumber(t, start, text, suffix)
	} else {
		l.integer(t, start, text, base, suffix)
	}
}

// digits returns the length of the integer, with its 0x, that text starts with.
func digits(text []byte) int {
	if len(text) > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X') && isHex(text[2]) {
		n := 3
		for n < len(text) && isHex(text[n]) {
			n++
		}
		return n
	}
	n := 0
	for isDigit(text, n) {
		n++
	}
	return n
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// fraction returns the length of the number whose integer part has n digits, and whether it has a
// fraction or exponent. The dots of 1..5 are no fraction.
func fraction(text []byte, n int) (length int, isReal bool) {
	if n < len(text) && text[n] == '.' && isDigit(text, n+1) {
		isReal = true
		for n++; isDigit(text, n); {
			n++
		}
	}
	// An exponent has digits: 1e9, 1e-9.
	if n < len(text) && (text[n] == 'e' || text[n] == 'E') {
		m := n + 1
		if m < len(text) && (text[m] == '+' || text[m] == '-') {
			m++
		}
		if isDigit(text, m) {
			isReal = true
			for n = m; isDigit(text, n); {
				n++
			}
		}
	}
	return n, isReal
}

// badNumber reports a number that starts at start and has been stepped over.
func (l *lexer) badNumber(t *token, start int, format string, args ...any) {
	t.kind = tokBad
	l.report(start, format, args...)
}

// integer sets t to an integer. The type is the first of int, uint, long and ulong that its suffix
// allows and in which it fits.
func (l *lexer) integer(t *token, start int, text string, base int, suffix string) {
	figures := text
	if base == 16 {
		figures = text[2:]
	}
	v, err := strconv.ParseUint(figures, base, 64)
	if err != nil {
		l.badNumber(t, start, "%s does not fit in 64 bits", text)
		return
	}
	unsigned, long := strings.Contains(suffix, "U"), strings.Contains(suffix, "L")
	typ := ULong
	switch {
	case !unsigned && !long && v <= math.MaxInt32:
		typ = Int
	case !long && v <= math.MaxUint32:
		typ = UInt
	case !unsigned && v <= math.MaxInt64:
		typ = Long
	}
	t.kind, t.text = tokInt, string(l.text[start:l.off])
	t.lit = literal{typ: typ, abs: v, decimal: base == 10 && !unsigned}
}

// realNumber sets t to a real: a double unless the suffix says otherwise.
func (l *lexer) realNumber(t *token, start int, text, suffix string) {
	typ, bits := Double, 64
	switch suffix {
	case "F":
		typ, bits = Float, 32
	case "M":
		typ = Decimal
	}
	v, err := strconv.ParseFloat(text, bits)
	// The greatest decimal is 2 to the 96th, less one.
	if errors.Is(err, strconv.ErrRange) || typ == Decimal && v >= 1<<96 {
		l.badNumber(t, start, "%s does not fit in a %s", text, typ)
		return
	}
	t.kind, t.text = tokReal, text
	t.lit = literal{typ: typ, real: v}
}

// quoted reads a string "…" with escapes. It ends on its line.
func (l *lexer) quoted(t *token) {
	var value strings.Builder
	t.kind = tokString
	l.off++
	for {
		rest := l.text[l.off:]
		switch {
		case len(rest) == 0 || newline(rest) > 0:
			t.kind = tokBad
			l.report(t.off, `this string is not closed: expected %s before the end of the line`, "'\"'")
			return
		case rest[0] == '"':
			l.off++
			t.text = value.String()
			return
		case rest[0] == '\\':
			l.escape(t, &value)
		default:
			r, n := utf8.DecodeRune(rest)
			value.WriteRune(r)
			l.off += n
		}
	}
}

// simpleEscapes are the characters that a letter after \ stands for.
var simpleEscapes = map[byte]rune{'\'': '\'', '"': '"', '\\': '\\', '0': 0, 'a': '\a', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v'}

// escape reads an escape sequence and appends its character; a wrong one makes t a tokBad.
func (l *lexer) escape(t *token, value *strings.Builder) {
	rest := l.text[l.off:]
	if len(rest) > 1 {
		if r, ok := simpleEscapes[rest[1]]; ok {
			value.WriteRune(r)
			l.off += 2
			return
		}
	}
	r, n := hexEscape(rest)
	// Two halves of a surrogate pair make one character.
	if low, m := hexEscape(rest[n:]); utf16.IsSurrogate(r) && m > 0 {
		if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
			r, n = both, n+m
		}
	}
	if n == 0 || !utf8.ValidRune(r) {
		l.bad(t, max(n, 1), "this is not an escape sequence of a character")
		return
	}
	value.WriteRune(r)
	l.off += n
}

// hexEscape returns the number of the character that \x, \u or \U at the start of text stands for,
// and the length of the escape sequence; 0 if there is none.
func hexEscape(text []byte) (r rune, length int) {
	if len(text) < 3 || text[0] != '\\' {
		return 0, 0
	}
	least, most := 1, 4 // digits
	switch text[1] {
	case 'x':
	case 'u':
		least = 4
	case 'U':
		least, most = 8, 8
	default:
		return 0, 0
	}
	n := 2
	for n < len(text) && n < 2+most && isHex(text[n]) {
		n++
	}
	if n < 2+least {
		return 0, 0
	}
	v, err := strconv.ParseUint(string(text[2:n]), 16, 32)
	if err != nil || v > utf8.MaxRune {
		return utf8.MaxRune + 1, n
	}
	return rune(v), n
}

// verbatim reads a string @"…" in which "" stands for a quote. It may go over several lines.
func (l *lexer) verbatim(t *token) {
	var value strings.Builder
	for l.off += 2; ; {
		rest := l.text[l.off:]
		switch {
		case len(rest) == 0:
			t.kind = tokBad
			l.report(t.off, `this string is not closed: expected %s before the end of the file`, "'\"'")
			return
		case len(rest) > 1 && rest[0] == '"' && rest[1] == '"':
			value.WriteByte('"')
			l.off += 2
		case rest[0] == '"':
			l.off++
			t.kind, t.text = tokString, value.String()
			return
		default:
			r, n := utf8.DecodeRune(rest)
			value.WriteRune(r)
			l.off += n
		}
	}
}
