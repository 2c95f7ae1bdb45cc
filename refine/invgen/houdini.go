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

// induction is the question which of some guesses are an invariant of a loop.
type houdini struct {
	*Finder
	ctx        context.Context
	head       *loop
	candidates []core.Expr
	rounds     []*round // some, the last first
	rest       *round   // from the last visit to the end of the reason
}

// round is a stretch of a path that begins at the head, executed from any state.
type round struct {
	t             *logic.Table
	conds         []cex.Condition
	before, after []*logic.Term // the guesses, by number
}

// mostInduced bounds the rounds that are looked at.
const mostRounds = 4

// enough is some of the guesses about the head l that are an invariant on the path and exclude
// what comes behind the last visit, with the conditions that this takes; nil if all of them do
// not. Those that come first are preferred.
func (fd *Finder) inductiveProof(ctx context.Context, p *cex.Path, r *cex.Core, l *loop, guesses []core.Expr) ([]core.Expr, []cex.Condition) {
	if fd.Without[technique.Induction] {
		return nil, nil
	}
	in := &houdini{Finder: fd, ctx: ctx, head: l}
	in.candidates = backward.Lasting(fd.Facts, p, in.unsat, l.frame, p.Steps[l.steps[0]].Node, slices.DeleteFunc(guesses, func(e core.Expr) bool { return !fd.IsRead(e) }))
	n := len(l.steps)
	in.rest = in.execute(p, l.steps[n-1], r.To)
	all := make([]int, len(in.candidates))
	for i := range all {
		all[i] = i
	}
	if len(all) == 0 || !in.excluded(all) {
		return nil, nil
	}
	for i := n - 1; i > 0 && len(in.rounds) < mostRounds; i-- {
		in.rounds = append(in.rounds, in.execute(p, l.steps[i-1], l.steps[i]))
	}
	if !in.proves(all) {
		if all = in.undenied(all); !in.proves(all) {
			return nil, nil
		}
	}
	needed := in.inductive(quickxplain.Minimal(all, nil, in.proves))
	if !in.excluded(needed) { // fewer guesses may leave conditions that more of them excluded
		return nil, nil
	}
	var out []core.Expr
	for _, i := range needed {
		out = append(out, in.candidates[i])
	}
	return out, in.used(needed)
}

// known is the predicates found so far of what is in scope at the head l, and their negations.
// They are there already: a proof that takes them adds nothing to later abstractions.
func (fd *Finder) known(l *loop) (out []core.Expr) {
	for _, q := range fd.Known.List {
		if q.Proc == nil || q.Proc == l.frame.Proc {
			out = append(out, q.Expr, core.Negate(q.Expr))
		}
	}
	return out
}

// preferred is the predicates known and guesses, each once: those known first, then bounds,
// either way around, as a condition may have asked for the opposite, then equations: that two
// numbers differ by just so much is more often true of a path than of the program.
func preferred(known, guesses []core.Expr) []core.Expr {
	var bounds, equations []core.Expr
	for _, e := range guesses {
		if b, ok := e.(*core.Binary); ok && (b.Op == core.Eq || b.Op == core.Ne) {
			equations = append(equations, e)
		} else {
			bounds = append(bounds, e, core.Negate(e))
		}
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Concat(known, bounds, equations), func(e core.Expr) bool {
		text := core.ExprString(e)
		again := seen[text]
		seen[text] = true
		return again
	})
}

// execute executes the steps from … to-1, the first of which is at the head.
func (in *houdini) execute(p *cex.Path, from, to int) *round {
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

// with is conditions of a round, and some guesses before it.
func (r *round) with(conds []cex.Condition, some []int) []*logic.Term {
	fs := cex.Terms(conds)
	for _, i := range some {
		fs = append(fs, r.before[i])
	}
	return slices.Clip(fs)
}

func (in *houdini) unsat(fs []*logic.Term, t *logic.Table) bool {
	return in.Prover.Check(in.ctx, fs, t) == prover.Unsat
}

// proves reports whether some guesses have a part that all rounds keep and that excludes the
// rest of the path.
func (in *houdini) proves(some []int) bool {
	return in.excluded(some) && in.excluded(in.inductive(some))
}

// excluded reports whether the rest of the path is impossible if some guesses hold.
func (in *houdini) excluded(some []int) bool {
	return in.unsat(in.rest.with(in.end(some), some), in.rest.t)
}

// end is the last condition of the rest, which is to be excluded, and those before it that are
// possible.
func (in *houdini) end(some []int) []cex.Condition {
	all := in.rest.conds
	if len(all) == 0 {
		return nil
	}
	last := len(all) - 1
	return append(slices.Clip(in.consistent(in.rest, all[:last], some)), all[last])
}

// agreeing is some guesses without those that the rounds deny: they are accidents of how this
// path came to the head, by a call with an empty buffer, say, after which it reads from it.
func (in *houdini) undenied(some []int) (out []int) {
	conds := make([][]cex.Condition, len(in.rounds))
	for i, r := range in.rounds {
		conds[i] = in.consistent(r, r.conds, nil)
	}
	deny := func(with []int) bool {
		for i, r := range in.rounds {
			if in.unsat(r.with(conds[i], with), r.t) {
				return true
			}
		}
		return false
	}
	for _, i := range some {
		if with := append(slices.Clip(out), i); !deny(with) {
			out = with
		}
	}
	return out
}

// possible is conditions of a round, without those that some guesses exclude: from a round
// that cannot be, anything would follow, that the guesses hold behind it, too.
func (in *houdini) consistent(r *round, conds []cex.Condition, some []int) []cex.Condition {
	return cex.Consistent(conds, func(part []cex.Condition) bool { return in.unsat(r.with(part, some), r.t) })
}

// kept is the largest part of some guesses that holds after each round if it did before.
func (in *houdini) inductive(some []int) []int {
	for {
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

// used is conditions that a proof by some guesses takes: of the rest, and of the last round.
func (in *houdini) used(some []int) []cex.Condition {
	last := in.rounds[0]
	var lost []*logic.Term
	for _, i := range some {
		lost = append(lost, last.t.Not(last.after[i]))
	}
	end := quickxplain.Minimal(in.end(some), nil, func(part []cex.Condition) bool {
		return in.unsat(in.rest.with(part, some), in.rest.t)
	})
	return union(end, quickxplain.Minimal(in.consistent(last, last.conds, some), nil, func(part []cex.Condition) bool {
		return in.unsat(append(last.with(part, some), last.t.Or(lost...)), last.t)
	}))
}
