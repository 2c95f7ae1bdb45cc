package explicit

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"c2bp/internal/testkit"
)

// This file measures the search without summaries beside SPIN (Debian's package spin).

// bytesIndexed is what a state takes in a table beside its text: the place where it lies,
// the hash, and one to four slots of four bytes, of which we count two and a half.
const bytesIndexed = 12 + 4 + 10

// pace is how fast a search was.
type pace struct {
	states int
	steps  float64
	took   time.Duration
	bytes  float64 // that a state takes
}

// String is a part of a row: states, those a second, steps a second, bytes a state.
func (p pace) String() string {
	s := p.took.Seconds()
	return fmt.Sprintf("%9d | %9.0f | %9.0f | %7.0f |", p.states, float64(p.states)/s, p.steps/s, p.bytes)
}

// BenchmarkFlat prints how many states a second are searched, and what a state takes, here
// and by SPIN, on flat models.
func BenchmarkFlat(b *testing.B) {
	for b.Loop() {
	}
	missing := testkit.Missing("spin", "gcc")
	fmt.Printf("| %-46s | %9s | %9s | %9s | %7s | %11s | %9s | %9s | %9s | %7s |\n", "flat models", "states", "states/s", "steps/s", "B/state", "allocs/1000", "SPIN's", "states/s", "steps/s", "B/state")
	for _, m := range []flat{flips(15), counter(8), lock(9), ring(4)} {
		ours, allocated := wholePace(b, m)
		fmt.Printf("| %-46s | %s %11.1f |", m.name, ours, allocated)
		if missing == "" {
			theirs := spinPace(b, m)
			fmt.Printf(" %s", theirs)
		}
		fmt.Println()
	}
	if missing != "" {
		fmt.Printf("| no comparison with SPIN: %s is not installed\n", missing)
		return
	}
	fmt.Print(`| Here a state stands at each node, so there are more: in front of the goto, of a guard, of each
| assignment. SPIN's stand in front of the loop, where all guards are looked at, and between the
| assignments of one action. Cells are objects here, up to their names, and numbers in SPIN.
| Bytes: the canonical form and its index; the state vector with SPIN's overhead. Allocations are
| those of the translation and of growing tables, for 1,000 states. SPIN's time is that of its
| search, compiled with -O2 -DSAFETY -DNOREDUCE; ours has the translation in it.
`)
}

// wholePace is ours, the median of three runs, with the allocations for each 1,000 states.
func wholePace(b *testing.B, m flat) (pace, float64) {
	g := parsed(b, m.boolean())
	var w *Whole
	var times []time.Duration
	var before, after runtime.MemStats
	for range 3 {
		runtime.GC()
		runtime.ReadMemStats(&before)
		start := time.Now()
		var err error
		if w, err = SearchWhole(context.Background(), g, Options{}); err != nil {
			b.Fatal(err)
		}
		times = append(times, time.Since(start))
		runtime.ReadMemStats(&after)
	}
	slices.Sort(times)
	return pace{w.States, float64(w.Steps), times[1], float64(w.Bytes)/float64(w.States) + bytesIndexed}, float64(after.Mallocs-before.Mallocs) / float64(w.States) * 1000
}

var (
	spinStates = regexp.MustCompile(`(?m)^ *(\d+) states, stored`)
	spinSteps  = regexp.MustCompile(`(?m)^ *(\d+) transitions`)
	spinTime   = regexp.MustCompile(`pan: elapsed time ([\d.]+) seconds`)
	spinVector = regexp.MustCompile(`([\d.]+)\tequivalent memory usage for states`)
	spinErrors = regexp.MustCompile(`errors: (\d+)`)
)

// spinPace is SPIN's, the median of three runs of its verifier.
func spinPace(b *testing.B, m flat) pace {
	dir := b.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "m.pml"), []byte(m.promela()), 0o666); err != nil {
		b.Fatal(err)
	}
	run := func(name string, args ...string) string {
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			b.Fatalf("%s: %v\n%s", name, err, out)
		}
		return string(out)
	}
	run("spin", "-a", "m.pml")
	run("gcc", "-O2", "-DSAFETY", "-DNOREDUCE", "-w", "-o", "pan", "pan.c")
	var all []pace
	for range 3 {
		text := run("./pan", "-m5000000")
		number := func(r *regexp.Regexp) float64 {
			found := r.FindStringSubmatch(text)
			if found == nil {
				b.Fatalf("SPIN does not say %v:\n%s", r, text)
			}
			x, _ := strconv.ParseFloat(found[1], 64)
			return x
		}
		if number(spinErrors) != 0 {
			b.Fatalf("SPIN found errors:\n%s", text)
		}
		states := number(spinStates)
		all = append(all, pace{int(states), number(spinSteps), time.Duration(max(number(spinTime), .01) * 1e9), number(spinVector) * (1 << 20) / states})
	}
	slices.SortFunc(all, func(x, y pace) int { return int(x.took - y.took) })
	return all[1]
}
