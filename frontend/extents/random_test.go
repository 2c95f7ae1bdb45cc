package extents

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"c2bp/frontend/core/coretest"
)

// This file makes random C programs that move and follow pointers.

// program returns a random program about pointers to ints: into global and local arrays, a structure, the heap.
func program(rng *rand.Rand) string {
	var b strings.Builder
	b.WriteString(`#include <stdlib.h>
#include <string.h>
struct pair { int x, y; };
struct box { int *p; struct pair in[2]; };
extern int any(void);
static int one, four[4];
static const int same[2] = { 1, 1 };
static int *g = four;
static struct box fixed;
static int get(int *p, int i) { return p[i]; }
static void put(int *p) { *p = 1; }
static int *step(int *p, int i) { p = p + i; return p; }
static int walk(int *p, int n) { int s = 0; while (n-- > 0) s += *p++; return s; }
static int deep(int *p, int n) { int own[2] = { 0 }; return n > 0 ? deep(own, n - 1) : *p; }
static int (*call)(int *, int) = get;
int main(void)
{
	int x = 0, local[3] = { 0 }, *p = four, *q = local, i = 0;
	struct box box = { local, { { 0 } } }, *h = 0;
	h = malloc(sizeof *h);
	if (!h) return 0;
	memset(h, 0, sizeof *h);
	h->p = four;
`)
	pointers := []string{"p", "q", "g", "box.p", "h->p"}
	pointer := func() string { return pointers[rng.IntN(len(pointers))] }
	small := func() int { return rng.IntN(6) - 1 }
	coretest.Blocks(rng, &b, "any() & 1", func() bool {
		x, y := pointer(), pointer()
		switch rng.IntN(29) {
		case 0:
			fmt.Fprintf(&b, "%s = malloc(%d); if (!%s) return 0; memset(%s, 0, 4);\n", x, 4+4*rng.IntN(3), x, x)
		case 1:
			fmt.Fprintf(&b, "i = any() & 3; %s = malloc(4 * i + 4); if (!%s) return 0; memset(%s, 0, 4 * i + 4);\n", x, x, x)
		case 2, 3:
			fmt.Fprintf(&b, "%s = %s;\n", x, y)
		case 4:
			fmt.Fprintf(&b, "%s = %s;\n", x, []string{"&one", "four", "local", "&x", "&fixed.in[0].y", "&h->in[0].x", "(int *)same", "&box.in[1].x"}[rng.IntN(8)])
		case 5, 6:
			fmt.Fprintf(&b, "%s = %s + (any() & %d);\n", x, y, 1+2*rng.IntN(2))
		case 7:
			fmt.Fprintf(&b, "%s = %s + %d;\n", x, y, small())
		case 8:
			fmt.Fprintf(&b, "%s++;\n", x)
		case 9:
			fmt.Fprintf(&b, "i = *%s & 3;\n", x)
		case 10:
			fmt.Fprintf(&b, "%s[any() & 3] = 2;\n", x)
		case 11:
			fmt.Fprintf(&b, "i = %s[%d] & 7;\n", x, small())
		case 12:
			fmt.Fprintf(&b, "i = get(%s, any() & 3) & 3;\n", x)
		case 13:
			fmt.Fprintf(&b, "put(%s);\n", x)
		case 14:
			fmt.Fprintf(&b, "%s = step(%s, any() & 1);\n", x, y)
		case 15:
			fmt.Fprintf(&b, "i = walk(%s, any() & 3) & 3;\n", x)
		case 16:
			fmt.Fprintf(&b, "i = call(%s, %d) & 3;\n", x, small())
		case 17:
			fmt.Fprintf(&b, "memset(%s, 0, (any() & 3) * 4);\n", x)
		case 18:
			fmt.Fprintf(&b, "{ struct pair t; t.x = ((struct pair *)%s)->y; i = t.x & 3; }\n", x)
		case 19:
			fmt.Fprintf(&b, "i = deep(%s, any() & 3) & 1;\n", x)
		case 20:
			fmt.Fprintf(&b, "%s[i] = get(%s, 0);\n", x, y)
		case 21:
			fmt.Fprintf(&b, "if (%s[any() & 1] > 0) i = 1;\n", x)
		case 22, 23:
			b.WriteString("{ struct pair *o = (struct pair *)(local + 2); o = o - (any() & 1); i = o[1].x & 1; i = o[1].y & 1; }\n")
		default:
			return false
		}
		return true
	})
	b.WriteString("\treturn i;\n}\n")
	return b.String()
}
