package invgen

import (
	"context"
	"slices"

	"c2bp/frontend/core"
	"c2bp/prover"
	"c2bp/refine/cex"
	"c2bp/refine/event"
	"c2bp/refine/technique"
)

// This file says what is carried back from the heads of loops that a path takes several
// times: what holds in every round.

// LoopInvariants is such expressions, by the steps where the path comes to the heads; and the reason,
// with the conditions that they take. If guesses about one loop are enough, there are no
// others.
func (a *Finder) LoopInvariants(ctx context.Context, p *cex.Path, r *cex.Core) (map[int][]core.Expr, *cex.Core) {
	g := a.guessing(p, r)
	if enough := g.prove(ctx, r); enough != nil {
		return enough.Hints, enough.Core
	}
	hints := map[int][]core.Expr{}
	for i, l := range g.heads {
		l.hint(hints, g.about(i))
	}
	return hints, r
}

// guessing is the loops that a reason goes round, and what may hold in every round of each.
type guessing struct {
	*Finder
	path    *cex.Path
	heads   []*loop
	x       *cex.Execution // nil if there are none
	guesses [][]core.Expr
}

func (a *Finder) guessing(p *cex.Path, r *cex.Core) *guessing {
	g := &guessing{Finder: a, path: p, heads: loops(p, r.From, r.To)}
	if len(g.heads) > 0 {
		g.x = a.observe(p, g.heads, r.To)
	}
	g.guesses = make([][]core.Expr, len(g.heads))
	return g
}

// about is the guesses about loop i, which are found when they are first asked for.
func (g *guessing) about(i int) []core.Expr {
	if g.guesses[i] == nil {
		l := g.heads[i]
		calls := g.observeCall(l, g.path)
		g.guesses[i] = append(append([]core.Expr{}, g.relations(g.x.Table, l, calls, g.x.Conds, g.path)...), g.shifted(calls)...)
	}
	return g.guesses[i]
}

// hint adds expressions to the hints, whenever the path comes to the head.
func (l *loop) hint(hints map[int][]core.Expr, es []core.Expr) {
	for _, i := range l.steps {
		hints[i] = append(hints[i], es...)
	}
}

// Proof is guesses about one loop that are enough for a reason.
type Proof struct {
	Hints map[int][]core.Expr
	Core  *cex.Core // the reason, with the conditions that they take
}

// prove finds guesses about one loop that are enough for r; nil if there are none.
func (g *guessing) prove(ctx context.Context, r *cex.Core) *Proof {
	for i, l := range slices.Backward(g.heads) {
		guesses := preferred(g.known(l), g.about(i))
		if kept, conds := g.enough(ctx, g.path, r, l, guesses); kept != nil {
			g.Report.Report(event.Induced{Kept: len(kept), Candidates: len(guesses), Head: g.path.Steps[l.steps[0]].ID()})
			hints := map[int][]core.Expr{}
			l.hint(hints, kept)
			return &Proof{hints, &cex.Core{From: r.From, To: r.To, Conds: union(r.Conds, conds)}}
		}
	}
	return nil
}

// union is conditions of one path, each once.
func union(a, b []cex.Condition) []cex.Condition {
	return cex.Merge(a, slices.DeleteFunc(slices.Clone(b), func(c cex.Condition) bool {
		return slices.ContainsFunc(a, func(d cex.Condition) bool { return d.Step == c.Step })
	}))
}

// CounterValues adds the values of counters of the loops that a path takes several times.
func (a *Finder) CounterValues(p *cex.Path, r *cex.Core) {
	heads := loops(p, r.From, r.To)
	if len(heads) == 0 {
		return
	}
	x := a.observe(p, heads, r.To)
	for _, h := range heads {
		for _, e := range unrolled(x.Table, h, x.Conds, p) {
			a.Known.Add(h.frame.Proc, e)
		}
	}
}

// Provable is the reason that an assertion at the end of a path holds, if that takes several
// rounds of a loop and can be said by what holds in all of them; nil if not. That is why other
// paths will not fail there, whatever else makes this one impossible: conditions that exclude
// each other before the end are left out of account. What was known closest to the end counts,
// as numbers are constants further back, and so is all that holds of them.
func (a *Finder) Provable(ctx context.Context, p *cex.Path, x *cex.Execution) (*cex.Core, *Proof) {
	if a.Without[technique.LoopInvariants] || a.Without[technique.Induction] || !p.Fails {
		return nil, nil
	}
	unsat := func(conds []cex.Condition) bool {
		return a.Prover.Check(ctx, cex.Terms(conds), x.Table) == prover.Unsat
	}
	before, end := atEnd(x)
	if end == nil {
		return nil, nil
	}
	conds := append(slices.Clone(cex.Consistent(before, unsat)), *end)
	if !unsat(conds) {
		return nil, nil
	}
	r := a.Segment(ctx, a.Prover, p, conds)
	if r.Unwindings(p) < cex.LoopVisits {
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
func atEnd(x *cex.Execution) (before []cex.Condition, end *cex.Condition) {
	for i := len(x.Conds) - 1; i >= 0; i-- {
		if x.Conds[i].Term != x.Table.True {
			return x.Conds[:i], &x.Conds[i]
		}
	}
	return nil, nil
}
