package fuzz

import (
	"context"
	"reflect"
	"testing"

	"c2bp/frontend"
	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
	"c2bp/source"
	"c2bp/verdict"
)

// The steps of a search, and of minimising what it finds.
const effort, toMinimize = 2_000_000, 3_000_000

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
func TestCoverageGuides(t *testing.T) {
	prog, sites := loadText(t, "lock.c", combination)
	for seed := range uint64(3) {
		k := New(prog, sites, seed, interp.Options{Typed: true})
		if found := k.Search(t.Context(), effort, 0); found == nil {
			t.Errorf("seed %d: the lock stays closed", seed)
		}
		k = New(prog, sites, seed, interp.Options{Typed: true})
		k.unguided = true
		if found := k.Search(t.Context(), effort, 0); found != nil {
			t.Errorf("seed %d: it takes no guide to open the lock", seed)
		}
	}
}

// Campaigns do not depend on anything but the program.
func TestDetermined(t *testing.T) {
	var first *Crash
	for range 2 {
		prog, sites := loadText(t, "lock.c", combination)
		k := New(prog, sites, 0, interp.Options{Typed: true})
		found := k.Search(t.Context(), effort, 0)
		if found == nil {
			t.Fatal("the lock stays closed")
		}
		found = k.Minimize(found, toMinimize)
		for i := range found.script {
			found.script[i].at.Proc = nil // another one each time
		}
		if first != nil && !reflect.DeepEqual(first, found) {
			t.Errorf("runs of %d and %d steps", first.Steps, found.Steps)
		}
		first = found
	}
}
