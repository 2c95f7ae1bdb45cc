package refine

import (
	"context"
	"os"
	"testing"

	"c2bp/frontend"
	"c2bp/frontend/core"
	"c2bp/refine/cex"
	"c2bp/refine/fuzz"
	"c2bp/source"
	"c2bp/verdict"
)

// loadText reads a program and finds its assertions.
func loadText(t testing.TB, name, text string) (*core.Program, []verdict.Site) {
	t.Helper()
	unit, err := frontend.Load(context.Background(), []*source.File{source.NewFile(name, []byte(text))}, frontend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var sites []verdict.Site
	for _, p := range unit.Program.Procs {
		for i, n := range p.Nodes {
			if _, ok := n.Stmt.(*core.Assert); ok {
				sites = append(sites, verdict.Site{Kind: verdict.Assertion, Node: p.NodeID(i)})
			}
		}
	}
	return unit.Program, sites
}

// A crash is written down only if it fails again, and there.
func TestCrashIsRepeated(t *testing.T) {
	prog, sites := loadText(t, "in.c", `extern int __VERIFIER_nondet_int(void);
#include <assert.h>
int main(void)
{
	int n = __VERIFIER_nondet_int();
	assert(n != 4711);
	assert(n != 12345);
	return 0;
}
`)
	a := &audit{Facts: &cex.Facts{Prog: prog}, campaign: newCampaign(&cex.Facts{Prog: prog}, sites)}
	best := a.campaign.Search(t.Context(), firstSearch, 0)
	if best == nil || len(sites) != 2 {
		t.Fatalf("%d sites, no failure", len(sites))
	}
	if _, err := a.confirmer().Repeat(a.campaign.Choices(best), best.Steps, sites[best.Site]); err != nil {
		t.Errorf("it does not fail again: %v", err)
	}
	if _, err := a.confirmer().Repeat(a.campaign.Choices(best), best.Steps, sites[1-best.Site]); err == nil {
		t.Error("it fails where it does not")
	}
	other := &fuzz.Crash{Steps: best.Steps, Site: best.Site} // without its choices
	if _, err := a.confirmer().Repeat(a.campaign.Choices(other), other.Steps, sites[best.Site]); err == nil {
		t.Error("it fails with other inputs")
	}
	label := verdict.Site{Kind: verdict.Label, Node: sites[best.Site].Node}
	if w, err := a.confirmer().Repeat(a.campaign.Choices(best), best.Steps, label); err != nil || w.Path.Fails {
		t.Errorf("arriving there is not failing: %v", err)
	}
}

// A failing run is made as short as can be, and still fails.
func TestMinimize(t *testing.T) {
	text, err := os.ReadFile("fuzz/testdata/lock.c")
	if err != nil {
		t.Fatal(err)
	}
	prog, sites := loadText(t, "lock.c", string(text))
	a := &audit{Facts: &cex.Facts{Prog: prog}, campaign: newCampaign(&cex.Facts{Prog: prog}, sites)}
	found := a.campaign.Search(t.Context(), 2*firstSearch, 0)
	if found == nil {
		t.Fatal("the lock stays closed")
	}
	short := a.campaign.Minimize(found, toMinimize)
	w, err := a.confirmer().Repeat(a.campaign.Choices(short), short.Steps, sites[short.Site])
	if err != nil {
		t.Fatal(err)
	}
	rounds := 0
	for _, in := range w.Rec.Recording().Inputs {
		if in.Func.CName == "__VERIFIER_nondet_int" {
			rounds++
		}
	}
	if rounds != 3*8 || short.Steps >= found.Steps {
		t.Errorf("%d inputs and %d steps of %d", rounds, short.Steps, found.Steps)
	}
}
