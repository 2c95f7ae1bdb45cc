package abstract

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// This file makes random C programs with two struct types that point to each other, on the heap, in
// globals and in locals. Pointers are tested before they are followed, so that most runs go on.

// heapPredicates are the predicates for these programs.
const heapPredicates = `
struct node:
    v == 1, v > 2, box->w == 0
struct box:
    w == 0, first->v == 1
global:
    g == 1
main:
    i == 0
`

// moreHeapPredicates adds some whose meaning is not that of one object, in functions that main calls.
func moreHeapPredicates(text string) string {
	list := heapPredicates
	for i, more := range []string{"p->v == i, p == q", "c->w == i, p == gn"} {
		if name := fmt.Sprintf("f%d", i); strings.Contains(text[strings.Index(text, "int main("):], name+"(") {
			list += name + ":\n    " + more + "\n"
		}
	}
	return list
}

// heapGen makes one program.
type heapGen struct {
	*rand.Rand
	b     strings.Builder
	depth int
	later int // functions from this one on may be called
	kinds int // of statements
}

// heapFunctions is the number of functions besides main.
const heapFunctions = 3

// heapProgram is the program of a seed.
func heapProgram(seed uint64) string {
	// Pointers that lead to either type are in some programs only: references say less in these.
	g := &heapGen{Rand: rand.New(rand.NewPCG(seed, 20)), kinds: 41}
	if seed%3 == 2 {
		g.kinds = 44
	}
	g.b.WriteString(`#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct box;
struct node { int v; struct node *next; struct box *box; char name[3]; union { struct node *prev; long raw; } u; void *any; };
struct box { int w; struct node *first; };
extern struct node *get_node(void);
extern void touch(struct box *);
static struct node *gn, *gm, sn, tab[3], many[11];
static struct box *gb, sb;
static struct { int k; struct node in; struct box boxes[2]; } wrap;
struct holder { int k; struct node in; };
static struct holder *gh;
static void *gv;
static int g;
`)
	for i := range heapFunctions {
		fmt.Fprintf(&g.b, "static struct node *f%d(struct node *p, struct box *c, int i);\n", i)
	}
	for i := range heapFunctions {
		g.function(i, fmt.Sprintf("static struct node *f%d(struct node *p, struct box *c, int i)", i), "")
	}
	g.function(heapFunctions, "int main(void)", "struct node *p = 0; struct box *c = 0; int i = 0; ")
	return g.b.String()
}

// function makes a function; main may call all others, and each those before it.
func (g *heapGen) function(i int, head, locals string) {
	g.later = i
	fmt.Fprintf(&g.b, "%s\n{\n\t%sstruct node *q = 0, ln = { 1 }; struct box *d = 0, lb[2] = { { 0, &ln } }; void *v = 0; int *ip = &g; struct node *r = 0, **pp = &r;\n", head, locals)
	n := 4 + g.IntN(4)
	if i == heapFunctions {
		n += 8
	}
	for range n {
		g.statement()
	}
	if i < heapFunctions {
		fmt.Fprintf(&g.b, "\treturn %s;\n}\n", g.pick("p", "q", "gn", "0"))
	} else {
		g.b.WriteString("\treturn 0;\n}\n")
	}
}

// pick is one of some texts.
func (g *heapGen) pick(texts ...string) string { return texts[g.IntN(len(texts))] }

// node, box and number are variables and values.
func (g *heapGen) node() string   { return g.pick("p", "p", "q", "q", "gn", "gm") }
func (g *heapGen) box() string    { return g.pick("c", "c", "d", "gb") }
func (g *heapGen) number() string { return g.pick("0", "1", "2", "3", "g", "i") }

// line writes a line.
func (g *heapGen) line(format string, args ...any) {
	g.b.WriteString(strings.Repeat("\t", g.depth+1))
	fmt.Fprintf(&g.b, format+"\n", args...)
}

