package prover

import (
	"fmt"
	"math/big"
	"math/rand/v2"

	"c2bp/logic"
)

// This file generates random formulas for tests.

type gen struct {
	r    *rand.Rand
	t    *logic.Table
	syms []*logic.Term
	apps bool // also products, bit operations and memory regions
}

func newGen(seed uint64, syms int, apps bool) *gen {
	g := &gen{r: rand.New(rand.NewPCG(seed, 1)), t: logic.NewTable(), apps: apps}
	for i := range syms {
		var lo, hi *big.Int
		switch g.r.IntN(4) {
		case 0: // a range without 0
			lo, hi = big.NewInt(3), big.NewInt(9)
		case 1:
			lo, hi = new(big.Int), big.NewInt(255)
		case 2:
			lo, hi = big.NewInt(-1<<31), big.NewInt(1<<31-1)
		}
		g.syms = append(g.syms, g.t.Sym(fmt.Sprintf("x%d", i), lo, hi))
	}
	return g
}

func (g *gen) sym() *logic.Term { return g.syms[g.r.IntN(len(g.syms))] }

// value is a random integer term.
func (g *gen) value(depth int) *logic.Term {
	n := 6
	if g.apps {
		n = 9
	}
	if depth == 0 {
		n = 2
	}
	switch g.r.IntN(n) {
	case 0:
		return g.t.Int(g.r.Int64N(12) - 2)
	case 1:
		return g.sym()
	case 2, 3:
		k := big.NewInt(g.r.Int64N(5) - 2)
		return g.t.Add(g.t.Scale(k, g.value(depth-1)), g.value(depth-1))
	case 4:
		return g.t.Ite(g.formula(depth-1), g.value(depth-1), g.value(depth-1))
	case 5:
		switch k := big.NewInt(g.r.Int64N(4) + 2); g.r.IntN(3) {
		case 0:
			return g.t.Div(g.value(depth-1), k)
		case 1:
			return g.t.Mod(g.value(depth-1), k)
		default:
			return g.t.Wrap(g.value(depth-1), new(big.Int), big.NewInt(255))
		}
	case 6:
		return g.t.App("M", nil, nil, g.value(depth-1))
	case 7:
		return g.t.App("N", new(big.Int), big.NewInt(7), g.value(depth-1))
	default:
		fn := []string{logic.FnMul, logic.FnAnd, logic.FnOr, logic.FnXor, logic.FnShr, logic.FnRem}[g.r.IntN(6)]
		return g.t.Uninterpreted(fn, nil, nil, g.value(depth-1), g.value(depth-1))
	}
}

// formula is a random formula.
func (g *gen) formula(depth int) *logic.Term {
	if depth > 0 && g.r.IntN(3) == 0 {
		a, b := g.formula(depth-1), g.formula(depth-1)
		switch g.r.IntN(3) {
		case 0:
			return g.t.And(a, b)
		case 1:
			return g.t.Or(a, b)
		default:
			return g.t.Not(a)
		}
	}
	a, b := g.value(depth), g.value(depth)
	if g.r.IntN(2) == 0 {
		return g.t.Eq(a, b)
	}
	return g.t.Le(a, b)
}

// linear is a random comparison of a small linear sum, as predicates are.
func (g *gen) linear() *logic.Term {
	s := g.t.Int(g.r.Int64N(12) - 4)
	for range 1 + g.r.IntN(2) {
		k := []int64{1, 1, 1, -1, -1, 2}[g.r.IntN(6)]
		s = g.t.Add(s, g.t.Scale(big.NewInt(k), g.sym()))
	}
	if g.r.IntN(3) == 0 {
		return g.t.Eq(s, g.t.Int(0))
	}
	return g.t.Le(s, g.t.Int(0))
}

// scope is n predicates and a goal, none a constant at sight.
func (g *gen) scope(n int) (preds []*logic.Term, goal *logic.Term) {
	one := func() *logic.Term {
		for {
			f := g.linear()
			if g.apps && g.r.IntN(2) == 0 {
				f = g.formula(2)
			}
			if f != g.t.True && f != g.t.False {
				return f
			}
		}
	}
	for range n {
		preds = append(preds, one())
	}
	switch goal = one(); g.r.IntN(4) {
	case 0:
		goal = g.t.Or(goal, one())
	case 1:
		goal = g.t.And(g.t.Or(goal, one()), g.t.Or(one(), preds[0]))
	case 2:
		if g.r.IntN(3) == 0 {
			goal = preds[g.r.IntN(n)]
		}
	}
	return preds, goal
}
