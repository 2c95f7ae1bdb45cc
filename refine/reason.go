package refine

import (
	"context"
	"slices"
	"sort"

	"c2bp/internal/quickxplain"
	"c2bp/logic"
	"c2bp/prover"
	"c2bp/refine/technique"
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
// conditions of the steps ignored. It prefers why the whole path is infeasible, with
// conditions near its end, those of the property among them, to why the shortest prefix
// is, which may have nothing to do with the property; unless that is about loops.
func (w *world) explain(ctx context.Context, pr *prover.Prover, p *Path, x *execution, ignored map[int]bool) (*reason, error) {
	all := without(x.conds, ignored)
	unsat := func(conds []condition) bool {
		return pr.Check(ctx, terms(conds), x.t) == prover.Unsat
	}
	n := sort.Search(len(all), func(i int) bool { return unsat(all[:i+1]) })
	if n == len(all) {
		return nil, pr.Err()
	}
	first := w.stretch(ctx, pr, p, all[:n+1])
	if n+1 == len(all) || w.without[technique.LateCores] {
		return first, pr.Err()
	}
	late := w.stretch(ctx, pr, p, latest(all, unsat))
	if !w.isAboutLoops(p, late) || w.cost(p, late) < w.cost(p, first) {
		first = late
	}
	return first, pr.Err()
}

// stretch makes a reason of conditions that cannot hold together: those that are needed in
// the shortest stretch of the path before the last of them that is infeasible from any
// state.
func (w *world) stretch(ctx context.Context, pr *prover.Prover, p *Path, conds []condition) *reason {
	to := conds[len(conds)-1].step + 1
	wanted := map[int]bool{}
	for _, c := range conds {
		wanted[c.step] = true
	}
	from := func(i int) (*execution, []condition) {
		y := w.execute(logic.NewTable(), p, i, to)
		return y, slices.DeleteFunc(y.conds, func(c condition) bool { return !wanted[c.step] })
	}
	best, at := -1, 0
	for lo, hi := 0, to; lo < hi; {
		mid := (lo + hi) / 2
		y, needed := from(mid)
		if pr.Check(ctx, terms(needed), y.t) == prover.Unsat {
			best, lo = mid, mid+1
		} else {
			hi = mid
		}
	}
	at = max(best, 0)
	y, needed := from(at)
	r := &reason{from: at, to: to}
	r.conds = minimal(needed, func(conds []condition) bool {
		return pr.Check(ctx, terms(conds), y.t) == prover.Unsat
	})
	return r
}

// rounds is how often the stretch of a reason comes to one node of an activation, or how
// many activations of one procedure it is in at once.
func (r *reason) rounds(p *Path) int {
	type at struct {
		frame *Frame
		node  int
	}
	visits := map[at]int{}
	most := 0
	for _, s := range p.Steps[r.from:r.to] {
		k := at{s.Frame, s.Node}
		visits[k]++
		most = max(most, visits[k])
		if s.Enter != nil {
			most = max(most, len(nest(s.Enter)))
		}
	}
	return most
}

// isAboutLoops reports whether a reason is that a loop cannot end so soon: it takes several
// rounds, or asks how far a loop has counted.
func (w *world) isAboutLoops(p *Path, r *reason) bool {
	if r.rounds(p) >= visitsNeeded {
		return true
	}
	for _, c := range r.conds {
		if s := p.Steps[c.step]; w.counted(s.Frame.Proc)[s.Node] {
			return true
		}
	}
	return false
}

// cost says how bad a reason is: one about loops is worst, the more rounds the worse, then
// one with many conditions, then a long one.
func (w *world) cost(p *Path, r *reason) int {
	rounds := 0
	if w.isAboutLoops(p, r) {
		rounds = r.rounds(p)
	}
	return rounds*1_000_000_000 + min(len(r.conds), 999)*1_000_000 + min(r.to-r.from, 999_999)
}

// minimal is a part of conds that is unsatisfiable and no proper part of which is, as far
// as unsat knows. The last condition, which is in every such part, is kept.
func minimal(conds []condition, unsat func([]condition) bool) []condition {
	last := len(conds) - 1
	return join(needed(conds[:last], conds[last:], unsat), conds[last:])
}

// needed is a part of conds that has a property together with given, conditions behind them, and no
// proper part of which has. Late conditions are kept rather than early ones: the reason then spans
// less of the path.
func needed(conds, given []condition, has func([]condition) bool) []condition {
	backwards := make([]int, len(conds))
	for i := range backwards {
		backwards[i] = len(conds) - 1 - i
	}
	at := func(some []int) (list []condition) {
		for _, i := range slices.Sorted(slices.Values(some)) {
			list = append(list, conds[i])
		}
		return list
	}
	return at(quickxplain.Minimal(backwards, nil, func(some []int) bool { return has(join(at(some), given)) }))
}

// mostCores bounds how many parts latest looks at.
const mostCores = 8

// latest is a part of conds that is unsatisfiable and no proper part of which is, with the last
// of them in it if there is such a part: it is looked for by leaving out, of each part that is
// unsatisfiable without the last, a condition. Otherwise it is the first part found.
func latest(conds []condition, unsat func([]condition) bool) (first []condition) {
	ignored := map[int]bool{}
	for range mostCores {
		pool := without(conds, ignored)
		if len(ignored) > 0 && !unsat(pool) {
			break
		}
		core := minimal(pool, unsat)
		rest := core[:len(core)-1]
		if len(rest) == 0 || !unsat(rest) {
			return core
		}
		if first == nil {
			first = rest
		}
		ignored[rest[len(rest)-1].step] = true
	}
	return first
}

func join(a, b []condition) []condition {
	out := slices.Concat(a, b)
	slices.SortStableFunc(out, func(c, d condition) int { return c.step - d.step })
	return out
}

// visitsNeeded is how often a path comes to the head of a loop before it is looked at.
const visitsNeeded = 3

// mostOther bounds how many reasons possible finds.
const mostOther = 20

// possible is conds, without some if they exclude each other: a path may be impossible for
// many reasons, and from what is impossible anything follows. If there are too many, none is
// left.
func possible(conds []condition, unsat func([]condition) bool) []condition {
	for range mostOther {
		if !unsat(conds) {
			return conds
		}
		n := sort.Search(len(conds), func(i int) bool { return unsat(conds[:i+1]) })
		conds = slices.Delete(slices.Clone(conds), n, n+1)
	}
	return nil
}
