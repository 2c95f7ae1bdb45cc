package refine

import (
	"context"

	"c2bp/checker"
)

// This file learns from more than one failing run of an abstraction. All sites are decided in
// one run of the checker, and to abstract and check again is what takes long in a large
// program. So while the nearest site that fails decides how it goes on, those behind it are
// looked at, too: a reason of theirs in its own part of the program need not wait.

// mostFurther bounds how many sites are looked at besides the nearest.
const mostFurther = 8

// further adds predicates for failing sites other than the nearest. The outcome is nil unless
// one of them really fails.
func (a *audit) further(ctx context.Context, o *Outcome) (*Outcome, error) {
	if a.without.NoFurther {
		return nil, nil
	}
	var sites []int
	for i, s := range o.Result.Sites {
		if s.Failed && i != o.Result.Failed {
			sites = append(sites, i)
		}
	}
	for n := 0; len(sites) > 0 && n < mostFurther; n++ {
		t, err := o.Analysis.TraceTo(ctx, sites...)
		if t == nil || err != nil {
			return nil, err
		}
		at := t.Target()
		out, err := a.followTo(ctx, o, t, sites[at])
		if out != nil || err != nil {
			return out, err
		}
		sites = append(sites[:at:at], sites[at+1:]...)
	}
	return nil, nil
}

// followTo decides the trace to a site, and adds predicates if it is infeasible for a reason
// that needs none of the devices for hard cases.
func (a *audit) followTo(ctx context.Context, o *Outcome, t checker.Trace, site int) (*Outcome, error) {
	steps, err := checker.Expand(ctx, t, a.opts.TraceSteps)
	if err != nil {
		return nil, err
	}
	p, err := a.whole(steps, o.Result.Sites[site])
	if p == nil || err != nil {
		return nil, err
	}
	f, err := a.decide(ctx, a.pr, p)
	switch {
	case err != nil:
		return nil, err
	case f.model != nil:
		return certain(a.fail(ctx, o.failingAt(site), p, f))
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
		a.logPredicates(before)
	}
	return nil, nil
}
