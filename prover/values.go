package prover

import (
	"context"
	"math/big"

	"c2bp/logic"
)

// This file gives models to those who want values, not answers: a counterexample.

// Model is a state in which a conjunction holds: numbers for all symbols and functions.
type Model struct{ m *model }

// Model is like Check; if the answer is Sat, it returns a model of the literals.
func (p *Prover) Model(ctx context.Context, lits []*logic.Term, t *logic.Table) (Answer, *Model) {
	defer p.watch(ctx)()
	u := newUniverse()
	q := &query{lits: lits, t: t, model: &model{u: u}, fresh: true}
	a := p.ask(ctx, q)
	if a != Sat {
		return a, nil
	}
	for _, f := range lits { // what Z3 says is believed when it evaluates so
		if v, ok := q.model.truth(u.compile(f)); !ok || !v {
			return Unknown, nil
		}
	}
	return Sat, &Model{q.model}
}

// Value is what f, of sort Int or Bool (0 and 1), is in the model: for symbols that no
// literal mentions a number of their range. It fails if the model and f do not fit.
func (m *Model) Value(f *logic.Term) (*big.Int, bool) {
	v, ok := m.m.run(m.m.u.compile(f))
	if !ok {
		return nil, false
	}
	return new(big.Int).Set(v), true
}
