package temporal

import (
	"encoding/binary"
	"slices"

	"c2bp/internal/graph"
)

// This file makes automata smaller, without a change of the words that they accept.

// reduce drops states from which nothing is accepted, takes transitions out of sets where that changes nothing, and merges states that
// cannot be told apart.
func (g *generalised) reduce() {
	g.prune()
	g.quotient()
}

// components returns the number of the strongly connected component of each state, and whether a run that stays
// there can be accepting.
func (g *generalised) components() (of []int, accepting []bool) {
	all := make([]int, len(g.states))
	for i := range all {
		all[i] = i
	}
	list := graph.Components(len(g.states), all, func(s int) (next []int) {
		for _, e := range g.states[s] {
			next = append(next, e.to)
		}
		return next
	})
	of, accepting = make([]int, len(g.states)), make([]bool, len(list))
	for c, states := range list {
		for _, s := range states {
			of[s] = c
		}
	}
	// A component is accepting if its transitions are in all sets together, and there is one.
	for c, states := range list {
		sets, inner := ^g.mask(), false
		for _, s := range states {
			for _, e := range g.states[s] {
				if of[e.to] == c {
					sets, inner = sets|e.sets, true
				}
			}
		}
		accepting[c] = inner && sets == everySet
	}
	return of, accepting
}

// mask returns the bits of the sets.
func (g *generalised) mask() uint64 {
	if g.sets == 64 {
		return everySet
	}
	return 1<<g.sets - 1
}

// prune drops states from which no accepting component can be reached, and takes transitions that are in no such
// component out of all sets: whether they are there does not matter.
func (g *generalised) prune() {
	of, accepting := g.components()
	// 1. A component comes after those to which it leads.
	useful := slices.Clone(accepting)
	order := make([][]int, len(accepting))
	for s := range g.states {
		order[of[s]] = append(order[of[s]], s)
	}
	for c, states := range order {
		for _, s := range states {
			for _, e := range g.states[s] {
				useful[c] = useful[c] || useful[of[e.to]]
			}
		}
	}
	// 2. Number the states that stay.
	numbers, n := make([]int, len(g.states)), 0
	for s := range g.states {
		if numbers[s] = -1; useful[of[s]] {
			numbers[s] = n
			n++
		}
	}
	old := g.states
	g.states = make([][]generalEdge, n)
	for s, edges := range old {
		if numbers[s] < 0 {
			continue
		}
		for _, e := range edges {
			if numbers[e.to] < 0 {
				continue
			}
			if of[e.to] != of[s] || !accepting[of[s]] {
				e.sets &^= g.mask()
			}
			e.to = numbers[e.to]
			g.states[numbers[s]] = append(g.states[numbers[s]], e)
		}
	}
	g.init = renumbered(g.init, numbers)
}

// renumbered returns the new numbers of states, without those that are gone.
func renumbered(list, numbers []int) (out []int) {
	seen := map[int]bool{}
	for _, s := range list {
		if n := numbers[s]; n >= 0 && !seen[n] {
			seen[n] = true
			out = append(out, n)
		}
	}
	return out
}

// quotient merges states that are bisimilar: they have the same transitions up to merged states.
func (g *generalised) quotient() {
	class, n := make([]int, len(g.states)), min(1, len(g.states))
	// Refine the classes until the transitions of their states agree.
	for {
		numbers := map[string]int{}
		next := make([]int, len(g.states))
		for s := range g.states {
			key := g.signature(s, class)
			c, ok := numbers[key]
			if !ok {
				c = len(numbers)
				numbers[key] = c
			}
			next[s] = c
		}
		class = next
		if len(numbers) == n {
			break
		}
		n = len(numbers)
	}
	// The first state of a class stands for it.
	states := make([][]generalEdge, 0, n)
	for s, edges := range g.states {
		if class[s] == len(states) {
			states = append(states, merged(edges, class))
		}
	}
	g.states, g.init = states, renumbered(g.init, class)
}

// signature encodes the class of a state and its transitions to classes.
func (g *generalised) signature(s int, class []int) string {
	key := binary.AppendUvarint(nil, uint64(class[s]))
	for _, e := range merged(g.states[s], class) {
		for _, n := range []uint64{e.pos, e.neg, e.sets, uint64(e.to)} {
			key = binary.AppendUvarint(key, n)
		}
	}
	return string(key)
}

// merged returns transitions to classes in a fixed order, without those that another one implies: it leads to the
// same class, with more letters, and is in more sets.
func merged(edges []generalEdge, class []int) (out []generalEdge) {
	list := slices.Clone(edges)
	for i := range list {
		list[i].to = class[list[i].to]
	}
	slices.SortFunc(list, compareEdges)
	list = slices.Compact(list)
	for i, s := range list {
		implied := slices.ContainsFunc(list, func(t generalEdge) bool {
			return t != s && t.to == s.to && s.in(t.cube) && s.sets&^t.sets == 0
		})
		if !implied {
			out = append(out, list[i])
		}
	}
	return out
}
