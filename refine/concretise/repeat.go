package concretise

import (
	"fmt"

	"c2bp/frontend/core/interp"
	"c2bp/verdict"
)

// This file repeats failing runs that fuzzing has found.

// Repeat repeats a run with given choices and number of steps, which fails at a site, and records it: the
// campaign keeps only the choices of a crash. The error says why it does not fail there this time.
func (c *Confirmer) Repeat(choices interp.Choices, steps int, site verdict.Site) (*Witness, error) {
	w := c.newWitness(choices, c.RunOptions())
	if err := c.repeat(w, steps, site); err != nil {
		return nil, err
	}
	return w, nil
}

// repeat makes the steps of w, the last of which fails at a site.
func (c *Confirmer) repeat(w *Witness, steps int, site verdict.Site) error {
	w.Path.Fails = site.Asserts()
	if err := w.Rec.Machine().Err(); err != nil {
		return err
	}
	for i := range steps {
		top := w.Rec.Machine().Top()
		if top == nil {
			return fmt.Errorf("it ends after %d steps", i)
		}
		// The last step fails at the site; a label is the site before its node runs.
		there := top.Proc().NodeID(top.Node()) == site.Node
		if i == steps-1 && there && !w.Path.Fails {
			w.arrive()
			return nil
		}
		e, err := w.step()
		switch {
		case err != nil:
			return err
		case i == steps-1 && there && e.Kind == interp.Failed:
			return nil
		}
	}
	return fmt.Errorf("it does not fail at %s", site.Node)
}
