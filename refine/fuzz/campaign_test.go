package fuzz

import (
	"context"
	"os"
	"reflect"
	"testing"

	"c2bp/frontend"
	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
	"c2bp/source"
	"c2bp/verdict"
)

// The steps of a search, and of minimising a crash.
const effort, toMinimize = 2_000_000, 3_000_000

// loadFile reads a program and finds its assertions.
func loadFile(t testing.TB, path string) (*core.Program, []verdict.Site) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	unit, err := frontend.Load(context.Background(), []*source.File{source.NewFile(path, text)}, frontend.Options{})
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

// lock is a lock that opens after eight different inputs in the right order.
const lock = "testdata/lock.c"

// What is new in a run guides the next ones: without that the lock stays closed.
func TestCoverageGuides(t *testing.T) {
	prog, sites := loadFile(t, lock)
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
		prog, sites := loadFile(t, lock)
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

// Where a way can be taken for certain, no run takes another one.
func TestAvoid(t *testing.T) {
	t.Parallel()
	const text = `extern int __VERIFIER_nondet_int(void);
		int main(void) {
			int x = __VERIFIER_nondet_int(), known = __builtin_constant_p(x);
			if (known || x == 7) __VERIFIER_assert(0);
		}`
	unit, err := frontend.Load(t.Context(), []*source.File{source.NewFile("in.c", []byte(text))}, frontend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	prog := unit.Program
	// The choice whose first way is certain.
	var sites []verdict.Site
	choose, other := -1, -1
	for i, n := range prog.Entry.Nodes {
		if _, ok := n.Stmt.(*core.Assert); ok {
			sites = append(sites, verdict.Site{Kind: verdict.Assertion, Node: prog.Entry.NodeID(i)})
		}
		if _, ok := n.Stmt.(*core.Branch); ok && prog.Entry.Nodes[n.Succ[0]].Free {
			choose, other = i, n.Succ[1]
		}
	}
	if choose < 0 || len(sites) == 0 {
		t.Fatalf("no choice, or no assertion:\n%s", prog)
	}
	taken := func(avoid bool) (n int) {
		for seed := range uint64(8) {
			k := New(prog, sites, seed, interp.Options{Typed: true})
			if avoid {
				k.Avoid(prog, func(node string) bool { return node == prog.Entry.NodeID(other) })
			}
			found := k.Search(t.Context(), effort, 0)
			if found == nil {
				t.Fatalf("seed %d: no run fails", seed)
			}
			for _, c := range found.script {
				if c.at.Node == choose && int(c.value) == other {
					n++
				}
			}
		}
		return n
	}
	if n := taken(true); n > 0 {
		t.Errorf("%d runs take the way to be avoided", n)
	}
	if taken(false) == 0 {
		t.Error("no run takes the way that is not avoided")
	}
}
