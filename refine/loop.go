package refine

import (
	"context"
	"slices"

	"c2bp/checker"
	"c2bp/verdict"
)

// This file is the loop: abstract, check, look at what fails, again.

// run goes round until all is decided, or one failure if no more is asked for.
func (a *audit) run(ctx context.Context) (*Outcome, error) {
	for iter := 1; ; iter++ {
		a.begin()
		if a.opts.Progress != nil {
			a.opts.Progress(iter, len(a.preds.list))
		}
		end, err := a.iterate(ctx, iter)
		switch {
		case ctx.Err() != nil:
			return a.outcome(context.Cause(ctx).Error()), nil
		case err != nil:
			return nil, err
		case end != "":
			return a.outcome(end), nil
		}
	}
}

// outcome is what is known so far. Properties that are open are so for the reason given.
func (a *audit) outcome(reason string) *Outcome {
	o := *a.last
	stats := o.Result.Stats
	o.Result = a.fates.result(reason)
	o.Failures, o.Proof = slices.Clone(a.fates.failures), a.fates.proof()
	o.join()
	u := a.prog.Uncalled()
	o.Result.Uncalled, o.Result.UncalledInHeaders = u.Procs, u.InHeaders
	o.Result.Ledger, o.Result.Stats, o.Result.Predicates = a.prog.Ledger, stats, o.predicates()
	o.Statistics = a.soFar()
	return &o
}

// interim tells what is known so far.
func (a *audit) interim() {
	if a.opts.Interim != nil {
		a.opts.Interim(a.outcome(""))
	}
}

// decided is why iterate ends when nothing is left to be looked at.
const decided = "decided"

// iterate abstracts, checks, and learns from what fails. If the audit is over, end says why.
func (a *audit) iterate(ctx context.Context, iter int) (end string, err error) {
	o, err := a.abstract(ctx, iter)
	if err != nil {
		return "", err
	}
	a.last = o
	a.fates.read(o)
	a.interim()
	if o.Result.Verdict == verdict.Unknown {
		return o.Result.Reason + a.elsewhere(o), nil
	}
	return a.follow(ctx, o)
}

// elsewhere says, of a program without a property, who states some and is not reached.
func (a *audit) elsewhere(o *Outcome) string {
	e := a.prog.Elsewhere.WithLabels(a.opts.Checker.Labels())
	for _, s := range o.Result.Sites {
		if !s.Idle {
			return ""
		}
		if !slices.Contains(e.Procs, s.Proc) {
			e.Procs = append(e.Procs, s.Proc)
		}
	}
	if s := e.String(); s != "" {
		return "; nothing calls those of " + s
	}
	return ""
}

// abstract abstracts by the predicates found so far, and checks.
func (a *audit) abstract(ctx context.Context, iter int) (*Outcome, error) {
	before := a.queries
	r, err := a.abstraction(ctx)
	if err != nil {
		return nil, err
	}
	it := a.current()
	it.Predicates, it.New, it.Abstraction = r.Stats.Predicates, r.Stats.Predicates-len(a.last.Predicates), a.queries-before
	if a.opts.Save != nil {
		if err := a.opts.Save(iter, r.Program); err != nil {
			return nil, err
		}
	}
	an, err := checker.Analyse(ctx, r.Program, a.opts.Checker)
	if err != nil {
		return nil, err
	}
	if !a.without.NoOrder {
		a.opts.Checker.Like = an
	}
	it.Unfinished = an.Result.Verdict == verdict.Unknown && len(an.Result.Sites) > 0
	it.Nodes, it.Steps = counter(an.Result.Stats, "BDD nodes, peak"), counter(an.Result.Stats, "worklist steps")
	a.log("iteration %d: %d predicates, %d queries: %s", iter, r.Stats.Predicates, it.Abstraction, an.Result.Summary())
	an.Result.Stats = append(a.stats(iter, r.Stats.Predicates), an.Result.Stats...)
	return &Outcome{Result: an.Result, Analysis: an, Program: r.Program, Iterations: iter, Predicates: r.Predicates, origins: a.preds.origins()}, nil
}

// stats counts the work so far.
func (a *audit) stats(iter, predicates int) []verdict.Stat {
	return []verdict.Stat{
		{Name: "iterations", Value: int64(iter)},
		{Name: "predicates", Value: int64(predicates)},
		{Name: "prover queries, abstraction", Value: a.queries},
		{Name: "prover queries, paths", Value: a.pr.Stats().Queries},
	}
}
