package ccfix

import (
	"bytes"

	"c2bp/frontend/ctree"
)

// This file works around what cc/v4 does not know: the attribute mode, which gives
// an integer type another width,
//
//	typedef unsigned int u_int8_t __attribute__((__mode__(__QI__)));
//
// as in the headers of real C libraries. Before the parser sees the text, the
// attribute is blanked and the word int replaced by a macro for the type of that
// width, padded with blanks, so that nothing else moves. What this does not
// recognise is left, and refused after parsing; see attributes.go.

// modeMacros define the types of the modes. Their names are as short as int.
const modeMacros = `
#define $QI char
#define $HI short
#define $SI int
#define $DI long long
#define $TI __int128
#define $WI long
#define $qI signed char
`

var modeOf = map[string]string{
	"QI": "$QI", "HI": "$HI", "SI": "$SI", "DI": "$DI", "TI": "$TI",
	"byte": "$QI", "word": "$WI", "pointer": "$WI", "unwind_word": "$WI",
}

// modes returns text with types of other widths in place of its mode attributes, as
//
//	typedef unsigned $QI u_int8_t __attribute__((           ));
func modes(text []byte) []byte {
	if !bytes.Contains(text, []byte("mode")) {
		return text
	}
	m := &modeRewriter{text: text}
	m.toks, m.match = lex(text)
	for i := range m.toks {
		if ctree.AttributeName(m.word(i)) == "mode" && m.kind(i+1) == '(' && m.match[i+1] == i+3 {
			m.rewrite(i)
		}
	}
	if m.out == nil {
		return text
	}
	return m.out
}

// modeRewriter takes the mode attributes of one text into account.
type modeRewriter struct {
	text, out []byte
	toks      []cToken
	match     []int
}

// kind returns the kind of token i, 0 outside of the text.
func (m *modeRewriter) kind(i int) byte {
	if i < 0 || i >= len(m.toks) {
		return 0
	}
	return m.toks[i].kind
}

// word returns the identifier at token i, "" if it is none.
func (m *modeRewriter) word(i int) string {
	if m.kind(i) != 'i' {
		return ""
	}
	return string(m.text[m.toks[i].start:m.toks[i].end])
}

// rewrite handles the attribute mode that starts at token i, if it finds the type that it belongs
// to. It has four tokens: mode ( QI ).
func (m *modeRewriter) rewrite(i int) {
	name := modeOf[ctree.AttributeName(m.word(i+2))]
	start := m.attribute(i)
	if name == "" || start < 0 {
		return
	}
	base, signed, unsigned := m.base(start)
	if base < 0 {
		return
	}
	if name == "$QI" && !unsigned && !signed {
		name = "$qI" // plain int is signed, plain char need not be
	}
	if m.out == nil {
		m.out = bytes.Clone(m.text)
	}
	m.fill(base, base, name)
	switch { // the attribute, and one of the commas beside it
	case m.kind(i+4) == ',':
		m.fill(i, i+4, "")
	case m.kind(i-1) == ',':
		m.fill(i-1, i+3, "")
	default:
		m.fill(i, i+3, "")
	}
}

// fill overwrites the tokens from first to last with s and blanks.
func (m *modeRewriter) fill(first, last int, s string) {
	for k, at := 0, m.toks[first].start; at < m.toks[last].end; k, at = k+1, at+1 {
		c := byte(' ')
		if k < len(s) {
			c = s[k]
		} else if m.text[at] == '\n' {
			c = '\n'
		}
		m.out[at] = c
	}
}

// attribute returns the token __attribute__ of the attribute in whose list token i is, or -1. It
// walks back over the attributes before.
func (m *modeRewriter) attribute(i int) int {
	for k := i - 1; k >= 0; k-- {
		switch m.kind(k) {
		case ')':
			k = m.match[k]
		case '(', ',', 'i':
			if isAttribute(m.word(k)) {
				return k
			}
		default:
			return -1
		}
	}
	return -1
}

// base returns the token int of the declaration whose attribute starts at token i, or -1; signed
// and unsigned tell which words are beside it. Another word for a width leaves nothing to replace.
func (m *modeRewriter) base(i int) (base int, signed, unsigned bool) {
	base = -1
	for k := i - 1; k >= 0; k-- {
		switch m.kind(k) {
		case ';', '{', '}', ',', '(':
			return base, signed, unsigned
		case ')', ']':
			k = m.match[k]
			if k == 0 {
				return -1, false, false
			}
		case 'i':
			switch ctree.AttributeName(m.word(k)) {
			case "int":
				base = k
			case "signed":
				signed = true
			case "unsigned":
				unsigned = true
			case "long", "short", "char":
				return -1, false, false
			}
		}
	}
	return base, signed, unsigned
}
