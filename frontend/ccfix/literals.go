package ccfix

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"modernc.org/cc/v4"

	"c2bp/frontend/ctree"
)

// This file finds out what string literals and character constants contain: cc has it
// wrong for escapes in wide strings and does not know u"…" and U"…". What it has wrong is
// respelt, so that the lengths that it computes are right:
//
//	L"\xe9"      a character of a private plane for \xe9, see escapes
//	"\x012"      "\022"
//	"\0017"      a control character for \001, with which floats.go marks what it respells
//	u8"x"          "x"
//	u"xy"        a macro for (*(unsigned short (*)[3])"x\000y\000\000\000")
//	"\\1" "2"    in "\\1", a control character for \\: cc takes \1 for an escape when it
//	             joins the literals

// privatePlane is the first of the characters that stand for escapes; there are 65533.
const (
	privatePlane = 0xF0000
	privateEnd   = 0xFFFFE
)

// escapes are the escape sequences, as spelt, that the characters from privatePlane on stand for.
type escapes []string

// private returns the character that stands for an escape sequence, and false if there is none
// left. Equal sequences have one character, also in several texts.
func (p *Parser) private(spelling string) (string, bool) {
	i := slices.Index(p.escapes, spelling)
	if i < 0 {
		i = len(p.escapes)
		p.escapes = append(p.escapes, spelling)
	}
	return string(rune(privatePlane + i)), privatePlane+i < privateEnd
}

// escapedBy returns the escape sequence that r stands for, or "". It is spelt with its backslash.
func (p *Parser) escapedBy(r rune) string {
	if i := int(r) - privatePlane; i >= 0 && i < len(p.escapes) {
		return p.escapes[i]
	}
	return ""
}

// privateBackslash is a control character that stands for a backslash.
const privateBackslash = 0x1c

// unitBytes returns the size of the characters of a literal with that prefix; 0 if it is none.
func unitBytes(prefix string) int {
	switch prefix {
	case "", "u8":
		return 1
	case "u":
		return 2
	case "L", "U":
		return 4
	}
	return 0
}

// units returns the values of the characters between the quotes of a literal, of width bytes
// each, as gcc has them; ok is false if gcc refuses it. In literals that cc has joined no
// escape has more than two hexadecimal digits.
func (p *Parser) units(text []byte, width int, joined bool) (list []uint32, ok bool) {
	mask := uint32(1)<<(8*width-1)<<1 - 1
	for i := 0; i < len(text); {
		// An escape sequence: a character, a unit, or nothing for a line that goes on.
		if text[i] == '\\' {
			rest := text[i:]
			// Digits after these two are of the next literal: escaped has respelt longer ones.
			if joined && len(rest) > 4 && rest[1] == 'x' {
				rest = rest[:4]
			}
			v, n, universal := escapeAt(rest)
			switch {
			case n == 0:
				return nil, false
			case n > 0 && universal:
				list = appendRune(list, rune(v), width)
			case v >= 0:
				list = append(list, uint32(v)&mask)
			}
			i += n
			continue
		}
		// A character, or one of those that stand for an escape sequence.
		r, n := utf8.DecodeRune(text[i:])
		switch spelling := p.escapedBy(r); {
		case spelling != "" && width > 1:
			v, _ := escape([]byte(spelling[1:]))
			list = append(list, v&mask)
		case spelling != "": // of a literal that a macro has made a string of
			for _, c := range []byte(spelling) {
				list = append(list, uint32(c))
			}
		case r == privateBackslash && p.raw:
			return nil, false
		case r == privateBackslash:
			list = append(list, '\\')
		case width == 1:
			for _, c := range text[i : i+n] {
				list = append(list, uint32(c))
			}
		case r == utf8.RuneError && n == 1:
			return nil, false
		default:
			list = appendRune(list, r, width)
		}
		i += n
	}
	return list, true
}

// appendRune appends the character r, encoded in units of width bytes: UTF-8, UTF-16 with
// surrogates, or the number itself.
func appendRune(list []uint32, r rune, width int) []uint32 {
	switch {
	case width == 1:
		for _, c := range []byte(string(r)) {
			list = append(list, uint32(c))
		}
		return list
	case width == 2 && r >= 0x10000:
		return append(list, uint32(0xd800+(r-0x10000)>>10), uint32(0xdc00+(r-0x10000)&0x3ff))
	}
	return append(list, uint32(r))
}

