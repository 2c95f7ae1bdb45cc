package prover

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"c2bp/internal/testkit"
	"c2bp/logic"
	"c2bp/logic/logicgen"
)

// This file compares Z3's answers with enumeration of all states. Tests of spaces ask
// the same encoder twice, so they do not see what it does to a formula.

// small is a generator with symbols of small ranges, so that all states can be
// enumerated; two symbols share a name.
func small(seed uint64) *logicgen.Gen {
	g := &logicgen.Gen{R: rand.New(rand.NewPCG(seed, 2)), T: logic.NewTable(), Apps: seed%3 == 0}
	for _, s := range []struct {
		name   string
		lo, hi int64
	}{{"x", -2, 3}, {"y", 0, 4}, {"y", -4, -1}, {"z", 7, 9}, {"b", 0, 1}} {
		g.Syms = append(g.Syms, g.T.Sym(s.name, big.NewInt(s.lo), big.NewInt(s.hi)))
	}
	return g
}

// enumerate reports whether some state satisfies all formulas. Regions are fixed
// functions: with them, an answer of false means nothing.
func enumerate(g *logicgen.Gen, lits []*logic.Term) bool {
	app := func(name string, args []*big.Int) *big.Int {
		if logic.HasMeaning(name) {
			return logic.Meaning(name, args)
		}
		return new(big.Int).Mod(args[0], big.NewInt(7))
	}
	at := map[*logic.Term]*big.Int{}
	var try func(i int) bool
	try = func(i int) bool {
		if i == len(g.Syms) {
			for _, f := range lits {
				if f.Eval(func(s *logic.Term) *big.Int { return at[s] }, app).Sign() == 0 {
					return false
				}
			}
			return true
		}
		s := g.Syms[i]
		for v := new(big.Int).Set(s.Lo); v.Cmp(s.Hi) <= 0; v = new(big.Int).Add(v, big.NewInt(1)) {
			at[s] = v
			if try(i + 1) {
				return true
			}
		}
		return false
	}
	return try(0)
}

// wrongAnswers compares n random conjunctions. It returns the first wrong answer,
// and how many were satisfiable.
func wrongAnswers(n uint64) (wrong string, sat int) {
	p := New(nil, Options{})
	for seed := range n {
		g := small(seed)
		var lits []*logic.Term
		for range 1 + seed%4 {
			lits = append(lits, g.Formula(int(seed%5)))
		}
		state := enumerate(g, lits)
		if state {
			sat++
		}
		a := p.Check(background, lits, g.T)
		if a == Unsat && state || a == Sat && !state && !g.Apps {
			return fmt.Sprintf("seed %d: %v is %v, with a state: %v", seed, lits, a, state), sat
		}
	}
	return "", sat
}

func TestAnswersAreThoseOfEnumeration(t *testing.T) {
	n := testkit.Count[uint64](1500, 50000)
	wrong, sat := wrongAnswers(n)
	if wrong != "" {
		t.Error(wrong)
	}
	if n := int(n); sat < n/5 || sat > n*4/5 {
		t.Errorf("%d of %d are satisfiable: the test is lopsided", sat, n)
	}
}

// TestTruths: atoms about a truth value hold where its numbers say so, alone and in a sum with others.
func TestTruths(t *testing.T) {
	t.Parallel()
	p := New(nil, Options{})
	defer p.Close()
	tab := logic.NewTable()
	b := tab.Sym("b", new(big.Int), big.NewInt(1))
	x := tab.Sym("x", nil, nil)
	for k := int64(-2); k <= 2; k++ {
		for c := int64(-3); c <= 3; c++ {
			sum := tab.Add(tab.Scale(big.NewInt(k), b), tab.Int(c))
			for name, f := range map[string]*logic.Term{"<=": tab.Le(sum, tab.Int(0)), "=": tab.Eq(sum, tab.Int(0))} {
				for v := range int64(2) {
					want := Unsat
					if n := k*v + c; name == "<=" && n <= 0 || n == 0 {
						want = Sat
					}
					// x is b + 5, and so tells b as a number.
					fixed := tab.And(tab.Eq(x, tab.Add(b, tab.Int(5))), tab.Eq(x, tab.Int(5+v)))
					if a, m := p.Model(background, []*logic.Term{f, fixed}, tab); a != want {
						t.Errorf("%d*b + %d %s 0, b = %d: %v", k, c, name, v, a)
					} else if a == Sat {
						if n, ok := m.Value(b); !ok || n.Int64() != v {
							t.Errorf("b = %v in the model, not %d", n, v)
						}
					}
				}
			}
		}
	}
}
