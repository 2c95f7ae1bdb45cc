package samples

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"c2bp/frontend"
	"c2bp/internal/testkit"
	"c2bp/refine"
	"c2bp/refine/harness"
	"c2bp/source"
	"c2bp/verdict"
)

// devices are the rows of the table: everything, and then each device switched off.
var devices = []struct {
	name string
	off  refine.Devices
}{
	{"everything", refine.Devices{}},
	{"no hints at loops", refine.Devices{NoHints: true}},
	{"no sums in loops", refine.Devices{NoBalance: true}},
	{"all guesses about loops", refine.Devices{NoInduction: true}},
	{"no unrolling", refine.Devices{NoUnroll: true}},
	{"no values seen", refine.Devices{NoFew: true}},
	{"no summaries", refine.Devices{NoSummaries: true}},
	{"pointers not concrete", refine.Devices{NoConcrete: true}},
	{"no copies", refine.Devices{NoCopies: true}},
	{"places of paths only", refine.Devices{NoPlaces: true}},
	{"shortest prefix", refine.Devices{NoLate: true}},
	{"loops like others", refine.Devices{NoCounting: true}},
	{"no guided runs", refine.Devices{NoGuided: true}},
	{"no random runs", refine.Devices{NoTrials: true}},
	{"exact everywhere", refine.Devices{NoPrecision: true}},
	{"no constraints", refine.Devices{NoConstraints: true}},
	{"no memo", refine.Devices{NoMemo: true}},
	{"no provers kept", refine.Devices{NoStock: true}},
	{"no order kept", refine.Devices{NoOrder: true}},
	{"one reason a path", refine.Devices{NoMore: true}},
	{"nearest site only", refine.Devices{NoFurther: true}},
	{"all together", refine.Devices{NoTurns: true}},
	{"shortest traces", refine.Devices{ShortTraces: true}},
}

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

// BenchmarkAudit prints the work that it takes to decide each sample without predicates; and, with
// C2BP_LONG=1, the work with each device off.
func BenchmarkAudit(b *testing.B) {
	all, err := Find(".")
	if err != nil {
		b.Fatal(err)
	}
	limit, wanted := auditLimit(b), auditSamples(b)
	fmt.Printf("| %-22s | %-22s | %-8s | %10s | %10s | %8s | %8s |\n", "sample", "without", "verdict", "iterations", "predicates", "queries", "seconds")
	for range b.N {
		for _, v := range all {
			if !wanted.MatchString(v.Name()) {
				continue
			}
			for i, d := range devices {
				if i == 0 || testkit.Long() {
					auditRow(b, v, d.name, d.off, limit)
				}
			}
		}
	}
}

// auditRow audits a sample, its predicates ignored, and prints a row.
func auditRow(b *testing.B, v Variant, name string, off refine.Devices, limit time.Duration) {
	b.Helper()
	path := filepath.Join(v.Dir, v.File)
	text, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	files := []*source.File{source.NewFile(path, text)}
	u, err := frontend.Load(context.Background(), files, frontend.Options{})
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	start := time.Now()
	o, err := refine.Audit(ctx, u.Program, refine.Options{Files: files, Harness: &harness.Options{}, Devices: off})
	if err != nil {
		b.Fatal(err)
	}
	took := time.Since(start)
	stats := map[string]int64{}
	for _, s := range o.Result.Stats {
		stats[s.Name] = s.Value
	}
	if o.Result.Verdict != verdict.Unknown && o.Result.Verdict.String() != v.Want {
		b.Errorf("%s: %s, want %s", v.Name(), o.Result.Summary(), v.Want)
	}
	fmt.Printf("| %-22s | %-22s | %-8v | %10d | %10d | %8d | %8.2f |\n", v.Name(), name, o.Result.Verdict, stats["iterations"], stats["predicates"],
		stats["prover queries, abstraction"]+stats["prover queries, paths"], took.Seconds())
}
