package samples

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"c2bp/frontend"
	"c2bp/refine"
	"c2bp/refine/harness"
	"c2bp/source"
	"c2bp/verdict"
)

// auditLimit is the time that an audit of the table may take: C2BP_AUDIT_TIME, or 20 s.
func auditLimit(b *testing.B) time.Duration {
	if s := os.Getenv("C2BP_AUDIT_TIME"); s != "" {
		d, err := time.ParseDuration(s)
		if err != nil {
			b.Fatal(err)
		}
		return d
	}
	return 20 * time.Second
}

// auditSamples tells which samples the table is about: those that C2BP_AUDIT_SAMPLES, a
// regular expression, matches.
func auditSamples(b *testing.B) *regexp.Regexp {
	r, err := regexp.Compile(os.Getenv("C2BP_AUDIT_SAMPLES"))
	if err != nil {
		b.Fatal(err)
	}
	return r
}

// BenchmarkAudit prints the work that it takes to decide each sample without predicates. (Command
// ablation prints the work without each technique.)
func BenchmarkAudit(b *testing.B) {
	all, err := Find(".")
	if err != nil {
		b.Fatal(err)
	}
	limit, wanted := auditLimit(b), auditSamples(b)
	fmt.Printf("| %-28s | %-13s | %s |\n", "sample", "lines", auditHead)
	for range b.N {
		for _, v := range all {
			if !wanted.MatchString(v.Name()) {
				continue
			}
			text, err := os.ReadFile(filepath.Join(v.Dir, v.File))
			if err != nil {
				b.Fatal(err)
			}
			auditRow(b, v.Name(), string(text), fmt.Sprint(strings.Count(string(text), "\n")), v.Want, &harness.Options{}, limit)
		}
	}
}

// auditHead has the names of the columns that auditRow prints after two of its own.
var auditHead = fmt.Sprintf("%-8s | %10s | %10s | %8s | %8s", "verdict", "iterations", "predicates", "queries", "seconds")

// auditRow audits a program and prints a row. It reports whether the program was decided.
func auditRow(b *testing.B, name, text, size, want string, compile *harness.Options, limit time.Duration) bool {
	b.Helper()
	files := []*source.File{source.NewFile(name, []byte(text))}
	u, err := frontend.Load(context.Background(), files, frontend.Options{})
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	start := time.Now()
	o, err := refine.Audit(ctx, u.Program, refine.Options{Files: files, Harness: compile})
	if err != nil {
		b.Fatal(err)
	}
	took := time.Since(start)
	stats := map[string]int64{}
	for _, s := range o.Result.Stats {
		stats[s.Name] = s.Value
	}
	decided := o.Result.Verdict != verdict.Unknown
	if decided && o.Result.Verdict.String() != want {
		b.Errorf("%s: %s, want %s", name, o.Result.Summary(), want)
	}
	fmt.Printf("| %-28s | %-13s | %-8v | %10d | %10d | %8d | %8.2f |\n", name, size, o.Result.Verdict, stats["iterations"], stats["predicates"],
		stats["prover queries, abstraction"]+stats["prover queries, paths"], took.Seconds())
	return decided
}
