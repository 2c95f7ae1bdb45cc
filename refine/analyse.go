package refine

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"c2bp/checker"
	"c2bp/frontend/core"
	"c2bp/refine/backward"
	"c2bp/refine/cex"
	"c2bp/refine/concretise"
	"c2bp/refine/event"
	"c2bp/refine/invgen"
	"c2bp/refine/technique"
	"c2bp/verdict"
)

// This file analyses a trace of the abstraction: it is a failing run of the C program, or spurious,
// and then predicates are sought that rule it out; or it cannot be decided which.

// analysis is the result of analysing a trace.
type analysis struct {
	kind    kind
	site    int // number of the property
	failure *concretise.Failure
	why     string // the property is undecided
	retry   bool   // it may be decided when there are more predicates

	unplayed bool // a feasible path could not be replayed
}

// kind is a kind of analysis.
type kind int

const (
	nothing   kind = iota // nothing was learned
	fails                 // the property fails: the run was confirmed
	undecided             // the property is to be set aside
	refined               // the trace is no run, and the abstraction has been made more exact for that
)

// undecidedAs returns the analysis of a property that cannot be decided.
func undecidedAs(site int, why string) analysis {
	return analysis{kind: undecided, site: site, why: why}
}

// confirmed returns the analysis of a run that was, or was not, confirmed.
func confirmed(site int, c concretise.Result) analysis {
	if c.Failure == nil {
		r := undecidedAs(site, c.Why)
		r.unplayed = c.Unplayed
		return r
	}
	return analysis{kind: fails, site: site, failure: c.Failure}
}

// certain is r if the property fails, and otherwise nothing.
func (r analysis) certain() analysis {
	if r.kind != fails {
		return analysis{}
	}
	return r
}

// open lists the properties that are to be looked at. When there are no others, those that
// had been set aside for want of predicates are taken up again if there are more now; nobody
// can tell when each property has its own.
func (a *audit) open(o *Outcome) []int {
	list := a.pending(o)
	if len(list) == 0 && a.scheduler == nil {
		a.status.reopen(len(a.search.preds.List))
		list = a.pending(o)
	}
	return list
}

// nearest analyses a trace to the nearest of the properties that are open.
func (a *audit) nearest(ctx context.Context, o *Outcome, open []int) (analysis, error) {
	t, site, err := a.traceTo(ctx, o, open)
	if err != nil {
		return analysis{}, err
	}
	a.search.insist(site)
	a.search.preds.Site = site
	p, err := a.path(ctx, t, o.Result.Sites[site])
	switch {
	case err != nil:
		return analysis{}, err
	case p == nil:
		return undecidedAs(site, fmt.Sprintf("a failing run of the abstraction has more than %d steps", a.opts.TraceSteps)), nil
	}
	// 1. Is there a run along the path? The audit of the property depends on the answer: the prover
	//    may take its time.
	f, err := a.Decide(ctx, a.pr, p)
	if err == nil && f.Core == nil && f.Model == nil {
		f, err = a.Decide(ctx, a.patiently(), p)
	}
	switch {
	case err != nil:
		return analysis{}, err
	case f.Core == nil && f.Model == nil:
		return undecidedAs(site, "the prover cannot tell whether a path is feasible"), nil
	case f.Core == nil:
		// 2. There is one in the model of the program: it must replay, and fail when compiled.
		c, err := a.confirmer().Confirm(ctx, site, p, f)
		return confirmed(site, c), err
	}
	// 3. There is none. A path that was refuted before needs no predicates if constraints exclude it.
	if a.search.isBack(p) && a.excludeAgain(ctx, p, f.Core) {
		a.learned(site, f.Core, len(a.search.preds.List), "")
		return analysis{kind: refined, site: site}, nil
	}
	// 4. Otherwise find predicates.
	return a.explain(ctx, site, p, f)
}

// traceTo returns a trace to the nearest of the properties that are open, and which one that is.
func (a *audit) traceTo(ctx context.Context, o *Outcome, open []int) (checker.Trace, int, error) {
	// The check ends with a trace to the first property that it saw fail: use it if that one is
	// open.
	if site := o.Result.Failed; o.Analysis.Trace != nil && slices.Contains(open, site) {
		return o.Analysis.Trace, site, nil
	}
	t, err := o.Analysis.TraceTo(ctx, open...)
	if err != nil {
		return nil, 0, err
	}
	return t, open[t.Target()], nil
}

// path reads the path of a trace to a site, nil if it is too long.
func (a *audit) path(ctx context.Context, t checker.Trace, site verdict.Site) (*cex.Path, error) {
	steps, err := checker.Expand(ctx, t, a.opts.TraceSteps)
	if err != nil {
		return nil, err
	}
	for _, s := range steps {
		// A call that is still collapsed did not fit in the number of steps.
		if s.Collapsed {
			return nil, nil
		}
	}
	return cex.ReadPath(a.Prog, steps, site.Asserts())
}

