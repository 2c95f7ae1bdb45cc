package refine

import (
	"context"
	"slices"

	"c2bp/frontend/core"
	"c2bp/prover"
	"c2bp/refine/event"
	"c2bp/refine/technique"
)

// This file says what is carried back from the heads of loops that a path takes several
// times: what holds in every round.

// hints is such expressions, by the steps where the path comes to the heads; and the reason,
// with the conditions that they take. If guesses about one loop are enough, there are no
// others.
func (a *finder) hints(ctx context.Context, p *Path, r *reason) (map[int][]core.Expr, *reason) {
	g := a.guessing(p, r)
	if enough := g.prove(ctx, r); enough != nil {
		return enough.hints, enough.with
	}
	hints := map[int][]core.Expr{}
	for i, l := range g.heads {
		l.hint(hints, g.about(i))
	}
	return hints, r
}

// guessing is the loops that a reason goes round, and what may hold in every round of each.
type guessing struct {
	*finder
	path    *Path
	heads   []*loop
	x       *execution // nil if there are none
	guesses [][]core.Expr
}

func (a *finder) guessing(p *Path, r *reason) *guessing {
	g := &guessing{finder: a, path: p, heads: loops(p, r.from, r.to)}
	if len(g.heads) > 0 {
		g.x = a.observe(p, g.heads, r.to)
	}
	g.guesses = make([][]core.Expr, len(g.heads))
	return g
}

// about is the guesses about loop i, which are found when they are first asked for.
func (g *guessing) about(i int) []core.Expr {
	if g.guesses[i] == nil {
		l := g.heads[i]
		calls := g.observeCall(l, g.path)
		g.guesses[i] = append(append([]core.Expr{}, g.relations(g.x.t, l, calls, g.x.conds, g.path)...), g.shifted(calls)...)
	}
	return g.guesses[i]
}

// hint adds expressions to the hints, whenever the path comes to the head.
func (l *loop) hint(hints map[int][]core.Expr, es []core.Expr) {
	for _, i := range l.steps {
		hints[i] = append(hints[i], es...)
	}
}

// proof is guesses about one loop that are enough for a reason.
type proof struct {
	hints map[int][]core.Expr
	with  *reason // the reason, with the conditions that they take
}

// prove finds guesses about one loop that are enough for r; nil if there are none.
func (g *guessing) prove(ctx context.Context, r *reason) *proof {
	for i, l := range slices.Backward(g.heads) {
		guesses := preferred(g.known(l), g.about(i))
		if kept, conds := g.enough(ctx, g.path, r, l, guesses); kept != nil {
			g.report.Report(event.Induced{Kept: len(kept), Candidates: len(guesses), Head: g.path.Steps[l.steps[0]].id()})
			hints := map[int][]core.Expr{}
			l.hint(hints, kept)
			return &proof{hints, &reason{from: r.from, to: r.to, conds: union(r.conds, conds)}}
		}
	}
	return nil
}

// union is conditions of one path, each once.
func union(a, b []condition) []condition {
	return join(a, slices.DeleteFunc(slices.Clone(b), func(c condition) bool {
		return slices.ContainsFunc(a, func(d condition) bool { return d.step == c.step })
	}))
}

// unroll adds the values of counters of the loops that a path takes several times.
func (a *finder) unroll(p *Path, r *reason) {
	heads := loops(p, r.from, r.to)
	if len(heads) == 0 {
		return
	}
	x := a.observe(p, heads, r.to)
	for _, h := range heads {
		for _, e := range unrolled(x.t, h, x.conds, p) {
			a.preds.add(h.frame.Proc, e)
		}
	}
}

// provable is the reason that an assertion at the end of a path holds, if that takes several
// rounds of a loop and can be said by what holds in all of them; nil if not. That is why other
// paths will not fail there, whatever else makes this one impossible: conditions that exclude
// each other before the end are left out of account. What was known closest to the end counts,
// as numbers are constants further back, and so is all that holds of them.
func (a *finder) provable(ctx context.Context, p *Path, x *execution) (*reason, *proof) {
	if a.without[technique.LoopInvariants] || a.without[technique.Induction] || !p.Fails {
		return nil, nil
	}
	unsat := func(conds []condition) bool { return a.pr.Check(ctx, terms(conds), x.t) == prover.Unsat }
	before, end := atEnd(x)
	if end == nil {
		return nil, nil
	}
	conds := append(slices.Clone(possible(before, unsat)), *end)
	if !unsat(conds) {
		return nil, nil
	}
	r := a.stretch(ctx, a.pr, p, conds)
	if r.rounds(p) < visitsNeeded {
		return nil, nil
	}
	found := a.guessing(p, r).prove(ctx, r)
	if found == nil {
		return nil, nil
	}
	return r, found
}

// atEnd is the last condition that says something, and those before it: an assertion of a
// conjunction is branches that lead to one of 0, which fails whenever it is reached.
func atEnd(x *execution) (before []condition, end *condition) {
	for i := len(x.conds) - 1; i >= 0; i-- {
		if x.conds[i].term != x.t.True {
			return x.conds[:i], &x.conds[i]
		}
	}
	return nil, nil
}
