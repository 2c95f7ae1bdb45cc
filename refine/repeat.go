package refine

import (
	"fmt"

	"c2bp/frontend/core/interp"
	"c2bp/refine/harness"
	"c2bp/verdict"
)

// This file repeats failing runs that were found by chance.

// again repeats a run of so many steps that fails at a site, and writes it down. The error says why it
// does not fail there this time.
func (a *confirmer) again(choices interp.Choices, steps int, site verdict.Site) (*witness, error) {
	w := newWitness(harness.NewRecorder(a.prog, choices, a.runs()))
	w.path.Fails = site.Kind == verdict.Assertion
	if err := w.rec.Machine().Err(); err != nil {
		return nil, err
	}
	for i := range steps {
		top := w.rec.Machine().Top()
		if top == nil {
			return nil, fmt.Errorf("it ends after %d steps", i)
		}
		there := top.Proc().NodeID(top.Node()) == site.Node
		if i == steps-1 && there && !w.path.Fails {
			w.arrive()
			return w, nil
		}
		e, err := w.step()
		switch {
		case err != nil:
			return nil, err
		case i == steps-1 && there && e.Kind == interp.Failed:
			return w, nil
		}
	}
	return nil, fmt.Errorf("it does not fail at %s", site.Node)
}
