package refine

import (
	"context"
	"crypto/sha256"

	"c2bp/abstract"
	"c2bp/alias"
	"c2bp/alias/devirt"
	"c2bp/boolprog"
	"c2bp/checker"
	"c2bp/frontend/core"
	"c2bp/prover"
	"c2bp/refine/backward"
	"c2bp/refine/cex"
	"c2bp/refine/concretise"
	"c2bp/refine/event"
	"c2bp/refine/fuzz"
	"c2bp/refine/harness"
	"c2bp/refine/invgen"
	"c2bp/refine/preds"
	"c2bp/refine/technique"
	"c2bp/source"
	"c2bp/verdict"
)

// This file is the door of the package: the options of an audit, and its outcome.

// Options control Audit. The zero value is the ordinary one.
type Options struct {
	Abstract   abstract.Options
	Checker    checker.Options
	All        bool  // decide every property, not only until one fails
	Iterations int   // bounds the abstractions; 0 is 1000
	TraceSteps int   // bounds the steps of a path; 0 is 100,000
	Queries    int64 // after so many prover queries nothing further is tried; 0 is no bound. An abstraction is not cut short.
	// Progress, if not nil, is called at the begin of each iteration, with its number and that of the
	// predicates.
	Progress func(iteration, predicates int)
	// Interim, if not nil, is called with the outcome so far whenever a property's status has changed.
	Interim func(*Outcome)
	// Save, if not nil, is called with the Boolean program of each iteration.
	Save func(iteration int, p *boolprog.Program) error
	// Log, if not nil, is called for each step of the work, for developers.
	Log event.Log
	// Files are the C files of the program; with Harness, a failing run is repeated by the program that
	// gcc makes of them.
	Files   []*source.File
	Harness *harness.Options // nil: nothing is compiled or run
	// Without names techniques that are left out, for measurements.
	Without technique.Set
	// Refs says when pointers are kept as references.
	Refs Refs
	// Strategies are tried after those of the ladder.
	Strategies []Strategy
	// After, if not nil, is the outcome of an audit of a program that differs little: this one begins with the predicates
	// of its last abstraction.
	After *Outcome
	// Like has the choices of failing runs of programs that differ little: runs like these are tried first.
	Like []*fuzz.Guide
	// Plain says that a failing run in which functions without a body replace pointers (harness.Replaced) decides nothing in the
	// end. One that goes other ways than a path, which is impossible or has no replay, is none then.
	Plain bool

	large int64 // so many BDD nodes are too many for all properties together; 0 is a default
}

// Outcome is the result of an audit.
type Outcome struct {
	Result     *verdict.Result
	Analysis   *checker.Analysis     // of the last abstraction
	Failures   []*concretise.Failure // for False: confirmed runs, in the order of Result.Failures
	Program    *boolprog.Program     // the last abstraction
	Iterations int
	Statistics []Iteration
	Predicates []*abstract.Predicate // of Program, in the order of its variables
	Proof      []*Outcome            // abstractions that prove the properties that hold, each some of them (its Analysis)

	origins map[core.Expr]preds.Origin
	kept    []string // pointers, as references
}

// audit is the state of an audit.
type audit struct {
	*cex.Facts
	opts      Options
	ladder    ladder
	constants *preds.Constants

	memo    *prover.Memo
	stock   *prover.Stock
	pr      *prover.Prover
	patient *prover.Prover   // nil before its first use
	copies  *backward.Copies // nil before their first use

	search    *search // of all properties, or of the one that has its turn
	refs      references
	scheduler *scheduler // nil while all properties are audited together
	campaign  *campaign  // nil before the first search
	status    status
	last      *Outcome // of the last abstraction
	wanted    []bool   // properties, by number: no others are looked at; nil for all

	// Feasible paths that were looked at besides another one, and of which no replay was found, by their keys.
	unplayed map[[sha256.Size]byte]bool
	// Slices of infeasible paths along which a run was directed.
	directed map[string]bool
	left     map[*core.Proc]int // questions about moves that the prover has left open, by the procedure

	queries      int64 // of the abstractions so far
	abstractions int   // so far
	statistics   statistics
}

