package wide

import (
	"fmt"
	"strings"
)

// This file generates parts with string literals and character constants of every kind.

// stringsClass has literals: those of one content may be one object, or the end of a longer one
// (C11 6.4.5p7), so comparisons of their addresses are open. Sizes, elements and prefixes are not.
//
//	const char *p = "xyz", *q = "yz"; CHECK(0, p + 1 == q);      0 or 1
var stringsClass = class{"strings", []form{
	// An element, the final 0 among them.
	{"element", func(g *generator) {
		l := g.stringLiteral()
		g.observe("%s[%d]", l.text, g.n(l.units+1))
	}},
	// The size counts units of the literal's own type.
	{"sizeof", func(g *generator) { g.observe("sizeof %s", g.stringLiteral().text) }},
	// An array initialised by a literal, of its size, one less (without the 0), or more (with
	// zeros).
	{"array", func(g *generator) {
		l, name := g.stringLiteral(), g.fresh("w")
		size := pick(g, "", fmt.Sprint(l.units+1), fmt.Sprint(l.units), fmt.Sprint(l.units+3))
		if size == "0" {
			size = ""
		}
		text := fmt.Sprintf("%s %s[%s] = %s;", l.element, name, size, pick(g, l.text, "{ "+l.text+" }"))
		if g.p(40) {
			g.program.globals = append(g.program.globals, name)
			g.decl("static %s", text)
		} else {
			g.line("%s", text)
		}
		g.observe("sizeof %s", name)
		g.observe("%s[%d]", name, g.n(max(l.units, 1)))
		g.observe("%s[sizeof %s / sizeof %s[0] - 1]", name, name, name)
	}},
	// The length up to the first 0, which may be in the middle.
	{"length", func(g *generator) {
		l, p, n := g.stringLiteral(), g.fresh("p"), g.fresh("n")
		g.line("const %s *%s = %s;", l.element, p, l.text)
		g.line("int %s = 0;", n)
		g.line("while (%s[%s]) %s++;", p, n, n)
		g.observe("%s", n)
		g.keep(n)
	}},
	// One of two uses of a literal.
	{"pointer", func(g *generator) {
		l, p := g.stringLiteral(), g.fresh("p")
		g.line("const %s *%s = %s ? %s : %s;", l.element, p, g.condition(), l.text, l.text)
		g.observe("%s[%d]", p, g.n(l.units+1))
	}},
	// Character constants: of several characters, escapes beyond 127, and with prefixes.
	{"character", func(g *generator) {
		g.observe("%s", pick(g, `L'\xe9'`, `'\xe9'`, `'\377'`, `'ab'`, `u'\u20ac'`, `U'\xff'`, `L'\200'`, `'\0'`, `'\\'`, `u'é'`, `L'é'`, `'\x7f'`, `sizeof u'a'`, `sizeof L'a'`, `sizeof 'a'`))
	}},
	// Equal literals, whose addresses may be equal.
	{"equal", func(g *generator) {
		a, b := g.fresh("p"), g.fresh("p")
		s := pick(g, "xy", "abc", "")
		g.line(`const char *%s = "%s", *%s = "%s";`, a, s, b, s)
		g.observeOpen([]int64{0, 1}, "%s == %s", a, b)
		g.observe("%s[0] == %s[0]", a, b)
	}},
	// A literal that may be the end of another one.
	{"tail", func(g *generator) {
		a, b := g.fresh("p"), g.fresh("p")
		g.line(`const char *%s = "xyz", *%s = "yz";`, a, b)
		g.observeOpen([]int64{0, 1}, "%s + 1 == %s", a, b)
	}},
	// Literals in a table, with a gap.
	{"table", func(g *generator) {
		t := g.global("t")
		g.decl(`static const char *const %s[4] = { "a", "b", [3] = "a" };`, t)
		g.observeOpen([]int64{0, 1}, "%s[0] == %s[3]", t, t)
		g.observe("%s[%s] ? %s[%s][0] : 0", t, g.inputs[0], t, g.inputs[0])
	}},
	// Literals of different contents are never equal.
	{"distinct", func(g *generator) {
		a, b := g.fresh("p"), g.fresh("p")
		g.line(`const char *%s = "ab", *%s = "ba";`, a, b)
		g.observe("%s == %s", a, b)
	}},
	// __func__ is an array of its own, and no literal; a literal of its content may be merged
	// with it, or not.
	{"func", func(g *generator) {
		f, p := g.global("f"), g.fresh("p")
		g.decl("static const char *%s(void) { return FUNC(\"%s\"); }", f, f)
		g.line("const char *%s = %s();", p, f)
		g.observe("%s[0]", p)
		g.observe(`sizeof FUNC("main")`)
		g.observe(`FUNC("main")[%d]`, g.n(5))
		g.observeOpen([]int64{0, 1}, `%s == "%s"`, p, f)
	}},
	// Constant compound literals may be merged like literals (C11 6.5.2.5p7).
	{"const-literals", func(g *generator) {
		a, b := g.fresh("p"), g.fresh("p")
		g.line("const int *%s = (const int[]){ 1, 2 }, *%s = (const int[]){ 1, 2 };", a, b)
		g.observeOpen([]int64{0, 1}, "%s == %s", a, b)
		g.observe("%s[1] + %s[0]", a, b)
	}},
	// An array that is a copy of the literal: to write it does not change the literal.
	{"written", func(g *generator) {
		l, name := g.stringLiteral(), g.fresh("w")
		// There must be an element to write.
		if l.units == 0 {
			l = literal{`"ab"`, "char", 2}
		}
		k := g.n(l.units)
		g.line("%s %s[] = %s;", l.element, name, l.text)
		g.line("%s[%d] += %s;", name, k, g.value())
		g.observe("%s[%d]", name, k)
		g.observe("%s[%d]", l.text, k)
	}},
	// Library functions on literals.
	{"compare", func(g *generator) {
		g.include("string.h")
		l, m := g.pieces(""), g.pieces("")
		g.observe("strcmp(%s, %s) == 0", l.text, pick(g, l.text, m.text))
		g.observe("strlen(%s)", l.text)
	}},
}}

