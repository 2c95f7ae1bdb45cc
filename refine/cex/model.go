package cex

import (
	"context"
	"math/big"

	"c2bp/logic"
	"c2bp/prover"
)

// This file finds models in which functions that are uninterpreted to the prover, such as the product
// of two variables, have their values in C. Where a model has another value, the right one for these
// arguments is added as a lemma, and the prover is asked again.

// maxLemmas bounds the number of models that are tried.
const maxLemmas = 200

// Realistic returns a model of the literals in which functions with a meaning have their right values,
// starting from model m, in which they may not; nil if none was found.
func (facts *Facts) Realistic(ctx context.Context, pr *prover.Prover, x *Execution, lits []*logic.Term, m *prover.Model) (*prover.Model, error) {
	apps := meaningful(lits)
	for range maxLemmas {
		// 1. Where does the model differ from C?
		lemmas, ok := facts.lemmas(x, apps, m)
		if !ok {
			return nil, nil
		}
		if len(lemmas) == 0 {
			return m, nil
		}
		// 2. Ask for one that does not differ there.
		lits = append(lits, lemmas...)
		var answer prover.Answer
		if answer, m = pr.Model(ctx, lits, x.Table); answer != prover.Sat {
			return nil, pr.Err()
		}
	}
	return nil, nil
}

// meaningful lists the applications in formulas of functions with a meaning, inner ones first.
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

// lemmas returns, for each application that has a wrong value in m, the implication from its arguments
// to the right one; ok is false if m does not have all values.
func (facts *Facts) lemmas(x *Execution, apps []*logic.Term, m *prover.Model) (out []*logic.Term, ok bool) {
	t := x.Table
	for _, f := range apps {
		args := make([]*big.Int, len(f.Args))
		for i, a := range f.Args {
			if args[i], ok = m.Value(a); !ok {
				return nil, false
			}
		}
		// The values of the model and of C for these arguments.
		got, ok := m.Value(f)
		if !ok {
			return nil, false
		}
		want := logic.Meaning(f.Name, args)
		if got.Cmp(want) == 0 {
			continue
		}
		// Lemma: if the arguments have these values, so has the application.
		same := t.True
		for i, a := range f.Args {
			same = t.And(same, t.Eq(a, t.Big(args[i])))
		}
		out = append(out, t.Implies(same, t.Eq(f, t.Big(want))))
	}
	return out, true
}
