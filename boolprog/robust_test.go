package boolprog

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"c2bp/source"
)

// These tests feed the parser what is too deep, too long or no program at all.

func nest(n int, open, inner, closing string) string {
	return strings.Repeat(open, n) + inner + strings.Repeat(closing, n)
}

// TestDeep parses, prints, checks and graphs deep and long programs.
func TestDeep(t *testing.T) {
	const n = 10_000
	for name, body := range map[string]string{
		"parentheses":   "x := " + nest(n, "(", "x", ")") + ";",
		"right operand": "x := " + nest(n, "x & (", "x", ")") + ";",
		"negations":     "x := " + nest(n, "!", "x", "") + ";",
		"choose":        "x := " + nest(n, "choose(x, ", "x", ")") + ";",
		"ifs":           nest(n, "if (x) then ", "skip;", " fi"),
		"elses":         nest(n, "if (x) then skip; else ", "skip;", " fi"),
		"whiles":        nest(n, "while (x) do ", "skip;", " od"),
		"chain":         "x := x" + strings.Repeat(" & x", 9*n) + ";",
		"implications":  "x := " + strings.Repeat("x => ", 9*n) + "x;",
		"elsifs":        "if (x) then skip; " + strings.Repeat("elsif (x) then skip; ", n) + "fi",
		"labels":        strings.Repeat("L: ", 1) + "skip; goto L" + strings.Repeat(", L", n) + ";",
		"constrain":     "x := *; " + strings.Repeat("constrain 'x; ", n),
		"statements":    strings.Repeat("x := !x;\n", 10*n),
	} {
		t.Run(name, func(t *testing.T) {
			p := parse(t, "decl x;\nvoid main() begin "+body+" end")
			roundTrip(t, p, ParseOptions{})
			graph(t, p)
		})
	}
}

// TestDeepSelection is TestDeep for the fields of fields.
func TestDeepSelection(t *testing.T) {
	const n = 90_000
	p := parse(t, "class C { bool x; ref C next; } ref C g; void main() begin g.x := g"+strings.Repeat(".next", n)+".x; end")
	roundTrip(t, p, ParseOptions{})
	graph(t, p)
	_, err := parseAndCheck("t.bp", "class C { bool x; ref C next; } ref C g; void main() begin g.x := g"+strings.Repeat(".nxt", n)+"; end")
	if err == nil || len(err.Error()) > 1000 {
		t.Errorf("error: %.300v", err)
	}
}

// TestTooDeep expects one clean error far beyond.
func TestTooDeep(t *testing.T) {
	const n = maxNesting + 10
	for name, body := range map[string]string{
		"parentheses":    "x := " + nest(n, "(", "x", ")"),
		"open":           "x := " + strings.Repeat("(", n),
		"negations":      "x := " + nest(n, "!", "x", ""),
		"ifs":            nest(n, "if (x) then ", "skip;", " fi"),
		"open ifs":       strings.Repeat("if (x) then ", n),
		"chain":          "x := x" + strings.Repeat(" & x", n),
		"implications":   "x := " + strings.Repeat("x => ", n) + "x",
		"constrain":      "x := *; " + strings.Repeat("constrain 'x; ", n),
		"fields":         "x := x" + strings.Repeat(".f", n),
		"choose, ifs, (": nest(n/2, "if (x) then ", "", "") + "x := " + nest(n/2, "choose(x, ", "x", ")"),
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := Parse(source.NewFile("t.bp", []byte("decl x; void main() begin "+body+" end")), ParseOptions{})
			if err == nil || !strings.Contains(err.Error(), "levels") || len(err.(source.List)) > 3 {
				t.Errorf("error: %.300v", err)
			}
		})
	}
}

