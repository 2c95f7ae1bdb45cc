package refine

import (
	"context"
	"fmt"
	"slices"

	"c2bp/checker"
	"c2bp/prover"
	"c2bp/verdict"
)

// This file follows the traces of an abstraction to the properties that fail in it.

// follow looks at the properties that fail in an abstraction, one after the other, until
// there are new predicates or nothing is left to be decided.
func (a *audit) follow(ctx context.Context, o *Outcome) (end string, err error) {
	for trying := true; ; {
		open := a.open(o)
		switch {
		case len(open) == 0 && a.turns.next(a):
			return "", nil
		case len(open) == 0:
			return decided, nil
		case o.Iterations > a.opts.Iterations:
			return fmt.Sprintf("%d refinements were not enough", a.opts.Iterations), nil
		case a.exhausted():
			return fmt.Sprintf("%d prover queries were not enough", a.opts.Queries), nil
		}
		var found *finding
		if trying {
			if found, err = a.tryOut(ctx, o); err != nil {
				return "", err
			}
			trying = found != nil
		}
		if found == nil {
			t, site, err := a.aim(ctx, o, open)
			if err != nil {
				return "", err
			}
			if found, err = a.nearest(ctx, o, t, site); err != nil {
				return "", err
			}
			if found == nil { // there are new predicates
				return a.behind(ctx, o, site)
			}
		}
		switch {
		case found.failure == nil && ctx.Err() != nil: // with more time it might be decided
			return "", ctx.Err()
		case a.note(found):
			return decided, nil
		}
	}
}

// behind looks at what else fails than the nearest, and then at other properties, if that is
// for the best.
func (a *audit) behind(ctx context.Context, o *Outcome, nearest int) (end string, err error) {
	if end, err = a.further(ctx, o, nearest); end == "" && err == nil {
		a.takeTurns(a.current().Nodes)
	}
	return end, err
}

// open lists the properties that are to be looked at. When there are no others, those that
// had been set aside for want of predicates are taken up again if there are more now, of
// which there is no telling where each property has its own.
func (a *audit) open(o *Outcome) []int {
	list := a.pending(o)
	if len(list) == 0 && a.turns == nil {
		a.fates.resume(len(a.preds.list))
		list = a.pending(o)
	}
	return list
}

// note keeps a finding. It reports whether no more is asked for.
func (a *audit) note(f *finding) (enough bool) {
	switch at := a.fates.sites[f.site]; {
	case f.failure == nil:
		a.log("  set aside: %s", f.reason)
	case a.opts.All:
		a.log("  fails: %s, %s", at.What(), at.Where())
	}
	a.settled(f)
	a.fates.add(f, len(a.preds.list))
	if f.failure != nil && a.fuzzing != nil {
		a.fuzzing.Forget(a.fates.sites[f.site])
	}
	a.interim()
	return f.failure != nil && !a.opts.All
}

// aim is a trace to the nearest of the properties that are open, and which one that is.
func (a *audit) aim(ctx context.Context, o *Outcome, open []int) (checker.Trace, int, error) {
	if site := o.Result.Failed; o.Analysis.Trace != nil && slices.Contains(open, site) {
		return o.Analysis.Trace, site, nil
	}
	t, err := o.Analysis.TraceTo(ctx, open...)
	if err != nil {
		return nil, 0, err
	}
	return t, open[t.Target()], nil
}

// exhausted reports whether more prover queries were made than allowed.
func (a *audit) exhausted() bool {
	return a.opts.Queries > 0 && a.queries+a.pr.Stats().Queries > a.opts.Queries
}

// nearest decides the trace to a property, or adds predicates that rule it out: then the
// finding is nil.
func (a *audit) nearest(ctx context.Context, o *Outcome, t checker.Trace, site int) (*finding, error) {
	a.insists(site)
	p, err := a.path(ctx, t, o.Result.Sites[site])
	switch {
	case err != nil:
		return nil, err
	case p == nil:
		return undecided(site, "a failing run of the abstraction has more than %d steps", a.opts.TraceSteps), nil
	}
	f, err := a.decide(ctx, a.pr, p)
	if err == nil && f.reason == nil && f.model == nil { // the audit of this property hangs on it
		f, err = a.decide(ctx, a.patiently(), p)
	}
	switch {
	case err != nil:
		return nil, err
	case f.reason == nil && f.model == nil:
		return undecided(site, "the prover cannot tell whether a path is feasible"), nil
	case f.reason == nil:
		return a.fail(ctx, site, p, f)
	}
	if a.isBack(p) && a.exclude(ctx, p, f.reason) {
		a.learned(site, f.reason, len(a.preds.list))
		return nil, nil
	}
	return a.suggest(ctx, site, p, f)
}

// pathPatience is how many times the ordinary work a query about a path may take, if it is not
// decided otherwise.
const pathPatience = 20

// patiently is a prover for what the ordinary one cannot tell.
func (a *audit) patiently() *prover.Prover {
	if a.patient == nil {
		a.patient = prover.New(nil, prover.Options{Patience: pathPatience})
	}
	return a.patient
}

// path reads the path of a trace to a site, nil if it is too long.
func (a *audit) path(ctx context.Context, t checker.Trace, site verdict.Site) (*Path, error) {
	steps, err := checker.Expand(ctx, t, a.opts.TraceSteps)
	if err != nil {
		return nil, err
	}
	for _, s := range steps {
		if s.Collapsed {
			return nil, nil
		}
	}
	return readPath(a.prog, steps, site.Kind == verdict.Assertion)
}
