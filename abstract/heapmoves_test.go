package abstract

import (
	"testing"

	"c2bp/frontend/core"
	"c2bp/internal/testkit"
)

// TestHeapMoves: where a pointer moves on, the object that it led to stays as it is.
func TestHeapMoves(t *testing.T) {
	const head = `#include <stdlib.h>
struct node { int v; struct node *next; };
extern int __VERIFIER_nondet_int(void);
static struct node *p, *q;
static int g;
int main(void)
{
	q = calloc(1, sizeof *q);
	if (!q) return 0;
	q->next = calloc(1, sizeof *q);
	if (!q->next) return 0;
	p = q->next;
	p->v = __VERIFIER_nondet_int() & 1;
	p->next = __VERIFIER_nondet_int() ? q : 0;
	p = q;
`
	for name, rest := range map[string]string{
		"along a member":  "	if (p->next->v == 1) { p = p->next; if (q->v == 1) g = 1; }\n",
		"a member itself": "	if (q->next->v == 1) { q->next = q; if (q->next->v == 1) g = 1; }\n",
		"and writes":      "	p->next->v = 2;\n	p = p->next;\n	p->v = 1;\n	if (q->v == 1) g = 1;\n",
	} {
		var n heapTally
		if err := n.simulate(head+rest+"	return 0;\n}\n", "global:\n    g == 1\nstruct node:\n    v == 1, next->v == 1\n", core.ExternArgs, 1, testkit.Count(30, 300)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if n.steps == 0 {
			t.Errorf("%s: no steps", name)
		}
	}
}
