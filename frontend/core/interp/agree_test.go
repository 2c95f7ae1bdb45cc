package interp

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"c2bp/frontend/core"
	"c2bp/frontend/core/coregen"
)

// TestEvaluatorsAgree evaluates predicates over memory as the machine executes
// expressions and as [core.EvalIn] reads its states, all along random runs: where C
// defines the value, the two are equal.
func TestEvaluatorsAgree(t *testing.T) {
	defined, err := agree(150)
	if err != nil {
		t.Error(err)
	}
	if defined < 20000 {
		t.Errorf("only %d evaluations", defined)
	}
}

// agree returns how many evaluations were defined.
func agree(programs uint64) (defined int, err error) {
	for seed := range programs {
		p, preds := coregen.Generate(rand.New(rand.NewPCG(seed, 7)), coregen.Config{Memory: true, Preds: 8})
		machine := New(p, NewRandom(p, seed), Options{MaxFrames: 50, Ghosts: coregen.Ghosts(preds)})
		for machine.Steps() < 150 {
			f := machine.Top()
			state := f.State()
			for _, q := range preds {
				if q.Proc != nil && q.Proc != f.Proc() {
					continue
				}
				got, err := f.Eval(q.Expr)
				if err != nil {
					continue
				}
				defined++
				if want := core.EvalIn(q.Expr, state); got.Cmp(want) != 0 {
					return defined, fmt.Errorf("seed %d: %s is %s as executed and %s as a predicate\n%s",
						seed, core.ExprString(q.Expr), got, want, p)
				}
			}
			if e, err := machine.Step(); err != nil || e.Kind.Final() {
				break
			}
		}
	}
	return defined, nil
}

// TestGhosts looks at symbolic constants of what pointers lead to on entry, where a
// pointer may be null.
func TestGhosts(t *testing.T) {
	f := newProc("f", core.Void{})
	x := formal(f, "x", ptr)
	ghost := func(name string, e core.Expr) *core.Var {
		return &core.Var{Name: name, Type: e.Type(), Kind: core.Ghost, Proc: f, Init: e}
	}
	pointer, value := ghost("'x", x.Ref()), ghost("'*x", at(x.Ref(), 0, core.Int32))
	line(f, &core.Branch{}, set(x, core.Null(ptr)))
	f.Nodes[0].Succ = []int{1, 2}
	l := newLab()
	l.others = []*core.Proc{f}
	line(l.main, set(l.g, num(5)), &core.Call{Callee: f, Args: []core.Expr{addr(l.g)}},
		&core.Call{Callee: f, Args: []core.Expr{core.Null(ptr)}})
	m := New(program(t, l.globals, f, l.main), &script{pick: func(n []int) int { return n[0] }},
		Options{Ghosts: []*core.Var{pointer, value}})
	for _, null := range []bool{false, true} {
		for m.Top().Proc() != f || m.Top().Node() != f.Exit() {
			if _, err := m.Step(); err != nil {
				t.Fatal(err)
			}
		}
		through := core.EvalIn(at(pointer.Ref(), 0, core.Int32), m.Top().State())
		if m.Top().Value(value).Cmp(through) != 0 || !null && through.Int64() != 5 {
			t.Errorf("'*x = %s, *'x = %s", m.Top().Value(value), through)
		}
		if _, err := m.Step(); err != nil {
			t.Fatal(err)
		}
	}
}
