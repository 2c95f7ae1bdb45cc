package varorder

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func shuffled(n int, edges [][]int32) []int32 {
	order := Declared(n, nil)
	rand.New(rand.NewPCG(uint64(n), uint64(len(edges)))).Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
	return order
}

// orderFault says what is wrong with an order that force chose.
func orderFault(n int, edges [][]int32, order []int32) string {
	want := Declared(n, nil)
	sorted := slices.Sorted(slices.Values(order))
	switch {
	case !slices.Equal(sorted, want):
		return "no permutation"
	case !slices.Equal(order, want) && totalSpan(edges, order) >= totalSpan(edges, want):
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
			edges = append(edges, slices.Clone(shuffled(n, make([][]int32, rng.IntN(100)))[:min(n, 2+rng.IntN(4))]))
		}
		order := Force(n, edges)
		if why := orderFault(n, edges, order); why != "" {
			t.Fatalf("seed %d: %s", seed, why)
		}
		if !slices.Equal(order, Force(n, edges)) {
			t.Fatalf("seed %d: another order the second time", seed)
		}
		if slices.Equal(order, Declared(n, nil)) {
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
		names := shuffled(n, make([][]int32, chains))
		var edges [][]int32
		for i := range n - chains {
			edges = append(edges, []int32{names[i], names[i+chains]})
		}
		rand.New(rand.NewPCG(9, 9)).Shuffle(len(edges), func(i, j int) { edges[i], edges[j] = edges[j], edges[i] })
		if got := totalSpan(edges, Force(n, edges)); got != n-chains {
			t.Errorf("%d chains of %d: span %d, want %d", chains, n/chains, got, n-chains)
		}
	}
}
