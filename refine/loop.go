package refine

import (
	"context"
	"fmt"
	"slices"

	"c2bp/abstract"
	"c2bp/checker"
	"c2bp/refine/event"
	"c2bp/refine/technique"
	"c2bp/verdict"
)

// This file has the refinement loop.

// ending says why the loop ends: all that was asked for is decided, or there is a reason why not.
type ending struct {
	decided bool
	why     string
}

// run refines until the loop ends, and returns the outcome then.
func (a *audit) run(ctx context.Context) (*Outcome, error) {
	end, err := a.refine(ctx)
	if err == nil && ctx.Err() == nil {
		end, err = a.lookQuietly(ctx, end)
	}
	switch {
	// Cut short from outside: the outcome so far is an outcome, too.
	case ctx.Err() != nil:
		return a.outcome(ending{why: context.Cause(ctx).Error()}), nil
	case err != nil:
		return nil, err
	}
	return a.outcome(end), nil
}

// refine is the refinement loop: abstract, check, analyse a counterexample, refine.
func (a *audit) refine(ctx context.Context) (ending, error) {
	for ctx.Err() == nil {
		// 1. Abstract by the predicates and constraints found so far.
		a.begin()
		fresh, err := a.abstract(ctx)
		if err != nil {
			return ending{}, err
		}
		// 2. A path refuted last may still be one of it: exclude it by constraints, or find more predicates.
		if fresh && a.excludeRefuted(ctx) {
			continue
		}
		// 3. Check. A property is proved if no trace of the abstraction violates it.
		o, err := a.check(ctx)
		if err != nil {
			return ending{}, err
		}
		if o.Result.Verdict == verdict.Unknown {
			if a.withoutReferences(o.Result.Reason) {
				continue
			}
			return ending{why: o.Result.Reason + a.elsewhere(o)}, nil
		}
		if a.tooLong() {
			continue
		}
		// 4. Look at the properties that are open, until a trace teaches something.
		for fuzzing := true; ; {
			open := a.open(o)
			if len(open) == 0 && (a.scheduler.next(a) || a.status.undecided() && a.withoutReferences("no predicates help")) {
				break // another property has its turn, or another abstraction
			}
			if end, over := a.over(open); over {
				return end, nil
			}
			// 4a. A run with random inputs fails; or the nearest trace of the abstraction is analysed.
			var r analysis
			if fuzzing {
				r, err = a.fuzz(ctx, o)
				fuzzing = r.kind != nothing
			}
			if r.kind == nothing && err == nil {
				r, err = a.nearest(ctx, o, open)
			}
			if err == nil && r.kind == undecided {
				err = ctx.Err() // with more time it might be decided
			}
			if err != nil {
				return ending{}, err
			}
			// 4b. The trace is spurious, and something is new. Learn from other properties, too.
			if r.kind == refined {
				if enough, err := a.others(ctx, o, r.site); enough || err != nil {
					return ending{decided: enough}, err
				}
				a.schedule(a.current().Nodes)
				break
			}
			// 4c. The property fails, or is set aside.
			if a.settle(r) {
				return ending{decided: true}, nil
			}
		}
	}
	return ending{}, ctx.Err()
}

// over reports whether the loop ends before the properties open are looked at, and why.
func (a *audit) over(open []int) (end ending, over bool) {
	switch {
	case len(open) == 0:
		return ending{decided: true}, true
	case a.abstractions > a.opts.Iterations:
		return ending{why: fmt.Sprintf("%d refinements were not enough", a.opts.Iterations)}, true
	case a.exhausted():
		return ending{why: fmt.Sprintf("%d prover queries were not enough", a.opts.Queries)}, true
	}
	return ending{}, false
}

// exhausted reports whether more prover queries were made than allowed.
func (a *audit) exhausted() bool {
	return a.opts.Queries > 0 && a.queries+a.pr.Stats().Queries > a.opts.Queries
}

// abstract makes the abstraction by the predicates found so far, with the constraints found so far.
// It is not fresh if it is there already, and has only got more constraints.
func (a *audit) abstract(ctx context.Context) (fresh bool, err error) {
	// Constraints were added to the abstraction in place: nothing has to be made.
	if a.search.upToDate {
		a.search.upToDate = false
		return false, nil
	}
	a.abstractions++
	if a.refs.on && a.search.before == nil {
		a.search.before = a.search.clone()
	}
	preds, opts := a.withReferences(a.search.preds.ForAbstraction(), a.opts.Abstract)
	r, err := abstract.Program(ctx, a.Prog, preds, opts)
	if err != nil {
		return false, err
	}
	a.queries += r.Stats.Prover.Queries
	if r.Vague != "" && a.withoutReferences("references do not say whether "+r.Vague) {
		return a.abstract(ctx)
	}
	a.search.made = r
	if len(a.search.constraints) > 0 && a.constrains() {
		r.Constrain(ctx, a.pr, a.search.constraints)
	}
	return true, nil
}

