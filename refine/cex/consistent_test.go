package cex

import (
	"fmt"
	"slices"
	"testing"
)

// TestConsistent: of conditions that exclude each other, the last ones are left out, and all if there are
// too many.
func TestConsistent(t *testing.T) {
	many := [][]int{}
	for i := range mostConflicts {
		many = append(many, []int{i})
	}
	for _, c := range []struct {
		n    int
		sets [][]int // of conditions that exclude each other
		want string
	}{
		{3, nil, "[0 1 2]"},
		{3, [][]int{{0, 1, 2}}, "[0 1]"},
		{8, [][]int{{1, 4}, {2, 7}, {4, 5}, {0, 3, 4}}, "[0 1 2 3 5 6]"},
		{3, [][]int{{0}, {1, 2}}, "[1]"},
		{mostConflicts + 1, many[1:], fmt.Sprint([]int{0, mostConflicts})},
		{mostConflicts + 1, many, "[]"},
	} {
		conds := make([]Condition, c.n)
		for i := range conds {
			conds[i].Step = i
		}
		unsat := func(conds []Condition) bool {
			return slices.ContainsFunc(c.sets, func(set []int) bool {
				return !slices.ContainsFunc(set, func(i int) bool {
					return !slices.ContainsFunc(conds, func(x Condition) bool { return x.Step == i })
				})
			})
		}
		got := []int{}
		for _, x := range Consistent(conds, unsat) {
			got = append(got, x.Step)
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%d conditions, not %v: %v, want %s", c.n, c.sets, got, c.want)
		}
	}
}
