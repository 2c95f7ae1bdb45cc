package logic

import (
	"fmt"
	"math/big"
	"math/rand/v2"
)

// This file makes random terms together with what they mean by plain arithmetic.

// env gives values to symbols, by number.
type env []*big.Int

// pair is a term and its meaning, computed without package logic.
type pair struct {
	term  *Term
	value func(env) *big.Int
}

type gen struct {
	r    *rand.Rand
	t    *Table
	syms []pair
}

// intervals are those of C's types, and some odd ones.
func intervals() [][2]*big.Int {
	pow := func(n uint) *big.Int { return new(big.Int).Lsh(one, n) }
	less1 := func(v *big.Int) *big.Int { return v.Sub(v, one) }
	neg := func(v *big.Int) *big.Int { return v.Neg(v) }
	return [][2]*big.Int{
		{nil, nil},
		{new(big.Int), big.NewInt(1)},
		{new(big.Int), big.NewInt(255)},
		{big.NewInt(-128), big.NewInt(127)},
		{neg(pow(31)), less1(pow(31))},
		{new(big.Int), less1(pow(32))},
		{neg(pow(63)), less1(pow(63))},
		{new(big.Int), less1(pow(64))},
		{big.NewInt(3), big.NewInt(9)},
		{big.NewInt(-7), big.NewInt(-2)},
		{big.NewInt(1), nil},
	}
}

func newGen(seed uint64) *gen { return newGenIn(NewTable(), seed) }

func newGenIn(t *Table, seed uint64) *gen {
	g := &gen{r: rand.New(rand.NewPCG(seed, 0)), t: t}
	all := intervals()
	for i := range 4 {
		in := all[g.r.IntN(len(all))]
		g.syms = append(g.syms, pair{g.t.Sym(fmt.Sprintf("x%d", i), in[0], in[1]), func(e env) *big.Int { return e[i] }})
	}
	return g
}

// number is a number of C: small, or near the end of a type.
func (g *gen) number() *big.Int {
	v := big.NewInt(g.r.Int64N(11) - 5)
	if g.r.IntN(3) == 0 {
		all := intervals()
		if end := all[g.r.IntN(len(all))][g.r.IntN(2)]; end != nil {
			v.Add(v, end)
		}
	}
	return v
}

// inside brings v into a range.
func inside(v, lo, hi *big.Int) *big.Int {
	switch {
	case lo != nil && hi != nil:
		size := new(big.Int).Sub(hi, lo)
		size.Add(size, one)
		v = new(big.Int).Sub(v, lo)
		return v.Add(v.Mod(v, size), lo)
	case lo != nil && v.Cmp(lo) < 0:
		return lo
	}
	return v
}

// env is a random assignment within the ranges.
func (g *gen) env() env {
	var e env
	for _, s := range g.syms {
		e = append(e, inside(g.number(), s.term.Lo, s.term.Hi))
	}
	return e
}

func (e env) eval(f *Term, syms []pair) *big.Int {
	at := map[*Term]*big.Int{}
	for i, s := range syms {
		at[s.term] = e[i]
	}
	return f.Eval(func(s *Term) *big.Int { return at[s] }, Meaning)
}

// value is a random integer term.
func (g *gen) value(depth int) pair {
	t := g.t
	switch n := g.r.IntN(9); {
	case depth == 0 || n == 0:
		if g.r.IntN(3) == 0 {
			v := g.number()
			return pair{t.Big(v), func(env) *big.Int { return v }}
		}
		return g.syms[g.r.IntN(len(g.syms))]
	case n < 3:
		a, b, k := g.value(depth-1), g.value(depth-1), g.number()
		sum := func(e env) *big.Int {
			v := new(big.Int).Mul(k, b.value(e))
			return v.Add(a.value(e), v)
		}
		return pair{t.Add(a.term, t.Scale(k, b.term)), sum}
	case n == 3:
		c, a, b := g.formula(depth-1), g.value(depth-1), g.value(depth-1)
		return pair{t.Ite(c.term, a.term, b.term), func(e env) *big.Int {
			if c.value(e).Sign() != 0 {
				return a.value(e)
			}
			return b.value(e)
		}}
	case n < 6:
		return g.division(g.value(depth - 1))
	case n == 6:
		all := intervals()[1:8]
		in, a := all[g.r.IntN(len(all))], g.value(depth-1)
		return pair{t.Wrap(a.term, in[0], in[1]), func(e env) *big.Int { return inside(a.value(e), in[0], in[1]) }}
	default:
		a, b := g.value(depth-1), g.value(depth-1)
		fn := []string{FnMul, FnQuo, FnRem, FnAnd, FnOr, FnXor, FnShl, FnShr}[g.r.IntN(8)]
		return pair{t.Uninterpreted(fn, nil, nil, a.term, b.term), func(e env) *big.Int { return reference(fn, a.value(e), b.value(e)) }}
	}
}

