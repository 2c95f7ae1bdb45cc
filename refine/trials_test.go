package refine

import (
	"context"
	"testing"

	"c2bp/frontend"
	"c2bp/frontend/core"
	"c2bp/source"
	"c2bp/verdict"
)

// A trial is written down only if it fails again, and there.
func TestTrialIsRepeated(t *testing.T) {
	text := `extern int __VERIFIER_nondet_int(void);
extern void abort(void);
#include <assert.h>
int main(void)
{
	int n = __VERIFIER_nondet_int();
	assert(n != 4711);
	assert(n != 12345);
	return 0;
}
`
	unit, err := frontend.Load(t.Context(), []*source.File{source.NewFile("in.c", []byte(text))}, frontend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a := &audit{world: &world{prog: unit.Program}}
	var sites []verdict.Site
	for _, p := range unit.Program.Procs {
		for i, n := range p.Nodes {
			if _, ok := n.Stmt.(*core.Assert); ok {
				sites = append(sites, verdict.Site{Kind: verdict.Assertion, Node: p.NodeID(i)})
			}
		}
	}
	a.trials = newTrials(unit.Program, sites)
	best := a.search(context.Background(), firstTrials)
	if best == nil || len(sites) != 2 {
		t.Fatalf("%d sites, no failure", len(sites))
	}
	if _, err := a.again(best, sites[best.site]); err != nil {
		t.Errorf("it does not fail again: %v", err)
	}
	if _, err := a.again(best, sites[1-best.site]); err == nil {
		t.Error("it fails where it does not")
	}
	other := *best
	for other.seed++; ; other.seed++ { // the next that does not fail there
		if _, err := a.again(&other, sites[best.site]); err != nil {
			break
		}
		if other.seed > best.seed+20 {
			t.Fatal("every run fails")
		}
	}
	label := verdict.Site{Kind: verdict.Label, Node: sites[best.site].Node}
	if w, err := a.again(best, label); err != nil || w.path.Fails {
		t.Errorf("arriving there is not failing: %v", err)
	}
}
