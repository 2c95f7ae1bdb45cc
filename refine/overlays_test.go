package refine

import (
	"fmt"
	"testing"

	"c2bp/frontend"
	"c2bp/frontend/cgen"
	"c2bp/frontend/core"
	"c2bp/internal/testkit"
	"c2bp/source"
	"c2bp/verdict"
)

// This file holds verdicts against all runs of programs whose memory is written as many
// types (cgen.GenerateOverlays), and of programs that look at bytes (cgen.GenerateBytes).

// overlaysOf makes a safe and an unsafe program of what generate makes of a seed; none if no
// run is of use.
func overlaysOf(t *testing.T, generate func(uint64) *cgen.Overlays, seed uint64) []cgen.Claim {
	t.Helper()
	claims, err := generate(seed).Claims(t.TempDir(), seed)
	if err != nil {
		t.Fatal(err)
	}
	return claims
}

// overlaysTally counts what became of programs.
type overlaysTally struct {
	unused, safe, unsafe, proved, refuted, wrong int
	first                                        string // of the wrong ones
}

// auditOverlays audits the programs that generate makes of n seeds. With change, which breaks
// programs, it stops when that is noticed.
func auditOverlays(t *testing.T, generate func(uint64) *cgen.Overlays, n uint64, queries int64, change func(*core.Program)) (tally overlaysTally) {
	t.Helper()
	for seed := range n {
		if change != nil && tally.wrong > 0 {
			break
		}
		cases := overlaysOf(t, generate, seed)
		if cases == nil {
			tally.unused++
		}
		for _, c := range cases {
			unit, err := frontend.Load(t.Context(), []*source.File{source.NewFile("p.c", []byte(c.Text))}, frontend.Options{})
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, c.Text)
			}
			if change != nil {
				change(unit.Program)
			}
			o, err := Audit(t.Context(), unit.Program, Options{Iterations: 8, Queries: queries})
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, c.Text)
			}
			v := o.Result.Verdict
			switch {
			case c.Fails:
				tally.unsafe++
			default:
				tally.safe++
			}
			switch {
			case v == verdict.True && c.Fails, v == verdict.False && !c.Fails:
				if tally.wrong++; tally.first == "" {
					tally.first = fmt.Sprintf("seed %d: %s\n%s", seed, o.Result.Summary(), c.Text)
				}
			case v == verdict.True:
				tally.proved++
			case v == verdict.False:
				tally.refuted++
			}
		}
	}
	return tally
}

// TestOverlays: no TRUE of a program that fails in a run, no FALSE of one that fails in none,
// and no panic.
func TestOverlays(t *testing.T) {
	testkit.NeedGCC(t)
	tally := auditOverlays(t, cgen.GenerateOverlays, uint64(testkit.Count(16, 1000)), int64(testkit.Count(2000, 10_000)), nil)
	first := tally.first
	tally.first = ""
	t.Logf("%+v", tally)
	if first != "" {
		t.Error(first)
	}
	if tally.proved < tally.safe/4 || tally.refuted < tally.unsafe/4 || tally.unused > testkit.Count(10, 400) {
		t.Errorf("too little is decided: %+v", tally)
	}
}

// TestOverlaysForgotten: that what is written as a type whose values are not represented
// leaves memory as it is shows in a verdict.
func TestOverlaysForgotten(t *testing.T) {
	testkit.NeedGCC(t)
	// Of the first seeds, 42 is the one that notices it.
	generate := func(seed uint64) *cgen.Overlays { return cgen.GenerateOverlays(seed + 40) }
	tally := auditOverlays(t, generate, 160, 500, func(p *core.Program) {
		for _, q := range p.Procs {
			for _, n := range q.Nodes {
				if h, ok := n.Stmt.(*core.Havoc); ok && len(h.Locs) == 1 {
					if _, opaque := h.Locs[0].Type().(core.Opaque); opaque {
						n.Stmt = &core.Skip{}
					}
				}
			}
		}
	})
	t.Logf("%+v", tally)
	if tally.wrong == 0 {
		t.Errorf("nothing was noticed: %+v", tally)
	}
}

// TestBytes: likewise, of programs that read memory in another size or at another offset than
// it was written.
func TestBytes(t *testing.T) {
	testkit.NeedGCC(t)
	tally := auditOverlays(t, cgen.GenerateBytes, uint64(testkit.Count(8, 300)), 2000, nil)
	first := tally.first
	tally.first = ""
	t.Logf("%+v", tally)
	if first != "" {
		t.Error(first)
	}
	if tally.proved < tally.safe/4 || tally.refuted < tally.unsafe/4 || tally.unused > testkit.Count(5, 100) {
		t.Errorf("too little is decided: %+v", tally)
	}
}

// TestBytesForgotten: that stores of single bytes leave memory as it is shows in a verdict.
func TestBytesForgotten(t *testing.T) {
	testkit.NeedGCC(t)
	tally := auditOverlays(t, cgen.GenerateBytes, 60, 500, func(p *core.Program) {
		for _, q := range p.Procs {
			for _, n := range q.Nodes {
				if a, ok := n.Stmt.(*core.Assign); ok && len(a.Lhs) == 1 && core.Bytes(a.Lhs[0].Type()) == 1 {
					n.Stmt = &core.Skip{}
				}
			}
		}
	})
	t.Logf("%+v", tally)
	if tally.wrong == 0 {
		t.Errorf("nothing was noticed: %+v", tally)
	}
}
