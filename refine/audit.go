package refine

import (
	"context"

	"c2bp/abstract"
	"c2bp/alias"
	"c2bp/alias/devirt"
	"c2bp/boolprog"
	"c2bp/checker"
	"c2bp/frontend/core"
	"c2bp/prover"
	"c2bp/refine/harness"
	"c2bp/source"
	"c2bp/verdict"
	"c2bp/wp/memory"
)

// This file is the door: what is asked, and what is answered.

// Options control Audit. The zero value is the ordinary one.
type Options struct {
	Abstract   abstract.Options
	Checker    checker.Options
	All        bool // decide every property, and not only until one fails
	Iterations int  // most refinements; 0 is 1000
	TraceSteps int  // most steps of a path; 0 is 100,000
	// Queries is after how many prover queries, of abstractions and paths, nothing further is
	// tried; 0 is no limit. An abstraction is not cut short.
	Queries int64
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

	large    int64 // so many BDD nodes are too many for all properties together; 0 is a default
	mutation mutation
}

// Outcome is what Audit found.
type Outcome struct {
	Result     *verdict.Result
	Analysis   *checker.Analysis // of the last abstraction
	Failures   []*Failure        // for False: confirmed runs, in the order of Result.Failures
	Program    *boolprog.Program // the last abstraction
	Iterations int
	Statistics []Iteration
	Predicates []*abstract.Predicate // of that Program, in the order of its variables
	Proof      []*Outcome            // the abstractions that prove what holds: each what holds in its Analysis

	origins map[core.Expr]Origin
}

// audit is one run.
type audit struct {
	*world
	*search
	opts       Options
	memo       *prover.Memo
	pr         *prover.Prover
	patient    *prover.Prover // nil before the first use
	ghosts     *ghosts
	fates      fates
	last       *Outcome // of the last abstraction
	queries    int64    // of the abstractions so far
	iterations iterations
	fuzzing    *fuzzing // nil before the first search
	flows      *flows   // nil before they are needed
	turns      *turns   // nil while all properties are looked at together
}

// Audit decides the assertions and error labels of prog. The verdict is True if none can
// fail, False if a run was replayed in which one does, and Unknown otherwise. The sites of
// the result say what is known of each. prog is changed: calls through pointers are resolved
// (devirt.Resolve).
func Audit(ctx context.Context, prog *core.Program, opts Options) (*Outcome, error) {
	devirt.Resolve(prog)
	result := alias.Analyze(prog)
	if opts.Iterations == 0 {
		opts.Iterations = 1000
	}
	if opts.large == 0 {
		opts.large = largeCheck
	}
	if opts.TraceSteps == 0 {
		opts.TraceSteps = 100_000
	}
	a := &audit{
		world: &world{prog, result, memory.New(prog, result, nil), result.Regions(nil), prog.Pointer().Bits, map[effect]bool{}, map[*core.Proc]map[int]bool{}, opts.Devices, opts.mutation},
		last:  &Outcome{Result: &verdict.Result{}}, fates: fates{mutation: opts.mutation},
		opts: opts, memo: prover.NewMemo(), search: newSearch(), ghosts: newGhosts(),
	}
	a.search.preds.bits = a.bits
	if opts.Abstract.MaxExact == 0 && opts.Abstract.MaxCube == 0 && !opts.Devices.NoPrecision {
		a.opts.Abstract.Precision = func(p *core.Proc, node int) abstract.Precision { return a.efforts.of(p, node) }
	}
	a.opts.Abstract.Alias = result
	stock := &prover.Stock{}
	defer stock.Close()
	if !opts.Devices.NoStock {
		a.opts.Abstract.Stock = stock
	}
	if !opts.Devices.NoMemo {
		a.opts.Abstract.Memo = a.memo
	}
	a.opts.Checker.FewRounds = !opts.Devices.ShortTraces // a short trace is not worth the time that it takes to find
	a.opts.Checker.WayOnly = true                        // values are found anew from the program
	a.opts.Checker.Aside = a.aside
	a.opts.Checker.Avoid = avoidable(prog)
	a.pr = prover.New(a.memo, prover.Options{})
	defer func() {
		a.pr.Close()
		if a.patient != nil {
			a.patient.Close()
		}
	}()
	return a.run(ctx)
}

func (a *audit) log(format string, args ...any) {
	if a.opts.Log != nil {
		a.opts.Log(format, args...)
	}
}
