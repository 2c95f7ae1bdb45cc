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