// escapeAt returns the value of the escape sequence that text starts with, -1 for a line that
// goes on, and its length, 0 if it is none; universal says that it names a character.
func escapeAt(text []byte) (v int64, n int, universal bool) {
	switch {
	case len(text) < 2:
		return 0, 0, false
	case text[1] == '\n':
		return -1, 2, false
	case text[1] == '\r' && len(text) > 2 && text[2] == '\n':
		return -1, 3, false
	case text[1] == 'u' || text[1] == 'U':
		// A universal character name has four or eight digits.
		digits := 4
		if text[1] == 'U' {
			digits = 8
		}
		if len(text) < 2+digits {
			return 0, 0, false
		}
		_, err := fmt.Sscanf(string(text[2:2+digits]), "%x", &v)
		if err != nil || len(fmt.Sprintf("%x", v)) > digits {
			return 0, 0, false
		}
		return v, 2 + digits, true
	}
	if e, n := escape(text[1:]); n > 0 {
		return int64(e), 1 + n, false
	}
	if text[1] < 0x80 && text[1] != 'x' { // gcc takes the character itself
		return int64(text[1]), 2, false
	}
	return 0, 0, false
}

// StringBytes returns the contents of the string literal n, its final zero included, and the
// size of a character; ok is false where cc has a wrong length for it.
func (p *Parser) StringBytes(n cc.ExpressionNode) (text []byte, width int, ok bool) {
	text, width, wrong, ok := p.ReadString(n)
	return text, width, ok && wrong == 0
}

// ReadString returns the values of StringBytes, and the number of characters by which the length in
// cc is wrong: cc has the marked name of a line directive (lines.go) for __FILE__.
func (p *Parser) ReadString(n cc.ExpressionNode) (text []byte, width, wrong int, ok bool) {
	if inner, width := wideString(n); inner != nil {
		text, _, wrong, ok = p.ReadString(inner)
		return text[:max(len(text)-1, 0)], width, wrong, ok
	}
	e, ok := ctree.Strip(n).(*cc.PrimaryExpression)
	if !ok || e.Case != cc.PrimaryExpressionString && e.Case != cc.PrimaryExpressionLString {
		return nil, 0, 0, false
	}
	src := []byte(withoutHomes(e.Token.SrcStr()))
	wrong = len(e.Token.Src()) - len(src)
	width = 1
	if e.Case == cc.PrimaryExpressionLString {
		src, width = src[1:], 4
	}
	// The contents, little end first, with the zero at the end.
	units, ok := p.units(src[1:len(src)-1], width, true)
	for _, u := range append(units, 0) {
		for i := range width {
			text = append(text, byte(u>>(8*i)))
		}
	}
	// The length in cc must be the one that was counted.
	array, isArray := e.Type().Undecay().(*cc.ArrayType)
	glued := width == 4 && p.unit.ShortWchar // L ## "x": see shortWide
	return text, width, wrong, ok && isArray && !glued && array.Len() == int64(len(units)+wrong+1)
}

// shortWide returns text with u"…" and u'…' in place of L"…" and L'…', for a wchar_t that is
// unsigned short. The length stays the same.
func shortWide(text []byte) []byte {
	toks, _ := lex(text)
	var out []byte
	for i := 1; i < len(toks); i++ {
		l := toks[i-1]
		if toks[i].kind != '"' || l.kind != 'i' || l.end != toks[i].start || string(text[l.start:l.end]) != "L" {
			continue
		}
		if out == nil {
			out = bytes.Clone(text)
		}
		out[l.start] = 'u'
	}
	if out == nil {
		return text
	}
	return out
}

// IsString reports whether n is a string literal.
func IsString(n cc.ExpressionNode) bool {
	if inner, _ := wideString(n); inner != nil {
		return true
	}
	e, ok := ctree.Strip(n).(*cc.PrimaryExpression)
	return ok && (e.Case == cc.PrimaryExpressionString || e.Case == cc.PrimaryExpressionLString)
}

// wideString returns the literal that unicode has put in place of the literal n, and the size of a
// character of n; nil for another expression. It recognises *(unsigned short (*)[3])"…" by its
// form.
func wideString(n cc.ExpressionNode) (inner cc.ExpressionNode, width int) {
	deref, ok := ctree.Strip(n).(*cc.UnaryExpression)
	if !ok || deref.Case != cc.UnaryExpressionDeref {
		return nil, 0
	}
	cast, ok := ctree.Strip(deref.CastExpression).(*cc.CastExpression)
	if !ok || cast.Case != cc.CastExpressionCast {
		return nil, 0
	}
	literal, ok := ctree.Strip(cast.CastExpression).(*cc.PrimaryExpression)
	if !ok || literal.Case != cc.PrimaryExpressionString {
		return nil, 0
	}
	pointer, ok := cast.TypeName.Type().(*cc.PointerType)
	if !ok {
		return nil, 0
	}
	array, ok := pointer.Elem().(*cc.ArrayType)
	if !ok {
		return nil, 0
	}
	t, isInt := ctree.IntType(array.Elem())
	if !isInt {
		return nil, 0
	}
	return literal, t.Bits / 8
}

