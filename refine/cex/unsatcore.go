package cex

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

// Core is why a path is infeasible. Whatever the state before step from, the
// conditions cannot all hold.
type Core struct {
	From  int // first step that matters
	To    int // one behind the last: that of the last condition
	Conds []Condition
}

// Feasibility is what becomes of a path: a reason why it is infeasible; or a model of
// its conditions; or neither, if Z3 does not know.
type Feasibility struct {
	Core  *Core
	Exec  *Execution
	Model *prover.Model
}

// Decide decides whether a path is feasible.
func (facts *Facts) Decide(ctx context.Context, pr *prover.Prover, p *Path) (Feasibility, error) {
	x := facts.Execute(logic.NewTable(), p, 0, len(p.Steps))
	lits := Terms(x.Conds)
	answer, model := pr.Model(ctx, lits, x.Table)
	if answer == prover.Sat {
		model, err := facts.Realistic(ctx, pr, x, lits, model)
		return Feasibility{Exec: x, Model: model}, err
	}
	if answer == prover.Unknown {
		return Feasibility{Exec: x}, pr.Err()
	}
	r, err := facts.Explain(ctx, pr, p, x, nil)
	return Feasibility{Core: r, Exec: x}, err
}

// WithoutSteps is conds but for those of the steps given.
func WithoutSteps(conds []Condition, steps map[int]bool) []Condition {
	if len(steps) == 0 {
		return conds
	}
	var out []Condition
	for _, c := range conds {
		if !steps[c.Step] {
			out = append(out, c)
		}
	}
	return out
}

// Explain finds a reason for an infeasible path, nil if there is none without the
// conditions of the steps ignored. It prefers why the whole path is infeasible, with
// conditions near its end, those of the property among them, to why the shortest prefix
// is, which may have nothing to do with the property; unless that is about loops.
func (facts *Facts) Explain(ctx context.Context, pr *prover.Prover, p *Path, x *Execution, ignored map[int]bool) (*Core, error) {
	all := WithoutSteps(x.Conds, ignored)
	unsat := func(conds []Condition) bool {
		return pr.Check(ctx, Terms(conds), x.Table) == prover.Unsat
	}
	n := sort.Search(len(all), func(i int) bool { return unsat(all[:i+1]) })
	if n == len(all) {
		return nil, pr.Err()
	}
	first := facts.Segment(ctx, pr, p, all[:n+1])
	if n+1 == len(all) || facts.Without[technique.LateCores] {
		return first, pr.Err()
	}
	late := facts.Segment(ctx, pr, p, latest(all, unsat))
	if !facts.AboutLoops(p, late) || facts.Cost(p, late) < facts.Cost(p, first) {
		first = late
	}
	return first, pr.Err()
}

// Segment makes a reason of conditions that cannot hold together: those that are needed in
// the shortest stretch of the path before the last of them that is infeasible from any
// state.
func (facts *Facts) Segment(ctx context.Context, pr *prover.Prover, p *Path, conds []Condition) *Core {
	to := conds[len(conds)-1].Step + 1
	wanted := map[int]bool{}
	for _, c := range conds {
		wanted[c.Step] = true
	}
	from := func(i int) (*Execution, []Condition) {
		y := facts.Execute(logic.NewTable(), p, i, to)
		return y, slices.DeleteFunc(y.Conds, func(c Condition) bool { return !wanted[c.Step] })
	}
	best, at := -1, 0
	for lo, hi := 0, to; lo < hi; {
		mid := (lo + hi) / 2
		y, needed := from(mid)
		if pr.Check(ctx, Terms(needed), y.Table) == prover.Unsat {
			best, lo = mid, mid+1
		} else {
			hi = mid
		}
	}
	at = max(best, 0)
	y, needed := from(at)
	r := &Core{From: at, To: to}
	r.Conds = minimal(needed, func(conds []Condition) bool {
		return pr.Check(ctx, Terms(conds), y.Table) == prover.Unsat
	})
	return r
}

