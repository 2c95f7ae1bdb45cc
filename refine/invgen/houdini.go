package invgen

import (
	"context"
	"slices"

	"c2bp/frontend/core"
	"c2bp/internal/quickxplain"
	"c2bp/logic"
	"c2bp/prover"
	"c2bp/refine/backward"
	"c2bp/refine/cex"
	"c2bp/refine/technique"
)

// This file chooses among the candidate invariants of a loop those that a proof needs:
//
//	for (i = 0; i < n; i++)           used + 4 <= size + i, n < 4
//	    assert(used++ < size);        and not used == i, i <= n, n <= 4, 0 <= n
//
// Candidates hold when the path first comes to the head. Those that a round of the path does not
// preserve are dropped, until the rest is inductive (Houdini, Flanagan–Leino 2001); it is an invariant
// as far as the path tells. If it excludes the path after the last visit, a minimal part that does is
// kept. All other candidates are accidents of this path, or true and of no use, and each of them would
// cost queries and constraints in all later abstractions.

// houdini is the search for the inductive part of the candidates for one loop.
type houdini struct {
	*Finder
	ctx        context.Context
	head       *loop
	candidates []core.Expr // identified by their number from here on
	rounds     []*round    // the last mostRounds, the last first
	rest       *round      // from the last visit to the end of the core
}

// round is a segment of a path that begins at the head, executed from any state.
type round struct {
	t             *logic.Table
	conds         []cex.Condition
	before, after []*logic.Term // the candidates, by number
}

// mostRounds bounds the rounds that are looked at.
const mostRounds = 4

// inductiveProof returns a part of the candidates for loop l that is inductive on the path and
// excludes the path after the last visit, and the conditions that this needs; nil if there is none.
// Candidates that come first are preferred.
func (fd *Finder) inductiveProof(ctx context.Context, p *cex.Path, r *cex.Core, l *loop, list []core.Expr) ([]core.Expr, []cex.Condition) {
	if fd.Without.Has(technique.Induction) {
		return nil, nil
	}
	// 1. Candidates that hold at the first visit, those first that hold for lasting reasons.
	in := &houdini{Finder: fd, ctx: ctx, head: l}
	in.candidates = backward.Lasting(fd.Facts, p, in.unsat, l.frame, p.Steps[l.steps[0]].Node, slices.DeleteFunc(list, func(e core.Expr) bool { return !fd.IsRead(e) }))
	// 2. All of them must exclude the rest of the path, or no part does.
	n := len(l.steps)
	in.rest = in.execute(p, l.steps[n-1], r.To)
	all := make([]int, len(in.candidates))
	for i := range all {
		all[i] = i
	}
	if len(all) == 0 || !in.excluded(all) {
		return nil, nil
	}
	// 3. Their inductive part must, too. If it does not, the path may have come to the head by accident
	// in a way that its rounds contradict: try without the candidates that they deny.
	for i := n - 1; i > 0 && len(in.rounds) < mostRounds; i-- {
		in.rounds = append(in.rounds, in.execute(p, l.steps[i-1], l.steps[i]))
	}
	if !in.proves(all) {
		if all = in.undenied(all); !in.proves(all) {
			return nil, nil
		}
	}
	// 4. A minimal part of them.
	needed := in.inductive(quickxplain.Minimal(all, nil, in.proves))
	if !in.excluded(needed) { // fewer candidates may leave conditions that more of them excluded
		return nil, nil
	}
	var out []core.Expr
	for _, i := range needed {
		out = append(out, in.candidates[i])
	}
	return out, in.used(needed)
}

// known returns the predicates found so far that can be said at the head of l, and their negations. A
// proof by these adds nothing to later abstractions.
func (fd *Finder) known(l *loop) (out []core.Expr) {
	for _, q := range fd.Known.List {
		if q.Proc == nil || q.Proc == l.frame.Proc {
			out = append(out, q.Expr, core.Negate(q.Expr))
		}
	}
	return out
}

// preferred returns the predicates known and the candidates, each once, in order of preference: first
// those known; then bounds and their negations, as a condition may have asked for the opposite; then
// equations, which are more often accidents of the path.
func preferred(known, list []core.Expr) []core.Expr {
	// 1. Bounds, each with its negation, and equations.
	var bounds, equations []core.Expr
	for _, e := range list {
		if b, ok := e.(*core.Binary); ok && (b.Op == core.Eq || b.Op == core.Ne) {
			equations = append(equations, e)
		} else {
			bounds = append(bounds, e, core.Negate(e))
		}
	}
	// 2. Each once, where it comes first.
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Concat(known, bounds, equations), func(e core.Expr) bool {
		text := core.ExprString(e)
		again := seen[text]
		seen[text] = true
		return again
	})
}

