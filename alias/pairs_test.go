package alias

import (
	"fmt"
	"os"
	"testing"

	"c2bp/frontend"
	"c2bp/frontend/cgen"
	"c2bp/frontend/core"
	"c2bp/source"
)

// This file runs drivers whose pointers come from functions that they do not define
// (cgen.GeneratePair), with such objects outside as the types of the pointers allow, and holds what
// happens against the analysis.

// checkPairs runs n drivers, those of the seeds from first on, with a rule broken.
func checkPairs(t *testing.T, first, n uint64, m mutation, seen *counts) error {
	t.Helper()
	for seed := first; seed < first+n; seed++ {
		text := cgen.GeneratePair(seed).Driver
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
	if os.Getenv("C2BP_LONG") != "" {
		n = 3000
	}
	var seen counts
	if err := checkPairs(t, 1, n, 0, &seen); err != nil {
		t.Error(err)
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
	for m, seed := range map[mutation]uint64{stayingPointers: 29, oneTypeEach: 29, noNesting: 28, noUnions: 65, nothingGiven: 24} {
		var seen counts
		if checkPairs(t, seed, 1, m, &seen) == nil {
			t.Errorf("mutation %d went unnoticed: %+v", m, seen)
		}
	}
}
