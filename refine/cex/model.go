package cex

import (
	"context"
	"math/big"
	"slices"
	"strings"

	"c2bp/logic"
	"c2bp/prover"
)

// This file finds models in which functions that are uninterpreted to the prover, such as the product
// of two variables, have their values in C. Where a model has another value, the right one for these
// arguments is added as a lemma, and the prover is asked again.
//
// The prover could answer with other arguments each time: for x & 1 << n, with all 64 shifts. So the arguments first
// keep the values that they have, as far as that leaves a model.

// maxLemmas bounds the number of models that are tried.
const maxLemmas = 200

// Realistic returns a model of the literals in which functions with a meaning have their right values,
// starting from model m, in which they may not; nil if none was found.
func (facts *Facts) Realistic(ctx context.Context, pr *prover.Prover, x *Execution, lits []*logic.Term, m *prover.Model) (*prover.Model, error) {
	apps := Meaningful(lits)
	var kept []*logic.Term // values of arguments that the next models keep
	for range maxLemmas {
		// 1. Where does the model differ from C?
		lemmas, values, ok := facts.lemmas(x, apps, m)
		if !ok {
			return nil, nil
		}
		if len(lemmas) == 0 {
			return m, nil
		}
		// 2. Ask for one that does not differ there: with the same arguments, or else with any.
		lits, kept = append(lits, lemmas...), append(kept, values...)
		var answer prover.Answer
		answer, m = pr.Model(ctx, slices.Concat(lits, kept), x.Table)
		if answer != prover.Sat && len(kept) > 0 {
			kept = nil
			answer, m = pr.Model(ctx, lits, x.Table)
		}
		if answer != prover.Sat {
			return nil, pr.Err()
		}
	}
	return nil, nil
}

// Meaningful lists the applications in formulas of functions with a meaning, inner ones first.
func Meaningful(fs []*logic.Term) (apps []*logic.Term) {
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

// lemmas returns, for each application that has a wrong value in m, the implication from its arguments
// to the right one, and those from one argument where the function is linear in the other:
//
//	x == 5 && n == 3  ->  and(x, shl(1, n)) == 0
//	shl(1, n) == 8    ->  and(x, shl(1, n)) == 8*((x div 8) mod 2)
//
// The first excludes a single value of a 64-bit number. values are the equations with the values in m of arguments that
// are enough to have the right value, if these are right themselves. ok is false if m does not have all values.
func (facts *Facts) lemmas(x *Execution, apps []*logic.Term, m *prover.Model) (out, values []*logic.Term, ok bool) {
	t := x.Table
	wrong := map[*logic.Term]bool{}
	for _, f := range apps {
		args := make([]*big.Int, len(f.Args))
		for i, a := range f.Args {
			if args[i], ok = m.Value(a); !ok {
				return nil, nil, false
			}
		}
		// The values of the model and of C for these arguments.
		got, ok := m.Value(f)
		if !ok {
			return nil, nil, false
		}
		want := logic.Meaning(f.Name, args)
		if got.Cmp(want) == 0 {
			continue
		}
		wrong[f] = true
		// Lemma: if the arguments have these values, so has the application.
		same := make([]*logic.Term, len(f.Args))
		for i, a := range f.Args {
			same[i] = t.Eq(a, t.Big(args[i]))
		}
		out = append(out, t.Implies(t.And(same...), t.Eq(f, t.Big(want))))
		// If one argument has its value, the application may be linear in the other: rather one that other applications
		// have given its value, or with the fewest ones.
		best, least := -1, 0
		for i, v := range args {
			form := instance(t, f, i, v)
			if form == nil {
				continue
			}
			out = append(out, t.Implies(same[i], t.Eq(f, form)))
			ones := len(v.Text(2)) - strings.Count(v.Text(2), "0")
			if len(Meaningful(f.Args[i:i+1])) > 0 {
				ones = 0
			}
			if best < 0 || ones < least {
				best, least = i, ones
			}
		}
		if best >= 0 {
			same = same[best : best+1]
		}
		// An argument that has a wrong value itself does not keep it.
		if !slices.ContainsFunc(Meaningful(f.Args), func(inner *logic.Term) bool { return wrong[inner] }) {
			values = append(values, same...)
		}
	}
	return out, values, true
}

// instance returns application f, of two arguments, with the value v for argument i, as a term that is linear in the other;
// nil if it is not.
func instance(t *logic.Table, f *logic.Term, i int, v *big.Int) *logic.Term {
	if len(f.Args) != 2 || f.Args[i].IsConst() {
		return nil
	}
	args := slices.Clone(f.Args)
	args[i] = t.Big(v)
	if form := t.Uninterpreted(f.Name, f.Lo, f.Hi, args...); form.Op != logic.OpApp {
		return form
	}
	return nil
}
