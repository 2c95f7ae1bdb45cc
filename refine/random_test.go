package refine

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"c2bp/frontend"
	"c2bp/internal/testkit"
	"c2bp/refine/harness"
	"c2bp/refine/technique"
	"c2bp/source"
	"c2bp/verdict"
)

// trial is what came of one random program.
type trial struct {
	seed    uint64
	text    string
	truth   truth
	verdict verdict.Verdict
	reason  string // of Unknown
	status  map[string]int
	wrong   []string
	time    time.Duration
}

func (x trial) fails() bool { return x.truth.failed > 0 }

// manner is how a program is audited.
type manner struct {
	proof   bool  // random runs take no part: they find what fails before a wrong rule can hide it
	all     bool  // every property is to be decided, of programs that have some more
	queries int64 // most prover queries; 0 is no limit
	most    int   // refinements; 0 is the ordinary bound
}

// try holds what the audit says of the program of a seed against its runs, if these are
// of use.
func try(t *testing.T, seed uint64, m manner, of func(truth) bool) trial {
	t.Helper()
	g := generate(seed)
	if m.all {
		g = generateWith(seed, 3)
	}
	r := compile(t, g)
	defer os.RemoveAll(filepath.Dir(r.path)) // programs may be many in one test
	runs := testkit.Count(60_000, 1_000_000)
	cs := choose(g, r.all(t, seed, runs, make([]comparison, len(g.probes))))
	text, at := render(g, cs)
	x := trial{seed: seed, text: text, truth: r.all(t, seed, runs, cs), status: map[string]int{}}
	if !of(x.truth) {
		return x
	}
	files := []*source.File{source.NewFile("random.c", []byte(text))}
	u, err := frontend.Load(t.Context(), files, frontend.Options{})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	start := time.Now()
	// Runs with random inputs find what fails before a broken rule can say that it does not.
	without := technique.Set{}
	if m.proof || seed%2 == 0 {
		without = technique.Of(technique.Fuzzing)
	}
	// Two of three look at the properties one by one as soon as they can.
	o, err := Audit(t.Context(), u.Program, Options{Queries: m.queries, Files: files, Harness: &harness.Options{}, All: m.all, Iterations: m.most, Without: without, large: int64(seed % 3)})
	x.time = time.Since(start)
	if err != nil {
		x.complain("an error: %v", err)
		return x
	}
	x.verdict, x.reason = o.Result.Verdict, o.Result.Reason
	for _, s := range o.Result.Sites {
		x.status[s.Status()]++
	}
	x.judge(t, o, r, cs, at)
	return x
}

func anything(truth) bool     { return true }
func canFail(x truth) bool    { return x.failed > 0 }
func cannotFail(x truth) bool { return x.complete && x.failed == 0 && x.ended > 0 }

func (x *trial) complain(format string, args ...any) {
	x.wrong = append(x.wrong, fmt.Sprintf(format, args...))
}

// judge looks for what the outcome says that is not so.
func (x *trial) judge(t *testing.T, o *Outcome, r *runner, cs []comparison, at []int) {
	for _, s := range o.Result.Sites {
		k := slices.Index(at, s.Pos.Line)
		if k < 0 {
			x.complain("there is no check in line %d", s.Pos.Line)
			continue
		}
		switch c := x.truth.checks[k]; {
		case s.Failed && x.truth.complete && c.failed == 0:
			x.complain("line %d fails in none of all runs", s.Pos.Line)
		case !s.Failed && !s.Open && c.failed > 0:
			x.complain("line %d can fail: %s", s.Pos.Line, strings.Join(c.inputs, " "))
		}
	}
	for _, f := range o.Failures {
		line := o.Result.Sites[f.Site].Pos.Line
		if f.Recording != nil && r.failsOn(t, cs, f.Recording.Inputs) != slices.Index(at, line) {
			x.complain("line %d does not fail on the inputs of the run", line)
		}
		if h := f.Compiled; h != nil && h.Result != harness.Reproduced {
			x.complain("line %d fails although the compiled program says: %s", line, h)
		}
	}
}

