package extents

import (
	"slices"
	"testing"

	"c2bp/frontend/checks"
	"c2bp/frontend/core"
)

// TestCalledBack: a function that others call, since memory that they are given leads to it, is looked at as others are.
func TestCalledBack(t *testing.T) {
	const head = `
struct ops { void (*f)(int *); int *p; };
extern void run(struct ops *o);
static int *kept;
`
	// 1. The variable of the activation that run makes has ended.
	p := load(t, head+`
static void go(int *p)
{
	int v = 0;
	if (p) { kept = &v; return; }
	struct ops o = { go, &v };
	run(&o);
	if (kept) *kept = 1;
}
int main(void) { go(0); return 0; }
`)
	if err := CheckLocals(p, checks.Of(checks.Lifetime)); err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(p.Procs, func(q *core.Proc) bool {
		return slices.ContainsFunc(q.Nodes, func(n *core.Node) bool {
			a, ok := n.Stmt.(*core.Assert)
			return ok && a.Check != nil && a.Check.Name == checks.UseAfterEnd
		})
	}) {
		t.Errorf("no access has an assertion:\n%s", p)
	}
	// 2. The pointer that it is given comes from outside.
	p = load(t, head+`
static void go(int *p) { p[2] = 1; }
int main(void) { int v[2] = { 0, 0 }; struct ops o = { go, v }; run(&o); return 0; }
`)
	if err := Check(p, checks.Of(checks.Bounds)); err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(p.Ledger, fromOutside) {
		t.Errorf("the ledger is silent: %q", p.Ledger)
	}
}
