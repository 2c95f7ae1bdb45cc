package finite

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"c2bp/internal/testkit"
)

// This file compares translations with brute force on short programs in which each statement is about references,
// and each assertion about a few of them: what random programs of bpgen seldom ask.

// dense generates such programs.
type dense struct {
	*rand.Rand
	b    strings.Builder
	refs []string // variables of class C in scope
	made int      // sites that make or choose objects
}

func (g *dense) pick(list ...string) string { return list[g.IntN(len(list))] }

func (g *dense) ref() string { return g.refs[g.IntN(len(g.refs))] }

// guarded writes a statement that dereferences variables, mostly after these were assumed not to be null.
func (g *dense) guarded(text string, vars ...string) {
	for _, v := range vars {
		if g.IntN(12) > 0 {
			fmt.Fprintf(&g.b, "  assume(%s != null);\n", v)
		}
	}
	fmt.Fprintf(&g.b, "  %s\n", text)
}

// statement writes a statement; inside of a loop it makes few objects, since such programs are refused.
func (g *dense) statement(loop bool) {
	p, q, r := g.ref(), g.ref(), g.ref()
	for q == p {
		q = g.ref()
	}
	switch n := g.IntN(20); {
	case n < 3 && (!loop || g.IntN(3) == 0) && g.made < 4:
		g.made++
		fmt.Fprintf(&g.b, "  %s := %s;\n", p, g.pick("new C", "any C new", "any C new", "make()"))
	case n < 6 && (!loop || g.IntN(4) == 0):
		g.guarded(fmt.Sprintf("%s := %s.next;", p, q), q)
	case n < 8:
		g.guarded(fmt.Sprintf("%s.next := %s;", p, g.pick(q, q, "null")), p)
	case n == 8:
		g.guarded(fmt.Sprintf("%s.next, %s.next, %s := %s, null, %s;", p, q, r, r, p), p, q)
	case n == 9:
		g.guarded(fmt.Sprintf("%s.x, %s.x := %s, %s.x;", p, q, g.pick("0", "1", "*"), p), p, q)
	case n < 12:
		g.guarded(fmt.Sprintf("%s.x := %s;", p, g.pick("0", "1", "*", "!"+p+".x")), p)
	case n == 12:
		g.b.WriteString(g.pick("  dead C.x;\n", "  dead D.y;\n", "  dead C.next;\n", "  dead C.to;\n"))
	case n == 13:
		g.guarded(fmt.Sprintf("d := %s.to;", p), p)
	case n == 14:
		g.guarded("d.y := *;", "d")
	case n == 15:
		g.guarded(fmt.Sprintf("%s.to := d;", p), p)
	case n == 16:
		fmt.Fprintf(&g.b, "  %s := %s;\n", p, g.pick(q, "null"))
	case n == 17:
		g.guarded(fmt.Sprintf("%s.next, %s := swap(%s, %s);", p, q, q, r), p)
	case n == 18:
		g.guarded(fmt.Sprintf("%s := any C new constrain '%s != %s & (%s.x | 1);", p, p, q, q), q)
		g.made++
	default:
		fmt.Fprintf(&g.b, "  if (%s = %s) then %s := %s; fi\n", p, q, r, q)
	}
}

// claim writes an assertion about references.
func (g *dense) claim() {
	p, q := g.ref(), g.ref()
	switch g.IntN(6) {
	case 0:
		fmt.Fprintf(&g.b, "  assert(%s %s %s);\n", p, g.pick("=", "!="), q)
	case 1:
		fmt.Fprintf(&g.b, "  assert(%s != null);\n", p)
	case 2:
		g.guarded(fmt.Sprintf("assert(%s.next %s %s);", p, g.pick("=", "!="), g.pick(q, "null")), p)
	case 3:
		g.guarded(fmt.Sprintf("assert(%s.x = %s.x);", p, q), p, q)
	case 4:
		g.guarded(fmt.Sprintf("assert(%s.to != d);", p), p)
	default:
		g.guarded(fmt.Sprintf("assert(%s%s.x);", g.pick("!", ""), p), p)
	}
}

// program returns the text of a program.
func (g *dense) program() string {
	g.refs = []string{"g", "p", "q"}
	fmt.Fprintf(&g.b, "class C { bool x%s; ref C next; ref D to; }\nclass D { bool y; }\nref C g;\nref D d;\n", g.pick("", " := 1", " := *"))
	g.b.WriteString("ref C make() begin ref C c; c := new C; return c; end\n")
	g.b.WriteString("(ref C, ref C) swap(ref C a, ref C b) begin ref C c; if (*) then g := a; fi return b, a; end\n")
	g.b.WriteString("void main() begin\n  ref C p, q;\n")
	fmt.Fprintf(&g.b, "  g := %s;\n  p := %s;\n", g.pick("new C", "any C new"), g.pick("g", "make()", "any C new"))
	for range 3 + g.IntN(5) {
		g.statement(false)
	}
	if g.IntN(3) == 0 {
		g.b.WriteString("  while (*) do\n")
		for range 1 + g.IntN(2) {
			g.statement(true)
		}
		g.b.WriteString("  od\n")
	}
	g.b.WriteString("  if (*) then\n")
	g.claim()
	g.b.WriteString("  fi\n")
	g.claim()
	g.b.WriteString("end\n")
	return g.b.String()
}

func TestAgreesOnDensePrograms(t *testing.T) {
	var c tally
	for seed := range testkit.Count[uint64](700, 50_000) {
		g := &dense{Rand: rand.New(rand.NewPCG(seed, 7))}
		text := g.program()
		if err := c.agree(parse(t, []byte(text)), seed%3 == 0); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
	}
	t.Logf("%+v", c)
	if n := c.programs; c.complete < n/2 || c.failing < n/7 || c.null < n/30 || c.safe < n/10 || c.chosen < n/4 || c.traced < n/2 || c.open > c.traced/10 {
		t.Errorf("the programs exercise too little: %+v", c)
	}
}
