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

	"c2bp/abstract"
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

// auditSamples calls do for the samples below some folders that the table is about, with their texts: those
// that C2BP_AUDIT_SAMPLES, a regular expression, matches.
func auditSamples(b *testing.B, dirs []string, do func(v Variant, text string)) {
	b.Helper()
	wanted, err := regexp.Compile(os.Getenv("C2BP_AUDIT_SAMPLES"))
	if err != nil {
		b.Fatal(err)
	}
	for _, dir := range dirs {
		list, err := Find(dir)
		if err != nil {
			b.Fatal(err)
		}
		for _, v := range list {
			if !wanted.MatchString(v.Name()) {
				continue
			}
			text, err := os.ReadFile(filepath.Join(v.Dir, v.File))
			if err != nil {
				b.Fatal(err)
			}
			do(v, string(text))
		}
	}
}

// BenchmarkAudit prints the work that it takes to decide each sample without predicates. (Command
// ablation prints the work without each technique.)
func BenchmarkAudit(b *testing.B) {
	limit := auditLimit(b)
	fmt.Printf("| %-28s | %-13s | %s |\n", "sample", "lines", auditHead)
	for range b.N {
		auditSamples(b, []string{"."}, func(v Variant, text string) {
			size := fmt.Sprint(strings.Count(text, "\n"))
			auditRow(b, v.Name(), text, size, v.Want, refine.Options{Harness: &harness.Options{}}, limit)
		})
	}
}

// BenchmarkRefs prints the work that it takes to decide each sample without references, with them from the
// start, and by default, and the sums.
func BenchmarkRefs(b *testing.B) {
	limit := auditLimit(b)
	modes := []refine.Refs{refine.RefsNever, refine.RefsAlways, refine.RefsAuto}
	fmt.Printf("| %-28s | %-13s | %s |\n", "sample", "references", auditHead)
	for range b.N {
		sums := map[refine.Refs]*auditSum{}
		for _, mode := range modes {
			sums[mode] = &auditSum{}
		}
		auditSamples(b, []string{".", "outside", "refs"}, func(v Variant, text string) {
			for _, mode := range modes {
				opts := refine.Options{Refs: mode, Abstract: abstract.Options{Jobs: 1}}
				sums[mode].add(auditRow(b, v.Name(), text, mode.String(), v.Want, opts, limit))
			}
		})
		for _, mode := range modes {
			s := sums[mode]
			fmt.Printf("| %-28s | %-13s | %8d | %10d | %10s | %8d | %8.2f |\n", "all, decided", mode, s.decided, s.iterations, "", s.queries, s.took.Seconds())
		}
	}
}

// auditSum is the work of several audits.
type auditSum struct {
	decided             int
	iterations, queries int64
	took                time.Duration
}

// add adds the work of one.
func (s *auditSum) add(x auditSum) {
	s.decided += x.decided
	s.iterations += x.iterations
	s.queries += x.queries
	s.took += x.took
}

// auditHead has the names of the columns that auditRow prints after two of its own.
var auditHead = fmt.Sprintf("%-8s | %10s | %10s | %8s | %8s", "verdict", "iterations", "predicates", "queries", "seconds")

// auditRow audits a program, prints a row, and returns the work.
func auditRow(b *testing.B, name, text, size, want string, opts refine.Options, limit time.Duration) auditSum {
	b.Helper()
	files := []*source.File{source.NewFile(name, []byte(text))}
	u, err := frontend.Load(context.Background(), files, frontend.Options{})
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	start := time.Now()
	opts.Files = files
	o, err := refine.Audit(ctx, u.Program, opts)
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
	sum := auditSum{iterations: stats["iterations"], queries: stats["prover queries, abstraction"] + stats["prover queries, paths"], took: took}
	if decided {
		sum.decided = 1
	}
	fmt.Printf("| %-28s | %-13s | %-8v | %10d | %10d | %8d | %8.2f |\n", name, size, o.Result.Verdict, stats["iterations"], stats["predicates"], sum.queries, took.Seconds())
	return sum
}
