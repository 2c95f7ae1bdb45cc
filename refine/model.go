package refine

import (
	"context"
	"math/big"

	"c2bp/logic"
	"c2bp/prover"
)

// This file finds models in which functions that are uninterpreted to the prover, such
// as the product of two variables, have the values that they have in C: where a model has
// another value, the right one for these arguments is added to the conditions.

// maxLemmas bounds the values that are added.
const maxLemmas = 200

// realistic returns a model of the literals that functions with a meaning agree with,
// starting from one that they may not; nil if none was found.
func (w *world) realistic(ctx context.Context, pr *prover.Prover, x *execution, lits []*logic.Term, m *prover.Model) (*prover.Model, error) {
	apps := meaningful(lits)
	for range maxLemmas {
		lemmas, ok := w.lemmas(x, apps, m)
		if !ok {
			return nil, nil
		}
		if len(lemmas) == 0 {
			return m, nil
		}
		lits = append(lits, lemmas...)
		var answer prover.Answer
		if answer, m = pr.Model(ctx, lits, x.t); answer != prover.Sat {
			return nil, pr.Err()
		}
	}
	return nil, nil
}

// meaningful lists the applications of functions with a meaning, inner ones first.
func meaningful(fs []*logic.Term) (apps []*logic.Term) {
	seen := map[*logic.Term]bool{}
	var visit func(*logic.Term)
	visit = func(f *logic.Term) {
		if seen[f] {
			return
		}
		seen[f] = true
		for _, a := range f.Args {
			visit(a)
		}
		if f.Op == logic.OpApp && logic.HasMeaning(f.Name) {
			apps = append(apps, f)
		}
	}
	for _, f := range fs {
		visit(f)
	}
	return apps
}

// lemmas lists, for the applications that have another value in m than they should, the
// right values.
func (w *world) lemmas(x *execution, apps []*logic.Term, m *prover.Model) (out []*logic.Term, ok bool) {
	t := x.t
	for _, f := range apps {
		args := make([]*big.Int, len(f.Args))
		for i, a := range f.Args {
			if args[i], ok = m.Value(a); !ok {
				return nil, false
			}
		}
		got, ok := m.Value(f)
		if !ok {
			return nil, false
		}
		want := logic.Meaning(f.Name, args)
		if got.Cmp(want) == 0 {
			continue
		}
		if e := exactBits(t, f); e != nil {
			out = append(out, e)
			continue
		}
		same := t.True
		for i, a := range f.Args {
			same = t.And(same, t.Eq(a, t.Big(args[i])))
		}
		out = append(out, t.Implies(same, t.Eq(f, t.Big(want))))
	}
	return out, true
}

// mostRuns bounds the runs of ones in a mask that is spelt out.
const mostRuns = 8

// exactBits is what f means if it is a bit operation of a number with a constant, in linear
// arithmetic: with a mask of ones from bit i up to bit j,
//
//	x & mask == x mod 2^(j+1) - x mod 2^i,  x | c == x + c - (x & c),  x ^ c == x + c - 2(x & c)
//
// in two's complement of unbounded width, for negative numbers, too. It is nil for others.
func exactBits(t *logic.Table, f *logic.Term) *logic.Term {
	if len(f.Args) != 2 {
		return nil
	}
	x, c := f.Args[0], f.Args[1]
	if x.IsConst() {
		x, c = c, x
	}
	if !c.IsConst() || c.Val.Sign() < 0 {
		return nil
	}
	and := masked(t, x, c.Val)
	if and == nil {
		return nil
	}
	switch f.Name {
	case logic.FnAnd:
		return t.Eq(f, and)
	case logic.FnOr:
		return t.Eq(f, t.Sub(t.Add(x, c), and))
	case logic.FnXor:
		return t.Eq(f, t.Sub(t.Add(x, c), t.Scale(big.NewInt(2), and)))
	}
	return nil
}

// masked is x & mask for a mask >= 0, nil if that takes too many terms.
func masked(t *logic.Table, x *logic.Term, mask *big.Int) *logic.Term {
	sum := t.Int(0)
	runs := 0
	power := func(k int) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(k)) }
	for i := 0; i < mask.BitLen(); i++ {
		if mask.Bit(i) == 0 {
			continue
		}
		j := i
		for mask.Bit(j+1) == 1 {
			j++
		}
		if runs++; runs > mostRuns {
			return nil
		}
		sum = t.Add(sum, t.Sub(t.Mod(x, power(j+1)), t.Mod(x, power(i))))
		i = j
	}
	return sum
}
