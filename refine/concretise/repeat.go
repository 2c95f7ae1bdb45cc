package concretise

import (
	"fmt"
	"slices"
	"strings"

	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
	"c2bp/refine/fuzz"
	"c2bp/verdict"
)

// This file repeats failing runs that fuzzing has found, and gives it the choices of others.

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

// guide returns the choices of w, a run of p.
func (w *Witness) guide(p *core.Program) *fuzz.Guide {
	made := &w.tally.made
	// 1. The variables for which values were chosen, by node.
	vars := map[*core.Node][]*core.Var{}
	for k := range made.values {
		vars[k.node] = append(vars[k.node], k.v)
	}
	name := func(v *core.Var) string {
		if v == nil {
			return ""
		}
		return v.Name
	}
	// 2. The choices at each node, in their order.
	g := fuzz.NewGuide()
	for _, q := range p.Procs {
		for i, n := range q.Nodes {
			for _, to := range made.branches[spotOf{node: n}] {
				g.Branch(q, i, to)
			}
			slices.SortFunc(vars[n], func(u, v *core.Var) int { return strings.Compare(name(u), name(v)) })
			for _, v := range vars[n] {
				for _, x := range made.values[spotOf{n, v}] {
					if x != nil {
						g.Value(q, i, v, x, w.Rec.Machine())
					}
				}
			}
		}
	}
	return g
}
