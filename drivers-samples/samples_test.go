package samples

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"c2bp/abstract"
	"c2bp/boolprog"
	"c2bp/checker"
	"c2bp/frontend/core"
	"c2bp/internal/testkit"
	"c2bp/prover"
	"c2bp/source"
	"c2bp/verdict"
)

// each runs f on every variant of every sample.
func each(t *testing.T, f func(*testing.T, Variant, *Loaded)) {
	t.Helper()
	all, err := Find(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range all {
		t.Run(v.Name(), func(t *testing.T) {
			l, err := v.Load(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			f(t, v, l)
		})
	}
}

// first is the abstraction of l as users get it. It is made once for all tests.
func first(t *testing.T, v Variant, l *Loaded) *abstract.Result {
	t.Helper()
	if r, ok := firsts[v.Name()]; ok {
		return r
	}
	r, err := l.Abstract(context.Background(), abstract.Options{})
	if err != nil {
		t.Fatal(err)
	}
	firsts[v.Name()] = r
	return r
}

var firsts = map[string]*abstract.Result{}

func (l *Loaded) text(t *testing.T, opts abstract.Options) string {
	t.Helper()
	r, err := l.Abstract(context.Background(), opts)
	if err != nil {
		t.Fatal(err)
	}
	return r.Program.String()
}

func check(t *testing.T, p *boolprog.Program) *verdict.Result {
	t.Helper()
	if _, err := boolprog.Check(p); err != nil {
		t.Fatal(err)
	}
	r, err := checker.Check(context.Background(), p, checker.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestVerdicts: the expected verdict, the same from the program in memory and from its
// text, with the same trace.
func TestVerdicts(t *testing.T) {
	each(t, func(t *testing.T, v Variant, l *Loaded) {
		if err := core.Validate(l.Unit.Program); err != nil {
			t.Fatal(err)
		}
		r := first(t, v, l)
		direct := check(t, r.Program)
		text, _, err := boolprog.Parse(source.NewFile("-", []byte(r.Program.String())), boolprog.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		piped := check(t, text)
		for _, got := range []*verdict.Result{direct, piped} {
			if got.Verdict.String() != v.Want {
				t.Fatalf("%s, want %s", got.Summary(), v.Want)
			}
			if v.Want != "FALSE" {
				continue
			}
			if line := fmt.Sprint(got.Sites[got.Failed].Pos.Line); line != v.Line {
				t.Errorf("line %s fails, want line %s", line, v.Line)
			}
		}
		if d := traceDifference(direct.Trace, piped.Trace); d != "" {
			t.Error("the trace through the pipe is another: " + d)
		}
	})
}

// traceDifference describes the first step at which two traces differ.
func traceDifference(a, b *verdict.Trace) string {
	if a == nil || b == nil {
		if a == b {
			return ""
		}
		return "there is one only here or there"
	}
	for i := range min(len(a.Steps), len(b.Steps)) {
		if !reflect.DeepEqual(a.Steps[i], b.Steps[i]) {
			return fmt.Sprintf("step %d: %+v, then %+v", i, a.Steps[i], b.Steps[i])
		}
	}
	if len(a.Steps) != len(b.Steps) {
		return fmt.Sprintf("%d steps, then %d", len(a.Steps), len(b.Steps))
	}
	return ""
}

// TestDeterminism: the text depends neither on the number of workers nor on caches.
func TestDeterminism(t *testing.T) {
	large, small := 0, 0
	each(t, func(t *testing.T, v Variant, l *Loaded) {
		if r := first(t, v, l); heavy(r) {
			if large++; large%6 == 1 && v.File == "safe.c" { // every third sample
				if got, want := l.text(t, abstract.Options{Jobs: 1}), r.Program.String(); got != want {
					t.Errorf("1 worker: another text\n%s", firstDifference(want, got))
				}
			}
			return
		}
		if v.File == "buggy.c" && !testkit.Long() {
			return // which is the same text but for a line
		}
		if small++; small%2 != 1 && !testkit.Long() {
			return // every other one
		}
		memo := prover.NewMemo()
		r, err := l.Abstract(context.Background(), abstract.Options{Jobs: 1, Memo: memo})
		if err != nil {
			t.Fatal(err)
		}
		want := r.Program.String()
		if memo.Len() == 0 {
			t.Log("nothing was asked of the prover")
		}
		manners := map[string]abstract.Options{
			"8 workers":             {Jobs: 8},
			"warm cache, 2 workers": {Jobs: 2, Memo: memo},
		}
		if testkit.Long() {
			manners["2 workers"] = abstract.Options{Jobs: 2}
			manners["warm cache"] = abstract.Options{Jobs: 1, Memo: memo}
			manners["a second run, 1 worker"] = abstract.Options{Jobs: 1}
		}
		for name, opts := range manners {
			if got := l.text(t, opts); got != want {
				t.Errorf("%s: another text\n%s", name, firstDifference(want, got))
			}
		}
	})
}

func firstDifference(a, b string) string {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(as), len(bs)) {
		if as[i] != bs[i] {
			return fmt.Sprintf("line %d: %q, then %q", i+1, as[i], bs[i])
		}
	}
	return "one is longer"
}

// saver is a work-saver switched off.
type saver struct {
	name string
	off  abstract.Savers
}

var savers = []saver{
	{"all on", abstract.Savers{}},
	{"no untouched", abstract.Savers{NoUntouched: true}},
	{"no syntactic", abstract.Savers{NoSyntactic: true}},
	{"no cone", abstract.Savers{NoCone: true}},
	{"no pool", abstract.Savers{NoPool: true}},
	{"no memo", abstract.Savers{NoMemo: true}},
	{"no infeasible", abstract.Savers{NoInfeasible: true}},
}

// maxScope is the largest number of predicates in scope of a procedure for which all
// cubes over all of them can be tried: without the cone of influence, and without
// models, that is what the search amounts to.
const maxScope = 8

// heavy reports whether an abstraction is too much work to be repeated many times but
// in the long tests.
func heavy(r *abstract.Result) bool {
	return !testkit.Long() && r.Stats.Prover.Queries > 1000
}

// small lists the procedures of l with few predicates in scope.
func (l *Loaded) small(r *abstract.Result) map[string]bool {
	out := map[string]bool{}
	limit := maxScope
	if heavy(r) {
		limit = 4
	}
	for _, p := range r.Program.Procs {
		if n := len(r.Program.Globals) + len(p.Params) + predicates(p.Locals); n <= limit {
			out[p.Name] = true
		}
	}
	return out
}

// predicates counts the variables that stand for predicates, not for values that are passed.
func predicates(vs []*boolprog.Var) int {
	n := 0
	for _, v := range vs {
		if strings.HasPrefix(v.Name, "{") {
			n++
		}
	}
	return n
}

// TestSavers: with each work-saver off, the procedures with few predicates are
// abstracted to the same text (the covers are defined by what holds, not by how it
// was found; were they not, they would have to be equivalent modulo the invariant).
// Ordinarily each sample is tried with every third one, in turn.
func TestSavers(t *testing.T) {
	compared, sample := 0, 0
	each(t, func(t *testing.T, v Variant, l *Loaded) {
		if v.File != "safe.c" {
			return
		}
		small := l.small(first(t, v, l))
		only := func(p *core.Proc) bool { return small[p.Name] }
		want := l.text(t, abstract.Options{Only: only})
		compared += len(small)
		sample++
		for i, s := range savers[1:] {
			if !testkit.Long() && (sample+i)%3 > 0 {
				continue
			}
			if got := l.text(t, abstract.Options{Only: only, Savers: s.off}); got != want {
				t.Errorf("%s: another text\n%s", s.name, firstDifference(want, got))
			}
		}
	})
	if compared < 50 {
		t.Errorf("only %d procedures were small enough to be compared", compared)
	}
	t.Logf("%d procedures compared", compared)
}

// BenchmarkSavers prints how many queries the prover is asked with each work-saver off,
// over the procedures of TestSavers.
func BenchmarkSavers(b *testing.B) {
	all, err := Find(".")
	if err != nil {
		b.Fatal(err)
	}
	for _, s := range savers {
		b.Run(strings.ReplaceAll(s.name, " ", "-"), func(b *testing.B) {
			var queries, procs int64
			for range b.N {
				queries, procs = 0, 0
				for _, v := range all {
					if v.File != "safe.c" {
						continue
					}
					l, err := v.Load(context.Background())
					if err != nil {
						b.Fatal(err)
					}
					r, err := l.Abstract(context.Background(), abstract.Options{Jobs: 1, Only: func(*core.Proc) bool { return false }})
					if err != nil {
						b.Fatal(err)
					}
					small := l.small(r)
					procs += int64(len(small))
					r, err = l.Abstract(context.Background(), abstract.Options{Jobs: 1, Savers: s.off, Only: func(p *core.Proc) bool { return small[p.Name] }})
					if err != nil {
						b.Fatal(err)
					}
					queries += r.Stats.Prover.Queries
				}
			}
			b.ReportMetric(float64(queries), "queries")
			b.ReportMetric(float64(procs), "procs")
		})
	}
}

// BenchmarkSamples is the whole way for each sample: C to verdict.
func BenchmarkSamples(b *testing.B) {
	all, err := Find(".")
	if err != nil {
		b.Fatal(err)
	}
	for _, v := range all {
		b.Run(v.Name(), func(b *testing.B) {
			var queries int64
			for range b.N {
				l, err := v.Load(context.Background())
				if err != nil {
					b.Fatal(err)
				}
				r, err := l.Abstract(context.Background(), abstract.Options{})
				if err != nil {
					b.Fatal(err)
				}
				queries = r.Stats.Prover.Queries
				if _, err := boolprog.Check(r.Program); err != nil {
					b.Fatal(err)
				}
				if _, err := checker.Check(context.Background(), r.Program, checker.Options{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(queries), "queries")
		})
	}
}

// BenchmarkCheck is the check alone of the abstraction of each sample, and of all one
// after the other.
func BenchmarkCheck(b *testing.B) {
	all, err := Find(".")
	if err != nil {
		b.Fatal(err)
	}
	programs := map[string]*boolprog.Program{}
	for _, v := range all {
		l, err := v.Load(context.Background())
		if err != nil {
			b.Fatal(err)
		}
		r, err := l.Abstract(context.Background(), abstract.Options{})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := boolprog.Check(r.Program); err != nil {
			b.Fatal(err)
		}
		programs[v.Name()] = r.Program
	}
	run := func(v Variant) {
		r, err := checker.Check(context.Background(), programs[v.Name()], checker.Options{})
		if err != nil || r.Verdict.String() != v.Want {
			b.Fatal(r, err)
		}
	}
	for _, v := range all {
		b.Run(v.Name(), func(b *testing.B) {
			for b.Loop() {
				run(v)
			}
		})
	}
	b.Run("all", func(b *testing.B) {
		for b.Loop() {
			for _, v := range all {
				run(v)
			}
		}
	})
}