// Unwindings is how often the stretch of a reason comes to one node of an activation, or how
// many activations of one procedure it is in at once.
func (r *Core) Unwindings(p *Path) int {
	type at struct {
		frame *Frame
		node  int
	}
	visits := map[at]int{}
	most := 0
	for _, s := range p.Steps[r.From:r.To] {
		k := at{s.Frame, s.Node}
		visits[k]++
		most = max(most, visits[k])
		if s.Enter != nil {
			most = max(most, len(Nesting(s.Enter)))
		}
	}
	return most
}

// AboutLoops reports whether a reason is that a loop cannot end so soon: it takes several
// rounds, or asks how far a loop has counted.
func (facts *Facts) AboutLoops(p *Path, r *Core) bool {
	if r.Unwindings(p) >= LoopVisits {
		return true
	}
	for _, c := range r.Conds {
		if s := p.Steps[c.Step]; facts.loopExits(s.Frame.Proc)[s.Node] {
			return true
		}
	}
	return false
}

// Cost says how bad a reason is: one about loops is worst, the more rounds the worse, then
// one with many conditions, then a long one.
func (facts *Facts) Cost(p *Path, r *Core) int {
	rounds := 0
	if facts.AboutLoops(p, r) {
		rounds = r.Unwindings(p)
	}
	return rounds*1_000_000_000 + min(len(r.Conds), 999)*1_000_000 + min(r.To-r.From, 999_999)
}

// minimal is a part of conds that is unsatisfiable and no proper part of which is, as far
// as unsat knows. The last condition, which is in every such part, is kept.
func minimal(conds []Condition, unsat func([]Condition) bool) []Condition {
	last := len(conds) - 1
	return Merge(MinimalPart(conds[:last], conds[last:], unsat), conds[last:])
}

// MinimalPart is a part of conds that has a property together with given, conditions behind them, and no
// proper part of which has. Late conditions are kept rather than early ones: the reason then spans
// less of the path.
func MinimalPart(conds, given []Condition, has func([]Condition) bool) []Condition {
	backwards := make([]int, len(conds))
	for i := range backwards {
		backwards[i] = len(conds) - 1 - i
	}
	at := func(some []int) (list []Condition) {
		for _, i := range slices.Sorted(slices.Values(some)) {
			list = append(list, conds[i])
		}
		return list
	}
	return at(quickxplain.Minimal(backwards, nil, func(some []int) bool { return has(Merge(at(some), given)) }))
}

// mostCores bounds how many parts latest looks at.
const mostCores = 8

// latest is a part of conds that is unsatisfiable and no proper part of which is, with the last
// of them in it if there is such a part: it is looked for by leaving out, of each part that is
// unsatisfiable without the last, a condition. Otherwise it is the first part found.
func latest(conds []Condition, unsat func([]Condition) bool) (first []Condition) {
	ignored := map[int]bool{}
	for range mostCores {
		pool := WithoutSteps(conds, ignored)
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
		ignored[rest[len(rest)-1].Step] = true
	}
	return first
}

func Merge(a, b []Condition) []Condition {
	out := slices.Concat(a, b)
	slices.SortStableFunc(out, func(c, d Condition) int { return c.Step - d.Step })
	return out
}

// LoopVisits is how often a path comes to the head of a loop before it is looked at.
const LoopVisits = 3

// mostOther bounds how many reasons possible finds.
const mostConflicts = 20

// Consistent is conds, without some if they exclude each other: a path may be impossible for
// many reasons, and from what is impossible anything follows. If there are too many, none is
// left.
func Consistent(conds []Condition, unsat func([]Condition) bool) []Condition {
	for range mostConflicts {
		if !unsat(conds) {
			return conds
		}
		n := sort.Search(len(conds), func(i int) bool { return unsat(conds[:i+1]) })
		conds = slices.Delete(slices.Clone(conds), n, n+1)
	}
	return nil
}
