package refine

import (
	"context"

	"c2bp/abstract"
	"c2bp/alias/devirt"
	"c2bp/boolprog"
	"c2bp/checker/ltlcheck"
	"c2bp/frontend/core"
	"c2bp/prover"
	"c2bp/refine/cex"
	"c2bp/refine/technique"
	"c2bp/source"
	"c2bp/verdict"
)

// This file decides formulas of temporal logic. The abstraction is made by the predicates that the formula names, and if a
// run of it violates the formula, that is replayed (violation.go). If no run of the program takes its way, predicates are
// sought that exclude it, as for an assertion, and all begins anew:
//
//	G (@full -> {level <= 10})     level = get(); bound = 10; if (level > bound) level = bound; full: …
//	by {level <= 10}               a run to full with {level <= 10} = 0: the path has level > bound false, bound 10
//	with bound == 10               TRUE

// FormulaOptions are the options of AuditFormula.
type FormulaOptions struct {
	Abstract   abstract.Options
	Check      ltlcheck.Options
	Iterations int                      // most abstractions; 0 is a default
	Phase      func(name string) func() // told of the begin of each part of the work, and of its end
}

// mostFormulaIterations is the default of FormulaOptions.Iterations.
const mostFormulaIterations = 30

// NotReplayed is the reason of UNKNOWN if a run of the abstraction violates the formula.
const NotReplayed = "a run of the abstraction violates the formula, and was not replayed in C"

// AuditFormula decides whether all runs of a program satisfy a formula, by the predicates of texts at first. All runs of
// the program are among those of an abstraction, so a formula that all of these satisfy holds of the program. It also
// returns the first abstraction.
func AuditFormula(ctx context.Context, prog *core.Program, formula string, texts []core.PredicateText, r core.Resolver, opts FormulaOptions) (*verdict.Result, *abstract.Result, error) {
	given, err := abstract.Resolve(texts, r, &opts.Abstract)
	if err != nil {
		return nil, nil, err
	}
	devirt.Resolve(prog)
	x := &formulaAudit{audit: newAudit(prog, Options{Without: technique.Set{}}), formula: formula, given: given, opts: opts}
	defer x.close()
	for _, p := range given {
		if p.This == nil {
			x.search.preds.Add(p.Proc, p.Expr)
		}
	}
	x.known = len(x.search.preds.List)
	result, err := x.run(ctx)
	return result, x.first, err
}

// formulaAudit is the audit of a formula.
type formulaAudit struct {
	*audit
	formula string
	given   []*abstract.Predicate
	opts    FormulaOptions
	known   int // predicates that are not to be added
	first   *abstract.Result
}

// run abstracts and checks until there is an answer.
func (x *formulaAudit) run(ctx context.Context) (*verdict.Result, error) {
	most := x.opts.Iterations
	if most == 0 {
		most = mostFormulaIterations
	}
	var last *verdict.Result // of the abstraction before, which some run violates
	for n := 1; ; n++ {
		// 1. The answer of the abstraction.
		r, err := x.abstract(ctx)
		if err != nil && ctx.Err() != nil && last != nil {
			open(last, "the time was over")
			return last, nil
		}
		if err != nil {
			return nil, err
		}
		result, list, err := x.check(ctx, r)
		if err != nil || result.Verdict != verdict.False {
			return result, err
		}
		last = result
		// 2. A run of the program, or more predicates.
		more, why, err := x.look(ctx, r, result, list)
		switch {
		case ctx.Err() != nil:
			why = "the time was over"
		case err != nil || result.Failures != nil:
			return result, err
		case more && n < most:
			continue
		}
		open(result, why)
		return result, nil
	}
}

// open makes a result undecided.
func open(result *verdict.Result, why string) {
	result.Verdict, result.Reason = verdict.Unknown, NotReplayed
	if why != "" {
		result.Reason += ": " + why
	}
	result.Sites[0].Failed, result.Sites[0].Open = false, true
}

// abstract makes the abstraction by the predicates that were given and those found so far.
func (x *formulaAudit) abstract(ctx context.Context) (*abstract.Result, error) {
	defer x.opts.Phase("abstract")()
	opts := x.opts.Abstract
	opts.Alias = x.Alias
	found := x.search.preds.ForAbstraction()[x.known:]
	if opts.Refs {
		found = abstract.ObjectPredicates(found, x.Prog.Pointer(), x.given...)
	}
	r, err := abstract.Program(ctx, x.Prog, append(x.given[:len(x.given):len(x.given)], found...), opts)
	if x.first == nil {
		x.first = r
	}
	return r, err
}

