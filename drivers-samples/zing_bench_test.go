package samples

import (
	"fmt"
	"math/bits"
	"runtime"
	"syscall"
	"testing"
	"time"

	"c2bp/internal/testkit"
	"c2bp/verdict"
)

// This file measures the exploration of the classic models in zing, beside SPIN.

// compared are the rows of the table: a model with many states of each kind.
var compared = []string{"alternating-bit/bit-8", "bakery/bakery-3", "bounded-buffer/semaphores-6", "peterson/filter-4",
	"philosophers/ordered-9", "readers-writers/lock-6", "stop-race/repaired-3", "treiber/counted-3", "two-phase-commit/commit-4",
	"philosophers/circle-9", "treiber/plain-3"}

// pace is how fast a search was.
type pace struct {
	verdict       string
	states, steps int
	seconds       float64 // of processor time, which other programs on the machine disturb less
	bytes         float64 // that a state takes
}

// String is a part of a row.
func (p pace) String() string {
	return fmt.Sprintf("%7s | %8d | %9d | %7.2f | %9.0f | %7.1f |", p.verdict, p.states, p.steps, p.seconds, float64(p.states)/p.seconds, p.bytes)
}

// ours returns the pace of the exploration: the fastest of some runs, as other work slows some.
func (c *classic) ours(b *testing.B, runs int) (p pace) {
	for i := range runs {
		runtime.GC()
		start := used(b)
		a := c.check(b, 1)
		took := used(b) - start
		if i == 0 || took < p.seconds {
			s := a.Search
			p = pace{a.Result.Verdict.String(), s.Stored, s.Transitions, took, float64(s.Bytes) / float64(s.Stored)}
		}
	}
	return p
}

// used returns the processor time that this process has used, in seconds.
func used(b *testing.B) float64 {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		b.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano()).Seconds()
}

// theirs returns the pace of SPIN's verifier, the fastest of some runs.
func (c *classic) theirs(b *testing.B, runs, states int) pace {
	r := c.spin(b, max(10, bits.Len(uint(states))), runs)
	v := verdict.True
	if r.errors > 0 {
		v = verdict.False
	}
	return pace{v.String(), r.states, r.steps, r.seconds, r.bytes}
}

// row prints ours beside theirs, if SPIN is there.
func (c *classic) row(b *testing.B, runs int) {
	ours := c.ours(b, runs)
	fmt.Printf("| %-28s | %s", c, ours)
	if testkit.Missing("spin", "gcc") == "" {
		theirs := c.theirs(b, runs, ours.states)
		fmt.Printf(" %s %5.2f |", theirs, float64(ours.states)/ours.seconds/(float64(theirs.states)/theirs.seconds))
	}
	fmt.Println()
}

// BenchmarkZing prints how fast the classic models are explored, and what a state takes, here and by SPIN.
func BenchmarkZing(b *testing.B) {
	for b.Loop() {
	}
	title("classic models")
	for _, list := range classics(b) {
		for _, c := range list {
			for _, name := range compared {
				if c.String() == name {
					c.row(b, 3)
				}
			}
		}
	}
	note()
}

// BenchmarkZingGrowth prints how both grow with the number of states, up to 10^6, and 10^7 in a long test.
func BenchmarkZingGrowth(b *testing.B) {
	for b.Loop() {
	}
	title("growth")
	last := 9
	if testkit.Long() {
		last = 11
	}
	for n := 6; n <= last; n++ {
		c := &classic{dir: "zing/philosophers", file: "ordered.zing", size: fmt.Sprint(n)}
		runs := 3
		if n > 9 {
			runs = 1
		}
		c.row(b, runs)
	}
	note()
}

// BenchmarkZingJobs prints how much less time several workers need: elapsed seconds, the least of some runs, and
// processor seconds of the same run.
func BenchmarkZingJobs(b *testing.B) {
	for b.Loop() {
	}
	fmt.Printf("| %-28s | %7s | %8s | %7s | %9s |\n", "workers", "workers", "states", "elapsed", "processor")
	for _, c := range []*classic{{dir: "zing/peterson", file: "filter.zing", size: "4"}, {dir: "zing/philosophers", file: "ordered.zing", size: "9"}} {
		for jobs := 1; jobs <= runtime.GOMAXPROCS(0); jobs *= 2 {
			var elapsed, processor float64
			states := 0
			for i := range 5 {
				runtime.GC()
				start, before := time.Now(), used(b)
				states = c.check(b, jobs).Search.Stored
				if took := time.Since(start).Seconds(); i == 0 || took < elapsed {
					elapsed, processor = took, used(b)-before
				}
			}
			fmt.Printf("| %-28s | %7d | %8d | %7.2f | %9.2f |\n", c, jobs, states, elapsed, processor)
		}
	}
}

// title prints the head of a table.
func title(name string) {
	const columns = "%7s | %8s | %9s | %7s | %9s | %7s |"
	head := func(who string) string {
		return fmt.Sprintf(columns, who, "states", "steps", "seconds", "states/s", "B/state")
	}
	fmt.Printf("| %-28s | %s %s %5s |\n", name, head("here"), head("SPIN"), "ratio")
}

// note explains the columns.
func note() {
	if tool := testkit.Missing("spin", "gcc"); tool != "" {
		fmt.Printf("| no comparison with SPIN: %s is not installed\n", tool)
		return
	}
	fmt.Print(`| SPIN's verifier is compiled with -O2 -DSAFETY -DNOREDUCE, and searches depth first; here breadth first.
| Seconds of processor time.
| Bytes: all tables of the search; SPIN's states and its hash table, which has up to two entries a state.
| Ratio: states a second here by those of SPIN. Of runs that end at a failure only the verdict says something.
`)
}
