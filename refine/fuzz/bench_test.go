package fuzz

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"c2bp/alias/devirt"
	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
	"c2bp/verdict"
)

// errorSites finds the assertions of a program and its error labels.
func errorSites(prog *core.Program) (sites []verdict.Site) {
	for _, p := range prog.Procs {
		for i, n := range p.Nodes {
			if _, ok := n.Stmt.(*core.Assert); ok {
				sites = append(sites, verdict.Site{Kind: verdict.Assertion, Node: p.NodeID(i)})
			}
			if slices.Contains(n.Labels, "ERROR") {
				sites = append(sites, verdict.Site{Kind: verdict.Label, Node: p.NodeID(i)})
			}
		}
	}
	return sites
}

// BenchmarkCampaign prints for each sample with a bug how many of some searches by fuzzing alone
// find a failing run, in how many steps, and how long it is once it is shortened.
func BenchmarkCampaign(b *testing.B) {
	const seeds, effort = 5, 4_000_000
	paths, err := filepath.Glob("../../drivers-samples/*/buggy.c")
	if err != nil || len(paths) == 0 {
		b.Fatal("no samples", err)
	}
	fmt.Printf("| %-16s | found | %12s | %12s | %10s |\n", "sample", "steps, most", "length, most", "steps a µs")
	for range b.N {
		for _, path := range paths {
			found, most, length, spent := 0, 0, 0, 0
			var took time.Duration
			for seed := range uint64(seeds) {
				prog, _ := loadFile(b, path)
				devirt.Resolve(prog)
				k := New(prog, errorSites(prog), seed, interp.Options{Typed: true})
				start := time.Now()
				failing := k.Search(b.Context(), effort, 0)
				took += time.Since(start)
				spent += k.spent
				if failing != nil {
					found++
					most = max(most, k.spent)
					length = max(length, k.Minimize(failing, toMinimize).Steps)
				}
			}
			fmt.Printf("| %-16s | %d/%d   | %12d | %12d | %10.1f |\n", filepath.Base(filepath.Dir(path)),
				found, seeds, most, length, float64(spent)/float64(took.Microseconds()))
		}
	}
}
