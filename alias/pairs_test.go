package alias

import (
	"fmt"
	"testing"

	"c2bp/frontend"
	"c2bp/frontend/cgen"
	"c2bp/frontend/core"
	"c2bp/internal/testkit"
	"c2bp/source"
)

// This file runs drivers whose pointers come from functions that they do not define
// (cgen.GeneratePair), with such objects outside as the types of the pointers allow, and holds what
// happens against the analysis.

// checkPairs runs n drivers that make generates, those of the seeds from first on, with a rule broken.
func checkPairs(t *testing.T, make func(uint64) cgen.Pair, first, n uint64, m mutation, seen *counts) error {
	t.Helper()
	for seed := first; seed < first+n; seed++ {
		text := make(seed).Driver
		u, err := frontend.Load(t.Context(), []*source.File{source.NewFile("driver.c", []byte(text))}, frontend.Options{})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		p := Resolve(u.Program)
		if p.Environment != core.EnvironmentTyped {
			t.Fatal("memory outside has no types")
		}
		if err := watchRuns(p, analyze(p, m), Analyze(p), 20, seen); err != nil {
			return fmt.Errorf("seed %d, %w\n%s", seed, err, text)
		}
	}
	return nil
}

// TestPairRuns: whatever is one place in a run of such a driver may alias.
func TestPairRuns(t *testing.T) {
	t.Parallel()
	n := uint64(60)
	if testkit.Long() {
		n = 6000
	}
	var seen counts
	for _, make := range []func(uint64) cgen.Pair{cgen.GeneratePair, cgen.GenerateUnsetPair} {
		if err := checkPairs(t, make, 1, n/2, 0, &seen); err != nil {
			t.Error(err)
		}
	}
	t.Logf("%+v", seen)
	if seen.aliases < 100 || seen.effects < 50 {
		t.Error("too little happens")
	}
}

// TestPairMutations: rules about memory outside that are broken are noticed, by drivers that were
// looked for. Those that no such driver has noticed are broken in the tests of package refine.
func TestPairMutations(t *testing.T) {
	t.Parallel()
	var seen counts
	for m, seed := range map[mutation]uint64{stayingPointers: 29, oneTypeEach: 29, noNesting: 28, noUnions: 65, nothingGiven: 24} {
		if checkPairs(t, cgen.GeneratePair, seed, 1, m, &seen) == nil {
			t.Errorf("mutation %d went unnoticed: %+v", m, seen)
		}
	}
}
