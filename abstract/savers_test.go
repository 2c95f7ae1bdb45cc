package abstract

import (
	"context"
	"testing"

	"c2bp/frontend/core"
	"c2bp/internal/testkit"
	"c2bp/logic"
	"c2bp/prover"
	"c2bp/wp"
)

// scopeSize is the largest number of predicates in scope of a procedure.
func scopeSize(s *simulation) int {
	n := 0
	for _, sp := range s.procs {
		n = max(n, len(sp.preds))
	}
	return n
}

// hasConstant reports whether a predicate that does not look it is always true or
// false: an update of it is an assignment of a constant or, the same modulo the
// invariant, none.
func hasConstant(preds []*Predicate) bool {
	p := prover.New(nil, prover.Options{})
	defer p.Close()
	for _, q := range preds {
		t := logic.NewTable()
		f := wp.New(t, wp.OneRegion{}, 64).Cond(q.Expr)
		if p.Valid(context.Background(), f, t) || p.Valid(context.Background(), t.Not(f), t) {
			return true
		}
	}
	return false
}

// TestSaversRandom: on random programs with few predicates in scope, each
// work-saver off, a filled memo and several workers give the same text.
func TestSaversRandom(t *testing.T) {
	text := func(prog *core.Program, preds []*Predicate, opts Options) string {
		r, err := Program(context.Background(), prog, preds, opts)
		if err != nil {
			t.Fatal(err)
		}
		return r.Program.String()
	}
	programs, maxSaversScope := uint64(10), 6 // without the models 8 take minutes
	if testkit.Long() {
		programs, maxSaversScope = 100, 8
	}
	compared := 0
	for seed := uint64(5000); seed < 5000+programs; seed++ {
		prog, preds := generated(seed)
		s, err := newSimulation(prog, preds, Options{Jobs: 1})
		if err != nil {
			t.Fatal(err)
		}
		if scopeSize(s) > maxSaversScope || len(s.graph.Prog.Notes) > 0 { // notes: Z3 gave up on something
			continue
		}
		compared++
		want := s.graph.Prog.String()
		memo := prover.NewMemo()
		for name, opts := range map[string]Options{
			"untouched":  {Savers: Savers{NoUntouched: true}},
			"syntactic":  {Savers: Savers{NoSyntactic: true}},
			"cone":       {Savers: Savers{NoCone: true}},
			"pool":       {Savers: Savers{NoPool: true}},
			"memo":       {Savers: Savers{NoMemo: true}},
			"infeasible": {Savers: Savers{NoInfeasible: true}},
			"workers":    {Jobs: 3},
			"cold memo":  {Memo: memo},
			"warm memo":  {Memo: memo},
		} {
			if opts.Savers.NoUntouched && hasConstant(preds) {
				continue
			}
			if opts.Jobs == 0 {
				opts.Jobs = 1
			}
			if text(prog, preds, opts) != want {
				t.Errorf("program %d: another text without or with %s", seed, name)
			}
		}
	}
	if compared < 8 {
		t.Errorf("only %d programs were small enough", compared)
	}
	t.Logf("%d programs", compared)
}
