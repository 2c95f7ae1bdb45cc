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
// undefined behaviour violates a property, the verdict must not be TRUE.

// coreMutation breaks the core program at one place before it is abstracted, as a
// fault of the abstraction would.
type coreMutation int

const (
	lostAssignment coreMutation = iota // an assignment does nothing
	lostResult                         // the result of a call is not stored
	lostConversion                     // it is stored without conversion
	lostCall                           // a call without result does nothing
	lostInput                          // an input keeps its old value
	lostBranch                         // one way out of a branch is closed
	numMutations
)

func (m coreMutation) String() string {
	return [...]string{"lost assignment", "lost result", "lost conversion",
		"lost call", "lost input", "lost branch"}[m]
}

// apply changes p at place k, counted from 0, and returns what takes the change back;
// nil if there is no such place. So one p serves for all places.
func (m coreMutation) apply(p *core.Program, k int) (undo func()) {
	here := func(applies bool) bool {
		if applies {
			k--
		}
		return applies && k < 0
	}
	for _, q := range p.Procs {
		for _, n := range q.Nodes {
			old := *n
			undo := func() { *n = old }
			switch s := n.Stmt.(type) {
			case *core.Assign:
				c, converts := s.Rhs[0].(*core.Conv)
				switch {
				case here(m == lostAssignment):
					n.Stmt = &core.Skip{}
				case here(m == lostConversion && converts && len(s.Rhs) == 1):
					n.Stmt = &core.Assign{Lhs: s.Lhs, Rhs: []core.Expr{c.X}}
				}
			case *core.Call:
				changed := *s
				switch {
				case here(m == lostResult && s.Lhs != nil):
					changed.Lhs, changed.ResultConv = nil, nil
					n.Stmt = &changed
				case here(m == lostConversion && s.ResultConv != nil):
					changed.ResultConv = nil
					n.Stmt = &changed
				case here(m == lostCall && s.Lhs == nil && s.Callee.HasBody()):
					n.Stmt = &core.Skip{}
				}
			case *core.Havoc:
				if here(m == lostInput && !s.Region) {
					n.Stmt = &core.Skip{}
				}
			case *core.Branch:
				if here(m == lostBranch && len(n.Succ) > 1) {
					n.Succ = n.Succ[:1]
				}
			}
			if k < 0 {
				return undo
			}
		}
	}
	return nil
}

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

// randomTally counts what a comparison did.
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
	n := testkit.Count(50, 3000)
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

// A fault of the abstraction proves programs that fail: faults of each kind are noticed.
func TestRandomProgramsMutations(t *testing.T) {
	t.Parallel()
	memo := prover.NewMemo()
	var failing [][]*frontend.Unit // variants that fail, by seed
	preds := func(seed int) string { return generateProgram(uint64(seed)).preds }
	for m := range numMutations {
		tried, seed := 0, 0
		for ; seed < 100; seed++ {
			if seed == len(failing) {
				failing = append(failing, failingVariants(t, uint64(seed)))
			}
			if noticed(t, m, failing[seed], preds(seed), memo, &tried) {
				t.Logf("%s: program %d fails and is proved, after %d trials", m, seed, tried)
				break
			}
		}
		if seed == 100 {
			t.Errorf("%s: not noticed in %d trials", m, tried)
		}
	}
}

func failingVariants(t *testing.T, seed uint64) (units []*frontend.Unit) {
	t.Helper()
	g := generateProgram(seed)
	for k := 1; k <= g.asserts; k++ {
		if u := loadText(t, g.variant(k, false)); failsInCore(u.Program, 20) {
			units = append(units, u)
		}
	}
	return units
}

// noticed reports whether one of units, which fail, is proved because of m. A fault that
// an execution still fails under is no use, so the interpreter chooses the places.
func noticed(t *testing.T, m coreMutation, units []*frontend.Unit, preds string, memo *prover.Memo, tried *int) bool {
	t.Helper()
	for _, u := range units {
		for k := 0; ; k++ {
			undo := m.apply(u.Program, k)
			if undo == nil {
				break
			}
			proved := false
			if !failsInCore(u.Program, 40) {
				*tried++
				proved = decideUnit(t, u, preds, memo).Verdict == verdict.True
			}
			undo()
			if proved {
				return true
			}
		}
	}
	return false
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
