package invgen

import (
	"context"
	"slices"

	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/prover"
	"c2bp/refine/cex"
	"c2bp/refine/event"
	"c2bp/refine/technique"
)

// This file collects candidate invariants of the loops on a path, and looks for a proof by them that
// the path is infeasible.

// LoopInvariants returns expressions to be carried back from the heads of the loops that core r goes
// round, by the steps where the path is there, and the core with the conditions that they need. If an
// inductive part of the candidates for one loop is enough to exclude the path, that is all it returns;
// otherwise it returns all candidates for all loops, and the core as it is.
func (fd *Finder) LoopInvariants(ctx context.Context, p *cex.Path, r *cex.Core) (map[int][]core.Expr, *cex.Core) {
	g := fd.newCandidates(p, r)
	// 1. A proof by one loop.
	if enough := g.prove(ctx, r); enough != nil {
		return enough.Hints, enough.Core
	}
	hints := map[int][]core.Expr{}
	// 2. Or all that may help.
	for i, l := range g.heads {
		l.hint(hints, g.of(i))
	}
	return hints, r
}

// candidates is the loops that a core goes round, and the candidate invariants of each.
type candidates struct {
	*Finder
	path  *cex.Path
	heads []*loop        // in order of their first visit
	x     *cex.Execution // of the path up to the end of the core; nil if there are no heads
	lists [][]core.Expr  // the candidates, by head; nil before they are asked for
}

// newCandidates finds the loops, and the numbers at their heads.
func (fd *Finder) newCandidates(p *cex.Path, r *cex.Core) *candidates {
	g := &candidates{Finder: fd, path: p, heads: loops(p, r.From, r.To)}
	if len(g.heads) > 0 {
		g.x = fd.observe(p, g.heads, r.To)
	}
	g.lists = make([][]core.Expr, len(g.heads))
	return g
}

// of returns the candidates for loop i, which are found when they are first asked for.
func (g *candidates) of(i int) []core.Expr {
	if g.lists[i] == nil {
		l := g.heads[i]
		calls := g.observeFromCall(l, g.path)
		g.lists[i] = append(append([]core.Expr{}, g.relations(g.x.Table, l, calls, g.x.Conds, g.path)...), g.translatedBounds(calls)...)
	}
	return g.lists[i]
}

// relations returns candidates for loop l: relations between its induction variables, and of these with
// the expressions that the conditions of the path compare them with. calls is the loop seen from the
// call of its procedure on, nil if there is none.
func (fd *Finder) relations(t *logic.Table, l *loop, calls *fromCall, conds []cex.Condition, p *cex.Path) (out []core.Expr) {
	vars := l.inductionVars(t)
	// 1. Linear relations with a loop constant. If there is one of two variables, they have no other.
	related := calls.relations()
	for _, b := range related {
		out = append(out, b.expr)
	}
	// 2. Linear relations of two variables, and remainders of each.
	for i, a := range vars {
		for _, b := range vars[:i] {
			if slices.ContainsFunc(related, func(s callRelation) bool { return s.a == a.text() && s.b == b.text() }) {
				continue
			}
			if e := affineEquality(t, a, b); e != nil {
				out = append(out, e)
			} else {
				out = append(out, fewDifferences(t, a, b)...)
			}
		}
		if e := remainder(t, a); e != nil {
			out = append(out, e)
		}
	}
	// 3. Comparisons in the conditions that are preserved.
	out = append(out, l.keptComparisons(t, vars, conds, p)...)
	// The conditions of the loop's own activation.
	var here []cex.Condition
	for _, c := range conds {
		if p.Steps[c.Step].Frame == l.frame {
			here = append(here, c)
		}
	}
	out = append(out, boundsOnConstants(related, here)...)
	// 4. Bounds of variables that count.
	for _, a := range vars {
		if !a.isCounter() {
			continue // the numbers of states are not larger or smaller
		}
		for _, c := range here {
			out = append(out, bounds(a, vars, c.Expr)...)
		}
		out = append(out, separatingBounds(a, vars, here)...)
	}
	// 5. Loop constants.
	out = append(out, fd.constantBounds(t, l, vars, here, conds)...)
	return append(out, fd.constantValues(l, vars, here)...)
}

