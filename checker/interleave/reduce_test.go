package interleave_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"c2bp/checker/interleave"
	"c2bp/checker/lowerzing"
	"c2bp/checker/zom"
	"c2bp/frontend/zing/zingtest"
	"c2bp/internal/testkit"
)

// This file compares exploration by transactions with plain exploration.

// found returns the failures of r that a reduction must keep: assertions by their nodes, whether there is a
// deadlock, and whether there is a runtime error.
func found(r *interleave.Result) []string {
	var list []string
	for _, f := range r.Failures {
		switch {
		case f.Kind == interleave.Deadlock:
			list = append(list, "deadlock")
		case f.Outcome == zom.Failed:
			list = append(list, fmt.Sprintf("assertion %d", f.Node))
		default:
			list = append(list, "error")
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// mostStates bounds plain explorations, and reduced ones likewise.
const mostStates = 30000

// compare explores a model by transactions and without, and reports whether both have finished. Every run to a
// failure is made again by the plain machine.
func compare(t *testing.T, text string, opts interleave.Options) bool {
	t.Helper()
	p, err := zingtest.Load("model.zing", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	low := lowerzing.Program(p, lowerzing.Options{})
	model := interleave.Model{Prog: low.Prog, Roots: low.Activate}
	opts.All, opts.MaxStates = true, mostStates
	want := interleave.Explore(context.Background(), model, opts)
	if want.Open != "" {
		return false
	}
	opts.Reduce = true
	by := map[string][]string{}
	for _, opts.Summaries = range []bool{false, true} {
		got := interleave.Explore(context.Background(), model, opts)
		if got.Open != "" {
			t.Errorf("%s; summaries %v, plain exploration has %d states\n%s", got.Open, opts.Summaries, want.Stored, text)
			return false
		}
		for _, f := range got.Failures {
			interleave.Confirm(model, opts, f)
		}
		if g, w := found(got), found(want); !slices.Equal(g, w) {
			t.Errorf("%q by transactions, summaries %v, want %q\n%s", g, opts.Summaries, w, text)
		}
		// A location is not protected by more locks because of summaries.
		if got.Reduction == nil {
			continue // the initial state fails
		}
		for _, l := range got.Reduction.Table {
			if !opts.Summaries {
				by[l.Location] = l.By
			} else if slices.ContainsFunc(l.By, func(lock string) bool { return !slices.Contains(by[l.Location], lock) }) {
				t.Errorf("with summaries, %s is protected by %v, else by %v\n%s", l.Location, l.By, by[l.Location], text)
			}
		}
	}
	return true
}

// TestReduceDirected explores models each of which fails because of one rule about transactions.
func TestReduceDirected(t *testing.T) {
	n := 0
	for _, m := range zingtest.Models() {
		if strings.HasPrefix(m.Name, "directed-") {
			n++
			t.Run(m.Name, func(t *testing.T) {
				if !compare(t, m.Text, interleave.Options{}) || !compare(t, m.Text, interleave.Options{Search: interleave.Depth, NoDeadlocks: true}) {
					t.Error("not finished")
				}
			})
		}
	}
	if n < 10 {
		t.Errorf("only %d models", n)
	}
}

// TestReduceModels explores all models of package zingtest.
func TestReduceModels(t *testing.T) {
	for _, m := range zingtest.Models() {
		t.Run(m.Name, func(t *testing.T) { compare(t, m.Text, interleave.Options{Cooperative: m.Options.Cooperative}) })
	}
}

// TestReduceRandom explores random models and mutants of the directed ones, by the rules that a seed chooses.
func TestReduceRandom(t *testing.T) {
	models, mutants := uint64(testkit.Count(80, 5000)), uint64(testkit.Count(80, 20000))
	finished := 0
	for seed := range max(models, mutants) {
		opts := interleave.Options{Cooperative: seed%8 == 7, NoDeadlocks: seed%8 == 6}
		if seed%2 == 1 {
			opts.Search = interleave.Depth
		}
		texts := []string{zingtest.Mutant(seed + 2000000)}
		if seed < models {
			texts = append(texts, zingtest.Random(seed+2000000), zingtest.Locked(seed))
		}
		for _, text := range texts {
			if compare(t, text, opts) {
				finished++
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	t.Logf("%d of %d random models, as many with locks, and %d mutants finished", finished, models, mutants)
	if finished < 100 {
		t.Errorf("only %d models", finished)
	}
}