// literal is a string literal.
type literal struct {
	text    string
	element string // its type
	units   int    // elements, without the 0
}

// stringLiteral returns one of any kind.
func (g *generator) stringLiteral() literal {
	return g.pieces(pick(g, "", "", "L", "L", "u8", "u", "U"))
}

// pieces returns a literal of one to three pieces, at least one of them with the prefix: L"a" "b" is
// L"ab".
func (g *generator) pieces(prefix string) literal {
	l := literal{element: map[string]string{"": "char", "u8": "char", "L": "int", "u": "unsigned short", "U": "unsigned"}[prefix]}
	if prefix == "L" && g.program.Flags.Bits32 {
		l.element = "long"
	}
	var parts []string
	n := 1 + g.n(3)
	must := g.n(n) // one piece has the prefix
	for i := range n {
		var b strings.Builder
		// Up to two characters.
		for range g.n(3) {
			text, utf8, utf16 := g.char()
			b.WriteString(text)
			switch prefix {
			case "", "u8":
				l.units += utf8
			case "u":
				l.units += utf16
			default:
				l.units++
			}
			if strings.HasPrefix(text, `\x`) { // what follows must not be read as part of it
				b.WriteString(`" "`)
			}
		}
		if i == must || g.p(40) {
			parts = append(parts, prefix+`"`+strings.ReplaceAll(b.String(), `" "`, `" `+prefix+`"`)+`"`)
		} else {
			parts = append(parts, `"`+b.String()+`"`)
		}
	}
	l.text = strings.Join(parts, " ")
	return l
}

// char returns a character in a literal, and of how many units it is in UTF-8 and UTF-16.
func (g *generator) char() (text string, utf8, utf16 int) {
	switch g.n(12) {
	case 0:
		return fmt.Sprintf(`\x%x`, 0x80+g.n(0x80)), 1, 1
	case 1:
		return fmt.Sprintf(`\%o`, 0x80+g.n(0x80)), 1, 1
	case 2:
		return fmt.Sprintf(`\%03o`, g.n(0x80)), 1, 1
	case 3:
		return `\u00e9`, 2, 1
	case 4:
		return `\u20ac`, 3, 1
	case 5:
		return "é", 2, 1
	case 6:
		return `\U0001f600`, 4, 2
	case 7:
		return pick(g, `\n`, `\\`, `\"`, `\0`, `\a`, `\e`), 1, 1
	}
	return pick(g, "a", "b", "c", "z"), 1, 1
}