// hint adds expressions to the hints at each visit of the loop's head.
func (l *loop) hint(hints map[int][]core.Expr, es []core.Expr) {
	for _, i := range l.steps {
		hints[i] = append(hints[i], es...)
	}
}

// Proof is an inductive part of the candidates for one loop that excludes a path.
type Proof struct {
	Hints map[int][]core.Expr
	Core  *cex.Core // the core, with the conditions that the proof needs
}

// prove finds a proof by candidates for one loop, beginning with the loop whose head the path came to
// last; nil if there is none.
func (g *candidates) prove(ctx context.Context, r *cex.Core) *Proof {
	for i, l := range slices.Backward(g.heads) {
		// The candidates for the loop, and the predicates that can be said at its head.
		list := preferred(g.known(l), g.of(i))
		if kept, conds := g.inductiveProof(ctx, g.path, r, l, list); kept != nil {
			g.Report.Report(event.Induced{Kept: len(kept), Candidates: len(list), Head: g.path.Steps[l.steps[0]].ID()})
			hints := map[int][]core.Expr{}
			l.hint(hints, kept)
			return &Proof{hints, &cex.Core{From: r.From, To: r.To, Conds: union(r.Conds, conds)}}
		}
	}
	return nil
}

// union returns the conditions of two lists, each once.
func union(a, b []cex.Condition) []cex.Condition {
	return cex.Merge(a, slices.DeleteFunc(slices.Clone(b), func(c cex.Condition) bool {
		return slices.ContainsFunc(a, func(d cex.Condition) bool { return d.Step == c.Step })
	}))
}

// Provable returns the core by which an assertion at the end of path p holds, and a proof by loop
// invariants, if the core takes several rounds of a loop and there is such a proof; nil otherwise. That
// is why other paths will not fail there, whatever else makes this one impossible: so conditions that
// exclude each other before the end are left out of account. The core has conditions close to the end,
// as further back numbers are constants, and so is all that holds of them.
func (fd *Finder) Provable(ctx context.Context, p *cex.Path, x *cex.Execution) (*cex.Core, *Proof) {
	if !p.Fails || fd.Without.Has(technique.LoopInvariants) || fd.Without.Has(technique.Induction) {
		return nil, nil
	}
	unsat := func(conds []cex.Condition) bool {
		return fd.Prover.Check(ctx, cex.Terms(conds), x.Table) == prover.Unsat
	}
	// 1. The condition at the end, and consistent ones before it that exclude it.
	before, end := atEnd(x)
	if end == nil {
		return nil, nil
	}
	conds := append(slices.Clone(cex.Consistent(before, unsat)), *end)
	if !unsat(conds) {
		return nil, nil
	}
	// 2. Their core, if it is about a loop.
	r := fd.Segment(ctx, fd.Prover, p, conds)
	if r.Unwindings(p) < cex.LoopVisits {
		return nil, nil
	}
	// 3. The proof.
	found := fd.newCandidates(p, r).prove(ctx, r)
	if found == nil {
		return nil, nil
	}
	return r, found
}

// atEnd returns the last condition that is not valid, and those before it; nil if there is none. (An
// assertion of a conjunction is branches that lead to an assertion of 0, which fails whenever it is
// reached.)
func atEnd(x *cex.Execution) (before []cex.Condition, end *cex.Condition) {
	for i := len(x.Conds) - 1; i >= 0; i-- {
		if x.Conds[i].Term != x.Table.True {
			return x.Conds[:i], &x.Conds[i]
		}
	}
	return nil, nil
}
