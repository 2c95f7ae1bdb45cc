package refine

import (
	"context"
	"fmt"

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
	Iterations int // most refinements; 0 is 1000
	TraceSteps int // most steps of a path; 0 is 100,000
	// Progress, if not nil, is told of each iteration: its number and that of the
	// predicates.
	Progress func(iteration, predicates int)
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
	Path       *Path             // for False: the run
	Recording  *harness.Recording
	Harness    *harness.Harness  // for False, with Options.Harness: the C file that supplies its inputs
	Compiled   *harness.Outcome  // and what came of it
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
	queries int64   // of the abstractions so far
	trials  *trials // nil before the first
}

// Audit decides the assertions and error labels of prog. The verdict is True if none can
// fail, False if a run was replayed in which one does, and Unknown otherwise. prog is
// changed: calls through pointers are resolved (alias.Resolve).
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
		opts:  opts, memo: prover.NewMemo(), preds: newPredicates(), ghosts: newGhosts(), efforts: efforts{},
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

// giveUp is an outcome Unknown: that sites fail in the abstraction means nothing.
func giveUp(o *Outcome, format string, args ...any) (*Outcome, error) {
	o.Result.Verdict = verdict.Unknown
	o.Result.Trace = nil
	o.Result.Reason = fmt.Sprintf(format, args...)
	for i := range o.Result.Sites {
		o.Result.Sites[i].Failed = false
	}
	return o, nil
}

// run goes round until there is an outcome. If ctx is done, the outcome is Unknown.
func (a *audit) run(ctx context.Context) (*Outcome, error) {
	last := &Outcome{Result: &verdict.Result{Ledger: a.prog.Ledger}}
	for iter := 1; ; iter++ {
		a.preds.iter = iter
		if a.opts.Progress != nil {
			a.opts.Progress(iter, len(a.preds.list))
		}
		o, err := a.abstract(ctx, iter)
		if o != nil {
			last = o
		}
		if err == nil && o.Result.Verdict == verdict.False {
			if o, err = a.follow(ctx, o); err == nil && o == nil {
				continue
			}
		}
		switch {
		case ctx.Err() != nil:
			return giveUp(last, "%v", context.Cause(ctx))
		case err != nil:
			return nil, err
		}
		return o, nil
	}
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

// follow decides the trace of an abstraction. The outcome is nil if the loop is to go on.
func (a *audit) follow(ctx context.Context, o *Outcome) (*Outcome, error) {
	if o.Iterations > a.opts.Iterations {
		return giveUp(o, "%d refinements were not enough", a.opts.Iterations)
	}
	if out, err := a.tryOut(ctx, o); out != nil || err != nil {
		return out, err
	}
	path, err := a.path(ctx, o.Analysis)
	if err != nil {
		return nil, err
	}
	if path == nil {
		return giveUp(o, "a failing run of the abstraction has more than %d steps", a.opts.TraceSteps)
	}
	if out, err := a.refine(ctx, o, path); out != nil || err != nil {
		return out, err
	}
	return a.further(ctx, o)
}

// path reads the path of the trace, nil if it is too long.
func (a *audit) path(ctx context.Context, an *checker.Analysis) (*Path, error) {
	if err := an.Expand(ctx, a.opts.TraceSteps); err != nil {
		return nil, err
	}
	return a.whole(an.Result.Trace.Steps, an.Result.Sites[an.Result.Failed])
}

// whole reads the path of a trace to a site, nil if a call is collapsed in it.
func (a *audit) whole(steps []verdict.Step, site verdict.Site) (*Path, error) {
	for _, s := range steps {
		if s.Collapsed {
			return nil, nil
		}
	}
	return readPath(a.prog, steps, site.Kind == verdict.Assertion)
}

// refine decides a path and finds predicates that rule it out. The outcome is nil if the
// loop is to go on.
func (a *audit) refine(ctx context.Context, o *Outcome, p *Path) (*Outcome, error) {
	f, err := a.decide(ctx, a.pr, p)
	switch {
	case err != nil:
		return nil, err
	case f.reason == nil && f.model == nil:
		return giveUp(o, "the prover cannot tell whether a path is feasible")
	case f.reason == nil:
		return a.fail(ctx, o, p, f)
	}
	return a.suggest(ctx, o, p, f)
}
