package samples

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"c2bp/frontend"
	"c2bp/frontend/harness"
	"c2bp/frontend/slic/library"
	"c2bp/refine/rules"
)

// knownFailures are the rules that fail for a sample driver as it is, by driver and rule; all others hold.
var knownFailures = map[string]bool{"open/knob/spinlock": true}

// rulesLimit is the time that a rule may take in BenchmarkRules: C2BP_AUDIT_TIME, or 60 s.
func rulesLimit(b *testing.B) time.Duration {
	if os.Getenv("C2BP_AUDIT_TIME") == "" {
		return time.Minute
	}
	return auditLimit(b)
}

// BenchmarkRules prints a table of all rules and all sample drivers without a main: a row for each rule that applies
// to a driver, with its verdict and the work that it took, and the sums. C2BP_AUDIT_SAMPLES, a regular expression,
// selects drivers by their names. The limit is one of elapsed time; the table has that of processors, too, for machines
// that others use. It fails if a verdict is wrong.
func BenchmarkRules(b *testing.B) {
	limit := rulesLimit(b)
	wanted, err := regexp.Compile(os.Getenv("C2BP_AUDIT_SAMPLES"))
	if err != nil {
		b.Fatal(err)
	}
	var files []string
	for _, pattern := range []string{"kernel/*/*.c", "open/*/*.c", "wdm/*/*.c"} {
		list, err := filepath.Glob(pattern)
		if err != nil || len(list) == 0 {
			b.Fatal(pattern, err)
		}
		files = append(files, list...)
	}
	fmt.Printf("| %-16s | %5s | %-23s | %-9s | %10s | %8s | %8s | %9s |\n", "driver", "lines", "rule", "row", "iterations", "queries", "seconds", "processor")
	for range b.N {
		sum := rowSum{}
		for _, name := range files {
			if wanted.MatchString(name) {
				driverRows(b, name, limit, &sum)
			}
		}
		fmt.Printf("| rows %d, decided within %v %d, wrong %d |\n", sum.rows, limit, sum.decided, sum.wrong)
		if sum.wrong > 0 {
			b.Errorf("%d rows are wrong", sum.wrong)
		}
	}
}

// processorTime returns the time of all processors that this process has taken.
func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// rowSum counts rows.
type rowSum struct{ rows, decided, wrong int }

// driverRows decides each rule of the library for a driver, prints the rows of those that apply, and adds to sum.
func driverRows(b *testing.B, name string, limit time.Duration, sum *rowSum) {
	b.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		b.Fatal(err)
	}
	// The rows of the drivers of Windows are those of one device, as in wdm/rows.
	how := harness.Options{OneDevice: strings.HasPrefix(name, "wdm/")}
	driver := filepath.ToSlash(filepath.Dir(name))
	for _, folder := range library.Builtin().Names() {
		set, err := library.Builtin().Rule(folder)
		if err != nil {
			b.Fatal(err)
		}
		for _, k := range set.Rules {
			// 1. Decide one rule.
			start, used := time.Now(), processorTime(b)
			r := auditDriver(b, name, string(text), frontend.Options{IncludePaths: []string{"kernel"}}, how, rules.Options{Timeout: limit}, only(set, k.Name.Text))
			took, used := time.Since(start), processorTime(b)-used
			s := r.Sites[0]
			if s.Absent {
				continue
			}
			// 2. Is it right?
			sum.rows++
			if !s.Open {
				sum.decided++
				if s.Failed != knownFailures[driver+"/"+k.Name.Text] {
					sum.wrong++
				}
			}
			// 3. The row.
			stats := map[string]int64{}
			for _, x := range r.Stats {
				stats[x.Name] = x.Value
			}
			queries := stats["prover queries, abstraction"] + stats["prover queries, paths"]
			fmt.Printf("| %-16s | %5d | %-23s | %-9s | %10d | %8d | %8.1f | %9.1f |\n", driver, strings.Count(string(text), "\n"), k.Name.Text, s.Status(), stats["iterations"], queries, took.Seconds(), used.Seconds())
		}
	}
}