// statement makes a statement.
func (g *heapGen) statement() {
	n, b := g.node(), g.box()
	switch k := g.IntN(g.kinds); {
	case k < 2:
		g.line("%s = %s;", n, g.pick(g.node(), "0", "&sn", "&ln", "calloc(1, sizeof(struct node))"))
	case k < 4:
		g.line("%s = %s;", b, g.pick(g.box(), "0", "&sb", "calloc(1, sizeof(struct box))"))
	case k == 4:
		g.line("%s = malloc(sizeof(struct node)); if (%s) { %s->v = %s; %s->next = %s; %s->box = %s; }", n, n, n, g.number(), n, g.pick("0", g.node()), n, g.box())
	case k == 5:
		g.line("if (%s) %s = %s->next;", n, g.node(), n)
	case k == 6:
		g.line("if (%s) %s = %s->first;", b, n, b)
	case k == 7:
		g.line("if (%s) %s = %s->box;", n, b, n)
	case k < 10:
		g.line("if (%s) %s->v = %s;", n, n, g.number())
	case k == 10:
		g.line("if (%s) %s->w = %s;", b, b, g.number())
	case k == 11:
		g.line("if (%s) %s->next = %s;", n, n, g.pick("0", g.node(), "&sn"))
	case k == 12:
		g.line("if (%s) { %s->first = %s; %s->w = %s; }", b, b, g.pick("0", g.node()), b, g.number())
	case k == 13:
		g.line("if (%s) %s->box = %s;", n, n, g.pick("0", g.box()))
	case k == 14:
		m := g.node()
		g.line("if (%s && %s) *%s = *%s;", n, m, n, m)
	case k == 15 && g.later > 0:
		g.line("%s = f%d(%s, %s, %s);", n, g.IntN(g.later), g.pick("0", g.node(), "&ln"), g.box(), g.number())
	case k == 16:
		g.line("if (%s) ip = &%s->v; *ip = %s;", n, n, g.number())
	case k == 17:
		g.line("if (%s && %s->v == %s) assert(%s %s %s);", n, n, g.number(), n, g.pick("==", "!="), g.node())
	case k == 18 && g.depth < 2:
		g.line("while (__VERIFIER_nondet_int() > 0) {")
		g.block()
	case k == 19:
		g.line("%s", g.pick(n+" = get_node();", "touch("+b+");"))
	case k == 20 && g.later > 0:
		g.line("if (%s && %s->box) %s->box->first = f%d(%s, %s->box, %s);", n, n, n, g.IntN(g.later), g.node(), n, g.number())
	case k < 24 && g.later > 0:
		g.line("%s = f%d(%s, %s, %s);", n, g.IntN(g.later), g.pick("0", g.node(), g.node(), "&ln"), g.box(), g.number())
	case k == 26:
		g.line("if (%s) %s->u.prev = %s;", n, n, g.pick("0", g.node(), "&sn"))
	case k == 27:
		g.line("if (%s) %s = %s->u.prev;", n, g.node(), n)
	case k == 28:
		g.line("if (%s) %s;", n, g.pick(n+"->u.raw = 0", n+"->u.raw = g", n+"->name[g & 1] = 1", n+"->name[2] = i"))
	case k == 29:
		g.line("{ struct node *w = get_node(); if (w) w[1].v = %s; }", g.number())
	case k == 31: // elements
		g.line("%s = %s;", n, g.pick("&tab[1]", "&tab[i & 1]", "tab", "&many[i & 7]", "&wrap.in", "tab + (g & 1)", "&many[10]"))
	case k == 32:
		g.line("%s = %s;", b, g.pick("&lb[1]", "&lb[g & 1]", "&wrap.boxes[i & 1]", "wrap.boxes"))
	case k == 33:
		g.line("%s = %s;", g.pick("tab[i & 1].v", "tab[2].v", "many[g & 7].v", "wrap.in.v", "wrap.boxes[g & 1].w", "lb[i & 1].w", "tab[g & 1].next->v"), g.number())
	case k == 34:
		g.line("%s;", g.pick("tab[i & 1] = tab[2]", "tab[0].next = "+n, "tab[g & 1].box = "+b, "many[i & 7] = tab[1]", "wrap.in = tab[i & 1]", "wrap.boxes[0] = lb[g & 1]", "lb[1].first = &tab[g & 1]"))
	case k < 39 && k >= 35: // a pointer with an address
		g.line("%s;", g.pick("*pp = "+n, "*pp = &tab[1]", n+" = r", n+" = *pp", "if (r) r->v = "+g.number(), "if (r == "+n+") g = 1", "if (r) r->next = "+n, "if (!r) g = 0", "*pp = 0"))
	case k == 39: // in other memory
		g.line("if (!gh) gh = calloc(1, sizeof *gh); if (gh) %s;", g.pick(n+" = &gh->in", "gh->in.v = "+g.number(), "gh->k = 1", "gh->in.next = "+n, "gh->in = tab[1]", "tab[0] = gh->in"))
	case k == 40:
		g.line("%s = calloc(3, sizeof(struct node)); if (%s) %s;", n, n, g.pick(n+"++", n+"[1].v = "+g.number(), n+"[g & 1].v = 2", n+" = &"+n+"[i & 1]", n+"[2] = "+n+"[0]"))
	case k == 41: // a pointer to either type
		g.line("%s = %s;", g.pick("v", "gv"), g.pick(n, b, "v", "gv", "0", "&tab[i & 1]", "lb"))
	case k == 42:
		v := g.pick("v", "gv")
		g.line("if (%s) %s;", v, g.pick("((struct node *)"+v+")->v = "+g.number(), "((struct box *)"+v+")->w = "+g.number(), n+" = "+v, b+" = "+v))
	case k == 43:
		g.line("if (%s) %s;", n, g.pick(n+"->any = "+g.pick("v", b, n, "0"), "gv = "+n+"->any", "v = "+n+"->any"))
	case k < 31 && g.depth < 2:
		g.line("if (%s) {", g.pick("__VERIFIER_nondet_int()", n+" == "+g.node(), n+" && "+n+"->v == 1", b+" == 0", "g == 1"))
		g.block()
	default:
		g.line("%s = %s;", g.pick("g", "i"), g.number())
	}
}

// block makes the statements of a block, and closes it.
func (g *heapGen) block() {
	g.depth++
	for range 1 + g.IntN(3) {
		g.statement()
	}
	g.depth--
	g.line("}")
}
