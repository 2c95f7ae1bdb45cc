package samples

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"c2bp/drivers-samples/small"
	"c2bp/frontend"
	"c2bp/internal/testkit"
	"c2bp/refine"
	"c2bp/refine/harness"
	"c2bp/source"
	"c2bp/verdict"
)

// long are pairs of small programs that are not decided soon.
var long = map[string]bool{"mutual": true}

// audited lists the small programs of a test run, and how many of them are known to be
// decided within ten seconds.
func audited() (programs []small.Program, decided int) {
	all := small.Programs()
	if testkit.Long() {
		return all, len(all) - 1 // one of them not on a busy machine
	}
	for i, p := range all {
		if name, _, _ := strings.Cut(strings.TrimSuffix(p.Name, "-unsafe"), "-safe"); !long[name] && i%4 < 2 {
			programs = append(programs, p)
		}
	}
	return programs, len(programs)
}

// TestAuditSmall: without predicates, no verdict on a small program is wrong, and as many
// are found as before.
func TestAuditSmall(t *testing.T) {
	programs, decided := audited()
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
	if right < decided {
		t.Errorf("only %d of %d programs are decided; there were %d", right, len(programs), decided)
	}
}

func auditSmall(t *testing.T, p small.Program) *verdict.Result {
	t.Helper()
	files := []*source.File{source.NewFile(p.Name+".c", []byte(p.Text))}
	u, err := frontend.Load(t.Context(), files, frontend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	o, err := refine.Audit(ctx, u.Program, refine.Options{Files: files, Harness: &harness.Options{}})
	if err != nil {
		t.Fatal(err)
	}
	return o.Result
}
