package samples

import (
	"errors"
	"fmt"
	"testing"

	"c2bp/abstract"
	"c2bp/boolprog"
	"c2bp/checker"
	"c2bp/frontend/core/interp"
	"c2bp/internal/testkit"
	"c2bp/refine"
	"c2bp/source"
	"c2bp/verdict"
)

// This file decides the samples in refs, whose properties are about objects, by references.

// TestRefs: with the object predicates of their folders, safe samples are proved, and buggy ones fail where
// they should.
func TestRefs(t *testing.T) {
	t.Parallel()
	variants, err := Find("refs")
	if err != nil {
		t.Fatal(err)
	}
	translated := 0
	for _, v := range variants {
		t.Run(v.Name(), func(t *testing.T) {
			l, err := v.Load(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			r, err := l.Abstract(t.Context(), abstract.Options{Jobs: 1, Refs: true})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := boolprog.Check(r.Program); err != nil {
				t.Fatal(err)
			}
			a, err := checker.Analyse(t.Context(), r.Program, checker.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if finiteSays(t, r.Program, v) {
				translated++
			}
			got := a.Result.Verdict.String()
			if got != v.Want {
				t.Fatalf("%s, want %s", a.Result.Summary(), v.Want)
			}
			if v.Want == "TRUE" {
				return
			}
			if line := fmt.Sprint(a.Result.Sites[a.Result.Failed].Pos.Line); line != v.Line {
				t.Errorf("line %s fails, want line %s", line, v.Line)
			}
			if last := a.Result.Trace.Steps[len(a.Result.Trace.Steps)-1]; len(last.Heap) == 0 {
				t.Error("the trace shows no objects")
			}
		})
	}
	if translated < len(variants)/2 {
		t.Errorf("only %d of %d programs have a bounded number of objects", translated, len(variants))
	}
}

// finiteSays checks that the finite engine decides a program as it should, and reports whether the number of its
// objects has a bound.
func finiteSays(t *testing.T, p *boolprog.Program, v Variant) bool {
	a, err := checker.Analyse(t.Context(), p, checker.Options{Engine: "finite"})
	var refused source.List
	if errors.As(err, &refused) {
		return false
	}
	if err != nil {
		t.Fatal(err)
	}
	if got := a.Result.Verdict.String(); got != v.Want {
		t.Errorf("finite: %s, want %s", a.Result.Summary(), v.Want)
	} else if line := fmt.Sprint(a.Result.Sites[a.Result.Failed].Pos.Line); v.Want == "FALSE" && line != v.Line {
		t.Errorf("finite: line %s fails, want line %s", line, v.Line)
	}
	return true
}

// TestRefsAudited: without predicates, the audit decides all of them by references, in a few iterations.
func TestRefsAudited(t *testing.T) {
	t.Parallel()
	variants, err := Find("refs")
	if err != nil {
		t.Fatal(err)
	}
	kept := 0
	for _, v := range variants {
		l, err := v.Load(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		opts := smallWork
		opts.Refs = refine.RefsAuto
		o, err := refine.Audit(t.Context(), l.Unit.Program, opts)
		if err != nil {
			t.Fatal(err)
		}
		if got := o.Result.Verdict.String(); got != v.Want {
			t.Errorf("%s: %s, want %s", v.Name(), o.Result.Summary(), v.Want)
		}
		if at := o.Result.Sites[o.Result.Failed].Pos.Line; v.Want == "FALSE" && fmt.Sprint(at) != v.Line {
			t.Errorf("%s: line %d fails, want line %s", v.Name(), at, v.Line)
		}
		if v.Want == "TRUE" && len(o.Result.Kept) > 0 {
			kept++
		}
	}
	if kept < len(variants)/2-2 {
		t.Errorf("only %d of %d programs are proved by references", kept, len(variants)/2)
	}
}

// TestRefsRuns: random runs of the safe ones do not fail; some of the buggy ones do, where it is expected.
func TestRefsRuns(t *testing.T) {
	t.Parallel()
	variants, err := Find("refs")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range variants {
		l, err := v.Load(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		failed, runs := 0, testkit.Count[uint64](200, 20_000)
		if v.Want == "FALSE" {
			runs = 100_000 // or up to the first that fails
		}
		for seed := range runs {
			m := interp.New(l.Unit.Program, interp.NewRandom(l.Unit.Program, seed), interp.Options{Typed: true})
			ev, err := m.Run(t.Context(), 2000)
			var ub *interp.UBError
			var limit *interp.LimitError
			switch {
			case errors.As(err, &ub), errors.As(err, &limit):
				continue
			case err != nil:
				t.Fatalf("%s, seed %d: %v", v.Name(), seed, err)
			case ev.Kind != interp.Failed:
				continue
			}
			failed++
			line := fmt.Sprint(ev.Proc.Nodes[ev.Node].Pos.Line)
			if v.Want == verdict.True.String() || line != v.Line {
				t.Errorf("%s, seed %d: line %s fails", v.Name(), seed, line)
				break
			}
			if failed == 1 {
				break
			}
		}
		t.Logf("%s: %d runs fail", v.Name(), failed)
		if v.Want == "FALSE" && failed == 0 {
			t.Errorf("%s: no run fails", v.Name())
		}
	}
}