// division is a division of a by a constant.
func (g *gen) division(a pair) pair {
	k := inside(g.number(), one, nil)
	s := new(big.Int).Set(k)
	if g.r.IntN(2) == 0 {
		s.Neg(s)
	}
	r := func() *big.Int { return new(big.Int) }
	switch g.r.IntN(4) {
	case 0:
		return pair{g.t.Div(a.term, k), func(e env) *big.Int { return floor(a.value(e), k) }}
	case 1:
		return pair{g.t.Mod(a.term, k), func(e env) *big.Int { return r().Sub(a.value(e), r().Mul(k, floor(a.value(e), k))) }}
	case 2:
		return pair{g.t.Quo(a.term, s), func(e env) *big.Int { return r().Quo(a.value(e), s) }}
	default:
		return pair{g.t.Rem(a.term, s), func(e env) *big.Int { return r().Rem(a.value(e), s) }}
	}
}

// floor is a/k rounded down, by truncation and correction.
func floor(a, k *big.Int) *big.Int {
	q, r := new(big.Int).QuoRem(a, k, new(big.Int))
	if r.Sign() < 0 {
		q.Sub(q, one)
	}
	return q
}

// reference says in other words than Meaning what the functions mean.
func reference(fn string, a, b *big.Int) *big.Int {
	r := new(big.Int)
	shift := b.Sign() >= 0 && b.Cmp(big.NewInt(63)) <= 0
	power := new(big.Int)
	if shift {
		power.Exp(big.NewInt(2), b, nil)
	}
	switch fn {
	case FnMul:
		return r.Mul(a, b)
	case FnQuo:
		if b.Sign() == 0 {
			return r
		}
		return r.Quo(a, b)
	case FnRem:
		if b.Sign() == 0 {
			return a
		}
		return r.Sub(a, r.Mul(r.Quo(a, b), b))
	case FnAnd:
		return r.And(a, b)
	case FnOr: // a + b - (a & b)
		return r.Sub(r.Add(a, b), new(big.Int).And(a, b))
	case FnXor: // (a | b) - (a & b)
		return r.Sub(new(big.Int).Or(a, b), new(big.Int).And(a, b))
	case FnShl:
		return r.Mul(a, power)
	case FnShr:
		if !shift {
			return r
		}
		return floor(a, power)
	}
	panic(fn)
}

// formula is a random formula; its value is 0 or 1.
func (g *gen) formula(depth int) pair {
	t := g.t
	if depth > 0 && g.r.IntN(2) == 0 {
		a, b := g.formula(depth-1), g.formula(depth-1)
		and := func(e env) bool { return a.value(e).Sign() != 0 && b.value(e).Sign() != 0 }
		or := func(e env) bool { return a.value(e).Sign() != 0 || b.value(e).Sign() != 0 }
		switch g.r.IntN(4) {
		case 0:
			return pair{t.And(a.term, b.term), bit(and)}
		case 1:
			return pair{t.Or(a.term, b.term), bit(or)}
		case 2:
			return pair{t.Implies(a.term, b.term), bit(func(e env) bool { return a.value(e).Sign() == 0 || b.value(e).Sign() != 0 })}
		default:
			return pair{t.Not(a.term), bit(func(e env) bool { return a.value(e).Sign() == 0 })}
		}
	}
	a, b := g.value(depth), g.value(depth)
	cmp := func(e env) int { return a.value(e).Cmp(b.value(e)) }
	switch g.r.IntN(3) {
	case 0:
		return pair{t.Le(a.term, b.term), bit(func(e env) bool { return cmp(e) <= 0 })}
	case 1:
		return pair{t.Lt(a.term, b.term), bit(func(e env) bool { return cmp(e) < 0 })}
	default:
		return pair{t.Eq(a.term, b.term), bit(func(e env) bool { return cmp(e) == 0 })}
	}
}

func bit(f func(env) bool) func(env) *big.Int {
	return func(e env) *big.Int {
		if f(e) {
			return one
		}
		return new(big.Int)
	}
}
