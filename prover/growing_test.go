package prover

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"c2bp/logic"
)

// TestGrowing: random formulas over truth values, added one by one and taken out again, have the answers that they have
// together, and models in which they are true.
func TestGrowing(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(1, 2))
	p := New(nil, Options{NoMemo: true})
	defer p.Close()
	answers := map[Answer]int{}
	for range 60 {
		tab := logic.NewTable()
		literal := func() *logic.Term {
			f := tab.Le(tab.Int(1), tab.Sym(fmt.Sprint("b", rnd.IntN(6)), new(big.Int), big.NewInt(1)))
			if rnd.IntN(2) == 0 {
				f = tab.Not(f)
			}
			return f
		}
		clause := func() *logic.Term { return tab.Or(literal(), literal(), tab.And(literal(), literal())) }
		// 1. None to three formulas that stay.
		var first []*logic.Term
		for range rnd.IntN(4) {
			first = append(first, clause())
		}
		g := p.Grow(tab, first...)
		// 2. Others are added, until the conjunction is unsatisfiable, and taken out; twice.
		for range 2 {
			all := first[:len(first):len(first)]
			for range 25 {
				a, m := g.Model(context.Background())
				answers[a]++
				if want := p.Check(context.Background(), all, tab); a != want || g.Check(context.Background()) != want {
					t.Fatalf("%v, want %v", a, want)
				}
				if a == Sat && !m.satisfies(all) {
					t.Fatal("a formula is not true in the model")
				}
				f := clause()
				all = append(all, f)
				g.Add(f)
			}
			g.Reset()
		}
	}
	if answers[Sat] < 100 || answers[Unsat] < 100 || answers[Unknown] > 0 {
		t.Errorf("answers %v", answers)
	}
}

// TestGrowingCancelled: after an interrupt a conjunction has no answer.
func TestGrowingCancelled(t *testing.T) {
	t.Parallel()
	p := New(nil, Options{})
	defer p.Close()
	tab := logic.NewTable()
	g := p.Grow(tab, tab.Le(tab.Int(1), tab.Sym("b", new(big.Int), big.NewInt(1))))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if a := g.Check(ctx); a != Unknown || p.Err() == nil {
		t.Errorf("%v, %v", a, p.Err())
	}
	if a := g.Check(context.Background()); a != Unknown {
		t.Errorf("afterwards: %v", a)
	}
}
