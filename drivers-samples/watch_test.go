package samples

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"c2bp/frontend"
	"c2bp/internal/testkit"
	"c2bp/refine"
	"c2bp/source"
	"c2bp/verdict"
)

// This file decides the samples in watch, where a ghost pointer watches one object, without references.

// watchWork bounds the audits: five times the iterations and twice the queries that the ones in watched that
// are proved needed when they were measured, 11 and 3990.
var watchWork = refine.Options{Iterations: 55, Queries: 8000, Refs: refine.RefsNever}

// watched says of the safe samples which are proved within these bounds, and in an ordinary test, too. Of those
// that are not proved, ownership, split and typestate end for want of predicates, and the others have too many
// queries.
var watched = map[string]struct{ proved, ordinary bool }{
	"callback-context": {},
	"dispatcher":       {proved: true, ordinary: true},
	"nested":           {proved: true, ordinary: true},
	"nullness":         {proved: true, ordinary: true},
	"outside-list":     {proved: true, ordinary: true},
	"ownership":        {ordinary: true},
	"parent-child":     {},
	"pool":             {proved: true},
	"queue-move":       {},
	"split":            {},
	"swap-subobjects":  {proved: true, ordinary: true},
	"two-devices":      {proved: true},
	"two-paths-lock":   {proved: true},
	"typestate":        {ordinary: true},
}

// TestWatch: each buggy sample fails on the line that is expected. No safe one fails, and those are proved
// that watched says.
func TestWatch(t *testing.T) {
	t.Parallel()
	variants, err := Find("watch")
	if err != nil {
		t.Fatal(err)
	}
	if len(variants) != 2*len(watched) {
		t.Errorf("there are %d programs, and %d safe ones are known", len(variants), len(watched))
	}
	for _, v := range variants {
		known, ok := watched[v.Sample]
		if !ok {
			t.Errorf("%s is not known", v.Name())
		}
		isSafe := v.Want == verdict.True.String()
		if isSafe && !known.ordinary && !testkit.Long() {
			continue // takes seconds
		}
		r := v.audit(t, watchWork)
		switch got := r.Verdict.String(); {
		case !isSafe:
			if at := r.Sites[r.Failed].Pos.Line; got != v.Want || fmt.Sprint(at) != v.Line {
				t.Errorf("%s: %s, want %s, line %s", v.Name(), r.Summary(), v.Want, v.Line)
			}
		case known.proved && got != v.Want:
			t.Errorf("%s: %s, want %s", v.Name(), r.Summary(), v.Want)
		case !known.proved && r.Verdict != verdict.Unknown:
			t.Errorf("%s: %s, and watched says that it is undecided", v.Name(), r.Summary())
		}
	}
}

// audit decides v without predicates.
func (v Variant) audit(t *testing.T, opts refine.Options) *verdict.Result {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(v.Dir, v.File))
	if err != nil {
		t.Fatal(err)
	}
	u, err := frontend.Load(t.Context(), []*source.File{source.NewFile(v.File, text)}, frontend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	o, err := refine.Audit(t.Context(), u.Program, opts)
	if err != nil {
		t.Fatal(err)
	}
	return o.Result
}
