package refine

import (
	"context"
	"fmt"
	"slices"

	"c2bp/abstract"
	"c2bp/alias"
	"c2bp/boolprog"
	"c2bp/checker"
	"c2bp/frontend/core"
	"c2bp/prover"
	"c2bp/refine/harness"
	"c2bp/source"
	"c2bp/verdict"
)

// This file is the loop: abstract, check, follow the trace, find predicates, again.

// Options control Audit. The zero value is the ordinary one.
type Options struct {
	Abstract   abstract.Options
	Checker    checker.Options
	All        bool // decide every property, and not only until one fails
	Iterations int  // most refinements; 0 is 1000
	TraceSteps int  // most steps of a path; 0 is 100,000
	// Progress, if not nil, is told of each iteration: its number and that of the
	// predicates.
	Progress func(iteration, predicates int)
	// Interim, if not nil, is given what is known as often as that is more than before.
	Interim func(*Outcome)
	// Save, if not nil, is given the Boolean program of each iteration.
	Save func(iteration int, p *boolprog.Program) error
	// Log, if not nil, is told of each step of the work, for developers.
	Log func(format string, args ...any)
	// Files are the C files of the program; with Harness, a failing run is repeated by
	// the program that gcc makes of them.
	Files   []*source.File
	Harness *harness.Options // nil: nothing is compiled or run
	// Devices are switched off for measurements.
	Devices Devices

	mutation mutation
}

// Outcome is what Audit found.
type Outcome struct {
	Result     *verdict.Result
	Analysis   *checker.Analysis // of the last abstraction
	Failures   []*Failure        // for False: confirmed runs, in the order of Result.Failures
	Program    *boolprog.Program // the last abstraction
	Iterations int
	Predicates []*abstract.Predicate // of that Program, in the order of its variables
}

// audit is one run.
type audit struct {
	*world
	opts    Options
	memo    *prover.Memo
	pr      *prover.Prover
	preds   *predicates
	ghosts  *ghosts
	efforts efforts
	fates   fates
	last    *Outcome // of the last abstraction
	queries int64    // of the abstractions so far
	trials  *trials  // nil before the first
}

// Audit decides the assertions and error labels of prog. The verdict is True if none can
// fail, False if a run was replayed in which one does, and Unknown otherwise. The sites of
// the result say what is known of each. prog is changed: calls through pointers are resolved
// (alias.Resolve).
func Audit(ctx context.Context, prog *core.Program, opts Options) (*Outcome, error) {
	prog = alias.Resolve(prog)
	result := alias.Analyze(prog)
	bits := prog.PtrBits
	if bits == 0 {
		bits = 64
	}
	if opts.Iterations == 0 {
		opts.Iterations = 1000
	}
	if opts.TraceSteps == 0 {
		opts.TraceSteps = 100_000
	}
	a := &audit{
		world: &world{prog, result, abstract.Aliases(prog, result), result.Regions(nil), bits, map[effect]bool{}, map[*core.Proc]map[int]bool{}, opts.Devices, opts.mutation},
		last:  &Outcome{Result: &verdict.Result{}}, fates: fates{mutation: opts.mutation},
		opts: opts, memo: prover.NewMemo(), preds: newPredicates(), ghosts: newGhosts(), efforts: efforts{},
	}
	if opts.Abstract.MaxExact == 0 && opts.Abstract.MaxCube == 0 && !opts.Devices.NoPrecision {
		a.opts.Abstract.Precision = a.efforts.of
	}
	a.opts.Abstract.Alias = result
	stock := &prover.Stock{}
	defer stock.Close()
	a.opts.Abstract.Stock = stock
	if !opts.Devices.NoMemo {
		a.opts.Abstract.Memo = a.memo
	}
	a.opts.Checker.FewRounds = !opts.Devices.ShortTraces // a short trace is not worth the time that it takes to find
	a.opts.Checker.Aside = a.fates.aside
	a.opts.Abstract = opts.mutation.abstract(a.opts.Abstract)
	a.pr = prover.New(a.memo, prover.Options{})
	defer a.pr.Close()
	return a.run(ctx)
}

