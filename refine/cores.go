package refine

import (
	"context"
	"maps"
	"slices"
	"strings"

	"c2bp/checker"
	"c2bp/refine/cex"
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
func (a *audit) best(ctx context.Context, p *cex.Path, f cex.Feasibility) (*cex.Core, error) {
	best := f.Core
	if !a.AboutLoops(p, best) {
		return best, nil
	}
	// 1. A core without the conditions of loop exits.
	ignored := a.LoopExitSteps(p)
	r, err := a.Facts.Explain(ctx, a.pr, p, f.Exec, ignored)
	switch {
	case err != nil || r != nil && !a.AboutLoops(p, r):
		return r, err
	case r != nil:
		// The path is infeasible without the loop exits, but this core is about loops, too.
		best = r
	default:
		// Without the loop exits there is no core: they stay.
		ignored = map[int]bool{}
	}
	// 2. What the last round alone excludes says more than that there have been too few.
	if near := a.Segment(ctx, a.pr, p, cex.WithoutSteps(f.Exec.Conds, ignored)); near.Unwindings(p) < cex.LoopVisits && near.From > best.From {
		return near, a.pr.Err()
	}
	// 3. The cheapest of a few.
	r = best
	// Each further core does without the last condition of the one before.
	for i := 1; i < mostCompared && a.AboutLoops(p, r); i++ {
		ignored[r.Conds[len(r.Conds)-1].Step] = true
		var err error
		if r, err = a.Facts.Explain(ctx, a.pr, p, f.Exec, ignored); err != nil {
			return nil, err
		}
		if r == nil {
			break
		}
		if a.Cost(p, r) < a.Cost(p, best) {
			best = r
		}
	}
	return best, nil
}

// onSlice returns the steps of the conditions of p on which its end does not depend. If one of them is in the core of f, it
// returns another core without, unless that is about loops, which have ways of their own; and if there is none, the path is
// open: it is impossible because of these conditions alone.
func (a *audit) onSlice(ctx context.Context, p *cex.Path, f cex.Feasibility) (aside map[int]bool, r *cex.Core, open bool, err error) {
	if a.Without.Has(technique.PathSlices) {
		return nil, nil, false, nil
	}
	aside = a.Irrelevant(p)
	if !slices.ContainsFunc(f.Core.Conds, func(c cex.Condition) bool { return aside[c.Step] }) {
		return aside, nil, false, nil
	}
	if r, err = a.Facts.Explain(ctx, a.pr, p, f.Exec, aside); r == nil || err != nil {
		return aside, nil, err == nil, err
	}
	if a.AboutLoops(p, r) {
		r = nil
	}
	return aside, r, false, nil
}

// sliceOf names the conditions of a path without those of the steps aside: two paths that have the same ones fail for the
// same reasons.
func sliceOf(p *cex.Path, f cex.Feasibility, aside map[int]bool) string {
	var b strings.Builder
	for _, c := range cex.WithoutSteps(f.Exec.Conds, aside) {
		b.WriteString(p.Steps[c.Step].ID())
		b.WriteByte(' ')
	}
	return b.String()
}

// moreCores adds predicates for other cores of p than r, if the same site has failed again and
// again: the next path to it may be one for which only these are left. Conditions of the steps aside are in none.
func (a *audit) moreCores(ctx context.Context, site int, p *cex.Path, f cex.Feasibility, r *cex.Core, aside map[int]bool) error {
	if a.search.insisting.times < timesNeeded || a.Without.Has(technique.MoreCores) {
		return nil
	}
	ignored := map[int]bool{}
	maps.Copy(ignored, aside)
	for range mostMore {
		ignored[r.Conds[len(r.Conds)-1].Step] = true
		var err error
		if r, err = a.Facts.Explain(ctx, a.pr, p, f.Exec, ignored); r == nil || err != nil || a.AboutLoops(p, r) {
			return err
		}
		before := len(a.search.preds.List)
		if a.propose(ctx, backwardWalk{}, p, r, nil); len(a.search.preds.List) > before {
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
	if a.Without.Has(technique.OtherProperties) {
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
		// Each property is looked at once in an abstraction.
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
	f, err := a.Decide(ctx, a.pr, p)
	switch {
	case err != nil:
		return analysis{}, err
	case f.Model != nil:
		// A confirmed failure counts; a run that is not confirmed leaves the property open, and the path is not
		// tried again before the property is the nearest one.
		if a.unplayed[p.Key()] {
			return analysis{}, nil
		}
		c, err := a.confirmer().Brief().Confirm(ctx, site, p, f)
		if c.Failure == nil {
			a.unplayed[p.Key()] = true
		}
		return confirmed(site, c).certain(), err
	case f.Core == nil, a.AboutLoops(p, f.Core):
		return analysis{}, nil
	}
	core := f.Core
	switch _, r, open, err := a.onSlice(ctx, p, f); {
	case err != nil || open:
		return analysis{}, err
	case r != nil:
		core = r
	}
	before := len(a.search.preds.List)
	a.search.preds.Site = site
	a.propose(ctx, backwardWalk{}, p, core, nil)
	if len(a.search.preds.List) > before {
		a.reportCore(p, core)
		a.gained(site, core, before)
		a.search.refute(p, core, nil, a.ladder.index(technique.Backward))
	}
	return analysis{}, nil
}
