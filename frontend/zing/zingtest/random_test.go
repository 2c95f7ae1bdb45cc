package zingtest

import (
	"maps"
	"slices"
	"testing"

	"c2bp/internal/testkit"
)

// randomOptions bound the search of random models.
var randomOptions = Options{States: 3000, Blocks: 10_000, KeepStates: true}

// TestRandom checks that random models and mutants are correct and terminate, that the same seed
// gives the same result, and that all kinds of failures and passing models are among them.
func TestRandom(t *testing.T) {
	for name, make := range map[string]func(uint64) string{
		"random": Random, "mutant": Mutant, "mutant in procedures": MutantInProcedures,
	} {
		found := map[Kind]int{}
		cut, passed, sum := 0, 0, 0
		n := testkit.Count[uint64](100, 5000)
		for seed := range n {
			text := make(seed)
			r := explore(t, text, randomOptions)
			if !r.Complete {
				cut++
			}
			if r.Verdict == "" {
				passed++
			}
			sum += r.DistinctStates
			for k := range r.Lengths {
				found[k]++
			}
			if seed%10 == 0 {
				again := explore(t, make(seed), randomOptions)
				if again.Summary() != r.Summary() || !slices.Equal(again.States, r.States) || !slices.Equal(again.Path, r.Path) {
					t.Errorf("seed %d gives %s, then %s", seed, r.Summary(), again.Summary())
				}
			}
		}
		t.Log(name, "passed", passed, "cut", cut, "states", sum, slices.Sorted(maps.Keys(found)), found)
	}
}
