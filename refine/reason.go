package refine

import (
	"context"
	"slices"
	"sort"

	"c2bp/logic"
	"c2bp/prover"
)

// This file finds out whether a path is feasible, and if not, why: a few conditions that
// cannot hold together, in as short a stretch of the path as possible.

// reason is why a path is infeasible. Whatever the state before step from, the
// conditions cannot all hold.
type reason struct {
	from  int // first step that matters
	to    int // one behind the last: that of the last condition
	conds []condition
}

// feasibility is what becomes of a path: a reason why it is infeasible; or a model of
// its conditions; or neither, if Z3 does not know.
type feasibility struct {
	reason *reason
	exec   *execution
	model  *prover.Model
}

// decide decides whether a path is feasible.
func (w *world) decide(ctx context.Context, pr *prover.Prover, p *Path) (feasibility, error) {
	x := w.execute(logic.NewTable(), p, 0, len(p.Steps))
	lits := terms(x.conds)
	answer, model := pr.Model(ctx, lits, x.t)
	if answer == prover.Sat {
		model, err := w.realistic(ctx, pr, x, lits, model)
		return feasibility{exec: x, model: model}, err
	}
	if answer == prover.Unknown {
		return feasibility{exec: x}, pr.Err()
	}
	r, err := w.explain(ctx, pr, p, x, nil)
	return feasibility{reason: r, exec: x}, err
}

// without is conds but for those of the steps given.
func without(conds []condition, steps map[int]bool) []condition {
	if len(steps) == 0 {
		return conds
	}
	var out []condition
	for _, c := range conds {
		if !steps[c.step] {
			out = append(out, c)
		}
	}
	return out
}

// explain finds a reason for an infeasible path, nil if there is none without the
// conditions of the steps ignored.
func (w *world) explain(ctx context.Context, pr *prover.Prover, p *Path, x *execution, ignored map[int]bool) (*reason, error) {
	all := without(x.conds, ignored)
	unsat := func(conds []condition) bool {
		return pr.Check(ctx, terms(conds), x.t) == prover.Unsat
	}
	// The shortest infeasible prefix.
	n := sort.Search(len(all), func(i int) bool { return unsat(all[:i+1]) })
	if n == len(all) {
		return nil, pr.Err()
	}
	to := all[n].step + 1
	// The shortest stretch before its end that is infeasible from any state.
	var best *execution
	from := 0
	for lo, hi := 0, to; lo < hi; {
		mid := (lo + hi) / 2
		y := w.execute(logic.NewTable(), p, mid, to)
		if pr.Check(ctx, terms(without(y.conds, ignored)), y.t) == prover.Unsat {
			best, from, lo = y, mid, mid+1
		} else {
			hi = mid
		}
	}
	if err := pr.Err(); err != nil {
		return nil, err
	}
	if best == nil {
		best = w.execute(logic.NewTable(), p, 0, to)
	}
	r := &reason{from: from, to: to}
	r.conds = minimal(without(best.conds, ignored), func(conds []condition) bool {
		return pr.Check(ctx, terms(conds), best.t) == prover.Unsat
	})
	return r, pr.Err()
}

// minimal is a part of conds that is unsatisfiable and no proper part of which is, as far
// as unsat knows. The last condition, which is in every such part, is kept; earlier ones
// are dropped in halves first (Junker's QuickXplain).
func minimal(conds []condition, unsat func([]condition) bool) []condition {
	last := len(conds) - 1
	keep := conds[last:]
	if unsat(keep) {
		return keep
	}
	return append(explainWith(conds[:last], keep, false, unsat), keep...)
}

// explainWith is a minimal part of conds that is unsatisfiable together with given;
// fresh says that given has grown since it was last found satisfiable.
func explainWith(conds, given []condition, fresh bool, unsat func([]condition) bool) []condition {
	if fresh && unsat(given) {
		return nil
	}
	if len(conds) <= 1 {
		return conds
	}
	half := len(conds) / 2
	early, late := conds[:half], conds[half:]
	// The conditions late on the path are kept rather than the early ones: the reason
	// then spans less of it.
	a := explainWith(early, join(late, given), true, unsat)
	b := explainWith(late, join(a, given), len(a) > 0, unsat)
	return join(a, b)
}

func join(a, b []condition) []condition {
	out := slices.Concat(a, b)
	slices.SortStableFunc(out, func(c, d condition) int { return c.step - d.step })
	return out
}