// execute executes the steps from … to-1, the first of which is at the head, and evaluates the
// candidates before and after.
func (in *houdini) execute(p *cex.Path, from, to int) *round {
	// Candidates after the round are terms over the state before it, as its conditions are.
	x := in.Facts.Execute(logic.NewTable(), p, from, from)
	r := &round{t: x.Table}
	look := func(step int) (out []*logic.Term) {
		for _, e := range in.candidates {
			out = append(out, x.Memory.AtStart(x.In(in.head.frame, step).Cond(e)))
		}
		return out
	}
	r.before = look(from)
	for i := from; i < to; i++ {
		x.Step(p, i)
	}
	r.after = look(to)
	r.conds = slices.DeleteFunc(x.Conds, func(c cex.Condition) bool { return c.Term == x.Table.True })
	return r
}

// with returns conditions of a round and some of the candidates before it.
func (r *round) with(conds []cex.Condition, some []int) []*logic.Term {
	fs := cex.Terms(conds)
	for _, i := range some {
		fs = append(fs, r.before[i])
	}
	return slices.Clip(fs)
}

// unsat reports whether formulas exclude each other.
func (in *houdini) unsat(fs []*logic.Term, t *logic.Table) bool {
	return in.Prover.Check(in.ctx, fs, t) == prover.Unsat
}

// proves reports whether the inductive part of some candidates excludes the rest of the path.
func (in *houdini) proves(some []int) bool {
	return in.excluded(some) && in.excluded(in.inductive(some))
}

// excluded reports whether some candidates exclude the rest of the path.
func (in *houdini) excluded(some []int) bool {
	return in.unsat(in.rest.with(in.end(some), some), in.rest.t)
}

// end returns the last condition of the rest, which is to be excluded, and the consistent ones before
// it.
func (in *houdini) end(some []int) []cex.Condition {
	// The conditions before the last must be consistent with the candidates: otherwise it would not be the
	// last that they exclude.
	all := in.rest.conds
	if len(all) == 0 {
		return nil
	}
	last := len(all) - 1
	return append(slices.Clip(in.consistent(in.rest, all[:last], some)), all[last])
}

// undenied returns some candidates without those that a round contradicts: these are accidents of how
// this path came to the head, by a call with an empty buffer, say, from which it reads afterwards.
func (in *houdini) undenied(some []int) (out []int) {
	// 1. The conditions of each round that are consistent.
	conds := make([][]cex.Condition, len(in.rounds))
	for i, r := range in.rounds {
		conds[i] = in.consistent(r, r.conds, nil)
	}
	// 2. A round denies candidates that exclude its conditions.
	deny := func(with []int) bool {
		for i, r := range in.rounds {
			if in.unsat(r.with(conds[i], with), r.t) {
				return true
			}
		}
		return false
	}
	// 3. Add one candidate after the other, unless a round denies it together with those before.
	for _, i := range some {
		if with := append(slices.Clip(out), i); !deny(with) {
			out = with
		}
	}
	return out
}

// consistent returns conditions of a round without those that the candidates exclude: from a round that
// is impossible anything would follow, that it preserves all candidates, too.
func (in *houdini) consistent(r *round, conds []cex.Condition, some []int) []cex.Condition {
	return cex.Consistent(conds, func(part []cex.Condition) bool { return in.unsat(r.with(part, some), r.t) })
}

// inductive returns the largest part of some candidates that each round preserves.
func (in *houdini) inductive(some []int) []int {
	for {
		// One pass over the rounds: drop each candidate that does not follow after the round from the
		// candidates and the conditions before. Repeat until none is dropped.
		n := len(some)
		for _, r := range in.rounds {
			before := r.with(in.consistent(r, r.conds, some), some)
			some = slices.DeleteFunc(slices.Clone(some), func(i int) bool {
				return !in.unsat(append(before, r.t.Not(r.after[i])), r.t)
			})
		}
		if len(some) == n {
			return some
		}
	}
}

// used returns the conditions that a proof by some candidates needs: of the rest, to exclude the last of
// them, and of the last round, to preserve the candidates.
func (in *houdini) used(some []int) []cex.Condition {
	// 1. That a candidate is lost in the last round.
	last := in.rounds[0]
	var lost []*logic.Term
	for _, i := range some {
		lost = append(lost, last.t.Not(last.after[i]))
	}
	// 2. The conditions after the last visit that exclude the end.
	end := quickxplain.Minimal(in.end(some), nil, func(part []cex.Condition) bool {
		return in.unsat(in.rest.with(part, some), in.rest.t)
	})
	// 3. The conditions of the last round by which none is lost.
	return union(end, quickxplain.Minimal(in.consistent(last, last.conds, some), nil, func(part []cex.Condition) bool {
		return in.unsat(append(last.with(part, some), last.t.Or(lost...)), last.t)
	}))
}
