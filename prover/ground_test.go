package prover

import (
	"context"
	"math/big"
	"testing"

	"c2bp/logic"
)

// This file asks only about conjunctions that are true: formulas, or their negations,
// as they are under values chosen first. Whatever Z3 makes of them, unsat is wrong.

// interpretation gives symbols the values and functions a fixed meaning.
func interpretation(vals map[*logic.Term]*big.Int) (func(*logic.Term) *big.Int, func(string, []*big.Int) *big.Int) {
	app := func(name string, args []*big.Int) *big.Int {
		if logic.HasMeaning(name) {
			return logic.Meaning(name, args)
		}
		return new(big.Int).And(args[0], big.NewInt(7)) // M and N of the generator
	}
	return func(s *logic.Term) *big.Int { return vals[s] }, app
}

// someValue is a value in the range of s, often at its end.
func (g *gen) someValue(s *logic.Term) *big.Int {
	v := big.NewInt(g.r.Int64N(24) - 8)
	switch {
	case g.r.IntN(4) == 0 && s.Lo != nil:
		v.Add(s.Lo, big.NewInt(g.r.Int64N(3)))
	case g.r.IntN(4) == 0 && s.Hi != nil:
		v.Sub(s.Hi, big.NewInt(g.r.Int64N(3)))
	}
	if s.Lo != nil && v.Cmp(s.Lo) < 0 || s.Hi != nil && v.Cmp(s.Hi) > 0 {
		v.Set(s.Lo)
	}
	return v
}

// nestedSum compares an ite of long sums: constants, summands with and without factors.
func (g *gen) nestedSum() *logic.Term {
	sum := func() *logic.Term {
		s := g.t.Int(g.r.Int64N(200) - 100)
		for range 2 + g.r.IntN(3) {
			s = g.t.Add(s, g.t.Scale(big.NewInt(g.r.Int64N(3)-1), g.value(1)))
		}
		return s
	}
	return g.t.Le(g.t.Ite(g.linear(), sum(), sum()), g.value(1))
}

// refuted counts true conjunctions that the prover calls unsatisfiable.
func refuted(programs uint64, dropSummand bool) (wrong, asked int) {
	for seed := range programs {
		g := newGen(seed, 4, seed%2 == 0)
		vals := map[*logic.Term]*big.Int{}
		for _, s := range g.syms {
			vals[s] = g.someValue(s)
		}
		sym, app := interpretation(vals)
		p := New(NewMemo(), Options{})
		p.z = newEncoder(p.limit)
		p.z.mutate.dropSummand = dropSummand
		for range 20 {
			var lits []*logic.Term
			for range 1 + g.r.IntN(5) {
				f := g.formula(3)
				if g.r.IntN(2) == 0 {
					f = g.nestedSum()
				}
				if f.Eval(sym, app).Sign() == 0 {
					f = g.t.Not(f)
				}
				lits = append(lits, f)
			}
			asked++
			if p.Check(context.Background(), lits, g.t) == Unsat {
				wrong++
			}
		}
		p.Close()
	}
	return wrong, asked
}

func TestTruthIsNotRefuted(t *testing.T) {
	programs := uint64(100)
	if testing.Short() {
		programs = 20
	}
	if wrong, asked := refuted(programs, false); wrong > 0 {
		t.Errorf("%d of %d true conjunctions called unsatisfiable", wrong, asked)
	} else {
		t.Logf("%d true conjunctions", asked)
	}
}

func TestTruthIsNotRefutedMutation(t *testing.T) {
	if wrong, asked := refuted(20, true); wrong == 0 {
		t.Errorf("sums that lack a summand were not noticed in %d conjunctions", asked)
	}
}
