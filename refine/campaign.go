package refine

import (
	"context"

	"c2bp/refine/cex"
	"c2bp/refine/event"
	"c2bp/refine/fuzz"
	"c2bp/refine/technique"
	"c2bp/verdict"
)

// This file looks for failing runs with random inputs (package fuzz). A failure that takes many
// rounds of a loop, a ring that has to be filled before it overflows, is hard to come by
// through predicates, one round after the other, and often easy to meet. What is found is
// believed as any other run is: after the recorder has repeated it, and the compiled program.

// The steps of the first search, before the first refinement, and for each predicate before each
// other one: so they take some tenths of a second at first, and then a small part of what an
// abstraction takes. Those of minimising a failing run. And those that are left, in the whole
// audit, for searches that meet something new all the time.
const (
	firstSearch  = 1_000_000
	perPredicate = 5000
	toMinimize   = 3_000_000
	whileNew     = 24_000_000
	whileNewEach = 8 // times as many as ordinarily, at most
)

// mostUnconfirmed bounds how often a failing run is found and not confirmed: to compile a program
// takes longer than many runs.
const mostUnconfirmed = 3

// campaign is the search of an audit.
type campaign struct {
	*fuzz.Campaign
	extra       int  // steps that may be spent while there is something new
	tried       bool // there was a search since the last failure that was settled
	unconfirmed int  // how often a failing run was found and not believed
}

// newCampaign prepares a search against sites.
func newCampaign(w *cex.Facts, sites []verdict.Site) *campaign {
	return &campaign{Campaign: fuzz.New(w.Prog, sites, 0, w.RunOptions()), extra: whileNew}
}

// fuzz looks for a failing run by chance. The analysis is nothing if none was found, or none that is
// confirmed.
func (a *audit) fuzz(ctx context.Context, o *Outcome) (analysis, error) {
	if a.Without[technique.Fuzzing] {
		return analysis{}, nil
	}
	if a.campaign == nil {
		a.campaign = newCampaign(a.Facts, o.Result.Sites)
	}
	// 1. The effort grows with the number of predicates, as that of abstractions does.
	c := a.campaign
	effort := perPredicate * len(a.search.preds.List)
	extra := min(c.extra, whileNewEach*effort)
	if !c.tried {
		c.tried, effort, extra = true, firstSearch, 0
	}
	if c.unconfirmed == mostUnconfirmed {
		return analysis{}, nil
	}
	// 2. Search, and make what was found as short as can be.
	before := c.Spent() + effort
	first := c.Search(ctx, effort, extra)
	c.extra -= max(c.Spent()-before, 0)
	if first == nil {
		return analysis{}, nil
	}
	c.unconfirmed++
	best := c.Minimize(first, toMinimize)
	a.opts.Log.Report(event.Crashed{Steps: first.Steps, Minimized: best.Steps})
	// 3. Believe it as any other run: after a replay, and the compiled program.
	run, err := a.confirmer().Repeat(c.Choices(best), best.Steps, o.Result.Sites[best.Site])
	if err != nil {
		a.opts.Log.Report(event.NotRepeated{Err: err})
		return analysis{}, nil
	}
	found, err := a.confirmer().Believe(ctx, best.Site, run)
	r := confirmed(best.Site, found).certain()
	if r.kind == fails {
		c.unconfirmed--
		c.tried = false
	}
	return r, err
}
