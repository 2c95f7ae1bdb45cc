package cex

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestMinimal: of conditions that exclude each other, minimal returns some that do, too, none of which can
// be left out, and asks few questions for that.
func TestMinimal(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 500 {
		n := 2 + r.IntN(30)
		// Unsatisfiable are the sets that contain one of some random cores.
		var cores [][]int
		for range 1 + r.IntN(3) {
			core := []int{n - 1}
			for range r.IntN(4) {
				core = append(core, r.IntN(n-1))
			}
			cores = append(cores, core)
		}
		asked := 0
		unsat := func(conds []Condition) bool {
			asked++
			return slices.ContainsFunc(cores, func(core []int) bool {
				return !slices.ContainsFunc(core, func(step int) bool {
					return !slices.ContainsFunc(conds, func(c Condition) bool { return c.Step == step })
				})
			})
		}
		conds := make([]Condition, n)
		for i := range conds {
			conds[i].Step = i
		}
		got := minimal(conds, unsat)
		if !unsat(got) || !slices.IsSortedFunc(got, func(a, b Condition) int { return a.Step - b.Step }) {
			t.Fatalf("%v of %v: satisfiable, or out of order", got, cores)
		}
		for i := range got {
			if unsat(slices.Delete(slices.Clone(got), i, i+1)) {
				t.Fatalf("%v: step %d can be left out", got, got[i].Step)
			}
		}
		if asked > 20+8*len(got)*6 {
			t.Errorf("%d questions for %d of %d conditions", asked, len(got), n)
		}
	}
}

// TestLatest: of several unsatisfiable parts of a path, latest returns one that needs the last condition,
// even if one without it is nearer to the end.
func TestLatest(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	nearer := 0
	for range 500 {
		n := 6 + r.IntN(30)
		last := n - 1
		property := []int{r.IntN(n / 2), last}
		others := [][]int{}
		for range r.IntN(mostCores - 1) { // one is left out each time
			step := n/2 + r.IntN(n/2-1)
			others = append(others, []int{step})
		}
		contains := func(conds []Condition, core []int) bool {
			return !slices.ContainsFunc(core, func(step int) bool {
				return !slices.ContainsFunc(conds, func(c Condition) bool { return c.Step == step })
			})
		}
		unsat := func(conds []Condition) bool {
			return contains(conds, property) || slices.ContainsFunc(others, func(core []int) bool { return contains(conds, core) })
		}
		conds := make([]Condition, n)
		for i := range conds {
			conds[i].Step = i
		}
		got := latest(conds, unsat)
		if len(got) != 2 || got[0].Step != property[0] || got[1].Step != last {
			t.Fatalf("%v of %v and %v", got, property, others)
		}
		if minimal(conds, unsat)[0].Step != property[0] {
			nearer++
		}
		if len(others) == 0 {
			continue
		}
		if got := latest(conds[:last], unsat); unsat(got[:len(got)-1]) || !unsat(got) {
			t.Fatalf("%v of %v: not minimal", got, others)
		}
	}
	if nearer < 200 {
		t.Errorf("only %d times another part is nearer", nearer)
	}
}