// stringLiteral respells the string literals that are joined to the one at token i, if that is the
// first of them. "a" L"b" is one wide string (C11 6.4.5p5), which cc knows only by the prefix of
// the first.
func (s *respeller) stringLiteral(i int) {
	// 1. Find the literals that are joined, and their common prefix.
	first, last := s.group(i)
	prefix := ""
	for k := first; k <= last; k++ {
		switch {
		case s.toks[k].kind == '"' && k < i:
			return // not the first
		case s.toks[k].kind == '"':
		case prefix == "" || prefix == "u8":
			prefix = s.word(k)
		case prefix != s.word(k):
			return // of different kinds: gcc refuses it
		}
	}
	if prefix == "u" || prefix == "U" {
		s.unicode(first, last, prefix)
		return
	}
	// 2. Write all of them with the prefix before the first, if that is not longer.
	var new []byte
	if prefix == "L" {
		new = append(new, 'L')
	}
	// Blanks and comments between the literals stay.
	end := s.toks[first].start
	for k := first; k <= last; k++ { // prefixes are left out
		t := s.toks[k]
		if new = append(new, s.text[end:t.start]...); t.kind == '"' {
			new = append(append(append(new, '"'), s.escaped(s.text[t.start+1:max(t.end-1, t.start+1)], prefix == "L")...), '"')
		}
		end = t.end
	}
	start := s.toks[first].start
	if text := s.text[start:end]; !bytes.Equal(new, text) && len(new) <= len(text) {
		s.put(start, end, string(new))
	}
}

// escaped returns the contents text of a literal, with the escapes respelt that cc has wrong; text
// itself if one of them cannot be respelt.
func (s *respeller) escaped(text []byte, wide bool) (out []byte) {
	for i := 0; i < len(text); {
		if text[i] != '\\' {
			out = append(out, text[i])
			i++
			continue
		}
		// An escape sequence that gcc does not know is left to cc.
		v, n, universal := escapeAt(text[i:])
		if n == 0 || v < 0 {
			return text
		}
		next := text[i+1]
		long := next == 'x' && n > 4
		// Respell it if cc has its value or its length wrong.
		switch char, ok := "", false; {
		case !wide && string(text[i:i+n]) == floatMark:
			out = append(out, 1)
		case next == '\\' && len(text)-(i+n) <= 5:
			out = append(out, privateBackslash)
		case universal || next != 'x' && (next < '0' || next > '7'):
			out = append(out, text[i:i+n]...)
		case wide && (v >= 0x80 || long):
			if char, ok = s.private(string(text[i : i+n])); !ok {
				return text
			}
			out = append(out, char...)
		case long:
			out = fmt.Appendf(out, "\\%03o", byte(v))
		default:
			out = append(out, text[i:i+n]...)
		}
		i += n
	}
	return out
}

// group returns the range of tokens, prefixes included, of the literals that are joined to the one
// at token i: nothing else is between them.
func (s *respeller) group(i int) (first, last int) {
	isLiteral := func(k int) bool {
		return k >= 0 && k < len(s.toks) && s.toks[k].kind == '"' && s.text[s.toks[k].start] == '"'
	}
	isPrefix := func(k int) bool {
		return k >= 0 && unitBytes(s.word(k)) > 0 && s.word(k) != "" && isLiteral(k+1) && s.toks[k].end == s.toks[k+1].start
	}
	first, last = i, i
	for isPrefix(first-1) || isLiteral(first-1) {
		first--
	}
	for isLiteral(last+1) || isPrefix(last+1) {
		last++
	}
	return first, last
}

// unicode puts a macro in place of the literals from token first to last, one of which has the
// prefix u or U. Without room for the macro they stay, and cc refuses them.
func (s *respeller) unicode(first, last int, prefix string) {
	// 1. The bytes of all characters, as octal escapes.
	width, typ := 2, "unsigned short"
	if prefix == "U" {
		width, typ = 4, "unsigned"
	}
	var b strings.Builder
	count := 1
	for k := first; k <= last; k++ {
		t := s.toks[k]
		if t.kind != '"' {
			continue
		}
		units, ok := s.units(s.text[t.start+1:t.end-1], width, false)
		if !ok {
			return
		}
		for _, u := range units {
			for j := range width {
				fmt.Fprintf(&b, "\\%03o", byte(u>>(8*j)))
			}
		}
		count += len(units)
	}
	b.WriteString(strings.Repeat("\\000", width))
	// 2. The place for the macro.
	var start, end int // the longest literal, with its prefix, has room for the macro
	for k := first; k <= last; k++ {
		from, to := s.toks[k].start, s.toks[k].end
		if s.toks[k].kind == 'i' {
			to = s.toks[k+1].end
		}
		if to-from > end-start {
			start, end = from, to
		}
	}
	// 3. Put the macro there and blank the others, if there was room.
	before := s.spelt
	s.macro(start, end, fmt.Sprintf("(*(%s (*)[%d])\"%s\")", typ, count, b.String()))
	if s.spelt > before {
		s.put(s.toks[first].start, start, "")
		s.put(end, max(end, s.toks[last].end), "")
	}
}