// check checks the abstraction, and records the properties that it proves.
func (a *audit) check(ctx context.Context) (*Outcome, error) {
	r, it, number := a.search.made, a.current(), len(a.statistics.list)
	it.Predicates, it.New, it.Abstraction = r.Stats.Predicates, r.Stats.Predicates-len(a.last.Predicates), a.queries-a.statistics.abstraction
	if a.opts.Save != nil {
		if err := a.opts.Save(number, r.Program); err != nil {
			return nil, err
		}
	}
	// The check starts from the order of the BDD variables of the last one.
	a.opts.Checker.Like = nil
	if a.last.Analysis != nil && !keepsReferences(a.last.Program) && !a.Without.Has(technique.VariableOrderReuse) {
		a.opts.Checker.Like = a.last.Analysis
	}
	a.opts.Checker.KeepTraces, a.opts.Checker.NoNull = true, true // null is excluded before each dereference
	a.opts.Checker.StateLimit = mostHeaps
	an, err := checker.Analyse(ctx, r.Program, a.opts.Checker)
	if err != nil {
		return nil, err
	}
	it.Unfinished = an.Result.Verdict == verdict.Unknown && len(an.Result.Sites) > 0
	it.Nodes, it.Steps = counter(an.Result.Stats, "BDD nodes, peak"), counter(an.Result.Stats, "worklist steps")
	a.opts.Log.Report(event.Checked{Iteration: number, Predicates: r.Stats.Predicates, Queries: it.Abstraction, Result: an.Result.Summary()})
	an.Result.Stats = append(a.counters(number, r.Stats.Predicates), an.Result.Stats...)
	a.last = &Outcome{Result: an.Result, Analysis: an, Program: r.Program, Iterations: number, Predicates: r.Predicates, kept: r.Kept, origins: a.search.preds.Origins()}
	a.status.record(a.last)
	a.interim()
	return a.last, nil
}

// counters counts the work so far.
func (a *audit) counters(iteration, predicates int) []verdict.Stat {
	return []verdict.Stat{
		{Name: "iterations", Value: int64(iteration)},
		{Name: "predicates", Value: int64(predicates)},
		{Name: "prover queries, abstraction", Value: a.queries},
		{Name: "prover queries, paths", Value: a.pr.Stats().Queries},
	}
}

// settle records that a property fails or is set aside. It reports whether no more is asked for.
func (a *audit) settle(r analysis) (enough bool) {
	switch at := a.status.sites[r.site]; {
	case r.kind == undecided:
		a.opts.Log.Report(event.SetAside{Reason: r.why})
	case a.opts.All:
		a.opts.Log.Report(event.Fails{What: at.What(), Where: at.Where()})
	}
	a.settled(r)
	a.status.add(r, len(a.search.preds.List))
	// Runs to a property that has failed are no longer looked for.
	if r.kind == fails && a.campaign != nil {
		a.campaign.Forget(a.status.sites[r.site])
	}
	a.interim()
	return r.kind == fails && !a.opts.All
}

// outcome returns the outcome so far. Properties that are open are so for the reason given.
func (a *audit) outcome(end ending) *Outcome {
	o := *a.last
	stats := o.Result.Stats
	o.Result = a.status.result(end)
	o.Failures, o.Proof = slices.Clone(a.status.failures), a.status.proof()
	o.join()
	u := a.Prog.Uncalled()
	o.Result.Uncalled, o.Result.UncalledInHeaders = u.Procs, u.InHeaders
	o.Result.Ledger, o.Result.Kept = a.grounds(&o)
	o.Result.Stats, o.Result.Predicates = stats, o.predicates()
	o.Statistics = a.soFar()
	return &o
}

// grounds returns the assumptions of the properties of o that hold, those of the abstractions that prove them
// included, and the pointers that were kept in these.
func (a *audit) grounds(o *Outcome) (ledger, kept []string) {
	ledger, kept = a.Prog.Ledger, o.kept
	for _, p := range a.status.list {
		if !p.holds {
			continue
		}
		for _, line := range p.by.Program.Ledger {
			if !slices.Contains(ledger, line) {
				ledger = append(ledger[:len(ledger):len(ledger)], line)
			}
		}
		for _, line := range p.by.kept {
			if !slices.Contains(kept, line) {
				kept = append(kept[:len(kept):len(kept)], line)
			}
		}
	}
	return ledger, kept
}

// interim reports the outcome so far.
func (a *audit) interim() {
	if a.opts.Interim != nil {
		a.opts.Interim(a.outcome(ending{}))
	}
}

// elsewhere says, of a program without a property, which functions state some and are not reached.
func (a *audit) elsewhere(o *Outcome) string {
	e := a.Prog.Elsewhere.WithLabels(a.opts.Checker.Labels())
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