// check decides the formula on an abstraction as it is printed.
func (x *formulaAudit) check(ctx context.Context, r *abstract.Result) (*verdict.Result, []*ltlcheck.Violation, error) {
	defer x.opts.Phase("check")()
	prog, _, err := boolprog.Parse(source.NewFile("abstraction", []byte(r.Program.String())), boolprog.ParseOptions{})
	if err != nil {
		return nil, nil, err
	}
	if _, err := boolprog.Check(prog); err != nil {
		return nil, nil, err
	}
	return ltlcheck.Decide(ctx, prog, x.formula, x.opts.Check)
}

// look replays the violations of an abstraction. If no run of the program takes the way of one, it looks for predicates;
// more says that it has found some.
func (x *formulaAudit) look(ctx context.Context, r *abstract.Result, result *verdict.Result, list []*ltlcheck.Violation) (more bool, why string, err error) {
	defer x.opts.Phase("replay")()
	var open []*violation
	for _, v := range list {
		var at *violation
		at, why, err = newViolation(x.Facts, r, v)
		if err != nil {
			return false, "", err
		}
		if why != "" {
			continue
		}
		var run *verdict.Failure
		run, why, err = at.replay(ctx, x.patiently())
		if err != nil {
			return false, "", err
		}
		if run != nil {
			replayed(result, run)
			return false, "", nil
		}
		open = append(open, at)
	}
	for _, at := range open {
		if more, err := x.exclude(ctx, at); more || err != nil {
			return more, why, err
		}
	}
	return false, why, nil
}

// replayed makes a run of the program that of a result. The violation is at its last step or, if that is not needed, where its
// loop begins; the end of a procedure, which has no place in C, is that of the step before.
func replayed(result *verdict.Result, run *verdict.Failure) {
	result.Trace, result.Failures = run.Trace, []verdict.Failure{*run}
	at := len(run.Trace.Steps) - 1
	if run.Trace.Loop > 0 {
		at = run.Trace.Loop - 1
	}
	for at > 0 && !run.Trace.Steps[at].Pos.IsValid() {
		at--
	}
	s := run.Trace.Steps[at]
	result.Sites[0].Pos, result.Sites[0].Proc, result.Sites[0].Node = s.Pos, s.Proc, s.Node
}

// exclude looks for predicates that exclude a violation, and reports whether there are some.
func (x *formulaAudit) exclude(ctx context.Context, v *violation) (more bool, err error) {
	for i, p := range v.paths() {
		// 1. The path is infeasible.
		f, err := x.Decide(ctx, x.patiently(), p)
		if err != nil {
			return false, err
		}
		if f.Core != nil {
			if more, err := x.climb(ctx, p, f); more || err != nil {
				return more, err
			}
			continue
		}
		// 2. It is feasible, but not with the values of the atoms.
		if i > 0 {
			continue
		}
		f, answer, err := x.SolveWith(ctx, x.patiently(), p, v.wanted)
		if err != nil {
			return false, err
		}
		if answer == prover.Unsat {
			before := len(x.search.preds.List)
			core := x.Whole(ctx, x.patiently(), f.Exec)
			if x.propose(ctx, backwardWalk{}, p, core, nil); len(x.search.preds.List) > before {
				return true, nil
			}
		}
	}
	return false, nil
}

// climb climbs the ladder for the cores of an infeasible path, and reports whether there are new predicates.
func (x *formulaAudit) climb(ctx context.Context, p *cex.Path, f cex.Feasibility) (more bool, err error) {
	before := len(x.search.preds.List)
	r, proof := x.finder().Provable(ctx, p, f.Exec)
	if r == nil {
		if r, err = x.best(ctx, p, f); err != nil {
			return false, err
		}
	}
	ignored := map[int]bool{}
	for r != nil {
		for _, rung := range x.ladder.rungs {
			if x.propose(ctx, rung, p, r, proof); len(x.search.preds.List) > before {
				return true, nil
			}
		}
		// Without the last condition of this core, is there another one?
		proof = nil
		ignored[r.Conds[len(r.Conds)-1].Step] = true
		if r, err = x.Facts.Explain(ctx, x.pr, p, f.Exec, ignored); err != nil {
			return false, err
		}
	}
	return false, nil
}
