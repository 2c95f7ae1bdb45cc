package prover

import (
	"context"
	"math/big"
	"math/rand/v2"
	"testing"

	"c2bp/logic"
)

// countFormula makes a formula about the ones in x and y, numbers of width bits.
func countFormula(rng *rand.Rand, t *logic.Table, x, y *logic.Term, width int) *logic.Term {
	value := func() *logic.Term {
		return []*logic.Term{x, y, t.Add(x, t.Int(1)), t.Sub(x, y)}[rng.IntN(4)]
	}
	count := func() *logic.Term {
		return t.Uninterpreted(logic.OnesName(width), new(big.Int), big.NewInt(int64(width)), value())
	}
	size := int64(1) << width
	switch rng.IntN(6) {
	case 0:
		return t.Le(value(), t.Int(rng.Int64N(size)))
	case 1:
		return t.Eq(value(), t.Int(rng.Int64N(size)))
	case 2:
		return t.Eq(t.Mod(x, big.NewInt(4)), t.Int(rng.Int64N(4)))
	case 3:
		return t.Eq(count(), t.Int(rng.Int64N(int64(width)+1)))
	case 4:
		return t.Le(count(), count())
	}
	return t.Le(count(), t.Int(rng.Int64N(int64(width))))
}

// TestOnes: queries about counts of ones are answered as trying all numbers says, and none is
// left open.
func TestOnes(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	answers := map[Answer]int{}
	p := New(nil, Options{})
	defer p.Close()
	for range 150 {
		tab := logic.NewTable()
		const width = 5
		lo, hi := int64(0), int64(1<<width-1)
		if rng.IntN(2) == 0 {
			lo, hi = -1<<(width-1), 1<<(width-1)-1
		}
		x, y := tab.Sym("x", big.NewInt(lo), big.NewInt(hi)), tab.Sym("y", big.NewInt(lo), big.NewInt(hi))
		var lits []*logic.Term
		for range 2 + rng.IntN(4) {
			f := countFormula(rng, tab, x, y, width)
			if rng.IntN(2) == 0 {
				f = tab.Not(f)
			}
			lits = append(lits, f)
		}
		all := tab.And(lits...)
		want := Unsat
		for a := lo; a <= hi && want == Unsat; a++ {
			for b := lo; b <= hi && want == Unsat; b++ {
				value := func(s *logic.Term) *big.Int {
					if s == x {
						return big.NewInt(a)
					}
					return big.NewInt(b)
				}
				if all.Eval(value, logic.Meaning).Sign() != 0 {
					want = Sat
				}
			}
		}
		got, values := p.CheckModel(context.Background(), lits, tab, lits)
		if got != want {
			t.Errorf("%s: got %v, want %v", all, got, want)
		}
		for i, v := range values {
			if !v {
				t.Errorf("%s is false in a model of %s", lits[i], all)
			}
		}
		answers[got]++
	}
	if answers[Sat] < 30 || answers[Unsat] < 30 {
		t.Errorf("%v: that says little", answers)
	}
}

// TestWideOnes: what takes long as a sum of bits is decided with facts.
func TestWideOnes(t *testing.T) {
	tab := logic.NewTable()
	top := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 64), big.NewInt(1))
	var sat, unsat []*logic.Term
	for i, name := range []string{"a", "b", "c", "d", "e", "f"} {
		x := tab.Sym(name, new(big.Int), top)
		n := tab.Uninterpreted(logic.OnesName(64), new(big.Int), big.NewInt(64), x)
		sat = append(sat, tab.Eq(n, tab.Int(int64(5*i+7))), tab.Not(tab.Eq(x, tab.Int(1<<(5*i+7)-1))))
		unsat = append(unsat, tab.Lt(tab.Int(61), n))
		if i == 5 {
			unsat = append(unsat, tab.Le(x, tab.Sub(tab.Big(top), tab.Int(8))), tab.Eq(n, tab.Int(64)))
		}
	}
	p := New(nil, Options{})
	defer p.Close()
	if a := p.Check(context.Background(), sat, tab); a != Sat {
		t.Errorf("numbers with some ones: %v", a)
	}
	if a := p.Check(context.Background(), unsat, tab); a != Unsat {
		t.Errorf("a number with all ones that is not the greatest: %v", a)
	}
}
