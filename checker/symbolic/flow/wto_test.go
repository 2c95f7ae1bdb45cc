package flow

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"c2bp/internal/graph"
)

// TestWeakOrder: what lies between the two ends of an edge that leads back is in the
// loop that the edge closes.
func TestWeakOrder(t *testing.T) {
	wrong := 0
	for seed := range uint64(2000) {
		succ := randomGraph(seed)
		of := func(v int) []int { return succ[v] }
		if err := checkWeakOrder(succ, weakOrder(len(succ), 0, of)); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if checkWeakOrder(succ, graph.ReversePostorder(len(succ), 0, of)) != nil {
			wrong++
		}
	}
	if wrong < 100 {
		t.Errorf("the reverse postorder is noticed %d times", wrong)
	}
}

func randomGraph(seed uint64) [][]int {
	rng := rand.New(rand.NewPCG(seed, 4))
	succ := make([][]int, 1+rng.IntN(12))
	for v := range succ {
		for range 1 + rng.IntN(2) {
			succ[v] = append(succ[v], rng.IntN(len(succ)))
		}
	}
	return succ
}

func checkWeakOrder(succ [][]int, order []int) error {
	position := map[int]int{}
	for i, v := range order {
		if _, twice := position[v]; twice {
			return fmt.Errorf("%d is listed twice", v)
		}
		position[v] = i
	}
	if n := len(reach(succ, 0, func(int) bool { return true })); n != len(order) {
		return fmt.Errorf("%d of %d nodes", len(order), n)
	}
	for u, i := range position {
		for _, v := range succ[u] {
			j := position[v]
			if j > i {
				continue
			}
			for _, w := range order[j : i+1] {
				if !reach(succ, w, func(x int) bool { return position[x] >= j })[v] {
					return fmt.Errorf("%v: %d is between the ends of %d -> %d, and not in the loop", order, w, u, v)
				}
			}
		}
	}
	return nil
}

// reach is what can be reached from v without leaving allowed.
func reach(succ [][]int, v int, allowed func(int) bool) map[int]bool {
	seen := map[int]bool{v: true}
	for work := []int{v}; len(work) > 0; {
		u := work[0]
		work = work[1:]
		for _, w := range succ[u] {
			if !seen[w] && allowed(w) {
				seen[w] = true
				work = append(work, w)
			}
		}
	}
	return seen
}

// Deep nesting of loops is no deep recursion but for the loops themselves.
func TestWeakOrderOfLongChain(t *testing.T) {
	const n = 200_000
	order := weakOrder(n, 0, func(v int) []int {
		if v == n-1 {
			return []int{0}
		}
		return []int{v + 1}
	})
	if len(order) != n || order[0] != 0 || order[n-1] != n-1 {
		t.Errorf("%d nodes", len(order))
	}
}
