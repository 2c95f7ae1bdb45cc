package conform

import (
	"context"
	"errors"
	"slices"
)

// This file computes the greatest fixpoint.

// Options choose the relation.
type Options struct {
	// Determinize compares with the sets of states in which the specification can be; see the package documentation.
	Determinize bool
}

// Result is the result of a comparison.
type Result struct {
	Conforms   bool
	Open       error       // why it is not known, if it is not; then Conforms is false
	Refutation *Refutation // why the implementation does not conform; nil if it does, or if that is not known
	// Coarser reports that the implementation conforms with Options.Determinize only, or that it is not known whether
	// it does without.
	Coarser bool
	// Branches reports that an action had several partners.
	Branches bool
	// Diverging has a state of the implementation and one of the specification from which hidden steps never end,
	// among the explored ones; nil if there is none.
	Diverging [2]*Divergence

	// Counters.

	States      [2]int // explored ones, of the implementation and of the specification
	Steps       int    // of the implementation
	Pairs       int
	Obligations int
	ReadySets   int // different ones
	Places      int // states of the specification, or sets of them, that are in pairs

	graphs [2]*graph
}

// death is the reason why a pair has died: C2 fails for missing, an action is refused, or an obligation has no partner
// that lives.
type death struct {
	kind   Kind
	action Action // the Y of C2 that is missing, or the action that is refused
	step   int32  // the target of the action; or the obligation
}

// check is the state of a computation.
type check struct {
	impl   *graph
	spec   *spec
	pairs  *pairs
	duties []obligation
	deaths []death
	dying  []int32 // pairs that have died, and those that rely on them do not know

	branches bool // an action had several partners
}

// Check decides whether an implementation conforms to a specification. When ctx ends, the result is open.
func Check(ctx context.Context, impl, spec System, opts Options) *Result {
	sets := newSets()
	i, s := newGraph(impl, sets), newGraph(spec, sets)
	c := newCheck(i, s, opts.Determinize)
	r := c.run(ctx)
	// A verdict that rests on sets of states says so.
	if r.Conforms && c.hasSets() {
		r.Coarser = !newCheck(i, s, false).run(ctx).Conforms
	}
	return r
}

// newCheck returns a check that has explored no pair but the initial one.
func newCheck(impl, spec *graph, determinize bool) *check {
	c := &check{impl: impl, spec: newSpec(spec, determinize), pairs: newPairs()}
	c.pairs.number(int32(impl.sys.Initial()), c.spec.place(int32(spec.sys.Initial())))
	return c
}

// run explores the pairs in the order in which they are found, until the initial one dies.
func (c *check) run(ctx context.Context) *Result {
	r := &Result{}
	const first = 0
	for p := int32(first); int(p) < len(c.pairs.list) && c.lives(first); p++ {
		err := context.Cause(ctx)
		if err == nil {
			err = c.explore(p)
		}
		if err != nil {
			r.Open = err
			break
		}
		c.bury()
	}
	switch {
	case !c.lives(first):
		r.Refutation = c.refute(first)
	case r.Open == nil:
		r.Conforms = true
	}
	c.count(r)
	return r
}

// hasSets reports whether the specification was in several states at once.
func (c *check) hasSets() bool {
	return slices.ContainsFunc(c.pairs.list, func(p pair) bool { return len(c.spec.places[p.place].starts) > 1 })
}

// errTooMany ends a comparison whose numbers do not fit into 32 bits.
var errTooMany = errors.New("limit of 2^31 pairs reached")

// lives reports whether a pair has not died.
func (c *check) lives(p int32) bool { return c.pairs.list[p].death == none }

// explore makes the steps of the implementation obligations of a pair.
func (c *check) explore(p int32) error {
	at := c.pairs.list[p]
	steps, err := c.impl.steps(at.state)
	if err != nil {
		return err
	}
	// 1. C1: the actions that the specification can do.
	for _, e := range steps {
		if e.action == Hidden {
			continue
		}
		partners, err := c.spec.partners(at.place, e.action)
		if err != nil {
			return err
		}
		if len(partners) == 0 {
			c.die(p, death{Refused, e.action, e.to})
			return nil
		}
		c.branches = c.branches || len(partners) > 1
	}
	// 2. C2, if the state is stable.
	if ready, ok := c.impl.stable(at.state); ok {
		missing, err := c.spec.lacks(at.place, ready)
		if err != nil {
			return err
		}
		if missing != all {
			c.die(p, death{kind: NoReadySet, action: missing})
			return nil
		}
	}
	// 3. C1: where the steps lead.
	for _, e := range steps {
		if e.to == Nowhere {
			continue
		}
		if len(c.duties) == 1<<31-1 {
			return errTooMany
		}
		c.duties = append(c.duties, obligation{owner: p, to: e.to, action: e.action})
		if !c.rely(int32(len(c.duties) - 1)) {
			return nil
		}
	}
	return nil
}

// partner returns the place at which the partner lies on which an obligation would rely, and false if there is none.
func (c *check) partner(o obligation) (int32, bool) {
	from := c.pairs.list[o.owner].place
	if o.action == Hidden {
		return from, o.at == 0
	}
	// The place was looked at before.
	list, _ := c.spec.partners(from, o.action)
	if int(o.at) == len(list) {
		return 0, false
	}
	return list[o.at], true
}

// rely lets an obligation rely on its first partner that lives, from the present one on. It reports whether there is
// one; else the owner dies.
func (c *check) rely(n int32) bool {
	for {
		o := c.duties[n]
		place, found := c.partner(o)
		if !found {
			c.die(o.owner, death{kind: Dead, step: n})
			return false
		}
		if q := c.pairs.number(o.to, place); c.lives(q) {
			c.duties[n].next, c.pairs.list[q].relied = c.pairs.list[q].relied, n
			return true
		}
		c.duties[n].at++
	}
}

// die kills a pair that lives.
func (c *check) die(p int32, why death) {
	c.pairs.list[p].death = int32(len(c.deaths))
	c.deaths = append(c.deaths, why)
	c.dying = append(c.dying, p)
}

// bury tells the obligations that relied on pairs that have died, until no more die.
func (c *check) bury() {
	for len(c.dying) > 0 {
		q := c.dying[len(c.dying)-1]
		c.dying = c.dying[:len(c.dying)-1]
		for n := c.pairs.list[q].relied; n != none; {
			next := c.duties[n].next
			if c.lives(c.duties[n].owner) {
				c.duties[n].at++
				c.rely(n)
			}
			n = next
		}
		c.pairs.list[q].relied = none
	}
}

// count fills in the counters of a result, and divergence.
func (c *check) count(r *Result) {
	r.States = [2]int{c.impl.done, c.spec.done}
	r.Steps, r.Pairs, r.Obligations = len(c.impl.edges), len(c.pairs.list), len(c.duties)
	r.ReadySets, r.Places = len(c.impl.sets.lists), len(c.spec.places)
	r.Branches, r.graphs = c.branches, [2]*graph{c.impl, c.spec.graph}
	r.Diverging = [2]*Divergence{c.impl.diverges(), c.spec.diverges()}
}

// Explored calls f for each state of the implementation (model 0) or the specification (model 1) that was explored, with
// its steps.
func (r *Result) Explored(model int, f func(state int, steps []Step, stable bool)) {
	g := r.graphs[model]
	for s := range g.nodes {
		if !g.explored(int32(s)) {
			continue
		}
		var list []Step
		for _, e := range g.edges[g.nodes[s].from:g.nodes[s].to] {
			list = append(list, Step{e.action, int(e.to)})
		}
		_, stable := g.stable(int32(s))
		f(s, list, stable)
	}
}
