package abstract

import (
	"testing"

	"c2bp/frontend/core"
	"c2bp/internal/testkit"
)

// TestHeapSole: a pointer that is not kept leads to one variable only, of which another procedure, or another
// activation of the same one, knows nothing or has its own.
func TestHeapSole(t *testing.T) {
	const head = `struct node { int k; int v; };
static int g;
`
	for name, text := range map[string]string{
		"of a caller": head + `static void set(int *ip) { *ip = 1; }
int main(void)
{
	struct node x, *p = &x;
	p->v = 0;
	set(&x.v);
	if (p->v == 1) g = 1;
	return 0;
}
`,
		"of another activation": head + `static void f(int *ip)
{
	struct node x, *p = &x;
	p->v = 0;
	if (ip) { *ip = 1; return; }
	f(&x.v);
	if (p->v == 1) g = 1;
}
int main(void) { f(0); return 0; }
`,
		"of the entry": head + `int main(void)
{
	struct node x, *p = &x; int *ip = &x.v;
	p->v = 0;
	*ip = 1;
	if (p->v == 1) g = 1;
	return 0;
}
`,
	} {
		var n heapTally
		if err := n.simulate(text, "global:\n    g == 1\nstruct node:\n    v == 1, v == 0\n", core.ExternArgs, 1, testkit.Count(3, 30)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if n.steps == 0 {
			t.Errorf("%s: no steps", name)
		}
	}
}
