package refine

import (
	"context"
	"reflect"
	"testing"

	"c2bp/frontend"
	"c2bp/frontend/core"
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

// A trial is written down only if it fails again, and there.
func TestTrialIsRepeated(t *testing.T) {
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
	a := &audit{world: &world{prog: prog}, trials: newTrials(prog, sites, 0)}
	best := a.trials.search(t.Context(), firstTrials, 0)
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
	other.script = nil
	if _, err := a.again(&other, sites[best.site]); err == nil {
		t.Error("it fails with other inputs")
	}
	label := verdict.Site{Kind: verdict.Label, Node: sites[best.site].Node}
	if w, err := a.again(best, label); err != nil || w.path.Fails {
		t.Errorf("arriving there is not failing: %v", err)
	}
}

// combination is a lock that opens after eight different inputs in the right order.
const combination = `extern int __VERIFIER_nondet_int(void);
#include <assert.h>
int main(void)
{
	int turned = 0, idle = 0;
	while (__VERIFIER_nondet_int()) {
		int *junk = &idle;
		if (__VERIFIER_nondet_int() == turned * 371 + 1000)
			turned++;
		else
			turned = 0;
		*junk = __VERIFIER_nondet_int();
		assert(turned < 8);
	}
	return 0;
}
`

// What is new in a run guides the next ones: without that the lock stays closed.
func TestGuidedTrials(t *testing.T) {
	prog, sites := loadText(t, "lock.c", combination)
	for seed := range uint64(3) {
		k := newTrials(prog, sites, seed)
		if found := k.search(t.Context(), 2*firstTrials, 0); found == nil {
			t.Errorf("seed %d: the lock stays closed", seed)
		}
		k = newTrials(prog, sites, seed)
		k.aimless = true
		if found := k.search(t.Context(), 2*firstTrials, 0); found != nil {
			t.Errorf("seed %d: it takes no guide to open the lock", seed)
		}
	}
}

// Trials do not depend on anything but the program.
func TestTrialsAreDetermined(t *testing.T) {
	var first *attempt
	for range 2 {
		prog, sites := loadText(t, "lock.c", combination)
		k := newTrials(prog, sites, 0)
		found := k.search(t.Context(), 2*firstTrials, 0)
		if found == nil {
			t.Fatal("the lock stays closed")
		}
		found = k.shorten(found, toShorten)
		for i := range found.script {
			found.script[i].at.Proc = nil // another one each time
		}
		if first != nil && !reflect.DeepEqual(first, found) {
			t.Errorf("runs of %d and %d steps", first.steps, found.steps)
		}
		first = found
	}
}

// A failing run is made as short as can be, and still fails.
func TestShorten(t *testing.T) {
	prog, sites := loadText(t, "lock.c", combination)
	a := &audit{world: &world{prog: prog}, trials: newTrials(prog, sites, 0)}
	found := a.trials.search(t.Context(), 2*firstTrials, 0)
	if found == nil {
		t.Fatal("the lock stays closed")
	}
	short := a.trials.shorten(found, toShorten)
	w, err := a.again(short, sites[short.site])
	if err != nil {
		t.Fatal(err)
	}
	rounds := 0
	for _, in := range w.rec.Recording().Inputs {
		if in.Func.CName == "__VERIFIER_nondet_int" {
			rounds++
		}
	}
	if rounds != 3*8 || short.steps >= found.steps {
		t.Errorf("%d inputs and %d steps of %d", rounds, short.steps, found.steps)
	}
}
