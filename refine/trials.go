package refine

import (
	"context"
	"fmt"

	"c2bp/frontend/core/interp"
	"c2bp/refine/harness"
	"c2bp/verdict"
)

// This file tries the program out: it is run with random inputs, many times and not for
// long, and what is new in a run guides the next ones (explore.go). A failure that takes many
// rounds of a loop, a ring that has to be filled before it overflows, is hard to come by
// through predicates, one round after the other, and often easy to meet. What is found is
// believed as any other run is: after the recorder has repeated it, and the compiled program.

// The steps of all trials before the first refinement, and for each predicate before each
// other one: so they take some tenths of a second at first, and then a small part of what an
// abstraction takes. Those of making a failing run shorter. And those that are left, in the whole
// audit, for trials that meet something new all the time.
const (
	firstTrials  = 1_000_000
	perPredicate = 5000
	toShorten    = 3_000_000
	whileNew     = 24_000_000
	whileNewEach = 8 // times as many as ordinarily, at most
)

// mostVain bounds how often a failing run is found and not believed: to compile a program
// takes longer than many trials.
const mostVain = 3

// tryOut looks for a failing run by chance. The finding is nil if none was found, or none
// that is believed.
func (a *audit) tryOut(ctx context.Context, o *Outcome) (*finding, error) {
	if a.without.NoTrials {
		return nil, nil
	}
	if a.trials == nil {
		a.trials = newTrials(a.prog, o.Result.Sites, 0)
		a.trials.extra = whileNew
		a.trials.options = a.runs()
	}
	effort := perPredicate * len(a.preds.list)
	extra := min(a.trials.extra, whileNewEach*effort)
	if !a.trials.tried {
		a.trials.tried, effort, extra = true, firstTrials, 0
	}
	if a.trials.vain == mostVain {
		return nil, nil
	}
	before := a.trials.spent + effort
	first := a.trials.search(ctx, effort, extra)
	a.trials.extra -= max(a.trials.spent-before, 0)
	if first == nil {
		return nil, nil
	}
	a.trials.vain++
	best := a.trials.shorten(first, toShorten)
	a.log("  a run with random inputs, of %d steps, fails; %d of them are enough", first.steps, best.steps)
	site := o.Result.Sites[best.site]
	run, err := a.again(best, site)
	if err != nil {
		a.log("  it cannot be repeated: %v", err)
		return nil, nil
	}
	found, err := certain(a.believe(ctx, best.site, run))
	if found != nil {
		a.trials.vain--
		a.trials.tried = false
	}
	return found, err
}

// again repeats a trial and writes it down. The error says why it does not fail at the site
// this time.
func (a *audit) again(t *attempt, site verdict.Site) (*witness, error) {
	choices := recorded{newPlayback(a.trials.chance.random, t.script)}
	w := newWitness(harness.NewRecorder(a.prog, choices, a.runs()))
	w.path.Fails = site.Kind == verdict.Assertion
	if err := w.rec.Machine().Err(); err != nil {
		return nil, err
	}
	for i := range t.steps {
		top := w.rec.Machine().Top()
		if top == nil {
			return nil, fmt.Errorf("it ends after %d steps", i)
		}
		there := top.Proc().NodeID(top.Node()) == site.Node
		if i == t.steps-1 && there && !w.path.Fails {
			w.arrive()
			return w, nil
		}
		e, err := w.step()
		switch {
		case err != nil:
			return nil, err
		case i == t.steps-1 && there && e.Kind == interp.Failed:
			return w, nil
		}
	}
	return nil, fmt.Errorf("it does not fail at %s", site.Node)
}
