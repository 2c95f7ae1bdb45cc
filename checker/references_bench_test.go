package checker

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"c2bp/verdict"
)

// This file measures the explicit engine beside the figures of Qadeer–Rajamani 2005.

// objectChain is Fig. 10 of Qadeer–Rajamani 2005, unrolled n times, with its objects: every level keeps
// a clone of g, changes g.x and puts it back.
func objectChain(n int, fails bool) string {
	var b strings.Builder
	want := "g.x"
	if fails {
		want = "!g.x"
	}
	fmt.Fprintf(&b, `class Foo { bool x; }
ref Foo g;
void main() begin
    g := new Foo;
    m0();
    if (%s) then
        reach: skip;
    fi
end
ref Foo Clone(ref Foo this) begin
    ref Foo t;
    t := new Foo;
    t.x := this.x;
    return t;
end
`, want)
	for i := range n {
		fmt.Fprintf(&b, `void m%d() begin
    ref Foo f;
    decl b;
    f := Clone(g);
    b := *;
    g.x := b;
    m%d();
    assert(g.x = b);
    g.x := f.x;
end
`, i, i+1)
	}
	fmt.Fprintf(&b, "void m%d() begin skip; end\n", n)
	return b.String()
}

// published are the seconds of Qadeer–Rajamani 2005, Table 2; 0 is more than ten minutes.
var published = []struct {
	n             int
	without, with float64
}{
	{5, .942, .928}, {10, 1.944, .942}, {15, 44.949, .988}, {20, 0, 1.059}, {30, 0, 1.191}, {40, 0, 1.268}, {50, 0, 1.435},
	{60, 0, 1.644}, {70, 0, 1.848}, {80, 0, 2.121}, {90, 0, 2.484}, {100, 0, 2.848}, {200, 0, 7.772},
}

// timed is the median of some runs from graph to verdict, and the last analysis.
func timed(t testing.TB, text string, opts Options, runs int) (time.Duration, *Analysis) {
	t.Helper()
	var a *Analysis
	var times []time.Duration
	for range runs {
		p := parse(t, "t.bp", text)
		runtime.GC()
		start := time.Now()
		var err error
		if a, err = Analyse(context.Background(), p, opts); err != nil {
			t.Fatal(err)
		}
		times = append(times, time.Since(start))
	}
	slices.Sort(times)
	return times[len(times)/2], a
}

// BenchmarkObjectChain prints Table 2 of Qadeer–Rajamani 2005 with our times beside it, then the growth
// up to n = 10,000, which must be linear.
func BenchmarkObjectChain(b *testing.B) {
	for b.Loop() {
	}
	fmt.Printf("| %-32s | %6s | %12s | %12s | %12s | %12s | %9s |\n", "Fig. 10 of Qadeer–Rajamani 2005 with objects", "n", "without", "paper's", "with", "paper's", "summaries")
	for _, row := range published {
		text := objectChain(row.n, false)
		without, theirs := "", "> 10 min"
		if row.without > 0 {
			took, _ := timed(b, text, Options{NoSummaries: true}, 1)
			without, theirs = took.Round(10*time.Microsecond).String(), fmt.Sprintf("%.3f s", row.without)
		}
		took, a := timed(b, text, Options{}, 5)
		if a.Result.Verdict != verdict.True {
			b.Fatalf("n = %d: %s", row.n, a.Result.Summary())
		}
		fmt.Printf("| %-32s | %6d | %12s | %12s | %12s | %10.3f s | %9d |\n", "", row.n, without, theirs, took.Round(10*time.Microsecond), row.with, counter(a, "summaries"))
	}
	command := buildCommand(b)
	fmt.Printf("| %-32s | %6s | %-7s | %12s | %6s | %8s |\n", "", "n", "verdict", "process", "growth", "peak")
	for _, n := range []int{1250, 2500, 5000, 10_000} {
		for _, fails := range []bool{false, true} {
			whole := measureProcess(b, command, objectChain(n/2, fails), objectChain(n, fails), fails)
			word := "TRUE"
			if fails {
				word = "FALSE"
			}
			fmt.Printf("| %-32s | %6d | %-7s | %12s | %6.2f | %5d MB |\n", "", n, word, whole.time.Round(100*time.Microsecond), whole.growth, whole.peak>>20)
		}
	}
}

func counter(a *Analysis, name string) int64 {
	for _, s := range a.Result.Stats {
		if s.Name == name {
			return s.Value
		}
	}
	return -1
}

// The chain has the verdict that it is made for, with summaries and without, and two
// summaries for each level but the first and the last.
func TestObjectChain(t *testing.T) {
	for _, n := range []int{2, 5, 40} {
		for _, fails := range []bool{false, true} {
			_, a := timed(t, objectChain(n, fails), Options{Reach: "reach"}, 1)
			if (a.Result.Verdict == verdict.False) != fails {
				t.Errorf("n = %d, fails: %v: %s", n, fails, a.Result.Summary())
			}
			_, a = timed(t, objectChain(n, fails), Options{}, 1)
			if a.Result.Verdict != verdict.True {
				t.Errorf("n = %d: %s", n, a.Result.Summary())
			}
			if got, want := counter(a, "summaries"), int64(2*n+2); got != want {
				t.Errorf("n = %d: %d summaries, want %d", n, got, want)
			}
		}
	}
	_, a := timed(t, objectChain(5, false), Options{NoSummaries: true}, 1)
	if a.Result.Verdict != verdict.True {
		t.Errorf("without summaries: %s", a.Result.Summary())
	}
}
