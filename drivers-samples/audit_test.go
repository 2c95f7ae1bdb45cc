package samples

import (
	"sync"
	"testing"

	"c2bp/drivers-samples/small"
	"c2bp/frontend"
	"c2bp/internal/testkit"
	"c2bp/refine"
	"c2bp/refine/harness"
	"c2bp/source"
	"c2bp/verdict"
)

// smallWork bounds the work of an audit of a small program: five times the work that any of them
// needed when they were measured, 7 iterations and 841 queries.
var smallWork = refine.Options{Iterations: 35, Queries: 4200}

// audited returns the small programs of a test run: every other pair or, in a long test, all.
func audited() (programs []small.Program) {
	for i, p := range small.Programs() {
		if testkit.Long() || i%4 < 2 {
			programs = append(programs, p)
		}
	}
	return programs
}

// TestAuditSmall: without predicates, every small program is decided with a bounded amount of work,
// and no verdict is wrong.
func TestAuditSmall(t *testing.T) {
	programs := audited()
	var mu sync.Mutex
	right := 0
	t.Run("programs", func(t *testing.T) {
		for _, p := range programs {
			t.Run(p.Name, func(t *testing.T) {
				t.Parallel()
				r := auditSmall(t, p)
				mu.Lock()
				defer mu.Unlock()
				switch {
				case r.Verdict == verdict.Unknown:
					t.Log(r.Summary())
				case r.Verdict.String() != p.Want || r.Verdict == verdict.False && r.Sites[r.Failed].Pos.Line != p.Line:
					t.Errorf("%s, want %s %d", r.Summary(), p.Want, p.Line)
				default:
					right++
				}
			})
		}
	})
	t.Logf("%d of %d programs are decided", right, len(programs))
	if right < len(programs) {
		t.Errorf("only %d of %d programs are decided", right, len(programs))
	}
}

func auditSmall(t *testing.T, p small.Program) *verdict.Result {
	t.Helper()
	files := []*source.File{source.NewFile(p.Name+".c", []byte(p.Text))}
	u, err := frontend.Load(t.Context(), files, frontend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	opts := smallWork
	opts.Files, opts.Harness = files, &harness.Options{}
	o, err := refine.Audit(t.Context(), u.Program, opts)
	if err != nil {
		t.Fatal(err)
	}
	return o.Result
}
