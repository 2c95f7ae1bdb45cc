package checker

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"c2bp/verdict"
)

// This file measures what it costs to look up a summary.

const lookupRead = 13 // globals that a pattern consists of

// lookups is a program that calls p once for each value of a counter of some bits. Globals
// take over the lowest of these, so many as are distinct; p reads them and others, which are
// 0: so there are 2^distinct patterns of the same length, and the program is as large for
// any number. With a call of idle instead of p there is one pattern, which is empty.
func lookups(bits, distinct int, callee string) string {
	var b strings.Builder
	list := func(n int, between string, text func(i int) string) string {
		var all []string
		for i := range n {
			all = append(all, text(i))
		}
		return strings.Join(all, between)
	}
	global := func(i int) string { return fmt.Sprintf("g%d", i) }
	digit := func(i int) string { return fmt.Sprintf("c%d", i) }
	fmt.Fprintf(&b, "class Box { bool b; }\ndecl out, %s;\nvoid main() begin\n  decl %s;\n", list(lookupRead, ", ", global), list(bits, ", ", digit))
	b.WriteString(list(bits, "\n", func(i int) string { return fmt.Sprintf("  c%d := 0;", i) }))
	fmt.Fprintf(&b, "\n  while (1) do\n    %s := %s;\n    %s();\n    if (out) then skip; fi\n", list(lookupRead, ", ", global), list(lookupRead, ", ", func(i int) string {
		if i < distinct {
			return digit(i)
		}
		return "0"
	}), callee)
	b.WriteString(list(bits, "\n", func(i int) string { return fmt.Sprintf("    if (!c%[1]d) then c%[1]d := 1; else c%[1]d := 0;", i) }))
	b.WriteString("\n    assume(0); " + strings.Repeat("fi ", bits) + "\n  od\n  assert(0);\nend\n")
	fmt.Fprintf(&b, "void p() begin out := %s; end\nvoid idle() begin out := 0; end\n", list(lookupRead, " ^ ", global))
	return b.String()
}

// BenchmarkLookup prints what a call costs whose summary is there already, the step of the
// counter included, by the number of summaries of the procedure: it must not grow. For that
// the counter has one more bit, which makes all calls happen once more; what is told is the
// difference, in processor time, which does not depend on what else the machine does.
func BenchmarkLookup(b *testing.B) {
	for b.Loop() {
	}
	const bits = 15
	least := func(text string) (least time.Duration, a *Analysis) {
		for i := range 3 {
			before := processorTime(b)
			_, a = timed(b, text, Options{Engine: "explicit"}, 1)
			if took := processorTime(b) - before; i == 0 || took < least {
				least = took
			}
		}
		return least, a
	}
	fmt.Printf("| %-32s | %9s | %8s | %12s | %12s | %12s |\n", "calls that find a summary", "summaries", "calls", "all calls", "and again", "ns per call")
	for _, distinct := range []int{-1, 3, 7, 10, lookupRead} {
		callee, what := "p", fmt.Sprintf("%d Booleans are read", lookupRead)
		if distinct < 0 {
			callee, what = "idle", "nothing is read"
		}
		first, _ := least(lookups(bits, distinct, callee))
		twice, a := least(lookups(bits+1, distinct, callee))
		fmt.Printf("| %-32s | %9d | %8d | %12s | %12s | %12.0f |\n", what, counter(a, "summaries"), 1<<bits, first.Round(time.Millisecond), (twice - first).Round(time.Millisecond), float64(twice-first)/(1<<bits))
	}
}

// processorTime is what this process has used so far, outside of the system.
func processorTime(b *testing.B) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano())
}

// The procedure has as many summaries as the benchmark says, and is called as often.
func TestLookups(t *testing.T) {
	for _, distinct := range []int{0, 5} {
		_, a := timed(t, lookups(10, distinct, "p"), Options{Engine: "explicit"}, 1)
		if a.Result.Verdict != verdict.True || counter(a, "summaries") != 1<<distinct || counter(a, "summaries looked up") != 1<<10 {
			t.Errorf("%d bits: %s, %v", distinct, a.Result.Summary(), a.Result.Stats)
		}
	}
}
