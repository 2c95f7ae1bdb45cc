package heap

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"c2bp/frontend/core/coretest"
)

// This file makes random C programs that allocate, copy pointers and free.

// heapProgram returns a random program about four pointers, one of them global, one a member.
func heapProgram(rng *rand.Rand) string {
	var b strings.Builder
	b.WriteString(`#include <stdlib.h>
struct node { int n; struct node *next; };
extern int any(void);
static struct node *g, fixed;
static struct node *make(int n) { struct node *p = malloc(sizeof *p); if (p) { p->n = n; p->next = 0; } return p; }
static void drop(struct node *p) { free(p); }
static int last(struct node *p) { if (p) { int n = p->n; free(p); return n & 7; } return 0; }
static int read(struct node *p) { return p ? p->n : 0; }
int main(void)
{
	struct node *p = 0, *q = 0, local = { 0, 0 };
	int sum = 0, *m = 0;
`)
	names := []string{"p", "q", "g", "local.next"}
	name := func() string { return names[rng.IntN(len(names))] }
	coretest.Blocks(rng, &b, "any()", func() bool {
		x, y := name(), name()
		switch rng.IntN(18) {
		case 0, 1:
			fmt.Fprintf(&b, "%s = malloc(sizeof(struct node)); if (%s) { %s->n = 1; %s->next = 0; }\n", x, x, x, x)
		case 2:
			fmt.Fprintf(&b, "%s = make(%d);\n", x, rng.IntN(9))
		case 3, 4:
			fmt.Fprintf(&b, "%s = %s;\n", x, y)
		case 5:
			fmt.Fprintf(&b, "free(%s);\n", x)
		case 6:
			fmt.Fprintf(&b, "free(%s); %s = 0;\n", x, x)
		case 7:
			fmt.Fprintf(&b, "drop(%s);\n", x)
		case 8:
			fmt.Fprintf(&b, "if (%s) %s->n = sum;\n", x, x)
		case 9:
			fmt.Fprintf(&b, "sum = read(%s) & 7;\n", x)
		case 10:
			fmt.Fprintf(&b, "if (%s) m = &%s->n;\n", x, x)
		case 11:
			fmt.Fprintf(&b, "if (m) *m = 2;\n")
		case 12:
			fmt.Fprintf(&b, "if (%s && %s) %s->next = %s;\n", x, y, x, y)
		case 13:
			fmt.Fprintf(&b, "if (!%s) %s = &fixed;\n", x, x)
		case 14:
			fmt.Fprintf(&b, "if (%s) %s->n = last(%s);\n", x, x, y)
		case 15:
			fmt.Fprintf(&b, "if (%s) { struct node t = *%s; fixed = t; }\n", x, x)
		default:
			return false
		}
		return true
	})
	b.WriteString("\treturn sum;\n}\n")
	return b.String()
}
