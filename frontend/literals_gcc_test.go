package frontend

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"c2bp/internal/testkit"
)

// literalProgram is a program that adds up, in sum, the sizes and contents of generated
// string literals and character constants.
func literalProgram(seed uint64) string {
	g := rand.New(rand.NewPCG(seed, 12))
	pick := func(list ...string) string { return list[g.IntN(len(list))] }
	piece := func(narrow bool) string {
		switch k := g.IntN(10); {
		case k < 3:
			return pick("a", "1", "xyz", "7f", "x", " ", "é", "€", "𝄞", "u8", "%d")
		case k < 6 && narrow:
			return pick(`\x7`, `\x41`, `\xe9`, `\xff`, `\x0`, `\x00c`, `\x0080`, `\377`, `\200`, `\0`, `\1`, `\001`, `\0010.5`, `\12`, `\012`)
		case k < 6:
			return pick(`\x7`, `\x41`, `\xe9`, `\xff`, `\x0`, `\x00c`, `\x0080`, `\377`, `\200`, `\0`, `\1`, `\001`, `\12`, `\477`, `\x100`, `\xd801`, `\xffff`, `\x12`)
		case k < 8:
			return pick(`\n`, `\\`, `\"`, `\'`, `\?`, `\e`, `\a`, `\t`, `\\x1`, `\\1`, `\\12`, `\\x`)
		}
		return pick(`\u00e9`, `\u20ac`, `\U0001F600`, `\u00ff`)
	}
	content := func(narrow bool) string {
		var b strings.Builder
		for range g.IntN(4) {
			p := piece(narrow)
			if strings.HasPrefix(p, `\x`) { // what follows may be a digit
				p += pick("", `""`+" ", `" "`, "g")
				p = strings.Replace(p, `"" `, "z", 1)
			}
			b.WriteString(p)
		}
		return b.String()
	}
	literal := func(prefix string) string {
		s := ""
		for i := range 1 + g.IntN(3) {
			own := prefix
			if g.IntN(3) == 0 {
				own = ""
			}
			if i > 0 {
				s += pick(" ", "", "\n    ")
			}
			s += own + `"` + content(prefix == "" || prefix == "u8") + `"`
		}
		if !strings.HasPrefix(s, prefix) && !strings.Contains(s, prefix+`"`) {
			s = prefix + s
		}
		return s
	}
	var b, calls strings.Builder
	b.WriteString("#define W(x) L##x\n#define J \"2\" \"\\\\1\"\nunsigned long long sum = 1;\n#define ADD(x) (sum = sum * 31 + (unsigned long long)(x))\n")
	for i := range 12 {
		prefix := pick("", "L", "u", "U", "u8")
		typ := map[string]string{"": "char", "u8": "char", "L": "__WCHAR_TYPE__", "u": "__CHAR16_TYPE__", "U": "__CHAR32_TYPE__"}[prefix]
		text := literal(prefix)
		if prefix == "" && g.IntN(4) == 0 {
			text += " J"
		}
		fmt.Fprintf(&b, "%s x%d[] = %s;\nconst %s *p%d = %s;\n", typ, i, text, typ, i, text)
		fmt.Fprintf(&b, "static void f%d(void)\n{\n  %s y[] = %s, z[20] = %s;\n", i, typ, text, `{ 1, 2 }`)
		fmt.Fprintf(&b, "  unsigned k;\n  ADD(sizeof x%d); ADD(sizeof y); ADD(sizeof(%s)); ADD(sizeof *p%d);\n", i, text, i)
		fmt.Fprintf(&b, "  for (k = 0; k < sizeof y / sizeof *y; k++) { ADD(x%d[k]); ADD(y[k]); ADD(p%d[k]); ADD((%s)[k]); }\n", i, i, text)
		fmt.Fprintf(&b, "  ADD((%s)[0] < 0); ADD(sizeof __func__); ADD(__func__[1]); ADD(z[1]);\n", text)
		for range 3 {
			p := pick("", "L", "u", "U")
			c := piece(p == "")
			if strings.ContainsAny(c, `"%`) || c == "'" || c == `\\x1` || c == `\\x` {
				c = `\"`
			}
			fmt.Fprintf(&b, "  ADD(%s'%s'); ADD(sizeof %s'%s'); ADD(%s'%s' < 0);\n", p, c, p, c, p, c)
		}
		b.WriteString("}\n")
		fmt.Fprintf(&calls, "  f%d();\n", i)
	}
	return b.String() + "int main(void)\n{\n" + calls.String()
}

// TestLiteralsAgainstGCC compares the sizes and contents of literals with gcc's.
func TestLiteralsAgainstGCC(t *testing.T) {
	testkit.NeedGCC(t)
	compareSums(t, literalProgram, seedRange(1, testkit.Count(12, 200)), false)
}

// TestLiteralsAgainstGCC32 is TestLiteralsAgainstGCC for the 32-bit data model.
func TestLiteralsAgainstGCC32(t *testing.T) {
	testkit.NeedGCC32(t, "-fsanitize=undefined")
	compareSums(t, literalProgram, seedRange(1, testkit.Count(6, 100)), true)
}
