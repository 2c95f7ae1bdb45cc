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
func (fd *Finder) LoopInvariants(ctx context.Context, p *cex.Path, r *cex.Core) (map[int][]core.Expr, *cex.Core) {
	g := fd.newCandidates(p, r)
	if enough := g.prove(ctx, r); enough != nil {
		return enough.Hints, enough.Core
	}
	hints := map[int][]core.Expr{}
	for i, l := range g.heads {
		l.hint(hints, g.of(i))
	}
	return hints, r
}

// guessing is the loops that a reason goes round, and what may hold in every round of each.
type candidates struct {
	*Finder
	path  *cex.Path
	heads []*loop
	x     *cex.Execution // nil if there are none
	lists [][]core.Expr
}

func (fd *Finder) newCandidates(p *cex.Path, r *cex.Core) *candidates {
	g := &candidates{Finder: fd, path: p, heads: loops(p, r.From, r.To)}
	if len(g.heads) > 0 {
		g.x = fd.observe(p, g.heads, r.To)
	}
	g.lists = make([][]core.Expr, len(g.heads))
	return g
}

// about is the guesses about loop i, which are found when they are first asked for.
func (g *candidates) of(i int) []core.Expr {
	if g.lists[i] == nil {
		l := g.heads[i]
		calls := g.observeFromCall(l, g.path)
		g.lists[i] = append(append([]core.Expr{}, g.relations(g.x.Table, l, calls, g.x.Conds, g.path)...), g.translatedBounds(calls)...)
	}
	return g.lists[i]
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
func (g *candidates) prove(ctx context.Context, r *cex.Core) *Proof {
	for i, l := range slices.Backward(g.heads) {
		guesses := preferred(g.known(l), g.of(i))
		if kept, conds := g.inductiveProof(ctx, g.path, r, l, guesses); kept != nil {
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
func (fd *Finder) CounterValues(p *cex.Path, r *cex.Core) {
	heads := loops(p, r.From, r.To)
	if len(heads) == 0 {
		return
	}
	x := fd.observe(p, heads, r.To)
	for _, h := range heads {
		for _, e := range counterValues(x.Table, h, x.Conds, p) {
			fd.Known.Add(h.frame.Proc, e)
		}
	}
}

// Provable is the reason that an assertion at the end of a path holds, if that takes several
// rounds of a loop and can be said by what holds in all of them; nil if not. That is why other
// paths will not fail there, whatever else makes this one impossible: conditions that exclude
// each other before the end are left out of account. What was known closest to the end counts,
// as numbers are constants further back, and so is all that holds of them.
func (fd *Finder) Provable(ctx context.Context, p *cex.Path, x *cex.Execution) (*cex.Core, *Proof) {
	if fd.Without[technique.LoopInvariants] || fd.Without[technique.Induction] || !p.Fails {
		return nil, nil
	}
	unsat := func(conds []cex.Condition) bool {
		return fd.Prover.Check(ctx, cex.Terms(conds), x.Table) == prover.Unsat
	}
	before, end := atEnd(x)
	if end == nil {
		return nil, nil
	}
	conds := append(slices.Clone(cex.Consistent(before, unsat)), *end)
	if !unsat(conds) {
		return nil, nil
	}
	r := fd.Segment(ctx, fd.Prover, p, conds)
	if r.Unwindings(p) < cex.LoopVisits {
		return nil, nil
	}
	found := fd.newCandidates(p, r).prove(ctx, r)
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
