package refine

import (
	"context"
	"fmt"

	"c2bp/frontend/core/interp"
	"c2bp/refine/fuzz"
	"c2bp/refine/harness"
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

// fuzzing is the campaign of an audit.
type fuzzing struct {
	*fuzz.Campaign
	extra       int  // steps that may be spent while there is something new
	tried       bool // there was a search since the last failure that was settled
	unconfirmed int  // how often a failing run was found and not believed
}

// newFuzzing prepares a campaign against sites.
func newFuzzing(w *world, sites []verdict.Site) *fuzzing {
	return &fuzzing{Campaign: fuzz.New(w.prog, sites, 0, w.runs()), extra: whileNew}
}

// tryOut looks for a failing run by chance. The finding is nil if none was found, or none
// that is believed.
func (a *audit) tryOut(ctx context.Context, o *Outcome) (*finding, error) {
	if a.without.NoTrials {
		return nil, nil
	}
	if a.fuzzing == nil {
		a.fuzzing = newFuzzing(a.world, o.Result.Sites)
	}
	effort := perPredicate * len(a.preds.list)
	extra := min(a.fuzzing.extra, whileNewEach*effort)
	if !a.fuzzing.tried {
		a.fuzzing.tried, effort, extra = true, firstSearch, 0
	}
	if a.fuzzing.unconfirmed == mostUnconfirmed {
		return nil, nil
	}
	before := a.fuzzing.Spent() + effort
	first := a.fuzzing.Search(ctx, effort, extra)
	a.fuzzing.extra -= max(a.fuzzing.Spent()-before, 0)
	if first == nil {
		return nil, nil
	}
	a.fuzzing.unconfirmed++
	best := a.fuzzing.Minimize(first, toMinimize)
	a.log("  a run with random inputs, of %d steps, fails; %d of them are enough", first.Steps, best.Steps)
	site := o.Result.Sites[best.Site]
	run, err := a.again(best, site)
	if err != nil {
		a.log("  it cannot be repeated: %v", err)
		return nil, nil
	}
	found, err := certain(a.believe(ctx, best.Site, run))
	if found != nil {
		a.fuzzing.unconfirmed--
		a.fuzzing.tried = false
	}
	return found, err
}

// again repeats a crash and writes it down. The error says why it does not fail at the site
// this time.
func (a *audit) again(c *fuzz.Crash, site verdict.Site) (*witness, error) {
	w := newWitness(harness.NewRecorder(a.prog, a.fuzzing.Choices(c), a.runs()))
	w.path.Fails = site.Kind == verdict.Assertion
	if err := w.rec.Machine().Err(); err != nil {
		return nil, err
	}
	for i := range c.Steps {
		top := w.rec.Machine().Top()
		if top == nil {
			return nil, fmt.Errorf("it ends after %d steps", i)
		}
		there := top.Proc().NodeID(top.Node()) == site.Node
		if i == c.Steps-1 && there && !w.path.Fails {
			w.arrive()
			return w, nil
		}
		e, err := w.step()
		switch {
		case err != nil:
			return nil, err
		case i == c.Steps-1 && there && e.Kind == interp.Failed:
			return w, nil
		}
	}
	return nil, fmt.Errorf("it does not fail at %s", site.Node)
}
