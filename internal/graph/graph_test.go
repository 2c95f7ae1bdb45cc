package graph

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// randomGraphs calls check with the successors of the nodes of random graphs.
func randomGraphs(t *testing.T, check func(edges [][]int) error) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		n := 1 + rng.IntN(12)
		edges := make([][]int, n)
		for range rng.IntN(3 * n) {
			from := rng.IntN(n)
			edges[from] = append(edges[from], rng.IntN(n))
		}
		if err := check(edges); err != nil {
			t.Fatalf("%v: %v", edges, err)
		}
	}
}

// reached returns the nodes that from reaches by one edge or more without going through the node
// without; -1 for no such node.
func reached(edges [][]int, from, without int) []bool {
	seen := make([]bool, len(edges))
	todo := []int{from}
	for len(todo) > 0 {
		for _, m := range edges[todo[0]] {
			if !seen[m] && m != without {
				seen[m] = true
				todo = append(todo, m)
			}
		}
		todo = todo[1:]
	}
	return seen
}

// TestComponents compares with mutual reachability on random graphs.
func TestComponents(t *testing.T) { randomGraphs(t, checkComponents) }

func checkComponents(edges [][]int) error {
	nodes := make([]int, len(edges))
	reach := make([][]bool, len(edges))
	for i := range edges {
		nodes[i] = i
		reach[i] = reached(edges, i, None)
	}
	number := make([]int, len(edges))
	for c, list := range Components(len(edges), nodes, func(i int) []int { return edges[i] }) {
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

// TestReversePostorder: all nodes that the root reaches, each once; an edge that leads back leads to
// a node that reaches where it came from.
func TestReversePostorder(t *testing.T) {
	randomGraphs(t, func(edges [][]int) error {
		order := ReversePostorder(len(edges), 0, func(i int) []int { return edges[i] })
		reach := reached(edges, 0, None)
		reach[0] = true
		for i := range edges {
			if slices.Contains(order, i) != reach[i] {
				return fmt.Errorf("%d: %v", i, order)
			}
		}
		for i, v := range order {
			if slices.Contains(order[:i], v) {
				return fmt.Errorf("%d is there twice", v)
			}
			for _, w := range edges[v] {
				if slices.Contains(order[:i], w) && !reached(edges, w, None)[v] {
					return fmt.Errorf("%d before %d", w, v)
				}
			}
		}
		return nil
	})
}

// TestDominators compares with what cannot be reached when a node is taken out.
func TestDominators(t *testing.T) {
	randomGraphs(t, func(edges [][]int) error {
		back := make([][]int, len(edges))
		for i, list := range edges {
			for _, j := range list {
				back[j] = append(back[j], i)
			}
		}
		idom := Dominators(len(edges), 0, func(i int) []int { return edges[i] }, func(i int) []int { return back[i] })
		reach := reached(edges, 0, None)
		for v := range edges {
			if v == 0 || !reach[v] {
				if idom[v] != None {
					return fmt.Errorf("%d has the dominator %d", v, idom[v])
				}
				continue
			}
			for d := range edges {
				dominates := d != v && reach[d] && !reached(edges, 0, d)[v] || d == 0
				found := false
				for u := idom[v]; u != None; u = idom[u] {
					found = found || u == d
				}
				if found != dominates {
					return fmt.Errorf("%d dominates %d: %v", d, v, found)
				}
			}
		}
		return nil
	})
}
