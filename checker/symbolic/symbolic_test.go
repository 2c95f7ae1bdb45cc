package symbolic

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"c2bp/boolprog"
	"c2bp/boolprog/bptest"
	"c2bp/checker/bdd"
)

var parse, graphOf = bptest.Parsed, bptest.Graph

func solve(t testing.TB, g *boolprog.Graph, opts Options) *Solution {
	t.Helper()
	s, err := Solve(context.Background(), g, opts)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// labelled finds the node of a label.
func labelled(t testing.TB, g *boolprog.Graph, label string) Point {
	t.Helper()
	for _, p := range g.Procs {
		for v, n := range p.Nodes {
			if slices.Contains(n.Labels, label) {
				return Point{p.Index, v}
			}
		}
	}
	t.Fatalf("no label %s", label)
	return Point{}
}

// Until a limit is met, what was found is reachable.
func TestPartialSolution(t *testing.T) {
	text := "void main() begin decl a, b, c, d, e; A: skip; " + strings.Repeat("a, b, c, d, e := b ^ c, c ^ d, d ^ e, e ^ a, a ^ b; ", 10) + "B: assume(a & (b | c)); end"
	g := parse(t, text)
	s, err := Solve(context.Background(), g, Options{NodeLimit: 200})
	if !errors.Is(err, bdd.ErrNodeLimit) {
		t.Fatal(err)
	}
	if !s.Reached(labelled(t, g, "A")) || s.Reached(labelled(t, g, "B")) {
		t.Error("want A reached before the limit and B not")
	}
}

// Garbage collection and reordering at every step change nothing but the peak.
func TestCollectionChangesNothing(t *testing.T) {
	for seed := range uint64(100) {
		g := graphOf(t, random(seed))
		sa := solve(t, g, Options{}).Stats()
		for _, o := range []Tuning{{CollectEach: true}, {CollectEach: true, ReorderAt: 1}} {
			sb := solve(t, g, Options{Tuning: o}).Stats()
			if !slices.Equal(sa[:len(sa)-1], sb[:len(sb)-1]) {
				t.Fatalf("seed %d: %v, with collections %v", seed, sa, sb)
			}
		}
	}
}
