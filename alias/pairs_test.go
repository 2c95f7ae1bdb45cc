package alias_test

import (
	"fmt"
	"testing"

	"c2bp/alias"
	"c2bp/alias/devirt"
	"c2bp/frontend"
	"c2bp/frontend/cgen"
	"c2bp/frontend/core"
	"c2bp/internal/testkit"
	"c2bp/source"
)

// This file runs drivers whose pointers come from functions that they do not define
// (cgen.GeneratePair), with such objects outside as the types of the pointers allow, and holds what
// happens against the analysis.

// checkPairs runs n drivers that make generates, those of the seeds from 1 on.
func checkPairs(t *testing.T, make func(uint64) cgen.Pair, n uint64, seen *counts) error {
	t.Helper()
	for seed := uint64(1); seed <= n; seed++ {
		text := make(seed).Driver
		u, err := frontend.Load(t.Context(), []*source.File{source.NewFile("driver.c", []byte(text))}, frontend.Options{})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		p := u.Program
		devirt.Resolve(p)
		if p.Environment != core.EnvironmentTyped {
			t.Fatal("memory outside has no types")
		}
		r := alias.Analyze(p)
		if err := watchRuns(p, r, r, 20, seen); err != nil {
			return fmt.Errorf("seed %d, %w\n%s", seed, err, text)
		}
	}
	return nil
}

// TestPairRuns: whatever is one place in a run of such a driver may alias.
func TestPairRuns(t *testing.T) {
	t.Parallel()
	n := testkit.Count[uint64](60, 6000)
	var seen counts
	for _, make := range []func(uint64) cgen.Pair{cgen.GeneratePair, cgen.GenerateUnsetPair, cgen.GenerateLaidPair} {
		if err := checkPairs(t, make, n/2, &seen); err != nil {
			t.Error(err)
		}
	}
	t.Logf("%+v", seen)
	if seen.aliases < 100 || seen.effects < 50 {
		t.Error("too little happens")
	}
}
