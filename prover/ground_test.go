package prover

import (
	"context"
	"math/big"
	"testing"

	"c2bp/logic"
	"c2bp/logic/logicgen"
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
func someValue(g *logicgen.Gen, s *logic.Term) *big.Int {
	v := big.NewInt(g.R.Int64N(24) - 8)
	switch {
	case g.R.IntN(4) == 0 && s.Lo != nil:
		v.Add(s.Lo, big.NewInt(g.R.Int64N(3)))
	case g.R.IntN(4) == 0 && s.Hi != nil:
		v.Sub(s.Hi, big.NewInt(g.R.Int64N(3)))
	}
	if s.Lo != nil && v.Cmp(s.Lo) < 0 || s.Hi != nil && v.Cmp(s.Hi) > 0 {
		v.Set(s.Lo)
	}
	return v
}

// nestedSum compares an ite of long sums: constants, summands with and without factors.
func nestedSum(g *logicgen.Gen) *logic.Term {
	sum := func() *logic.Term {
		s := g.T.Int(g.R.Int64N(200) - 100)
		for range 2 + g.R.IntN(3) {
			s = g.T.Add(s, g.T.Scale(big.NewInt(g.R.Int64N(3)-1), g.Value(1)))
		}
		return s
	}
	return g.T.Le(g.T.Ite(g.Linear(), sum(), sum()), g.Value(1))
}

// refuted counts true conjunctions that the prover calls unsatisfiable.
func refuted(programs uint64) (wrong, asked int) {
	for seed := range programs {
		g := logicgen.New(seed, 4, seed%2 == 0)
		vals := map[*logic.Term]*big.Int{}
		for _, s := range g.Syms {
			vals[s] = someValue(g, s)
		}
		sym, app := interpretation(vals)
		p := New(NewMemo(), Options{})
		p.z = newEncoder(p.limit)
		for range 20 {
			var lits []*logic.Term
			for range 1 + g.R.IntN(5) {
				f := g.Formula(3)
				if g.R.IntN(2) == 0 {
					f = nestedSum(g)
				}
				if f.Eval(sym, app).Sign() == 0 {
					f = g.T.Not(f)
				}
				lits = append(lits, f)
			}
			asked++
			if p.Check(context.Background(), lits, g.T) == Unsat {
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
	if wrong, asked := refuted(programs); wrong > 0 {
		t.Errorf("%d of %d true conjunctions called unsatisfiable", wrong, asked)
	} else {
		t.Logf("%d true conjunctions", asked)
	}
}
