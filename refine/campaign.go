package refine

import (
	"context"

	"c2bp/refine/cex"
	"c2bp/refine/concretise"
	"c2bp/refine/event"
	"c2bp/refine/fuzz"
	"c2bp/refine/technique"
	"c2bp/verdict"
)

// This file looks for failing runs with random inputs (package fuzz). A failure that takes many rounds
// of a loop, such as a ring that overflows once it is full, takes many refinements, one for each round,
// and a random run often comes across it. A crash is believed as any other run is: after the recorder
// has repeated it, and the compiled program.

// Steps of the interpreter: the first search takes some tenths of a second, later ones a small part of
// the time of an abstraction.
const (
	firstSearch  = 1_000_000  // before the first refinement
	perPredicate = 5000       // before each other one, for each predicate
	toMinimize   = 3_000_000  // to shorten a failing run
	whileNew     = 24_000_000 // in the whole audit, for searches whose coverage still grows
	whileNewEach = 8          // bounds these in one search, as a multiple of its ordinary steps
)

// likeEach is the number of runs that are made like each failing run of a similar program, and mostLike the number of these runs: the
// latest are tried.
const likeEach, mostLike = 32, 4

// mostUnconfirmed bounds the failing runs that are found and not confirmed: to compile a program takes
// longer than many runs.
const mostUnconfirmed = 3

// campaign is the fuzzing campaign of an audit.
type campaign struct {
	*fuzz.Campaign
	extra       int           // steps that are left for searches whose coverage grows
	tried       bool          // there was a search since the last failure that was settled
	unconfirmed int           // failing runs that were found and not confirmed
	guides      []*fuzz.Guide // that are still to be followed
}

// newCampaign returns a campaign against sites.
func newCampaign(w *cex.Facts, sites []verdict.Site) *campaign {
	c := &campaign{Campaign: fuzz.New(w.Prog, sites, 0, w.RunOptions()), extra: whileNew}
	// A compiler may know what a pointer leads to, say, and need not: runs in which it does not can be believed.
	if avoid := concretise.Avoidable(w.Prog); avoid != nil {
		c.Avoid(w.Prog, avoid)
	}
	return c
}

// fuzz looks for a failing run with random inputs. It returns nothing if no run was found, or none that
// is confirmed.
func (a *audit) fuzz(ctx context.Context, o *Outcome) (analysis, error) {
	if a.Without.Has(technique.Fuzzing) {
		return analysis{}, nil
	}
	if a.campaign == nil {
		a.campaign = newCampaign(a.Facts, o.Result.Sites)
		a.campaign.guides = a.opts.Like[max(len(a.opts.Like)-mostLike, 0):]
	}
	// 1. The effort grows with the number of predicates, as that of abstractions does.
	c := a.campaign
	effort := perPredicate * len(a.search.preds.List)
	extra := min(c.extra, whileNewEach*effort)
	if !c.tried {
		// The first search of all, and the first one after a confirmed failure, have a
		// fixed effort.
		c.tried, effort, extra = true, firstSearch, 0
	}
	if c.unconfirmed == mostUnconfirmed {
		return analysis{}, nil
	}
	// 2. Search, near failing runs of similar programs first, and make what was found as short as can be.
	var first *fuzz.Crash
	for ; first == nil && len(c.guides) > 0; c.guides = c.guides[1:] {
		first = c.Follow(ctx, c.guides[0], likeEach)
	}
	before := c.Spent() + effort
	if first == nil {
		first = c.Search(ctx, effort, extra)
	}
	// Only the steps beyond the ordinary effort are taken from the supply.
	c.extra -= max(c.Spent()-before, 0)
	if first == nil {
		return analysis{}, nil
	}
	// It counts as unconfirmed until it is confirmed.
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
	// A crash that is not confirmed says nothing about the property.
	r := confirmed(best.Site, found).certain()
	if r.kind == fails {
		c.unconfirmed--
		c.tried = false
	}
	return r, err
}