// TestLongLine parses a line of 10 MB, and reports errors and warnings in it
// without quoting it whole.
func TestLongLine(t *testing.T) {
	const lines = 1_200_000
	good := "decl x; void main() begin " + strings.Repeat("x := !x;", lines) + "end"
	p := parse(t, good)
	if n := len(p.Procs[0].Body); n != lines {
		t.Errorf("%d statements", n)
	}
	for _, bad := range []string{
		"decl x; void main() begin " + strings.Repeat("x := x x;", lines/20) + "end",
		"decl x; void main() begin " + strings.Repeat("x := y;  ", lines/20) + "end",
		"decl x; void main() begin " + strings.Repeat("x:=x=x&x;", lines/20) + "y := 1; end",
		strings.Repeat("x", 10<<20),
		"decl {" + strings.Repeat("x", 10<<20),
	} {
		warns, err := parseAndCheck("t.bp", bad)
		if err == nil {
			t.Errorf("no error in %.40s…", bad)
			continue
		}
		if n := len(err.Error()) + len(warns.Error()); n > 20_000 {
			t.Errorf("%.40s…: %d bytes of messages", bad, n)
		}
	}
}

func TestNoText(t *testing.T) {
	for text, want := range map[string]string{
		"":                       "t.bp:1:1: error: empty program",
		" \n\t ":                 "t.bp:1:1: error: empty program",
		"\xef\xbb\xbf":           "t.bp:1:1: error: empty program",
		"// c":                   "t.bp:1:1: error: empty program",
		"//@ note n\n":           "t.bp:1:1: error: empty program",
		"decl a;\x00":            "t.bp:1:8: error: NUL byte: this is not a text file",
		"\x7fELF\x01\x02\x00":    "t.bp:1:7: error: NUL byte",
		"\xff\xfe\x01":           "t.bp:1:1: error: unexpected byte 0xff",
		"/*":                     "t.bp:1:1: error: this comment is not closed",
		"decl a":                 "t.bp:1:7: error: expected \",\" or \";\", found the end of the file",
		"{":                      `t.bp:1:1: error: this "{" is not closed`,
		"int main(void) { }":     `t.bp:1:1: error: expected "decl", "void" or "bool", found "int"`,
		"decl {x\x01};":          "t.bp:1:8: error: byte 0x01 cannot stand in a predicate name",
		"void main() begin end}": `t.bp:1:22: error: unexpected "}"`,
	} {
		_, _, err := Parse(source.NewFile("t.bp", []byte(text)), ParseOptions{})
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
}

// TestGarbage parses random bytes and random mixtures of words.
func TestGarbage(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	words := append([]string{"a", "b", "{p q}", "0", "_", "//@ a:1 f:1:1 t\n", "//@ pred p\n", "main", "L:", "\n"}, slices.Concat(operators[:]...)...)
	words = append(words, slices.Concat(keywords[:]...)...)
	words = append(words, "C", "class C { bool a; ref C b; }", "ref C", "new C", "class C {", "}")
	words = append(words, referenceWords...)
	for range 3000 {
		var b strings.Builder
		if r.IntN(3) == 0 {
			for range r.IntN(300) {
				b.WriteByte(byte(1 + r.IntN(255)))
			}
		} else {
			b.WriteString([]string{"", "void main() begin "}[r.IntN(2)])
			for range r.IntN(100) {
				fmt.Fprintf(&b, "%s ", words[r.IntN(len(words))])
			}
		}
		p, _, err := Parse(source.NewFile("t.bp", []byte(b.String())), ParseOptions{})
		if err == nil {
			roundTrip(t, p, ParseOptions{})
		} else if err.Error() == "" || !source.IsInput(err) {
			t.Errorf("error %#v", err)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	text := []byte("decl x, y, z; void main() begin " + strings.Repeat("x, y := choose(x & y, !z), *;\nif (x) then skip; fi\n", 20_000) + "end")
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		p, _, err := Parse(source.NewFile("t.bp", text), ParseOptions{})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := Check(p); err != nil {
			b.Fatal(err)
		}
	}
}
