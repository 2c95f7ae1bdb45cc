package slic

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// This file writes random programs and rules for global state.

// generator writes random programs and rules.
type generator struct {
	*rand.Rand
	strings.Builder
	vars   []string
	labels int
	depth  int
}

// pickOf returns one of list.
func (g *generator) pickOf(list ...string) string { return list[g.IntN(len(list))] }

// value writes an expression.
func (g *generator) value() string {
	if g.IntN(2) == 0 {
		return fmt.Sprint(g.IntN(4))
	}
	return g.pickOf(g.vars...)
}

// call writes a call.
func (g *generator) call() string {
	f := g.pickOf("e0(%s, %s)", "e0(%s, %s)", "e2(%s)", "d0(%s)", "fp(%s, %s)", "d2(%s, %s)")
	var args []any
	for range strings.Count(f, "%s") {
		args = append(args, g.value())
	}
	return fmt.Sprintf(f, args...)
}

// stmts writes statements.
func (g *generator) stmts(n int, main bool) {
	for range n {
		v := g.pickOf(g.vars...)
		switch k := g.IntN(18); {
		case k < 4:
			fmt.Fprintf(g, "%s = %s;\n", v, g.call())
		case k < 5:
			fmt.Fprintf(g, "%s;\n", g.call())
		case k < 6:
			fmt.Fprintf(g, "e1(%s);\n", g.value())
		case k < 7:
			fmt.Fprintf(g, "d1(%s, %s);\n", g.value(), g.value())
		case k < 8:
			fmt.Fprintf(g, "%s = %s;\n", v, g.value())
		case k < 9 && main:
			fmt.Fprintf(g, "fp = %s ? e0 : d2;\n", v)
		case k < 10:
			fmt.Fprintf(g, "cb(%s, %d);\n", g.pickOf("d3", "d4"), g.IntN(4))
		case k < 11 && main:
			fmt.Fprintf(g, "L%d: ;\n", g.labels)
			g.labels++
		case k < 13 && main:
			fmt.Fprintf(g, "%s = fp(%s, %s);\n", v, g.value(), g.value())
		case k < 14 && main:
			fmt.Fprintf(g, "if (%s == %s) exit(1);\n", v, g.value())
		case g.depth < 2:
			g.depth++
			fmt.Fprintf(g, "if (%s %s %s) {\n", v, g.pickOf("==", "<", ">"), g.value())
			g.stmts(1+g.IntN(2), main)
			g.WriteString("} else {\n")
			g.stmts(g.IntN(2), main)
			g.WriteString("}\n")
			g.depth--
		}
	}
}

// program writes a program.
func (g *generator) program() string {
	g.WriteString("extern int e0(int a, int b), e2(int);\nextern void e1(int a), cb(void (*fn)(int), int), exit(int);\n" +
		"static int d0(int a);\nstatic void d1(int a, int b);\nstatic int d2(int a, int b);\n" +
		"static void d3(int a) { e1(a == 0); }\nstatic void d4(int a) { a = a > 1 ? 1 : 0; e1(a); }\n" +
		"static int (*fp)(int, int) = " + g.pickOf("d2", "e0") + ";\n")
	g.vars = []string{"a"}
	g.WriteString("static int d0(int a)\n{\n")
	fmt.Fprintf(g, "if (a > 2) return %s;\na = %s;\nreturn e2(a);\n}\n", g.value(), g.value())
	g.vars = []string{"a", "b"}
	fmt.Fprintf(g, "static void d1(int a, int b)\n{\nwhile (a > 0) { a--; %s; }\nb = %s;\n}\n", g.pickOf("e1(a)", "e1(b)", "d0(a)", "e2(a)"), g.value())
	fmt.Fprintf(g, "static int d2(int a, int b)\n{\nif (a > 0 && a < 4) b = d2(a - 1, %s);\nelse e1(b);\nreturn %s;\n}\n", g.value(), g.value())
	g.vars = []string{"x", "y"}
	g.WriteString("int main(void)\n{\nint x = 0, y = 1;\n")
	g.stmts(3+g.IntN(6), true)
	if g.IntN(2) == 0 {
		g.WriteString("while (y < 3) {\ny++;\n")
		g.stmts(1+g.IntN(3), true)
		g.WriteString("}\n")
	}
	g.WriteString("return 0;\n}\n")
	return g.String()
}

// rules writes some rules.
func (g *generator) rules(n, labels int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "rule r%d \"r\"\nstate { enum { s0, s1, s2 } s = s%d; int n; }\n", i, g.IntN(2))
		for k := range 2 + g.IntN(4) {
			events := []string{"e0(x, y).entry", "r = e0(x).exit", "e1(x).entry", "e1(x).exit", "e2(x).entry", "r = e2(x).exit", "d0(x).entry", "r = d0(x).exit",
				"d1(_, x).entry", "d1(x, y).exit", "r = d2(x, y).exit", "d2(x).entry", "d3(x).entry", "d4(x).exit", "cb(_, x).entry", "cb(_, x).exit", "cb(_, x).entry", "d3(x).exit"}
			if labels > 0 {
				events = append(events, fmt.Sprintf("label L%d", g.IntN(labels)))
			}
			e := g.pickOf(events...)
			names := []string{"s", "n", "s1", "s2", "0", "1", "2"}
			for _, v := range []string{"x", "y", "r"} {
				if strings.Contains(e, "("+v) || strings.Contains(e, " "+v+")") || strings.HasPrefix(e, v+" =") {
					names = append(names, v, v)
				}
			}
			if k == 0 && g.IntN(2) == 0 {
				fmt.Fprintf(&b, "at end {\n")
				names = names[:7]
			} else {
				fmt.Fprintf(&b, "on %s {\n", e)
			}
			value := func() string { return g.pickOf(names...) }
			for range 1 + g.IntN(3) {
				switch g.IntN(9) {
				case 0, 7, 8:
					fmt.Fprintf(&b, "if (%s == %s && %s != %s) abort \"k%d: wrong\";\n", g.pickOf("s", "n"), value(), value(), value(), k)
				case 1:
					fmt.Fprintf(&b, "s = %s;\n", g.pickOf("s0", "s1", "s2"))
				case 2:
					fmt.Fprintf(&b, "if (%s < %s) s = s1; else { n = %s; }\n", value(), value(), value())
				case 3:
					fmt.Fprintf(&b, "n = n %s %s;\n", g.pickOf("+", "-"), value())
				case 4:
					fmt.Fprintf(&b, "if (!(%s || n > 3)) n += %s; else n--;\n", value(), value())
				case 5:
					fmt.Fprintf(&b, "n = choose(%s ? %s : %s, 7);\n", value(), value(), value())
				case 6:
					if g.IntN(4) == 0 {
						fmt.Fprintf(&b, "assume n != %d;\n", 2+g.IntN(3))
					}
				}
			}
			b.WriteString("}\n")
		}
	}
	return b.String()
}
