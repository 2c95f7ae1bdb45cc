// Package logicgen makes random formulas for tests.
package logicgen

import (
	"fmt"
	"math/big"
	"math/rand/v2"

	"c2bp/logic"
)

// Gen makes random formulas over a few symbols. Equal states of R give equal formulas.
type Gen struct {
	R    *rand.Rand
	T    *logic.Table
	Syms []*logic.Term
	Apps bool // also products, bit operations and memory regions
}

// New returns a generator of formulas over that many symbols, of ranges that the seed decides.
func New(seed uint64, syms int, apps bool) *Gen {
	g := &Gen{R: rand.New(rand.NewPCG(seed, 1)), T: logic.NewTable(), Apps: apps}
	for i := range syms {
		var lo, hi *big.Int
		switch g.R.IntN(4) {
		case 0: // a range without 0
			lo, hi = big.NewInt(3), big.NewInt(9)
		case 1:
			lo, hi = new(big.Int), big.NewInt(255)
		case 2:
			lo, hi = big.NewInt(-1<<31), big.NewInt(1<<31-1)
		}
		g.Syms = append(g.Syms, g.T.Sym(fmt.Sprintf("x%d", i), lo, hi))
	}
	return g
}

// Sym returns one of the symbols.
func (g *Gen) Sym() *logic.Term { return g.Syms[g.R.IntN(len(g.Syms))] }

// Value returns a random integer term.
func (g *Gen) Value(depth int) *logic.Term {
	n := 6
	if g.Apps {
		n = 9
	}
	if depth == 0 {
		n = 2
	}
	switch g.R.IntN(n) {
	case 0:
		return g.T.Int(g.R.Int64N(12) - 2)
	case 1:
		return g.Sym()
	case 2, 3:
		k := big.NewInt(g.R.Int64N(5) - 2)
		return g.T.Add(g.T.Scale(k, g.Value(depth-1)), g.Value(depth-1))
	case 4:
		return g.T.Ite(g.Formula(depth-1), g.Value(depth-1), g.Value(depth-1))
	case 5:
		switch k := big.NewInt(g.R.Int64N(4) + 2); g.R.IntN(3) {
		case 0:
			return g.T.Div(g.Value(depth-1), k)
		case 1:
			return g.T.Mod(g.Value(depth-1), k)
		default:
			return g.T.Wrap(g.Value(depth-1), new(big.Int), big.NewInt(255))
		}
	case 6:
		return g.T.App("M", nil, nil, g.Value(depth-1))
	case 7:
		return g.T.App("N", new(big.Int), big.NewInt(7), g.Value(depth-1))
	default:
		fn := []string{logic.FnMul, logic.FnAnd, logic.FnOr, logic.FnXor, logic.FnShr, logic.FnRem}[g.R.IntN(6)]
		return g.T.Uninterpreted(fn, nil, nil, g.Value(depth-1), g.Value(depth-1))
	}
}

// Formula returns a random formula.
func (g *Gen) Formula(depth int) *logic.Term {
	if depth > 0 && g.R.IntN(3) == 0 {
		a, b := g.Formula(depth-1), g.Formula(depth-1)
		switch g.R.IntN(3) {
		case 0:
			return g.T.And(a, b)
		case 1:
			return g.T.Or(a, b)
		default:
			return g.T.Not(a)
		}
	}
	a, b := g.Value(depth), g.Value(depth)
	if g.R.IntN(2) == 0 {
		return g.T.Eq(a, b)
	}
	return g.T.Le(a, b)
}

// Linear returns a random comparison of a small linear sum, as predicates are.
func (g *Gen) Linear() *logic.Term {
	s := g.T.Int(g.R.Int64N(12) - 4)
	for range 1 + g.R.IntN(2) {
		k := []int64{1, 1, 1, -1, -1, 2}[g.R.IntN(6)]
		s = g.T.Add(s, g.T.Scale(big.NewInt(k), g.Sym()))
	}
	if g.R.IntN(3) == 0 {
		return g.T.Eq(s, g.T.Int(0))
	}
	return g.T.Le(s, g.T.Int(0))
}

// Scope returns n predicates and a goal, none a constant at sight.
func (g *Gen) Scope(n int) (preds []*logic.Term, goal *logic.Term) {
	one := func() *logic.Term {
		for {
			f := g.Linear()
			if g.Apps && g.R.IntN(2) == 0 {
				f = g.Formula(2)
			}
			if f != g.T.True && f != g.T.False {
				return f
			}
		}
	}
	for range n {
		preds = append(preds, one())
	}
	switch goal = one(); g.R.IntN(4) {
	case 0:
		goal = g.T.Or(goal, one())
	case 1:
		goal = g.T.And(g.T.Or(goal, one()), g.T.Or(one(), preds[0]))
	case 2:
		if g.R.IntN(3) == 0 {
			goal = preds[g.R.IntN(n)]
		}
	}
	return preds, goal
}

// Dense returns n random comparisons of linear sums over few symbols, all connected.
func Dense(t *logic.Table, n int, seed uint64) []*logic.Term {
	r := rand.New(rand.NewPCG(seed, uint64(n)))
	lo, hi := big.NewInt(-1<<31), big.NewInt(1<<31-1)
	var syms []*logic.Term
	for i := range 2 + n/4 {
		syms = append(syms, t.Sym(fmt.Sprintf("v%d", i), lo, hi))
	}
	var fs []*logic.Term
	for len(fs) < n {
		s := t.Int(r.Int64N(20) - 10)
		for range 1 + r.IntN(2) {
			s = t.Add(s, t.Scale(big.NewInt(r.Int64N(5)-2), syms[r.IntN(len(syms))]))
		}
		f := t.Le(s, t.Int(0))
		if r.IntN(4) == 0 {
			f = t.Eq(s, t.Int(0))
		}
		if f != t.True && f != t.False {
			fs = append(fs, f)
		}
	}
	return fs
}

// Pigeons returns the pigeonhole problem, a conjunction that is unsatisfiable; with 14 holes it
// keeps Z3 busy for minutes.
func Pigeons(t *logic.Table, holes int) []*logic.Term {
	var fs []*logic.Term
	var in [][]*logic.Term
	for i := 0; i <= holes; i++ {
		var row []*logic.Term
		for j := range holes {
			row = append(row, t.Lt(t.Int(0), t.App("in", nil, nil, t.Int(int64(i)), t.Int(int64(j)))))
		}
		in = append(in, row)
		fs = append(fs, t.Or(row...))
	}
	for j := range holes {
		for i := range in {
			for k := range i {
				fs = append(fs, t.Or(t.Not(in[i][j]), t.Not(in[k][j])))
			}
		}
	}
	return fs
}
