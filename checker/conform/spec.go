package conform

import (
	"encoding/binary"
	"slices"
)

// This file defines places: what the specification can be in after the actions so far, and what it can do there.

// place is a set of states of the specification; without Options.Determinize, one state.
type place struct {
	starts  []int32 // sorted
	moves   []move  // sorted by action
	minimal []int32 // the ready sets of stable states without those that have another one as a subset
	with    []chance
	known   bool
	checked map[int32]Action // by ready set of the implementation: the result of lacks, if it was asked for
}

// move is an action that is possible after hidden steps, and its partners.
type move struct {
	action   Action
	partners []int32 // places
}

// chance is an action, and the minimal ready sets among those that have it.
type chance struct {
	action Action
	sets   []int32
}

// all is the result of lacks if nothing is missing. It is no action.
const all Action = -1

// spec is the specification as the pairs see it.
type spec struct {
	*graph
	determinize bool
	places      []place
	numbers     map[string]int32 // by the starts
	mark        []int32          // by state: memory for closures
	round       int32
	key         []byte
}

// newSpec returns the specification with no places.
func newSpec(g *graph, determinize bool) *spec {
	return &spec{graph: g, determinize: determinize, numbers: map[string]int32{}}
}

// place returns the number of a place.
func (s *spec) place(starts ...int32) int32 {
	slices.Sort(starts)
	s.key = s.key[:0]
	for _, x := range starts {
		s.key = binary.AppendUvarint(s.key, uint64(x))
	}
	n, known := s.numbers[string(s.key)]
	if !known {
		n = int32(len(s.places))
		s.places = append(s.places, place{starts: slices.Clone(starts)})
		s.numbers[string(s.key)] = n
	}
	return n
}

// partners returns the places at which the specification can be after hidden steps and an action.
func (s *spec) partners(p int32, a Action) ([]int32, error) {
	if err := s.look(p); err != nil {
		return nil, err
	}
	list := s.places[p].moves
	i, found := slices.BinarySearchFunc(list, a, func(m move, a Action) int { return int(m.action - a) })
	if !found {
		return nil, nil
	}
	return list[i].partners, nil
}

// lacks returns the Y of C2 for which the specification has no ready set, if a stable state of the implementation has
// a ready set: Hidden for the empty one, or an action. If none is missing, it returns all.
func (s *spec) lacks(p, ready int32) (Action, error) {
	if err := s.look(p); err != nil {
		return all, err
	}
	at := &s.places[p]
	y, known := at.checked[ready]
	if !known {
		y = s.find(at, ready)
		at.checked[ready] = y
	}
	return y, nil
}

// find is lacks without memory.
func (s *spec) find(at *place, ready int32) Action {
	fits := func(offer int32) bool { return s.sets.within(offer, ready) }
	if !slices.ContainsFunc(at.minimal, fits) {
		return Hidden
	}
	for _, a := range s.sets.lists[ready] {
		i, found := slices.BinarySearchFunc(at.with, a, func(c chance, a Action) int { return int(c.action - a) })
		if !found || !slices.ContainsFunc(at.with[i].sets, fits) {
			return a
		}
	}
	return all
}

// look finds the moves and the ready sets of a place.
func (s *spec) look(p int32) error {
	if s.places[p].known {
		return nil
	}
	// 1. The states that hidden steps reach, the ready sets of those that are stable, and the targets of actions.
	reached, err := s.closure(s.places[p].starts)
	if err != nil {
		return err
	}
	var offers []int32
	var actions []Action
	targets, seen := map[Action][]int32{}, map[edge]bool{}
	for _, x := range reached {
		if r, ok := s.stable(x); ok && !slices.Contains(offers, r) {
			offers = append(offers, r)
		}
		list, err := s.steps(x)
		if err != nil {
			return err
		}
		for _, e := range list {
			if e.action == Hidden || seen[e] {
				continue
			}
			seen[e] = true
			if targets[e.action] == nil {
				actions = append(actions, e.action)
			}
			targets[e.action] = append(targets[e.action], e.to)
		}
	}
	// 2. Partners.
	var moves []move
	slices.Sort(actions)
	for _, a := range actions {
		m := move{action: a}
		list, err := s.earliest(targets[a])
		if err != nil {
			return err
		}
		if s.determinize {
			m.partners = []int32{s.place(list...)}
		} else {
			for _, x := range list {
				m.partners = append(m.partners, s.place(x))
			}
		}
		moves = append(moves, m)
	}
	// 3. Minimal ready sets: of all, and of those with each action.
	at := &s.places[p]
	at.known, at.moves, at.checked = true, moves, map[int32]Action{}
	at.minimal = s.least(offers)
	for _, m := range moves {
		var list []int32
		for _, r := range offers {
			if _, has := slices.BinarySearch(s.sets.lists[r], m.action); has {
				list = append(list, r)
			}
		}
		if len(list) > 0 {
			at.with = append(at.with, chance{m.action, s.least(list)})
		}
	}
	return nil
}

// least returns the sets of list that have no other one as a subset.
func (s *spec) least(list []int32) (out []int32) {
	for _, r := range list {
		if !slices.ContainsFunc(list, func(q int32) bool { return q != r && s.sets.within(q, r) }) {
			out = append(out, r)
		}
	}
	return out
}

// closure returns the states that hidden steps reach from some, these included, breadth first.
func (s *spec) closure(starts []int32) ([]int32, error) {
	s.round++
	var list []int32
	add := func(x int32) {
		for len(s.mark) <= int(x) {
			s.mark = append(s.mark, 0)
		}
		if s.mark[x] != s.round {
			s.mark[x] = s.round
			list = append(list, x)
		}
	}
	for _, x := range starts {
		add(x)
	}
	for i := 0; i < len(list); i++ {
		steps, err := s.steps(list[i])
		if err != nil {
			return nil, err
		}
		for _, e := range steps {
			if e.action == Hidden && e.to != Nowhere {
				add(e.to)
			}
		}
	}
	return list, nil
}

// earliest returns states of list without those that hidden steps reach from another one. Not all of the latter may
// be found.
func (s *spec) earliest(list []int32) (out []int32, err error) {
	if len(list) == 1 {
		return list, nil
	}
	// Each state is followed up to states that were met before: those are closed under hidden steps, so none of them
	// leads to it.
	met := map[int32]int32{} // by state: the one of list from which it was met first
	for _, x := range list {
		if _, late := met[x]; late {
			continue
		}
		met[x] = x
		for queue := []int32{x}; len(queue) > 0; {
			steps, err := s.steps(queue[0])
			if err != nil {
				return nil, err
			}
			queue = queue[1:]
			for _, e := range steps {
				if e.action != Hidden || e.to == Nowhere || e.to == x {
					continue
				}
				first, known := met[e.to]
				if !known {
					queue = append(queue, e.to)
				}
				// One that was met before, as itself, is later than x, unless x was met from it.
				if !known || first == e.to {
					met[e.to] = x
				}
			}
		}
	}
	for _, x := range list {
		if met[x] == x {
			out = append(out, x)
		}
	}
	return out, nil
}
