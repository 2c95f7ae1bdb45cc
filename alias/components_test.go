package alias

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestComponents compares with mutual reachability on random graphs.
func TestComponents(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		n := 1 + rng.IntN(12)
		edges := make([][]int, n)
		for range rng.IntN(3 * n) {
			from := rng.IntN(n)
			edges[from] = append(edges[from], rng.IntN(n))
		}
		if err := checkComponents(edges); err != nil {
			t.Fatalf("%v: %v", edges, err)
		}
	}
}

func checkComponents(edges [][]int) error {
	nodes := make([]int, len(edges))
	reach := make([][]bool, len(edges))
	for i := range edges {
		nodes[i] = i
		reach[i] = make([]bool, len(edges))
		todo := []int{i}
		for len(todo) > 0 {
			for _, j := range edges[todo[0]] {
				if !reach[i][j] {
					reach[i][j] = true
					todo = append(todo, j)
				}
			}
			todo = todo[1:]
		}
	}
	number := make([]int, len(edges))
	for c, list := range components(nodes, func(i int) []int { return edges[i] }) {
		for _, i := range list {
			number[i] = c + 1
		}
	}
	for i := range edges {
		if number[i] == 0 {
			return fmt.Errorf("%d is in no component", i)
		}
		for j := range edges {
			together := i == j || reach[i][j] && reach[j][i]
			if together != (number[i] == number[j]) {
				return fmt.Errorf("%d and %d", i, j)
			}
			if reach[i][j] && number[i] < number[j] {
				return fmt.Errorf("%d before its successor %d", i, j)
			}
		}
	}
	return nil
}