// explain finds predicates that rule out an infeasible path. If the ladder has none for an unsat
// core that are not there already, it goes on to another core: a path may be infeasible for
// several reasons, and not each can be said in predicates.
func (a *audit) explain(ctx context.Context, site int, p *cex.Path, f cex.Feasibility) (analysis, error) {
	refined := analysis{kind: refined, site: site}
	before := len(a.search.preds.List)
	// 1. A core of conditions on which the failure depends, if that of f has others.
	aside, r, open, err := a.onSlice(ctx, p, f)
	if err != nil {
		return analysis{}, err
	}
	var proof *invgen.Proof
	ignored := map[int]bool{}
	if r != nil {
		maps.Copy(ignored, aside)
	}
	// There is none: a run that goes other ways where that does not matter may fail.
	if open && !a.Without.Has(technique.DirectedReplay) {
		slice := sliceOf(p, f, aside)
		if again := a.directed[slice]; !again {
			a.directed[slice] = true
			if c, found, err := a.confirmer().Directed(ctx, site, p, f.Exec, aside); found || err != nil {
				return confirmed(site, c), err
			}
		}
	}
	// 2. Else the first core: one with a proof by loop invariants, or the best of several.
	if r == nil {
		r, proof = a.finder().Provable(ctx, p, f.Exec)
	}
	if r == nil {
		if r, err = a.best(ctx, p, f); err != nil {
			return analysis{}, err
		}
		// 3. If loops end too soon on the path, a run that stays in them may fail.
		if a.AboutLoops(p, r) && !a.Without.Has(technique.DirectedReplay) {
			if c, found, err := a.confirmer().Directed(ctx, site, p, f.Exec, nil); found || err != nil {
				return confirmed(site, c), err
			}
		}
	}
	var last *cex.Core
	for r != nil {
		a.reportCore(p, r)
		// 4. Climb the ladder, until there are new predicates. Before the rung from which on
		//    proposals get special, the predicates that are there already are given a chance.
		sharpenAt := a.ladder.sharpenAt(r.Unwindings(p))
		for rung := 0; rung < len(a.ladder.rungs) && len(a.search.preds.List) == before; rung++ {
			if rung == sharpenAt && a.sharpen(ctx, p, r) {
				a.search.refute(p, r, proof, rung)
				a.learned(site, r, before, "")
				return refined, nil
			}
			a.propose(ctx, a.ladder.rungs[rung], p, r, proof)
			a.search.refute(p, r, proof, rung)
		}
		if len(a.search.preds.List) > before {
			a.gained(site, r, before)
			if proof != nil { // no other core says more
				return refined, nil
			}
			return refined, a.moreCores(ctx, site, p, f, r, aside)
		}
		// 5. Without the last condition of this core, is there another one?
		last, proof = r, nil
		ignored[r.Conds[len(r.Conds)-1].Step] = true
		// All cores found so far are gone from the next one: each lost its last condition.
		if r, err = a.Facts.Explain(ctx, a.pr, p, f.Exec, ignored); err != nil {
			return analysis{}, err
		}
	}
	// 6. The last resort needs no core.
	if last != nil {
		a.propose(ctx, a.ladder.last, p, last, nil)
		a.search.refute(p, last, nil, len(a.ladder.rungs))
		if len(a.search.preds.List) > before {
			a.gained(site, last, before)
			return refined, nil
		}
	}
	none := undecidedAs(site, "no predicates were found that rule out an infeasible path to "+p.Steps[len(p.Steps)-1].ID())
	none.retry = true
	return none, nil
}

// gained reports the predicates from number before on, which are for a core of a path to a site, after
// it has added the same predicates on copies.
func (a *audit) gained(site int, r *cex.Core, before int) {
	// The strategy of the first new predicate, before those on copies are added to it.
	by := a.search.preds.List[before].Origin.Rule
	if !a.Without.Has(technique.CopyPropagation) {
		if a.copies == nil {
			a.copies = backward.CopiesOf(a.Prog, a.Alias)
		}
		a.copies.Compare(a.search.preds, before)
		a.copies.Close(a.search.preds, before)
	}
	a.reportPredicates(before)
	a.noticeAliasing(before)
	a.learned(site, r, before, by)
}

func (a *audit) reportCore(p *cex.Path, r *cex.Core) {
	e := event.Refuted{Steps: len(p.Steps), From: r.From, To: r.To}
	for _, c := range r.Conds {
		e.Conditions = append(e.Conditions, event.Condition{Node: p.Steps[c.Step].ID(), Expr: core.ExprString(c.Expr)})
	}
	a.opts.Log.Report(e)
}

func (a *audit) reportPredicates(from int) {
	for _, q := range a.search.preds.List[from:] {
		scope := "global"
		// No procedure: the predicate speaks of globals alone.
		if q.Proc != nil {
			scope = q.Proc.Name
		}
		a.opts.Log.Report(event.Predicate{Scope: scope, Text: q.Name})
	}
}