// Audit decides the assertions and error labels of prog. The verdict is True if none can fail, False
// if a run was replayed in which one does, and Unknown otherwise; the sites of the result have the
// status of each. Calls through pointers are resolved first, which changes prog (devirt.Resolve).
func Audit(ctx context.Context, prog *core.Program, opts Options) (*Outcome, error) {
	// Resolve first: the points-to sets and the facts about paths are those of the changed
	// program.
	devirt.Resolve(prog)
	a := newAudit(prog, opts)
	defer a.close()
	return a.run(ctx)
}

// newAudit returns an audit of prog, whose calls through pointers are resolved, before its first step.
func newAudit(prog *core.Program, opts Options) *audit {
	result := alias.Analyze(prog)
	// Defaults of the bounds.
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
		Facts: cex.NewFacts(prog, result, opts.Without),
		last:  &Outcome{Result: &verdict.Result{}},
		opts:  opts, memo: prover.NewMemo(), stock: &prover.Stock{}, search: newSearch(prog.Pointer().Bits), constants: preds.NewConstants(), ladder: newLadder(opts.Strategies),
		refs: references{on: opts.Refs == RefsAlways, over: opts.Refs == RefsNever}, unplayed: map[[sha256.Size]byte]bool{}, directed: map[string]bool{}, left: map[*core.Proc]int{},
	}
	if opts.After != nil {
		opts.After.hand(a.search.preds)
	}
	// Bounds that are given hold for all statements; otherwise each statement has a degree of
	// its own.
	if opts.Abstract.MaxExact == 0 && opts.Abstract.MaxCube == 0 && !opts.Without.Has(technique.Precision) {
		a.opts.Abstract.Precision = func(p *core.Proc, node int) abstract.Precision { return a.search.exactness(a.refs.on).of(p, node) }
	}
	a.opts.Abstract.Alias = result
	// The provers of one abstraction are used again by the next one, and so are answers.
	if !opts.Without.Has(technique.ProverReuse) {
		a.opts.Abstract.Stock = a.stock
	}
	if !opts.Without.Has(technique.ProverMemo) {
		a.opts.Abstract.Memo = a.memo
	}
	a.opts.Checker.FewRounds = !opts.Without.Has(technique.FewRounds) // a short trace is not worth the time that it takes to find
	a.opts.Checker.WayOnly = true                                     // values are found anew from the program
	a.opts.Checker.Aside = a.aside
	a.opts.Checker.Avoid = concretise.Avoidable(prog)
	a.pr = prover.New(a.memo, prover.Options{})
	return a
}

// close ends the provers.
func (a *audit) close() {
	a.stock.Close()
	a.pr.Close()
	// The patient prover is made on demand.
	if a.patient != nil {
		a.patient.Close()
	}
}

// pathPatience is how many times the ordinary work a query about a path may take, if it is not
// decided otherwise.
const pathPatience = 20

// patiently returns a prover for queries that the ordinary one cannot decide.
func (a *audit) patiently() *prover.Prover {
	if a.patient == nil {
		// No shared memo: answers that the ordinary prover left open must not be looked up.
		a.patient = prover.New(nil, prover.Options{Patience: pathPatience})
	}
	return a.patient
}

// finder looks for invariants, among the predicates found so far for others.
func (a *audit) finder() *invgen.Finder {
	return &invgen.Finder{Facts: a.Facts, Prover: a.pr, Constants: a.constants, Known: a.search.preds, Report: a.opts.Log}
}

// confirmer confirms failing runs.
func (a *audit) confirmer() *concretise.Confirmer {
	return &concretise.Confirmer{
		Facts: a.Facts, Prover: a.pr, Patient: a.patiently, Sites: a.status.sites, Files: a.opts.Files,
		Harness: a.opts.Harness, MaxSteps: a.opts.TraceSteps, Report: a.opts.Log,
		Plain: a.opts.Plain,
	}
}
