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

// This file decides whether a path is feasible, and if not finds an unsat core: a few conditions that
// exclude each other, in as short a segment of the path as possible (QuickXplain, Junker 2004).

// Core is an unsat core of a path: whatever the state before step From, the conditions cannot all
// hold.
type Core struct {
	From  int         // first step that matters
	To    int         // the step after the last, which is that of the last condition
	Conds []Condition // in order of steps; a minimal part that is unsatisfiable
}

// Feasibility is the answer about a path: a core if it is infeasible; a model of its conditions if it
// is feasible; neither if Z3 does not know.
type Feasibility struct {
	Core  *Core         // nil unless the path is infeasible
	Exec  *Execution    // of the whole path, whose conditions were decided
	Model *prover.Model // nil unless the path is feasible
}

// Decide decides whether a path is feasible.
func (facts *Facts) Decide(ctx context.Context, pr *prover.Prover, p *Path) (Feasibility, error) {
	f, answer, err := facts.Solve(ctx, pr, p)
	if err == nil && answer == prover.Unsat {
		f.Core, err = facts.Explain(ctx, pr, p, f.Exec, nil)
	}
	return f, err
}

// Solve looks for a model of the conditions of p, without saying why there is none.
func (facts *Facts) Solve(ctx context.Context, pr *prover.Prover, p *Path) (f Feasibility, answer prover.Answer, err error) {
	return facts.SolveWith(ctx, pr, p, func(*Execution, int) {})
}

// SolveWith is Solve that calls before with each step before it is executed, which may add conditions.
func (facts *Facts) SolveWith(ctx context.Context, pr *prover.Prover, p *Path, before func(x *Execution, step int)) (f Feasibility, answer prover.Answer, err error) {
	f.Exec = facts.start(logic.NewTable(), 0)
	for i := range p.Steps {
		before(f.Exec, i)
		if i+1 == len(p.Steps) && p.Stops {
			break
		}
		f.Exec.run(p, i+1)
	}
	// A path that is infeasible without the late conditions is so for the others. Most models of these satisfy them, too.
	lits := Terms(f.Exec.Conds)
	early := slices.DeleteFunc(slices.Clone(f.Exec.Conds), func(c Condition) bool { return c.Late })
	answer, model := pr.Model(ctx, Terms(early), f.Exec.Table)
	switch {
	case len(early) == len(lits):
	case answer == prover.Unsat:
		f.Exec.Conds = early
	case answer == prover.Unknown, !satisfies(model, lits):
		answer, model = pr.Model(ctx, lits, f.Exec.Table)
	}
	switch answer {
	case prover.Sat:
		// A model may give uninterpreted functions values that they do not have in C: find one that does not.
		f.Model, err = facts.Realistic(ctx, pr, f.Exec, lits, model)
	case prover.Unknown:
		err = pr.Err()
	}
	return f, answer, err
}

// satisfies reports whether all formulas are known to hold in a model.
func satisfies(m *prover.Model, formulas []*logic.Term) bool {
	return !slices.ContainsFunc(formulas, func(f *logic.Term) bool {
		v, known := m.Value(f)
		return !known || v.Sign() == 0
	})
}

// WithoutSteps returns conds without the conditions of the given steps.
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

// Explain returns an unsat core of an infeasible path without the conditions of the steps ignored; nil
// if there is none, or if Z3 does not know. It prefers a core of the whole path, of conditions near
// its end, to a core of the shortest infeasible prefix, which may have nothing to do with the
// property; but not if the former is about loops, unless it is the cheaper one.
func (facts *Facts) Explain(ctx context.Context, pr *prover.Prover, p *Path, x *Execution, ignored map[int]bool) (*Core, error) {
	all := WithoutSteps(x.Conds, ignored)
	unsat := excluding(ctx, pr, x.Table, all)
	// 1. The shortest infeasible prefix, and a core of it.
	n := sort.Search(len(all), func(i int) bool { return unsat(all[:i+1]) })
	if n == len(all) {
		return nil, pr.Err()
	}
	first := facts.Segment(ctx, pr, p, all[:n+1])
	if n+1 == len(all) || facts.Without.Has(technique.LateCores) {
		return first, pr.Err()
	}
	// 2. A core with conditions as late as possible.
	late := facts.Segment(ctx, pr, p, latest(all, unsat))
	// 3. Choose.
	if !facts.AboutLoops(p, late) || facts.Cost(p, late) < facts.Cost(p, first) {
		first = late
	}
	return first, pr.Err()
}

// Whole returns a core of the conditions of an execution, which exclude each other, from the start on. They need not be
// those of the path alone.
func (facts *Facts) Whole(ctx context.Context, pr *prover.Prover, x *Execution) *Core {
	unsat := excluding(ctx, pr, x.Table, x.Conds)
	n := sort.Search(len(x.Conds)-1, func(i int) bool { return unsat(x.Conds[:i+1]) })
	conds := minimal(x.Conds[:n+1], unsat)
	return &Core{To: conds[len(conds)-1].Step + 1, Conds: conds}
}