func (a *audit) log(format string, args ...any) {
	if a.opts.Log != nil {
		a.opts.Log(format, args...)
	}
}

// run goes round until all is decided, or one failure if no more is asked for.
func (a *audit) run(ctx context.Context) (*Outcome, error) {
	for iter := 1; ; iter++ {
		a.preds.iter = iter
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
	o.Result.Ledger, o.Result.Stats = a.prog.Ledger, stats
	o.Failures = slices.Clone(a.fates.failures)
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
	a.fates.read(o.Result.Sites, o.Result.Failed)
	a.interim()
	if o.Result.Verdict == verdict.Unknown {
		return o.Result.Reason, nil
	}
	return a.follow(ctx, o)
}

// abstract abstracts by the predicates found so far, and checks.
func (a *audit) abstract(ctx context.Context, iter int) (*Outcome, error) {
	preds := a.preds.forAbstraction()
	r, err := abstract.Program(ctx, a.prog, preds, a.opts.Abstract)
	if err != nil {
		return nil, err
	}
	a.queries += r.Stats.Prover.Queries
	if a.opts.Save != nil {
		if err := a.opts.Save(iter, r.Program); err != nil {
			return nil, err
		}
	}
	an, err := checker.Analyse(ctx, r.Program, a.opts.Checker)
	if err != nil {
		return nil, err
	}
	a.opts.Checker.Like = an
	a.log("iteration %d: %d predicates, %d queries: %s", iter, r.Stats.Predicates, r.Stats.Prover.Queries, an.Result.Summary())
	an.Result.Stats = append(a.stats(iter, r.Stats.Predicates), an.Result.Stats...)
	return &Outcome{Result: an.Result, Analysis: an, Program: r.Program, Iterations: iter, Predicates: r.Predicates}, nil
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

// follow looks at the properties that fail in an abstraction, one after the other, until
// there are new predicates or nothing is left to be decided.
func (a *audit) follow(ctx context.Context, o *Outcome) (end string, err error) {
	for trying := true; ; {
		open := a.open(o)
		switch {
		case len(open) == 0:
			return decided, nil
		case o.Iterations > a.opts.Iterations:
			return fmt.Sprintf("%d refinements were not enough", a.opts.Iterations), nil
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
				return a.further(ctx, o, site)
			}
		}
		if a.note(found) {
			return decided, nil
		}
	}
}

// open lists the properties that are to be looked at. When there are no others, those that
// had been set aside for want of predicates are taken up again if there are more now.
func (a *audit) open(o *Outcome) []int {
	list := a.fates.pending(o.Result.Sites)
	if len(list) == 0 {
		a.fates.resume(len(a.preds.list))
		list = a.fates.pending(o.Result.Sites)
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
	a.fates.add(f, len(a.preds.list))
	if f.failure != nil && a.trials != nil {
		a.trials.forget(a.fates.sites[f.site])
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

// nearest decides the trace to a property, or adds predicates that rule it out: then the
// finding is nil.
func (a *audit) nearest(ctx context.Context, o *Outcome, t checker.Trace, site int) (*finding, error) {
	p, err := a.path(ctx, t, o.Result.Sites[site])
	switch {
	case err != nil:
		return nil, err
	case p == nil:
		return undecided(site, "a failing run of the abstraction has more than %d steps", a.opts.TraceSteps), nil
	}
	f, err := a.decide(ctx, a.pr, p)
	switch {
	case err != nil:
		return nil, err
	case f.reason == nil && f.model == nil:
		return undecided(site, "the prover cannot tell whether a path is feasible"), nil
	case f.reason == nil:
		return a.fail(ctx, site, p, f)
	}
	return a.suggest(ctx, site, p, f)
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
