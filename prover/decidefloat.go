package prover

import (
	"context"
	"math/big"
	"runtime"

	"github.com/aclements/go-z3/z3"

	"c2bp/logic"
)

// This file decides queries in which floating-point operations occur, in two steps.
//
// First they are functions on integers of which package logic knows facts in linear
// arithmetic. That is fast, and says all about comparisons and signs; if Z3 finds no model,
// there is none. What it finds is evaluated, with what the operations really yield: if the
// formulas hold, that is a model; if not, the values that the operations yield there become
// facts, and Z3 is asked again, a few times.
//
// Only then the theory of floating point is asked, in a context of its own: it takes
// seconds for a sum and longer for a product, and much memory.

// Bounds on the two steps.
const (
	maxFloatLemmas = 6  // models that are tried
	floatPatience  = 4  // times the limit of other queries for Z3's theory
	maxTheory      = 24 // queries to one context with the theory, which keeps its memory
)

// decideFloats is decide for such a query.
func (p *Prover) decideFloats(ctx context.Context, q *query) Answer {
	wanted := q.model
	defer func() { q.model = wanted }()
	for range maxFloatLemmas {
		m := &model{u: newUniverse()}
		if wanted != nil {
			m = &model{u: wanted.u, pick: wanted.pick}
		}
		q.model, q.filled = m, false
		if a := p.decide(ctx, q); a == Unsat || p.err != nil {
			return a
		} else if a == Unknown {
			break
		}
		if m.holds(q.lits) {
			if wanted != nil {
				wanted.syms, wanted.apps = m.syms, m.apps
			}
			return Sat
		}
		lemmas := m.lemmas(q)
		if len(lemmas) == 0 {
			break
		}
		q.lemmas = append(q.lemmas, lemmas...)
	}
	q.model = wanted
	if !inexact(q.lits) {
		return Unknown
	}
	return p.decideByTheory(ctx, q)
}

// decideByTheory asks the theory of floating point.
func (p *Prover) decideByTheory(ctx context.Context, q *query) Answer {
	if p.fz == nil || p.theory >= maxTheory {
		p.fz, p.theory = newEncoder(p.limit*floatPatience), 0
		p.fz.floats = newFloats(p.fz)
		runtime.GC() // which does not see how much memory a context holds
	}
	p.theory++
	p.stats.Hard++
	q.filled = false
	return p.run(ctx, p.fz, q)
}

// inexact reports whether there is an operation of which the facts do not say all.
func inexact(fs []*logic.Term) bool {
	for _, f := range fs {
		for _, a := range applications(f) {
			if op, _, ok := a.Float(); ok && !logic.IsExactFloat(op) {
				return true
			}
		}
	}
	return false
}

// holds reports whether the formulas hold in m.
func (m *model) holds(fs []*logic.Term) bool {
	for _, f := range fs {
		if v, ok := m.truth(m.u.compile(f)); !ok || !v {
			return false
		}
	}
	return true
}

// lemmas are the values in m of the operations of which the facts do not say all.
func (m *model) lemmas(q *query) (list []*logic.Term) {
	seen := map[*logic.Term]bool{}
	for _, f := range q.lits {
		for _, a := range applications(f) {
			op, _, ok := a.Float()
			if !ok || seen[a] || logic.IsExactFloat(op) {
				continue
			}
			seen[a] = true
			if l := m.lemma(a, q.t); l != nil {
				list = append(list, l)
			}
		}
	}
	return list
}

// lemma says what the application a yields for the values that its arguments have in m.
func (m *model) lemma(a *logic.Term, t *logic.Table) *logic.Term {
	same := t.True
	var args []*big.Int
	for _, x := range a.Args {
		v, ok := m.run(m.u.compile(x))
		if !ok {
			return nil
		}
		v = new(big.Int).Set(v)
		args = append(args, v)
		same = t.And(same, t.Eq(x, t.Big(v)))
	}
	return t.Implies(same, t.Eq(a, t.Big(logic.Meaning(a.Name, args))))
}

// floatFacts are the facts about floating point that q needs.
func (z *encoder) floatFacts(q *query, infos []*literal) (facts []z3.Bool) {
	if z.floats != nil {
		return z.floats.equations(infos)
	}
	var apps, formulas []*logic.Term
	seen := map[logic.Hash]bool{}
	found := false
	for _, f := range append(q.lits[:len(q.lits):len(q.lits)], q.mention...) {
		formulas = append(formulas, f)
		for _, a := range applications(f) {
			if _, _, ok := a.Float(); ok && !seen[a.Hash()] {
				seen[a.Hash()] = true
				found = true
				apps = append(apps, a)
			}
		}
	}
	if !found {
		return nil
	}
	for _, f := range append(q.t.FloatFacts(formulas, apps), q.lemmas...) {
		facts = append(facts, z.bool(f))
	}
	return facts
}