// Segment returns a core of conditions that exclude each other: those that are needed in the shortest
// segment of the path, before the last of them, that is infeasible from any state.
func (facts *Facts) Segment(ctx context.Context, pr *prover.Prover, p *Path, conds []Condition) *Core {
	// 1. Keep the steps of the given conditions, not their terms: these depend on where execution starts.
	to := conds[len(conds)-1].Step + 1
	wanted := map[int]bool{}
	for _, c := range conds {
		wanted[c.Step] = true
	}
	from := func(i int) (*Execution, []Condition) {
		y := facts.Execute(logic.NewTable(), p, i, to)
		return y, slices.DeleteFunc(y.Conds, func(c Condition) bool { return !wanted[c.Step] })
	}
	// 2. Search for the latest start from which the conditions still exclude each other. (With a later
	// start, less is known of the state; so the answer is monotonic, as far as Z3 can tell.)
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
	// 3. Minimise the conditions in that segment.
	at = max(best, 0)
	y, needed := from(at)
	r := &Core{From: at, To: to}
	r.Conds = minimal(needed, excluding(ctx, pr, y.Table, needed))
	return r
}

// Unwindings returns how often the segment of a core comes to one node of an activation, or how many
// activations of one procedure it is in at once, whichever is more.
func (r *Core) Unwindings(p *Path) int {
	// Visits are counted by activation: a callee that is called twice does not unwind.
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

// AboutLoops reports whether a core says that a loop cannot end so soon: its segment takes several
// rounds, or one of its conditions asks how far a loop has counted.
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

// Cost ranks cores. One about loops is worst, the more so the more rounds it takes; then one with many
// conditions; then one with a long segment.
//
//	no loop, 2 conditions, 30 steps                2,000,030
//	no loop, 3 conditions, 5 steps                 3,000,005
//	4 rounds, 1 condition, 9 steps             4,001,000,009
func (facts *Facts) Cost(p *Path, r *Core) int {
	// The ranks are lexicographic: rounds, conditions, length.
	rounds := 0
	if facts.AboutLoops(p, r) {
		rounds = r.Unwindings(p)
	}
	return rounds*1_000_000_000 + min(len(r.Conds), 999)*1_000_000 + min(r.To-r.From, 999_999)
}

// minimal returns a minimal unsatisfiable part of conds, as far as unsat knows. The last condition is
// in each such part, and kept without asking.
func minimal(conds []Condition, unsat func([]Condition) bool) []Condition {
	last := len(conds) - 1
	return Merge(MinimalPart(conds[:last], conds[last:], unsat), conds[last:])
}

// MinimalPart returns a minimal part of conds that has a property together with the conditions given.
// It prefers late conditions to early ones: the core then spans less of the path. The number of questions
// grows with the size of the part and the logarithm of that of conds (package quickxplain).
func MinimalPart(conds, given []Condition, has func([]Condition) bool) []Condition {
	// QuickXplain prefers the first items: number the conditions from the last to the first.
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

// mostCores bounds the parts that latest looks at.
const mostCores = 8

// latest returns a minimal unsatisfiable part of conds. It looks for one that needs the last
// condition, by dropping a condition of each part found that does not; if there is none, the result is
// the first part found.
func latest(conds []Condition, unsat func([]Condition) bool) (first []Condition) {
	ignored := map[int]bool{}
	for range mostCores {
		// 1. What is left must still be unsatisfiable.
		pool := WithoutSteps(conds, ignored)
		if len(ignored) > 0 && !unsat(pool) {
			break
		}
		// 2. A minimal part with the last condition: is it needed?
		core := minimal(pool, unsat)
		rest := core[:len(core)-1]
		if len(rest) == 0 || !unsat(rest) {
			return core
		}
		// 3. It is not: drop the latest condition of the part, and try again.
		if first == nil {
			first = rest
		}
		ignored[rest[len(rest)-1].Step] = true
	}
	return first
}

// Merge returns the conditions of both lists in the order of their steps.
func Merge(a, b []Condition) []Condition {
	out := slices.Concat(a, b)
	slices.SortStableFunc(out, func(c, d Condition) int { return c.Step - d.Step })
	return out
}

// LoopVisits is how often a path must come to the head of a loop before the loop is looked at.
const LoopVisits = 3

// mostConflicts bounds the conditions that Consistent drops.
const mostConflicts = 20

// Consistent returns conds without some of them if they exclude each other: a path may be impossible
// for many reasons, and anything follows from conditions that exclude each other. Each time the last
// condition of the shortest unsatisfiable prefix is dropped. After mostConflicts such conditions it
// gives up, and none is left.
func Consistent(conds []Condition, unsat func([]Condition) bool) []Condition {
	for range mostConflicts {
		if !unsat(conds) {
			return conds
		}
		// The condition that makes the shortest prefix unsatisfiable is dropped.
		n := sort.Search(len(conds), func(i int) bool { return unsat(conds[:i+1]) })
		conds = slices.Delete(slices.Clone(conds), n, n+1)
	}
	return nil
}
