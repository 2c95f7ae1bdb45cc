package ccfix

import (
	"bytes"
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// This file respells, before the parser sees them, what cc/v4 does not understand, in
// place and in the same length, so that nothing else moves:
//
//	'abcd'  L'\xabcd'  u'x'        a macro for the number
//	L"\xe9" u"x" u8"x"            see literals.go
//	18446744073709551615           likewise: too large for long long, it is an __int128
//	"a" L"b"                       L"a" "b"
//	int a[*]                       int a[1], a parameter
//	{ [1] 2 }                      { [1]=2 }
//	typeof(int *) p                typeof(*(int * *)0) p, by way of a macro
//	typeof(int (char)) f           typeof(*(int (*)(char))0) f, likewise
//	enum { K = (int)2.5 }          enum { K = (int)2 }, by way of a macro
//	char bug[c ? 1 : -1]           char bug[c ? 1 :  1]
//	char bug[1 - 2*!!(c)]          char bug[1 - 0*!!(c)]
//
// The last two are assertions about c at compile time: where gcc accepts the program the
// size is 1, but cc may be wrong about c.

// respeller is the state of the pass over one text. text is not changed; out is its copy with the
// changes so far, nil without any, and of the same length.
type respeller struct {
	*Parser
	text, out []byte
	// The tokens of text, and for each bracket its partner.
	toks     []cToken
	match    []int
	inBraces []bool // whether the innermost bracket around a token is a brace
	inEnum   []bool // whether one of those around it is that of an enum
	typedefs map[string]bool
	macros   strings.Builder
}

// typeofType is the macro for typeof of a type; it is as short as typeof.
const typeofType = "#define $tof(...) __typeof__(*(__VA_ARGS__ *)0)\n"

// typeofFunction is the same for the type of a function: its result, and its parameters.
const typeofFunction = "#define $tfn(R, ...) __typeof__(*(R (*)(__VA_ARGS__))0)\n"

// spell returns text respelt, and the definitions of macros that it needs then. The respelt text
// has the same length and the same lines.
func (p *Parser) spell(text []byte) (respelt []byte, macros string) {
	s := &respeller{Parser: p, text: text}
	p.raw = p.raw || bytes.IndexByte(text, privateBackslash) >= 0
	// 1. Tokens, brackets, and the types that the text declares.
	s.toks, s.match = lex(text)
	s.findBraces()
	s.findTypedefs()
	// 2. Look at each token that may begin something.
	for i := range s.toks {
		switch s.toks[i].kind {
		case '"':
			s.literal(i)
		case '0':
			s.number(i)
			switch {
			// A floating-point constant where a constant must be an integer.
			case (s.inEnum[i] || s.is(i+1, "]")) && s.wholePart(i):
			case s.floats:
				s.floating(i)
			}
		case '[':
			s.bracket(i)
		case 'i':
			s.typeof(i)
		}
	}
	if s.out == nil {
		return text, ""
	}
	return s.out, s.macros.String()
}

// word returns the text of token i, of any kind, "" outside of the text.
func (s *respeller) word(i int) string {
	if i < 0 || i >= len(s.toks) {
		return ""
	}
	return string(s.text[s.toks[i].start:s.toks[i].end])
}

// is reports whether the tokens from i on are words.
func (s *respeller) is(i int, words ...string) bool {
	for k, w := range words {
		if s.word(i+k) != w {
			return false
		}
	}
	return true
}

// put overwrites the text from start with new and blanks up to end; newlines stay. It panics if
// there is no room.
func (s *respeller) put(start, end int, new string) {
	if s.out == nil {
		s.out = bytes.Clone(s.text)
	}
	if n := copy(s.out[start:end], new); n < len(new) {
		panic(fmt.Sprintf("%q does not fit", new))
	} else {
		for start += n; start < end; start++ {
			if s.out[start] != '\n' {
				s.out[start] = ' '
			}
		}
	}
}

// macro replaces the text from start to end by a macro for value, if there is room; else the text
// stays as it is. The names $0, $1, … $Z, $10 are short: '\xabcd' has room for any of them.
func (s *respeller) macro(start, end int, value string) {
	name := "$" + strings.ToUpper(strconv.FormatInt(int64(s.spelt), 36))
	if len(name) > end-start {
		return
	}
	s.spelt++
	fmt.Fprintf(&s.macros, "#define %s %s\n", name, value)
	s.put(start, end, name)
}

// findBraces finds for each token the kind of bracket around it, and whether it is in the list of
// an enumeration: in a bracket within such a list it is, too.
func (s *respeller) findBraces() {
	s.inBraces, s.inEnum = make([]bool, len(s.toks)), make([]bool, len(s.toks))
	var open []byte
	enum := 0 // the number of brackets around the innermost enum, and its own
	for i, t := range s.toks {
		s.inBraces[i], s.inEnum[i] = len(open) > 0 && open[len(open)-1] == '{', enum > 0
		switch t.kind {
		case '(', '[', '{':
			open = append(open, t.kind)
			if t.kind == '{' && (s.word(i-1) == "enum" || s.word(i-2) == "enum") {
				enum = len(open)
			}
		case ')', ']', '}':
			open = open[:max(len(open)-1, 0)]
			if len(open) < enum {
				enum = 0
			}
		}
	}
}

// findTypedefs finds names that the text declares as those of types, in the simple form
//
//	typedef … name;
//
// Others, such as those of pointers to functions, are not found.
func (s *respeller) findTypedefs() {
	s.typedefs = map[string]bool{}
	for i := 0; i < len(s.toks); i++ {
		if s.word(i) != "typedef" {
			continue
		}
		for depth := 0; i < len(s.toks) && (depth > 0 || s.toks[i].kind != ';'); i++ {
			switch s.toks[i].kind {
			case '{', '(', '[':
				depth++
			case '}', ')', ']':
				depth--
			case 'i':
				if depth == 0 && s.is(i+1, ";") {
					s.typedefs[s.word(i)] = true
				}
			}
		}
	}
}

// literal respells the string or character constant i, whose prefix, if any, is token i-1.
func (s *respeller) literal(i int) {
	// 1. The prefix, an identifier without a blank between, and the kind.
	t := s.toks[i]
	prefix := ""
	start := t.start
	if i > 0 && s.toks[i-1].kind == 'i' && s.toks[i-1].end == start {
		prefix, start = s.word(i-1), s.toks[i-1].start
	}
	if s.text[t.start] == '"' {
		s.stringLiteral(i)
		return
	}
	// 2. The values of the characters of the constant, as gcc has them.
	width := unitBytes(prefix)
	if width == 0 {
		prefix, start, width = "", t.start, 1
	}
	if t.end-t.start < 3 {
		return
	}
	text := s.text[t.start+1 : t.end-1]
	values, ok := s.units(text, width, false)
	if !ok || len(values) == 0 {
		return
	}
	// 3. A macro, where cc has another value or type.
	last := values[len(values)-1]
	switch {
	case prefix == "" && len(values) > 1:
		// gcc takes 'ab' for 'a' << 8 | 'b'.
		var v int32
		for _, c := range values {
			v = v<<8 | int32(c)
		}
		s.macro(start, t.end, decimal(int64(v)))
	// An escape of more than three digits.
	case prefix == "" && len(text) > 4 && s.unit.UnsignedChar: // '\x0012'
		s.macro(start, t.end, decimal(int64(uint8(last))))
	case prefix == "" && len(text) > 4:
		s.macro(start, t.end, decimal(int64(int8(last))))
	case prefix == "L" && (len(values) > 1 || last > 0xff || len(text) > 4):
		s.macro(start, t.end, decimal(int64(int32(last))))
	case prefix == "u8":
		s.macro(start, t.end, fmt.Sprintf("((unsigned char)%d)", last))
	case prefix == "u":
		s.macro(start, t.end, fmt.Sprintf("((unsigned short)%d)", last))
	case prefix == "U":
		s.macro(start, t.end, fmt.Sprintf("((unsigned)%d)", last))
	}
}

// decimal returns v as a C expression that may stand anywhere: a negative one is in parentheses.
func decimal(v int64) string {
	if v < 0 {
		return fmt.Sprintf("(%d)", v)
	}
	return fmt.Sprint(v)
}

// escape returns the value of the escape sequence that text, without its backslash, starts
// with, and its length; 0 if there is none.
func escape(text []byte) (v uint32, n int) {
	// digit returns the next digit.
	digit := func(base uint32) (uint32, bool) {
		if n >= len(text) {
			return 0, false
		}
		d := bytes.IndexByte([]byte("0123456789abcdef"), text[n]|0x20)
		if text[n] >= '0' && text[n] <= '9' {
			d = int(text[n] - '0')
		}
		return uint32(d), d >= 0 && uint32(d) < base
	}
	switch {
	case len(text) == 0:
		return 0, 0
	case text[0] == 'x':
		n = 1
		for d, ok := digit(16); ok; d, ok = digit(16) {
			v, n = v<<4|d, n+1
		}
		if n == 1 {
			n = 0
		}
		return v, n
	case text[0] >= '0' && text[0] <= '7':
		for d, ok := digit(8); ok && n < 3; d, ok = digit(8) {
			v, n = v<<3|d, n+1
		}
		return v, n
	}
	if i := strings.IndexByte(`abtnvfre\'"?`, text[0]); i >= 0 {
		return uint32("\a\b\t\n\v\f\r\x1b\\'\"?"[i]), 1
	}
	return 0, 0
}

// number respells the decimal constant i if it is too large for long long. gcc takes it for an
// __int128, which decides the types of expressions with it.
func (s *respeller) number(i int) {
	t := s.toks[i]
	word := s.text[t.start:t.end]
	if len(word) < 19 || word[0] == '0' {
		return
	}
	// The suffix; unsigned ones are no problem.
	digits := len(word)
	for digits > 0 && (word[digits-1] < '0' || word[digits-1] > '9') {
		digits--
	}
	suffix := strings.ToLower(string(word[digits:]))
	v, ok := new(big.Int).SetString(string(word[:digits]), 10)
	if !ok || v.IsInt64() || suffix != "" && suffix != "l" && suffix != "ll" {
		return
	}
	switch {
	case s.is(i-1, "(") && s.is(i+1, ")") && i > 1 && s.toks[i-2].kind == 'i':
		// F(1234…): the macro F may paste something to it
	case !s.unit.Bits32: // integers of 128 bits have no value here, and so none is lost
		s.macro(t.start, t.end, fmt.Sprintf("((__int128)0x%xull)", v.Uint64()))
	case v.IsUint64(): // gcc has no __int128 there
		s.macro(t.start, t.end, fmt.Sprintf("0x%xull", v))
	}
}

// bracket looks at the [ at token i: of [*], of a designator, or of a declarator.
func (s *respeller) bracket(i int) {
	end := s.match[i]
	switch {
	case end < 0:
	case end == i+2 && s.is(i+1, "*"):
		s.put(s.toks[i+1].start, s.toks[i+1].end, "1")
	// An item of a list in braces; [[ begins attributes.
	case s.inBraces[i] && (s.is(i-1, "{") || s.is(i-1, ",")) && !s.is(i+1, "["):
		s.designator(end)
	case s.declares(i):
		s.assertion(i, end)
	}
}

// designator writes the = after the ] at token end, where gcc does not need it: { [1] 2 } becomes {
// [1]=2 }. It needs a blank there.
func (s *respeller) designator(end int) {
	if end+1 >= len(s.toks) {
		return
	}
	at, next := s.toks[end].end, s.toks[end+1]
	if strings.IndexByte("=[.,;)}", next.kind) >= 0 || at == next.start {
		return
	}
	if s.text[at] == ' ' || s.text[at] == '\t' {
		s.put(at, at+1, "=")
	}
}

// declares reports whether the [ at token i is that of a declarator after a basic type:
//
//	char[      char name[      char name ## line[
func (s *respeller) declares(i int) bool {
	for k := i - 1; k >= 0 && k > i-8; k-- {
		switch w := s.word(k); {
		case w == "#":
		case s.toks[k].kind != 'i':
			return false
		case w == "char" || w == "int" || w == "unsigned" || w == "short" || w == "long":
			return true
		case k < i-1 && s.word(k+1) != "#":
			return false
		}
	}
	return false
}

// assertion respells an array size, from [ at token i to ] at token end, that is negative if
// something is wrong: in the first form the last 1 loses its sign, in the second the factor becomes
// 0.
func (s *respeller) assertion(i, end int) {
	switch {
	case s.is(end-5, "?", "1", ":", "-", "1"):
		s.put(s.toks[end-2].start, s.toks[end-2].end, "")
	case s.is(i+1, "1", "-", "2", "*", "!", "!", "("):
		s.put(s.toks[i+3].start, s.toks[i+3].end, "0")
	}
}

// typeof respells typeof, at token i, of a type that is no array: a list of words, which may have
// parameters after it. Where it is not certain that there is a type, nothing changes.
func (s *respeller) typeof(i int) {
	if !isTypeof(s.word(i)) || s.word(i+1) != "(" || s.match[i+1] < i+3 {
		return
	}
	// 1. The words of the type, up to parameters after them if there are any.
	first, end := i+2, s.match[i+1]
	last := end // of the words
	for k := first; k < last; k++ {
		switch c := s.toks[k].kind; {
		case s.is(k, "(") && k > first && s.match[k] == end-1:
			last = k
		case c != 'i' && c != '*' || s.word(k) == "volatile" || s.word(k) == "__volatile__":
			return
		}
	}
	// 2. It must be a type for certain, and no expression.
	known := isTypeWord(s.word(first)) || s.typedefs[s.word(first)]
	if last == end {
		known = known || s.is(end-1, "*")
	} else {
		known = known || strings.HasSuffix(s.word(first), "_t") // size_t, a type by its name
	}
	if !known {
		return
	}
	// 3. Respell it, for a function with a comma between its result and its parameters.
	macro, name := typeofType, "$tof"
	switch {
	case last < end:
		macro, name = typeofFunction, "$tfn"
		s.put(s.toks[last].start, s.toks[last].end, ",")
		s.put(s.toks[end-1].start, s.toks[end-1].end, "")
	case end == first+1 && s.is(first, "void"):
		return
	}
	if !strings.Contains(s.macros.String(), macro) {
		s.macros.WriteString(macro)
	}
	s.put(s.toks[i].start, s.toks[i].end, name)
}
