package refine

import (
	"context"
	"slices"

	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/prover"
)

// This file keeps of the guesses about a loop those that the proof takes:
//
//	for (i = 0; i < n; i++)           used + 4 <= size + i, n < 4
//	    assert(used++ < size);        and not used == i, i <= n, n <= 4, 0 <= n
//
// What holds when a path first comes to the head and again after each round, and excludes
// what comes behind the last visit, is an invariant as far as the path tells. All other
// guesses are accidents of this path, or true and of no use; each of them would cost queries
// in all later abstractions, and there would be constraints about them.

// induction is the question which of some guesses are an invariant of a loop.
type induction struct {
	*audit
	ctx     context.Context
	head    *loop
	guesses []core.Expr
	rounds  []*round // some, the last first
	rest    *round   // from the last visit to the end of the reason
}

// round is a stretch of a path that begins at the head, executed from any state.
type round struct {
	t             *logic.Table
	conds         []condition
	before, after []*logic.Term // the guesses, by number
}

// mostInduced bounds the rounds that are looked at.
const mostInduced = 4

// enough is some of the guesses about the head l that are an invariant on the path and exclude
// what comes behind the last visit, with the conditions that this takes; nil if all of them do
// not. Bounds are preferred: that two numbers differ by just so much is more often true of a
// path than of the program.
func (a *audit) enough(ctx context.Context, p *Path, r *reason, l *loop, guesses []core.Expr) ([]core.Expr, []condition) {
	if a.without.NoInduction {
		return nil, nil
	}
	in := &induction{audit: a, ctx: ctx, head: l}
	c := &carrier{world: a.world, path: p, unsat: in.unsat}
	in.guesses = c.startTo(l.steps[0]).implied(preferred(guesses))
	n := len(l.steps)
	in.rest = in.execute(p, l.steps[n-1], r.to)
	all := make([]int, len(in.guesses))
	for i := range all {
		all[i] = i
	}
	if len(all) == 0 || !in.excluded(all) {
		return nil, nil
	}
	for i := n - 1; i > 0 && len(in.rounds) < mostInduced; i-- {
		in.rounds = append(in.rounds, in.execute(p, l.steps[i-1], l.steps[i]))
	}
	if !in.proves(all) {
		return nil, nil
	}
	needed := in.kept(smallest(all, in.proves))
	var out []core.Expr
	for _, i := range needed {
		out = append(out, in.guesses[i])
	}
	return out, in.used(needed)
}

// preferred is guesses, each once, with bounds before equations.
func preferred(guesses []core.Expr) []core.Expr {
	var bounds, equations []core.Expr
	seen := map[string]bool{}
	for _, e := range guesses {
		text := core.ExprString(e)
		if seen[text] {
			continue
		}
		seen[text] = true
		if b, ok := e.(*core.Binary); ok && (b.Op == core.Eq || b.Op == core.Ne) {
			equations = append(equations, e)
		} else {
			bounds = append(bounds, e)
		}
	}
	return slices.Concat(bounds, equations)
}

// execute executes the steps from … to-1, the first of which is at the head.
func (in *induction) execute(p *Path, from, to int) *round {
	x := in.world.execute(logic.NewTable(), p, from, from)
	r := &round{t: x.t}
	look := func(step int) (out []*logic.Term) {
		for _, e := range in.guesses {
			out = append(out, x.memory.atStart(x.in(in.head.frame, step).Cond(e)))
		}
		return out
	}
	r.before = look(from)
	for i := from; i < to; i++ {
		x.marks = append(x.marks, len(x.changes))
		x.step(p, i)
	}
	r.after = look(to)
	r.conds = x.conds
	return r
}

// with is conditions of a round, and some guesses before it.
func (r *round) with(conds []condition, some []int) []*logic.Term {
	fs := terms(conds)
	for _, i := range some {
		fs = append(fs, r.before[i])
	}
	return slices.Clip(fs)
}

func (in *induction) unsat(fs []*logic.Term, t *logic.Table) bool {
	return in.pr.Check(in.ctx, fs, t) == prover.Unsat
}

// proves reports whether some guesses have a part that all rounds keep and that excludes the
// rest of the path.
func (in *induction) proves(some []int) bool { return in.excluded(some) && in.excluded(in.kept(some)) }

// excluded reports whether the rest of the path is impossible if some guesses hold.
func (in *induction) excluded(some []int) bool {
	return in.unsat(in.rest.with(in.rest.conds, some), in.rest.t)
}

// kept is the largest part of some guesses that holds after each round if it did before.
func (in *induction) kept(some []int) []int {
	for {
		n := len(some)
		for _, r := range in.rounds {
			before := r.with(r.conds, some)
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
func (in *induction) used(some []int) []condition {
	last := in.rounds[0]
	var lost []*logic.Term
	for _, i := range some {
		lost = append(lost, last.t.Not(last.after[i]))
	}
	end := smallest(in.rest.conds, func(part []condition) bool {
		return in.unsat(in.rest.with(part, some), in.rest.t)
	})
	return union(end, smallest(last.conds, func(part []condition) bool {
		return in.unsat(append(last.with(part, some), last.t.Or(lost...)), last.t)
	}))
}
