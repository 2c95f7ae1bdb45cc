// Package ltlcheck decides whether all runs of a Boolean program satisfy a formula of linear temporal logic, and
// returns the answer as a verdict.Result.
//
// It joins the phases: package checker/pushdown shows the program as a pushdown system and resolves the atoms of the
// formula, package checker/temporal decides, and a run that violates the formula becomes a trace.
//
// Example: for a program whose list keeps what is done,
//
//	result, err := ltlcheck.Check(ctx, program, "G {queue.(!done?.next)*.nil + !queue}", ltlcheck.Options{})
//	fmt.Println(result.Summary())
//	// FALSE (formula, queue.bp:14)
package ltlcheck

import (
	"context"
	"errors"
	"fmt"

	"c2bp/boolprog"
	"c2bp/checker/pushdown"
	"c2bp/checker/temporal"
	"c2bp/source"
	"c2bp/verdict"
)

// Options are the options of a check. The zero value has the default limits.
type Options struct {
	Fair      []string // labels: only runs count that come to each of them infinitely often
	HeapPath  int      // longest path of references from a variable to an object
	MaxStates int      // most states, paired with those of the formula's automaton; 0 is no limit
	Whole     bool     // see pushdown.Options

	Hidden map[string]bool // see pushdown.Options
}

// FormulaName is the name of the formula in errors.
const FormulaName = "--ltl"

// Check decides whether all runs of p, which must have passed boolprog.Check, satisfy a formula. It fails with an
// input error about the formula, or with an internal error. A limit or the end of ctx is not an error but the
// verdict Unknown.
func Check(ctx context.Context, p *boolprog.Program, formula string, opts Options) (*verdict.Result, error) {
	r, _, err := Decide(ctx, p, formula, opts)
	return r, err
}

// Decide is Check that returns the violations that the run of the result is: one of safety, a lasso, or both.
func Decide(ctx context.Context, p *boolprog.Program, formula string, opts Options) (*verdict.Result, []*Violation, error) {
	// 1. The formula.
	g := boolprog.BuildGraph(p)
	atoms := pushdown.NewAtoms(g)
	f, err := temporal.Parse(source.NewFile(FormulaName, []byte(formula)), atoms.Resolve)
	if err != nil {
		return nil, nil, err
	}
	var fair []int
	for _, label := range opts.Fair {
		n, err := atoms.Label(label)
		if err != nil {
			return nil, nil, &source.Diagnostic{Pos: source.Pos{File: "--fair"}, Severity: source.Error, Msg: err.Error()}
		}
		fair = append(fair, n)
	}
	r := &verdict.Result{Ledger: p.Ledger, Uncalled: p.Uncalled}
	site := verdict.Site{Kind: verdict.Formula, Name: f.String(), Proc: g.Main.Proc.Name, Text: f.String()}
	// 2. The system, and the answer.
	sys, err := pushdown.New(g, atoms, pushdown.Options{HeapPath: opts.HeapPath, Whole: opts.Whole, Hidden: opts.Hidden})
	var unsupported *pushdown.UnsupportedError
	if errors.As(err, &unsupported) {
		r.Reason, site.Open = unsupported.What, true
		r.Sites = []verdict.Site{site}
		return r, nil, nil
	}
	answer, err := temporal.Check(ctx, sys, f, temporal.Options{Fair: fair, MaxHeads: opts.MaxStates, MaxSteps: mostSteps})
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		answer = &temporal.Result{Reason: "time limit reached"}
	case errors.Is(err, context.Canceled):
		answer = &temporal.Result{Reason: "interrupted"}
	case err != nil:
		return nil, nil, err
	}
	r.Verdict, r.Reason = answer.Verdict, answer.Reason
	r.Stats = append(answer.Stats, verdict.Stat{Name: "locations", Value: int64(sys.Locations())})
	// 3. What is to be shown.
	switch {
	case r.Verdict == verdict.False:
		site.Failed = true
		r.Trace = describe(sys, answer.Run, &site)
	case r.Verdict == verdict.Unknown:
		site.Open = true
		if run := answer.Run; run != nil {
			r.Reason = sys.Beyond(run.Stem[len(run.Stem)-1])
		} else if answer.Full {
			r.Reason = fmt.Sprintf("more than %d states", opts.MaxStates)
		}
	}
	r.Sites = []verdict.Site{site}
	list, err := violationsOf(sys, f, fair, answer)
	return r, list, err
}

// mostSteps is the number of steps to which a run is written out.
const mostSteps = 1000

// describe returns the trace of a run that violates the formula, and sets the place of the site: the step after
// which the formula cannot hold any more or, if there is none, the first one of the loop.
func describe(sys *pushdown.System, run *temporal.Run, site *verdict.Site) *verdict.Trace {
	t, at := sys.Trace(run)
	if at < 0 {
		at = t.Loop - 1
	}
	if at >= 0 && at < len(t.Steps) {
		site.Pos, site.Proc, site.Node = t.Steps[at].Pos, t.Steps[at].Proc, t.Steps[at].Node
	}
	return t
}
