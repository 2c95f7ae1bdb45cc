package conform

import "slices"

// This file explains why an implementation does not conform.

// Kind is the kind of a refutation.
type Kind int

// The kinds of refutations.
const (
	Refused    Kind = iota // C1: the specification cannot do an action of the implementation
	NoReadySet             // C2: no stable state of the specification has a ready set that fits
	Dead                   // C1: the specification can do the action, but no state after it will do
)

// Refutation is a run of the implementation that the specification cannot answer.
type Refutation struct {
	Kind Kind
	From int    // the state of the implementation in which the run begins
	Run  []Step // the steps of the implementation: of Refused and Dead, the last one has the action
	// Spec is the states in which the specification can be after the actions of the run, or before the last one if the
	// kind is Refused, without further hidden steps. Of Dead it is the states before the last action.
	Spec []int
	// Reached is the states that hidden steps reach from Spec, Spec included.
	Reached []int
	// Of NoReadySet: the ready set of the last state, and the Y of C2, Hidden for the empty one, for which no stable
	// state of Reached has a ready set between. Offers are the stable states.
	Ready  []Action
	Y      Action
	Offers []Offer
	// Of Dead: for each state after the last action, why it will not do. The runs begin where this one ends.
	Branches []*Refutation
	Omitted  int // the number of states that are not in Branches
}

// Offer is a stable state and its ready set.
type Offer struct {
	State int
	Ready []Action
}

// Missing returns the refused action, or the Y of C2; Hidden if it is empty.
func (r *Refutation) Missing() Action {
	if r.Kind == NoReadySet {
		return r.Y
	}
	return r.Run[len(r.Run)-1].Action
}

// States returns the states of the implementation on the run, the first one included.
func (r *Refutation) States() []int {
	list := []int{r.From}
	for _, s := range r.Run {
		list = append(list, s.To)
	}
	return list
}

// mostBranches is the number of refutations in a tree.
const mostBranches = 12

// refute returns the reason why a pair has died.
func (c *check) refute(p int32) *Refutation {
	budget := mostBranches
	return c.reason(p, &budget)
}

// reason is refute, with the number of further refutations that there may be.
func (c *check) reason(p int32, budget *int) *Refutation {
	r := &Refutation{From: int(c.pairs.list[p].state)}
	for {
		at := c.pairs.list[p]
		why := c.deaths[at.death]
		r.Kind = why.kind
		switch r.Kind {
		case Refused:
			r.Run = append(r.Run, Step{why.action, int(why.step)})
			c.locate(r, at.place)
			return r
		case NoReadySet:
			r.Y = why.action
			ready, _ := c.impl.stable(at.state)
			r.Ready = c.impl.sets.lists[ready]
			c.locate(r, at.place)
			return r
		}
		// Follow the step as long as the specification has one answer.
		o := c.duties[why.step]
		r.Run = append(r.Run, Step{o.action, int(o.to)})
		partners := []int32{at.place}
		if o.action != Hidden {
			partners, _ = c.spec.partners(at.place, o.action)
		}
		if len(partners) == 1 {
			p = c.pairs.number(o.to, partners[0])
			continue
		}
		c.locate(r, at.place)
		for _, place := range partners {
			if *budget == 0 {
				r.Omitted++
				continue
			}
			*budget--
			r.Branches = append(r.Branches, c.reason(c.pairs.number(o.to, place), budget))
		}
		return r
	}
}

// locate fills in where the specification is.
func (c *check) locate(r *Refutation, place int32) {
	for _, x := range c.spec.places[place].starts {
		r.Spec = append(r.Spec, int(x))
	}
	// The place was looked at, so its states are explored.
	reached, _ := c.spec.closure(c.spec.places[place].starts)
	for _, x := range reached {
		r.Reached = append(r.Reached, int(x))
		if set, ok := c.spec.stable(x); ok {
			r.Offers = append(r.Offers, Offer{int(x), slices.Clone(c.spec.sets.lists[set])})
		}
	}
}
