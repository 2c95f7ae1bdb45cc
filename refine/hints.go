package refine

import (
	"context"
	"slices"

	"c2bp/frontend/core"
)

// This file says what is carried back from the heads of loops that a path takes several
// times: what holds in every round.

// hints is such expressions, by the steps where the path comes to the heads; and the reason,
// with the conditions that they take. If guesses about one loop are enough, there are no
// others.
func (a *audit) hints(ctx context.Context, p *Path, r *reason) (map[int][]core.Expr, *reason) {
	hints := map[int][]core.Expr{}
	heads := loops(p, r.from, r.to)
	if len(heads) == 0 {
		return hints, r
	}
	hint := func(l *loop, es []core.Expr) {
		for _, i := range l.steps {
			hints[i] = append(hints[i], es...)
		}
	}
	x := a.observe(p, heads, r.to)
	guesses := make([][]core.Expr, len(heads))
	for k, l := range slices.Backward(heads) {
		calls := a.observeCall(l, p)
		guesses[k] = append(a.relations(x.t, l, calls, x.conds, p), a.shifted(calls)...)
		if kept, conds := a.enough(ctx, p, r, l, guesses[k]); kept != nil {
			a.log("    %d of %d guesses about %s are enough", len(kept), len(guesses[k]), p.Steps[l.steps[0]].id())
			hint(l, kept)
			return hints, &reason{r.from, r.to, union(r.conds, conds)}
		}
	}
	for k, l := range heads {
		hint(l, guesses[k])
	}
	return hints, r
}

// union is conditions of one path, each once.
func union(a, b []condition) []condition {
	return join(a, slices.DeleteFunc(slices.Clone(b), func(c condition) bool {
		return slices.ContainsFunc(a, func(d condition) bool { return d.step == c.step })
	}))
}

// unroll adds the values of counters of the loops that a path takes several times.
func (a *audit) unroll(p *Path, r *reason) {
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
