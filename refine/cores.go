package refine

import (
	"context"
	"slices"

	"c2bp/checker"
	"c2bp/refine/technique"
)

// This file chooses among the unsat cores of a path, and among paths.

const (
	mostCompared = 4 // cores of a path that are compared
	timesNeeded  = 4 // iterations in which a property is the nearest, until more cores are looked at
	mostMore     = 3 // so many more
	mostOthers   = 8 // properties that are looked at besides the nearest
)

// best looks for another core if that of f is about loops: that a loop cannot end so soon is seldom
// why a property holds. How far loops have counted is left out of account if the path is infeasible
// without.
func (a *audit) best(ctx context.Context, p *Path, f feasibility) (*reason, error) {
	best := f.reason
	if !a.isAboutLoops(p, best) {
		return best, nil
	}
	// 1. A core without the conditions of loop exits.
	ignored := a.countedSteps(p)
	r, err := a.world.explain(ctx, a.pr, p, f.exec, ignored)
	switch {
	case err != nil || r != nil && !a.isAboutLoops(p, r):
		return r, err
	case r != nil:
		best = r
	default:
		ignored = map[int]bool{}
	}
	// 2. What the last round alone excludes says more than that there have been too few.
	if near := a.stretch(ctx, a.pr, p, without(f.exec.conds, ignored)); near.rounds(p) < visitsNeeded && near.from > best.from {
		return near, a.pr.Err()
	}
	// 3. The cheapest of a few.
	r = best
	for i := 1; i < mostCompared && a.isAboutLoops(p, r); i++ {
		ignored[r.conds[len(r.conds)-1].step] = true
		var err error
		if r, err = a.world.explain(ctx, a.pr, p, f.exec, ignored); err != nil {
			return nil, err
		}
		if r == nil {
			break
		}
		if a.cost(p, r) < a.cost(p, best) {
			best = r
		}
	}
	return best, nil
}

// moreCores adds predicates for other cores of p than r, if the same site has failed again and
// again: the next path to it may be one for which only these are left.
func (a *audit) moreCores(ctx context.Context, site int, p *Path, f feasibility, r *reason) error {
	if a.without[technique.MoreCores] || a.search.insisting.times < timesNeeded {
		return nil
	}
	ignored := map[int]bool{}
	for range mostMore {
		ignored[r.conds[len(r.conds)-1].step] = true
		var err error
		if r, err = a.world.explain(ctx, a.pr, p, f.exec, ignored); r == nil || err != nil || a.isAboutLoops(p, r) {
			return err
		}
		before := len(a.search.preds.list)
		if a.propose(ctx, backwardWalk{}, p, r, nil); len(a.search.preds.list) > before {
			a.reportCore(p, r)
			a.gained(site, r, before)
		}
	}
	return nil
}

// others learns from more than one trace of an abstraction. All properties are decided in one run of
// the checker, and to abstract and check again is expensive in a large program. So while the nearest
// property that fails decides how the audit goes on, some others are looked at, too: predicates for
// their own part of the program need not wait. It reports whether one of them fails, and no more is
// asked for.
func (a *audit) others(ctx context.Context, o *Outcome, nearest int) (enough bool, err error) {
	if a.without[technique.OtherProperties] {
		return false, nil
	}
	sites := slices.DeleteFunc(a.pending(o), func(i int) bool { return i == nearest })
	for n := 0; len(sites) > 0 && n < mostOthers; n++ {
		t, err := o.Analysis.TraceTo(ctx, sites...)
		if t == nil || err != nil {
			return false, err
		}
		at := t.Target()
		r, err := a.lookAt(ctx, o, t, sites[at])
		switch {
		case err != nil:
			return false, err
		case r.kind == fails && a.settle(r):
			return true, nil
		}
		sites = slices.Delete(sites, at, at+1)
	}
	return false, nil
}

// lookAt decides the trace to a site, and adds predicates if it is infeasible and the ordinary
// strategy finds some.
func (a *audit) lookAt(ctx context.Context, o *Outcome, t checker.Trace, site int) (analysis, error) {
	p, err := a.path(ctx, t, o.Result.Sites[site])
	if p == nil || err != nil {
		return analysis{}, err
	}
	f, err := a.decide(ctx, a.pr, p)
	switch {
	case err != nil:
		return analysis{}, err
	case f.model != nil:
		c, err := a.confirmer().fail(ctx, site, p, f)
		return confirmed(site, c).certain(), err
	case f.reason == nil, a.isAboutLoops(p, f.reason):
		return analysis{}, nil
	}
	before := len(a.search.preds.list)
	a.propose(ctx, backwardWalk{}, p, f.reason, nil)
	if len(a.search.preds.list) > before {
		a.reportCore(p, f.reason)
		a.gained(site, f.reason, before)
		a.search.refute(p, f.reason, nil, a.ladder.index(technique.Backward))
	}
	return analysis{}, nil
}