// each tries the programs of n seeds, two at a time.
func each(t *testing.T, n int, m manner) []trial {
	t.Helper()
	var mu sync.Mutex
	var all []trial
	t.Run("programs", func(t *testing.T) {
		for seed := range uint64(n) {
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel()
				x := try(t, seed, m, anything)
				t.Logf("%s in %v, runs fail: %v. %s", x.verdict, x.time, x.fails(), x.reason)
				for _, w := range x.wrong {
					t.Errorf("%s: %s\n%s", x.verdict, w, x.text)
				}
				mu.Lock()
				defer mu.Unlock()
				all = append(all, x)
			})
		}
	})
	slices.SortFunc(all, func(a, b trial) int { return cmp.Compare(a.seed, b.seed) })
	return all
}

// No TRUE of a program that fails in a run, and no FALSE of a check that fails in none.
func TestRandom(t *testing.T) {
	testkit.NeedGCC(t)
	n := testkit.Count(14, 1000)
	tally, reasons := map[string]int{}, map[string]int{}
	decided, complete := 0, 0
	var longest, all time.Duration
	for _, x := range each(t, n, manner{queries: int64(testkit.Count(400, 5000))}) {
		tally[fmt.Sprintf("%s, runs fail: %v", x.verdict, x.fails())]++
		if x.truth.complete {
			complete++
		}
		if x.verdict == verdict.Unknown {
			reasons[kindOf(x.reason)]++
		} else {
			decided++
		}
		longest, all = max(longest, x.time), all+x.time
	}
	t.Logf("%d programs, %d of them with all runs; audits took %v, the longest %v", n, complete, all, longest)
	logTable(t, tally)
	logTable(t, reasons)
	if decided < testkit.Count(3, 333) || complete < n/2 {
		t.Errorf("of %d programs only %d are decided, only %d have all runs", n, decided, complete)
	}
}

// With all properties to be decided: none that holds fails in a run, and each that fails does
// so again on the inputs of its own run.
func TestRandomAll(t *testing.T) {
	testkit.NeedGCC(t)
	n := testkit.Count(6, 500)
	tally, more := map[string]int{}, 0
	for _, x := range each(t, n, manner{all: true, queries: int64(testkit.Count(2000, 8000)), most: testkit.Count(3, 20)}) {
		for s, k := range x.status {
			tally[s] += k
		}
		if x.status["fails"] > 1 {
			more++
		}
	}
	logTable(t, tally)
	t.Logf("in %d of %d programs more than one property fails", more, n)
	if more < testkit.Count(0, 50) || tally["fails"] < n/4 || tally["holds"] < n/2 {
		t.Errorf("of %d programs only %d have several failures; %d properties fail, %d hold", n, more, tally["fails"], tally["holds"])
	}
}

var particular = regexp.MustCompile(`\S*\d\S*`)

// kindOf is a reason without its particulars.
func kindOf(reason string) string { return particular.ReplaceAllString(reason, "…") }

func logTable(t *testing.T, counts map[string]int) {
	t.Helper()
	keys := slices.SortedFunc(maps.Keys(counts), func(a, b string) int { return counts[b] - counts[a] })
	for _, k := range keys {
		t.Logf("%5d  %s", counts[k], k)
	}
}

// TestRandomShown: programs that are decided wrongly if a rule is broken (testdata/mutants of this
// package and of others) are decided rightly. An ordinary test has one program for each rule.
func TestRandomShown(t *testing.T) {
	t.Parallel()
	testkit.NeedGCC(t)
	for _, x := range []struct {
		rule  string
		all   bool
		of    func(truth) bool
		seeds []uint64
	}{
		{"unsigned arithmetic wraps", false, canFail, []uint64{152, 300, 220}},
		{"pointers reach variables", false, canFail, []uint64{17, 81, 277}},
		{"runs are replayed", false, cannotFail, []uint64{91, 143}},
		{"runs of further failures are replayed", true, anything, []uint64{19}},
		{"not only the nearest failure counts", true, canFail, []uint64{0}},
	} {
		for _, seed := range x.seeds[:testkit.Count(1, len(x.seeds))] {
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				y := try(t, seed, manner{proof: true, all: x.all, queries: 1500}, x.of)
				for _, w := range y.wrong {
					t.Errorf("%s: %s: %s", x.rule, y.verdict, w)
				}
			})
		}
	}
}
