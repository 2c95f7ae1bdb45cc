package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"c2bp/abstract"
	"c2bp/boolprog"
	"c2bp/checker"
	"c2bp/frontend"
	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
	"c2bp/internal/testkit"
	"c2bp/prover"
	"c2bp/source"
	"c2bp/verdict"
)

// This file holds verdicts against executions of random programs (e2e_gen_test.go):
// each program is executed many times by the interpreter of the core language, some
// also as compiled by gcc, and goes through the whole pipe. If an execution without
// undefined behaviour violates a property, the verdict must not be TRUE. The mutants in
// testdata/mutants are faults of the abstraction.

// loadText reads one C file.
func loadText(t *testing.T, text string) *frontend.Unit {
	t.Helper()
	u, err := frontend.Load(context.Background(), []*source.File{source.NewFile("in.c", []byte(text))}, frontend.Options{Whole: true})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return u
}

// decideUnit takes a program through the pipe; the Boolean program is written and
// read. Programs share the answers of the prover.
func decideUnit(t *testing.T, u *frontend.Unit, preds string, memo *prover.Memo) *verdict.Result {
	t.Helper()
	ctx := context.Background()
	fatal := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%v\n%s\n%s", err, u.Program.Files["in.c"].Text, preds)
		}
	}
	texts, err := abstract.ParsePredicates(source.NewFile("preds", []byte(preds)))
	fatal(err)
	a, err := abstract.Abstract(ctx, u.Program, texts, u, abstract.Options{Jobs: 1, MaxExact: 6, Memo: memo})
	fatal(err)
	bp, _, err := boolprog.Parse(source.NewFile("-", []byte(a.Program.String())), boolprog.ParseOptions{})
	fatal(err)
	_, err = boolprog.Check(bp)
	fatal(err)
	r, err := checker.Check(ctx, bp, checker.Options{})
	fatal(err)
	return r
}

// failsInCore executes p up to n times and reports whether a run violates a property.
// Runs that meet undefined behaviour or a limit tell nothing from there on.
func failsInCore(p *core.Program, n int) bool {
	for seed := range uint64(n) {
		m := interp.New(p, interp.NewRandom(p, seed), interp.Options{MaxFrames: 100})
		for {
			if f := m.Top(); f != nil && slices.Contains(f.Proc().Nodes[f.Node()].Labels, "ERROR") {
				return true
			}
			e, err := m.Step()
			if err != nil || m.Steps() > 500 || e.Kind.Final() && e.Kind != interp.Failed {
				break
			}
			if e.Kind == interp.Failed {
				return true
			}
		}
	}
	return false
}

// randomTally counts programs and their verdicts.
type randomTally struct {
	programs, failing        int // failing: an execution by the interpreter fails
	proved, refuted, unknown int
	compiled, failingInGCC   int
}

// variants chooses the assertions of a program worth checking: one that fails, and up
// to two that no run violates.
func variants(t *testing.T, g *generated, seed uint64) (units []*frontend.Unit, failing []bool) {
	t.Helper()
	counts := [2]int{}
	for k := 1; k <= g.asserts && len(units) < 3; k++ {
		u := loadText(t, g.variant(k, (seed+uint64(k))%2 == 0))
		fails := failsInCore(u.Program, 40)
		i, limit := 0, 2
		if fails {
			i, limit = 1, 1
		}
		if counts[i] < limit {
			counts[i]++
			units, failing = append(units, u), append(failing, fails)
		}
	}
	return units, failing
}

func TestRandomPrograms(t *testing.T) {
	t.Parallel()
	n := testkit.Count(24, 3000)
	var c randomTally
	memo := prover.NewMemo()
	w := newWorld(t)
	for seed := uint64(0); c.programs < n; seed++ {
		g := generateProgram(seed)
		units, failing := variants(t, g, seed)
		for i, u := range units {
			c.programs++
			text := string(u.Program.Files["in.c"].Text)
			r := decideUnit(t, u, g.preds, memo)
			c.count(r, failing[i])
			ran := false
			if c.programs%10 == 0 {
				c.compiled++
				if ran = failsCompiled(t, w, text); ran {
					c.failingInGCC++
				}
			}
			if r.Verdict == verdict.True && (failing[i] || ran) {
				t.Errorf("program %d: TRUE, but a run fails (core: %v, gcc: %v)\n%s\n%s", seed, failing[i], ran, text, g.preds)
			}
		}
	}
	t.Logf("%+v", c)
	if min(c.failing, c.programs-c.failing) < n/5 || min(c.proved, c.refuted) < n/10 {
		t.Errorf("the programs are too much alike: %+v", c)
	}
}

// TestRandomFailures: no program that fails in an execution is proved, whichever of its assertions
// it is that fails.
func TestRandomFailures(t *testing.T) {
	t.Parallel()
	memo := prover.NewMemo()
	failing := 0
	for seed := range testkit.Count[uint64](4, 100) {
		g := generateProgram(seed)
		for k := 1; k <= g.asserts; k++ {
			u := loadText(t, g.variant(k, false))
			if !failsInCore(u.Program, 20) {
				continue
			}
			failing++
			if r := decideUnit(t, u, g.preds, memo); r.Verdict == verdict.True {
				t.Errorf("program %d, assertion %d: TRUE, but a run fails\n%s\n%s", seed, k, u.Program.Files["in.c"].Text, g.preds)
			}
		}
	}
	t.Logf("%d programs fail", failing)
	if failing == 0 {
		t.Error("no program fails")
	}
}

func (c *randomTally) count(r *verdict.Result, fails bool) {
	if fails {
		c.failing++
	}
	switch r.Verdict {
	case verdict.True:
		c.proved++
	case verdict.False:
		c.refuted++
	default:
		c.unknown++
	}
}

// failsCompiled reports whether a run of the compiled program violates its property.
func failsCompiled(t *testing.T, w *world, text string) bool {
	t.Helper()
	file := filepath.Join(t.TempDir(), "in.c")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return w.run(t, 40, "main", file).failed > 0
}
