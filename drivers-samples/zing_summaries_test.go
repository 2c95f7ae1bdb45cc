package samples

import (
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"c2bp/checker/interleave"
	"c2bp/checker/zingcheck"
	"c2bp/frontend/zing"
	"c2bp/internal/testkit"
	"c2bp/source"
)

// This file checks and measures the transaction manager, a model whose work is done in procedures, with and without
// summaries.

var fixedLine = regexp.MustCompile(`fixed = \w+; // `)

// manager returns the model with so many transactions, with the repair or without.
func manager(t testing.TB, transactions int, fixed bool) *zing.Program {
	t.Helper()
	text, err := os.ReadFile("zing/transaction-manager/manager.zing")
	if err != nil {
		t.Fatal(err)
	}
	if len(sizeLine.FindAll(text, -1)) != 1 || len(fixedLine.FindAll(text, -1)) != 1 {
		t.Fatal("the model has no line with its size, or with the repair")
	}
	text = sizeLine.ReplaceAll(text, fmt.Appendf(nil, "= %d; // size", transactions))
	text = fixedLine.ReplaceAll(text, fmt.Appendf(nil, "fixed = %v; // ", fixed))
	p, warnings, err := zing.Load([]*source.File{source.NewFile("manager.zing", text)})
	if err != nil || len(warnings) > 0 {
		t.Fatal(err, warnings)
	}
	return p
}

// managed checks the transaction manager, all states of it.
func managed(t testing.TB, transactions int, fixed, reduce, summaries bool) *zingcheck.Analysis {
	t.Helper()
	opts := interleave.Options{Reduce: reduce, Summaries: summaries, All: true, MaxStates: 5000000}
	return zingcheck.Check(t.Context(), manager(t, transactions, fixed), zingcheck.Options{Options: opts})
}

// TestZingManager: the three searches agree on the transaction manager.
func TestZingManager(t *testing.T) {
	for _, c := range []struct {
		fixed bool
		want  string
	}{{true, "TRUE"}, {false, "FALSE (null dereference, manager.zing:"}} {
		for i, flags := range [][2]bool{{false, false}, {true, false}, {true, true}} {
			a := managed(t, testkit.Count(1, 3), c.fixed, flags[0], flags[1])
			if got := a.Result.Summary(); !strings.HasPrefix(got, c.want) {
				t.Errorf("fixed %v, search %d: %s, want %s", c.fixed, i, got, c.want)
			}
		}
	}
}

// BenchmarkZingSummaries prints what summaries save on the transaction manager: processor seconds, the least of some
// runs.
func BenchmarkZingSummaries(b *testing.B) {
	for b.Loop() {
	}
	fmt.Println("| transactions | repaired | states | inside | seconds | with summaries: inside | seconds | computed | looked up | times |")
	for _, n := range []int{4, 8, 16, 32} {
		for _, fixed := range []bool{false, true} {
			var seconds [2]float64
			var r [2]*interleave.Reduction
			for i, summaries := range []bool{false, true} {
				for run := range 3 {
					runtime.GC()
					start := used(b)
					a := managed(b, n, fixed, true, summaries)
					if took := used(b) - start; run == 0 || took < seconds[i] {
						seconds[i] = took
					}
					r[i] = a.Search.Reduction
				}
			}
			fmt.Printf("| %d | %v | %d | %d | %.2f | %d | %.2f | %d | %d | %.2f |\n", n, fixed, r[0].Boundaries, r[0].Inside, seconds[0],
				r[1].Inside, seconds[1], r[1].Computed, r[1].LookedUp, seconds[0]/seconds[1])
		}
	}
}
