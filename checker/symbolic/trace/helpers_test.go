package trace

import (
	"math/rand/v2"
	"slices"
	"testing"

	"c2bp/boolprog"
	"c2bp/boolprog/bpgen"
	"c2bp/boolprog/bptest"
	"c2bp/checker/symbolic"
	"c2bp/checker/symbolic/varorder"
	"c2bp/internal/testkit"
)

// This file makes the programs of the tests.

var parse, graphOf = bptest.Parsed, bptest.Graph

// random is the program of a seed, of one of several shapes.
func random(seed uint64) *boolprog.Program { return bpgen.Generate(seed, bpgen.Shape(seed)) }

func programs() uint64 { return testkit.Count[uint64](2000, 20_000) }

// shuffled is an order that has nothing to do with the program.
func shuffled(n int, edges [][]int32) []int32 {
	order := varorder.Declared(n, nil)
	rand.New(rand.NewPCG(uint64(n), uint64(len(edges)))).Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
	return order
}

var orders = []varorder.Ordering{varorder.Force, shuffled, varorder.Declared}

// tuning is how the program of a seed is solved. The choice among the shortest traces may depend
// on it, and nothing else.
func tuning(seed uint64) symbolic.Tuning {
	o := symbolic.Tuning{CollectEach: seed%5 == 0, Ordering: orders[seed%3]}
	if seed%10 == 0 {
		o.ReorderAt = 1
	}
	return o
}

// labelled finds the node of a label.
func labelled(t testing.TB, g *boolprog.Graph, label string) symbolic.Point {
	t.Helper()
	for _, p := range g.Procs {
		for v, n := range p.Nodes {
			if slices.Contains(n.Labels, label) {
				return symbolic.Point{Proc: p.Index, Node: v}
			}
		}
	}
	t.Fatalf("no label %s", label)
	return symbolic.Point{}
}
