package samples

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"c2bp/drivers-samples/families"
	"c2bp/frontend"
	"c2bp/refine"
	"c2bp/source"
	"c2bp/verdict"
)

// growth has members of the families in order of size, in pairs of a safe and an unsafe program.
var growth = []struct {
	name  string
	sizes []int
	make  func(size int, unsafe bool) families.Program
}{
	{"locks", []int{1, 2, 4, 8, 16}, families.Locks},
	{"states", []int{4, 8, 16, 30}, func(n int, unsafe bool) families.Program { return families.Handshake(n, 3*n, 1, unsafe) }},
	{"procedures", []int{4, 8, 20}, func(n int, unsafe bool) families.Program { return families.Driver(n, 1, unsafe) }},
}

// BenchmarkFamilies prints how the work of an audit grows with the size of a program. An audit that
// takes longer than C2BP_AUDIT_TIME, 20 s, is UNKNOWN; then the larger ones are left out.
func BenchmarkFamilies(b *testing.B) {
	fmt.Printf("| %-28s | %-13s | %5s | %-8s | %10s | %10s | %8s | %8s |\n",
		"program", "size", "lines", "verdict", "iterations", "predicates", "queries", "seconds")
	limit := auditLimit(b)
	for range b.N {
		for _, f := range growth {
			for _, unsafe := range []bool{false, true} {
				for _, n := range f.sizes {
					if !growthRow(b, f.make(n, unsafe), fmt.Sprint(n, " ", f.name), limit) {
						break
					}
				}
			}
		}
	}
}

// growthRow audits a program and prints a row. It reports whether the program was decided.
func growthRow(b *testing.B, p families.Program, size string, limit time.Duration) bool {
	b.Helper()
	files := []*source.File{source.NewFile(p.Name+".c", []byte(p.Text))}
	u, err := frontend.Load(context.Background(), files, frontend.Options{})
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	start := time.Now()
	o, err := refine.Audit(ctx, u.Program, refine.Options{Files: files})
	if err != nil {
		b.Fatal(err)
	}
	took := time.Since(start)
	stats := map[string]int64{}
	for _, s := range o.Result.Stats {
		stats[s.Name] = s.Value
	}
	if o.Result.Verdict != verdict.Unknown && o.Result.Verdict.String() != p.Want {
		b.Errorf("%s: %s, want %s", p.Name, o.Result.Summary(), p.Want)
	}
	fmt.Printf("| %-28s | %-13s | %5d | %-8v | %10d | %10d | %8d | %8.2f |\n", p.Name, size, strings.Count(p.Text, "\n"), o.Result.Verdict,
		stats["iterations"], stats["predicates"], stats["prover queries, abstraction"]+stats["prover queries, paths"], took.Seconds())
	return o.Result.Verdict != verdict.Unknown
}
