package samples

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"c2bp/abstract"
	"c2bp/alias"
	"c2bp/alias/devirt"
	"c2bp/checker"
	"c2bp/drivers-samples/families"
	"c2bp/frontend"
	"c2bp/source"
)

// This file decides and measures drivers whose objects point to each other, by references.

// heapFamily abstracts a member of the family Heap with references, by the first predicates of each type, and
// checks it.
func heapFamily(tb testing.TB, p families.Program, each int) (r *abstract.Result, a *checker.Analysis, abstraction, check time.Duration) {
	tb.Helper()
	ctx := context.Background()
	u, err := frontend.Load(ctx, []*source.File{source.NewFile(p.Name+".c", []byte(p.Text))}, frontend.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	texts, err := abstract.ParsePredicates(source.NewFile(p.Name+".preds", []byte(fewer(p.Predicates, each))))
	if err != nil {
		tb.Fatal(err)
	}
	devirt.Resolve(u.Program)
	start := time.Now()
	r, err = abstract.Abstract(ctx, u.Program, texts, u, abstract.Options{Refs: true, Alias: alias.Analyze(u.Program)})
	if err != nil {
		tb.Fatal(err)
	}
	abstraction = time.Since(start)
	start = time.Now()
	limited, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	if a, err = checker.Analyse(limited, r.Program, checker.Options{NoNull: true}); err != nil {
		tb.Fatal(err)
	}
	return r, a, abstraction, time.Since(start)
}

// fewer returns a predicate file with the first predicates of each section, that many.
func fewer(text string, each int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if list := strings.Split(strings.TrimSpace(line), ", "); strings.HasPrefix(line, " ") {
			line = "    " + strings.Join(list[:min(each, len(list))], ", ") + "\n"
		}
		b.WriteString(line)
	}
	return b.String()
}

// TestHeapFamily: small members are decided by their predicates, and an unsafe one fails where it should.
func TestHeapFamily(t *testing.T) {
	t.Parallel()
	for seed := range uint64(2) {
		for _, unsafe := range []bool{false, true} {
			p := families.Heap(2, 4, seed, unsafe)
			_, a, _, _ := heapFamily(t, p, 10)
			if got := a.Result.Verdict.String(); got != p.Want {
				t.Fatalf("%s: %s, want %s", p.Name, a.Result.Summary(), p.Want)
			}
			if unsafe && a.Result.Sites[a.Result.Failed].Pos.Line != p.Line {
				t.Errorf("%s: %s, want line %d", p.Name, a.Result.Summary(), p.Line)
			}
		}
	}
}

// BenchmarkHeap prints how abstraction and check grow with the number of devices, of operations and of
// predicates of a driver with objects of six types.
func BenchmarkHeap(b *testing.B) {
	fmt.Printf("| %7s | %10s | %10s | %5s | %8s | %14s | %8s | %10s | %7s |\n",
		"devices", "operations", "predicates", "lines", "queries", "abstraction, s", "check, s", "held, MB", "verdict")
	for range b.N {
		for _, size := range []struct{ devices, operations, each int }{
			{1, 90, 10}, {2, 90, 10}, {3, 90, 10}, {4, 90, 10}, {5, 90, 10}, {6, 90, 10},
			{2, 22, 10}, {2, 45, 10}, {2, 180, 10},
			{2, 90, 1}, {2, 90, 2}, {2, 90, 3},
		} {
			p := families.Heap(size.devices, size.operations, 1, false)
			r, a, abstraction, check := heapFamily(b, p, size.each)
			// What is alive when it is done, not the peak.
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			runtime.KeepAlive(r)
			runtime.KeepAlive(a)
			fmt.Printf("| %7d | %10d | %10d | %5d | %8d | %14.2f | %8.2f | %10d | %7s |\n", size.devices, size.operations,
				r.Stats.Predicates, strings.Count(p.Text, "\n"), r.Stats.Prover.Queries, abstraction.Seconds(), check.Seconds(), m.HeapAlloc>>20, a.Result.Verdict)
		}
	}
}
