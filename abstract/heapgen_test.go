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

// partPredicates are more, on objects that lie in others.
const partPredicates = `
struct tag:
    t == 1, up->v == 1
struct node:
    tag.t == 2, first.t == v
`

// moreHeapPredicates adds some whose meaning is not that of one object, in functions that main calls; it has to use gn,
// too.
func moreHeapPredicates(text string) string {
	list := heapPredicates
	for i, more := range []string{"p->v == i, p == q", "c->w == i, p == gn"} {
		main := text[strings.Index(text, "int main("):]
		if strings.Contains(main, fmt.Sprintf("f%d(", i)) && strings.Contains(main, "gn") {
			list += fmt.Sprintf("f%d:\n    %s\n", i, more)
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
	parts bool
	small bool // functions have half of the statements
}

// heapFunctions is the number of functions besides main.
const heapFunctions = 3

// heapProgram is the program of a seed.
func heapProgram(seed uint64) string {
	// Pointers that lead to either type are in some programs only: references say less in these. So are those to
	// parts of objects.
	g := &heapGen{Rand: rand.New(rand.NewPCG(seed, 20)), kinds: 41, parts: hasParts(seed), small: seed >= 100 && seed%4 != 0}
	if seed%3 == 2 {
		g.kinds = 44
	}
	g.b.WriteString(`#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct box;
struct node;
struct tag { int t; struct node *up; };
struct node { struct tag first; int v; struct node *next; struct box *box; char name[3]; union { struct node *prev; long raw; } u; struct tag tag; void *any; };
struct box { int w; struct node *first; };
extern struct node *get_node(void);
extern void touch(struct box *);
static struct node *gn, *gm, sn, tab[3], many[11];
static struct box *gb, sb;
static struct { int k; struct node in; struct box boxes[2]; } wrap;
struct holder { int k; struct node in; };
static struct holder *gh;
static void *gv;
static struct tag *gt, *ge, *gw, st;
static int g;
#define NODE(e) ((struct node *)((char *)(e) - __builtin_offsetof(struct node, tag)))
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

// hasParts reports whether the program of a seed has pointers to parts of objects.
func hasParts(seed uint64) bool { return seed%2 == 1 }

// function makes a function; main may call all others, and each those before it.
func (g *heapGen) function(i int, head, locals string) {
	g.later = i
	fmt.Fprintf(&g.b, "%s\n{\n\t%sstruct node *q = 0, ln = { { 1 }, 1 }; struct box *d = 0, lb[2] = { { 0, &ln } }; void *v = 0; int *ip = &g; struct node *r = 0, **pp = &r;\n", head, locals)
	n := 4 + g.IntN(4)
	if i == heapFunctions {
		n += 8
	}
	if g.small {
		n /= 2
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
	if g.parts && g.IntN(3) == 0 {
		g.part(n)
		return
	}
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

// part makes a statement with pointers to parts of nodes: gt leads to any tag, ge to those called tag, and gw to
// those at the beginning of a node.
func (g *heapGen) part(n string) {
	m, t := g.node(), g.pick("gt", "ge", "gw")
	switch g.IntN(14) {
	case 0:
		g.line("if (%s) gt = &%s->%s;", n, n, g.pick("tag", "first"))
	case 1:
		g.line("gt = %s;", g.pick("&st", "0", "ge", "gw", "calloc(1, sizeof(struct tag))", "&ln.tag", "&tab[1].first"))
	case 2, 3:
		g.line("if (%s) %s;", n, g.pick("ge = &"+n+"->tag", "gw = &"+n+"->first", "ge = &"+n+"->tag"))
	case 4:
		g.line("gw = %s;", g.pick("(struct tag *)"+n, "(struct tag *)"+n, "&tab[g & 1].first", "&ln.first"))
	case 5, 6:
		g.line("if (%s) %s->t = %s;", t, t, g.number())
	case 7:
		g.line("if (%s) %s->%s.t = %s;", n, n, g.pick("tag", "first"), g.number())
	case 8:
		g.line("if (ge) %s;", g.pick(n+" = NODE(ge)", "NODE(ge)->v = "+g.number(), "NODE(ge)->next = "+n, n+" = NODE(ge)->next", "NODE(ge)->first.t = 1"))
	case 9:
		g.line("%s", g.pick(n+" = (struct node *)gw;", "if (gw) ((struct node *)gw)->v = 2;", "if (gw) ((struct node *)gw)->tag.t = 1;"))
	case 10:
		g.line("if (%s && %s) g = 1;", n, g.pick("ge == &"+n+"->tag", "(void *)gw == (void *)"+n, "gt == &"+n+"->first", "gw == &"+m+"->first", "gw != gt"))
	case 11:
		g.line("if (%s) %s;", t, g.pick(t+"->up = "+n, n+" = "+t+"->up", "st = *"+t, "*"+t+" = st"))
	case 12:
		g.line("if (%s && %s) %s;", n, m, g.pick(n+"->tag = "+m+"->first", n+"->first = "+m+"->tag", n+"->tag.up = "+m, n+" = "+m+"->first.up"))
	case 13:
		if g.later > 0 {
			g.line("if (%s && %s) %s = f%d(%s, 0, 1);", n, t, g.pick(n+"->tag.up", t+"->up", n+"->first.up"), g.IntN(g.later), m)
		}
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
