package symbolic

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"c2bp/boolprog"
	"c2bp/boolprog/bpgen"
	"c2bp/checker/bdd"
)

// This file tests and measures what the order of the variables does to programs that
// depend on it.

// asDeclared is the declared order; atRandom is one that has nothing to do with the program.
func asDeclared(n int, _ [][]int32) []int32 {
	order := make([]int32, n)
	for i := range order {
		order[i] = int32(i)
	}
	return order
}

func atRandom(n int, edges [][]int32) []int32 {
	order := asDeclared(n, nil)
	rand.New(rand.NewPCG(uint64(n), uint64(len(edges)))).Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
	return order
}

// orders are those that the comparison with brute force runs with. Nothing but the
// cost may depend on them.
var orders = []ordering{force, atRandom, asDeclared}

// With FORCE, no way to declare the operands makes 40 bits expensive; without, the
// bad ones are out of reach.
func TestOrderDecides(t *testing.T) {
	for _, x := range bpgen.HardPrograms() {
		if strings.HasPrefix(x.Name, "counter") || strings.HasPrefix(x.Name, "copies") {
			continue // the one takes long in any order, as it counts; of the other see TestReorderingRescues
		}
		g := parse(t, x.Text)
		s, err := Solve(context.Background(), g, Options{NodeLimit: 100_000, reorderNever: true})
		if err != nil {
			t.Errorf("%s: %v", x.Name, err)
			continue
		}
		for p, pg := range g.Procs {
			for v := range pg.Nodes {
				if s.CanFail(Point{p, v}) != strings.HasPrefix(x.Name, "unconstrained") && pg.Nodes[v].Kind == boolprog.NodeAssert && !strings.HasPrefix(x.Name, "window") {
					t.Fatalf("%s: node %d can fail: %v", x.Name, v, s.CanFail(Point{p, v}))
				}
			}
		}
		if !x.Bad {
			continue
		}
		if _, err := Solve(context.Background(), g, Options{NodeLimit: 100_000, order: asDeclared, reorderNever: true}); !errors.Is(err, bdd.ErrNodeLimit) {
			t.Errorf("%s: the declared order is no worse", x.Name)
		}
	}
}

// What statements do not say of the variables, reordering finds out.
func TestReorderingRescues(t *testing.T) {
	for _, x := range bpgen.HardPrograms() {
		if !strings.HasPrefix(x.Name, "copies-24") || x.Name == "copies-24-branch" { // whose branches say it
			continue
		}
		how, g := x.Name, parse(t, x.Text)
		s, err := Solve(context.Background(), g, Options{NodeLimit: 400_000})
		if err != nil {
			t.Errorf("%s: %v", how, err)
			continue
		}
		for v, n := range g.Main.Nodes {
			if n.Kind == boolprog.NodeAssert && s.CanFail(Point{g.Main.Index, v}) {
				t.Fatalf("%s: node %d can fail", how, v)
			}
		}
		if _, err := Solve(context.Background(), g, Options{NodeLimit: 400_000, reorderNever: true}); !errors.Is(err, bdd.ErrNodeLimit) {
			t.Errorf("%s: no worse without", how)
		}
	}
}

// orderFault says what is wrong with an order that force chose.
func orderFault(n int, edges [][]int32, order []int32) string {
	declared := asDeclared(n, nil)
	sorted := slices.Sorted(slices.Values(order))
	switch {
	case !slices.Equal(sorted, declared):
		return "no permutation"
	case !slices.Equal(order, declared) && totalSpan(edges, order) >= totalSpan(edges, declared):
		return "not the declared order, and no lower span"
	}
	return ""
}

func TestForceOnRandomHypergraphs(t *testing.T) {
	changed := 0
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 3))
		n := 1 + rng.IntN(40)
		var edges [][]int32
		for range rng.IntN(2 * n) {
			edges = append(edges, slices.Clone(atRandom(n, make([][]int32, rng.IntN(100)))[:min(n, 2+rng.IntN(4))]))
		}
		order := force(n, edges)
		if why := orderFault(n, edges, order); why != "" {
			t.Fatalf("seed %d: %s", seed, why)
		}
		if !slices.Equal(order, force(n, edges)) {
			t.Fatalf("seed %d: another order the second time", seed)
		}
		if slices.Equal(order, asDeclared(n, nil)) {
			continue
		}
		changed++
		if orderFault(n, edges, append(slices.Clone(order[1:]), order[1])) == "" {
			t.Fatalf("seed %d: a variable is lost and nobody notices", seed)
		}
	}
	if changed < 300 {
		t.Errorf("only %d orders differ from the declared one", changed)
	}
}

// A chain is unrolled from any order; chains that do not meet are laid end to end.
func TestForceUnrollsChains(t *testing.T) {
	const n = 300
	for _, chains := range []int{1, 2, 5} {
		names := atRandom(n, make([][]int32, chains))
		var edges [][]int32
		for i := range n - chains {
			edges = append(edges, []int32{names[i], names[i+chains]})
		}
		rand.New(rand.NewPCG(9, 9)).Shuffle(len(edges), func(i, j int) { edges[i], edges[j] = edges[j], edges[i] })
		if got := totalSpan(edges, force(n, edges)); got != n-chains {
			t.Errorf("%d chains of %d: span %d, want %d", chains, n/chains, got, n-chains)
		}
	}
}

// The order does not change the number of levels.
func TestOrderKeepsLevels(t *testing.T) {
	for seed := range uint64(100) {
		g := graphOf(t, random(seed))
		a, _ := newLayout(g, nil, nil)
		b, _ := newLayout(g, asDeclared, nil)
		if a.levels() != b.levels() || a.groups() != len(a.order()) {
			t.Fatalf("seed %d: %d levels, %d in the declared order", seed, a.levels(), b.levels())
		}
	}
}

func BenchmarkOrder(b *testing.B) {
	for _, x := range bpgen.HardPrograms() {
		g := parse(b, x.Text)
		for _, o := range []struct {
			name string
			Options
		}{
			{"default", Options{}},
			{"force-only", Options{reorderNever: true}},
			{"sifting-only", Options{order: asDeclared}},
			{"neither", Options{order: asDeclared, reorderNever: true}},
			{"nothing-forgotten", Options{forgetNever: true}},
			{"postorder", Options{postorder: true}},
		} {
			b.Run(x.Name+"/"+o.name, func(b *testing.B) {
				o.NodeLimit = 1_000_000
				var s *Solution
				for b.Loop() {
					var err error
					if s, err = Solve(context.Background(), g, o.Options); errors.Is(err, bdd.ErrNodeLimit) {
						b.Skip("more than a million nodes")
					} else if err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(s.m.Peak()), "nodes")
			})
		}
	}
}
