package refine

import (
	"context"
	"slices"

	"c2bp/checker"
)

// This file learns from more than one failing run of an abstraction. All sites are decided in
// one run of the checker, and to abstract and check again is what takes long in a large
// program. So while the nearest site that fails decides how it goes on, those behind it are
// looked at, too: a reason of theirs in its own part of the program need not wait.

// mostFurther bounds how many sites are looked at besides the nearest.
const mostFurther = 8

// further adds predicates for properties that are open, other than the nearest, and notes if
// one of them really fails. If the audit is over then, end says why.
func (a *audit) further(ctx context.Context, o *Outcome, nearest int) (end string, err error) {
	if a.without.NoFurther {
		return "", nil
	}
	sites := slices.DeleteFunc(a.pending(o), func(i int) bool { return i == nearest })
	for n := 0; len(sites) > 0 && n < mostFurther; n++ {
		t, err := o.Analysis.TraceTo(ctx, sites...)
		if t == nil || err != nil {
			return "", err
		}
		at := t.Target()
		found, err := a.followTo(ctx, o, t, sites[at])
		switch {
		case err != nil:
			return "", err
		case found != nil && a.note(found):
			return decided, nil
		}
		sites = slices.Delete(sites, at, at+1)
	}
	return "", nil
}

// followTo decides the trace to a site, and adds predicates if it is infeasible for a reason
// that needs none of the devices for hard cases.
func (a *audit) followTo(ctx context.Context, o *Outcome, t checker.Trace, site int) (*finding, error) {
	p, err := a.path(ctx, t, o.Result.Sites[site])
	if p == nil || err != nil {
		return nil, err
	}
	f, err := a.decide(ctx, a.pr, p)
	switch {
	case err != nil:
		return nil, err
	case f.model != nil:
		return certain(a.fail(ctx, site, p, f))
	case f.reason == nil:
		return nil, nil
	}
	if a.isAboutLoops(p, f.reason) {
		return nil, nil
	}
	before := len(a.preds.list)
	a.explainTo(ctx, p, f.reason, general)
	if len(a.preds.list) > before {
		a.logReason(p, f.reason)
		a.gained(site, f.reason, before)
		a.refuted.add(p, f.reason, general)
	}
	return nil, nil
}

// insists notes that site is the nearest one that fails.
func (a *audit) insists(site int) {
	if a.insisting.site != site {
		a.insisting.site, a.insisting.times = site, 0
	}
	a.insisting.times++
}

// repeated is the nearest site that fails, and in how many iterations it has been that.
type repeated struct{ site, times int }

const (
	timesNeeded = 4 // until more than one reason of a path is looked at
	mostMore    = 3 // bounds how many more
)

// moreReasons adds predicates for other reasons why p is impossible than r, if the same site
// has failed again and again: the next path to it may be one for which only these are left.
func (a *audit) moreReasons(ctx context.Context, site int, p *Path, f feasibility, r *reason) error {
	if a.without.NoMore || a.insisting.times < timesNeeded {
		return nil
	}
	ignored := map[int]bool{}
	for range mostMore {
		ignored[r.conds[len(r.conds)-1].step] = true
		var err error
		if r, err = a.explain(ctx, a.pr, p, f.exec, ignored); r == nil || err != nil || a.isAboutLoops(p, r) {
			return err
		}
		before := len(a.preds.list)
		if a.explainTo(ctx, p, r, general); len(a.preds.list) > before {
			a.logReason(p, r)
			a.gained(site, r, before)
		}
	}
	return nil
}
