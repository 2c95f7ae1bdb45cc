package checker

import (
	"fmt"
	"testing"
	"time"

	"c2bp/boolprog/bpgen"
	"c2bp/verdict"
)

// This file measures how patterns let summaries be used again, on a program in the shape of
// the transaction manager of Qadeer–Rajamani 2005, §7.

// BenchmarkTransactions prints how many summaries are computed and how often they are looked
// up, with patterns and with whole visible states instead, beside the figures of the seed.
func BenchmarkTransactions(b *testing.B) {
	for b.Loop() {
	}
	fmt.Printf("| %-22s | %-14s | %-7s | %9s | %9s | %9s | %9s | %10s |\n", "transaction manager", "patterns", "verdict", "summaries", "paper's", "look-ups", "paper's", "time")
	for _, bug := range []bool{false, true} {
		name, want := "without bug", verdict.True
		if bug {
			name, want = "with bug", verdict.False
		}
		text := bpgen.TransactionManager(bpgen.TransactionConfig{Bug: bug})
		for _, whole := range []bool{false, true} {
			took, a := timed(b, text, Options{WholeStates: whole}, 1)
			if a.Result.Verdict != want {
				b.Fatalf("%s: %s", name, a.Result.Summary())
			}
			patterns, theirs, looked := "on", "1125", "528982"
			if whole {
				patterns, theirs, looked = "off", "56881", "557752"
			}
			if bug {
				theirs, looked = "", ""
			}
			fmt.Printf("| %-22s | %-14s | %-7s | %9d | %9s | %9d | %9s | %10s |\n", name, patterns, a.Result.Verdict,
				counter(a, "summaries"), theirs, counter(a, "summaries looked up"), looked, took.Round(10*time.Millisecond))
		}
	}
}

// A small one has the verdicts that it is made for, and fewer summaries with patterns.
func TestTransactions(t *testing.T) {
	for _, bug := range []bool{false, true} {
		text := bpgen.TransactionManager(bpgen.TransactionConfig{Operations: 12, Unrelated: -1, Locals: -1, Bug: bug})
		_, with := timed(t, text, Options{}, 1)
		_, without := timed(t, text, Options{WholeStates: true}, 1)
		for _, a := range []*Analysis{with, without} {
			if (a.Result.Verdict == verdict.False) != bug || a.Result.Verdict == verdict.Unknown {
				t.Errorf("bug: %v, %s", bug, a.Result.Summary())
			}
		}
		if n, m := counter(with, "summaries"), counter(without, "summaries"); n*2 > m {
			t.Errorf("%d summaries with patterns, %d without", n, m)
		}
	}
}
