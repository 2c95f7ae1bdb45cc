package temporal

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// This file makes the generalised Büchi automaton of an alternating one (Gastin–Oddoux 2001, §3). Its states are
// conjunctions of terms. It has a set of accepting transitions for each term x U y: those that do not
// postpone y.

// generalised is an automaton. A run is accepting if it makes transitions of each set infinitely often.
type generalised struct {
	init   []int
	states [][]generalEdge
	sets   int // the number of sets
}

// generalEdge is a transition. sets has the bits of the sets in which it is; bits that stand for no set are
// set as well.
type generalEdge struct {
	cube
	to   int
	sets uint64
}

// everySet has the bits of all sets.
const everySet = 1<<64 - 1

// maxAutomaton is the largest number of transitions, maxEdges that of a state, and maxSets that of sets of an
// automaton that is made.
const maxAutomaton, maxEdges, maxSets = 200000, 5000, 64

// LimitError says that a formula is too large.
type LimitError struct{ What string }

func (e *LimitError) Error() string { return e.What }

// generalise returns the automaton of a term.
func (t *terms) generalise(x term) (*generalised, error) {
	b := &generaliser{alternating: alternating{terms: t, steps: map[term][]step{}}, numbers: map[string]int{}}
	for _, c := range b.conjunctions(x) {
		b.init = append(b.init, b.number(c))
	}
	// The states that appear on the way are appended to b.conj.
	edges := 0
	for i := 0; i < len(b.conj) && !b.large; i++ {
		list, err := b.edges(b.conj[i])
		if err != nil {
			return nil, err
		}
		b.states = append(b.states, list)
		if edges += len(list) + 1; edges > maxAutomaton {
			return nil, &LimitError{fmt.Sprintf("the automaton of the formula has more than %d transitions", maxAutomaton)}
		}
	}
	if b.large {
		return nil, b.tooLarge()
	}
	b.sets = len(b.untils)
	b.reduce()
	return &b.generalised, nil
}

// generaliser makes a generalised automaton.
type generaliser struct {
	alternating
	generalised
	conj    [][]term       // the terms of a state
	numbers map[string]int // of states
	untils  []term         // that were met: by set
}

// number returns the number of a state.
func (b *generaliser) number(terms []term) int {
	var key []byte
	for _, x := range terms {
		key = binary.AppendUvarint(key, uint64(x))
	}
	n, ok := b.numbers[string(key)]
	if !ok {
		n = len(b.conj)
		b.numbers[string(key)] = n
		b.conj = append(b.conj, terms)
		for _, x := range terms {
			b.note(x)
		}
	}
	return n
}

// note notes a term x U y.
func (b *generaliser) note(x term) {
	if b.nodes[x].op == Until && !slices.Contains(b.untils, x) {
		b.untils = append(b.untils, x)
	}
}

// edges returns the transitions of a state: a transition of each of its terms.
func (b *generaliser) edges(terms []term) ([]generalEdge, error) {
	list := []step{{}}
	for _, x := range terms {
		list = b.joined(list, b.from(x))
		if b.large {
			return nil, b.tooLarge()
		}
		list = b.undominated(list)
	}
	var out []generalEdge
	for _, s := range list {
		e := generalEdge{cube: s.cube, to: b.number(s.to)}
		if len(b.untils) > maxSets {
			return nil, &LimitError{fmt.Sprintf("the formula has more than %d promises: operators U and F, and negated R, W and G", maxSets)}
		}
		out = append(out, e)
	}
	// The terms that come up later are in none of these targets: their sets have the transition.
	for i, s := range list {
		out[i].sets = everySet
		for k, u := range b.untils {
			if !b.fulfils(s, u) {
				out[i].sets &^= 1 << k
			}
		}
	}
	return b.weakestEdges(out), nil
}

// tooLarge returns the error after a list was cut off.
func (a *alternating) tooLarge() error {
	return &LimitError{fmt.Sprintf("a state of the automaton of the formula has more than %d transitions", maxEdges)}
}

// fulfils reports whether a transition is in the set of x U y: it does not lead to this term, or it could have
// left it (Gastin–Oddoux 2001, §3).
func (b *generaliser) fulfils(s step, u term) bool {
	if !slices.Contains(s.to, u) {
		return true
	}
	for _, t := range b.from(u) {
		if s.in(t.cube) && !slices.Contains(t.to, u) && subset(t.to, s.to) {
			return true
		}
	}
	return false
}

// undominated drops transitions of some terms of a state that another one dominates.
func (b *generaliser) undominated(list []step) (out []step) {
	for i, t := range list {
		dominated := false
		for j, s := range list {
			if i != j && b.dominates(s, t) && (j < i || !b.dominates(t, s)) {
				dominated = true
				break
			}
		}
		if !dominated {
			out = append(out, t)
		}
	}
	return out
}

// dominates reports whether s is as good as t, whatever transitions of further terms are joined with both: it has
// more letters, asks for less, and is in each set in which t is.
func (b *generaliser) dominates(s, t step) bool {
	if !t.in(s.cube) || !subset(s.to, t.to) {
		return false
	}
	for _, u := range s.to {
		if b.nodes[u].op != Until || b.fulfils(s, u) {
			continue
		}
		// t may get into the set of u by a transition of u that s lacks letters or terms for.
		if s.cube != t.cube {
			return false
		}
		for _, leave := range b.from(u) {
			if !slices.Contains(leave.to, u) && slices.ContainsFunc(leave.to, func(x term) bool {
				return slices.Contains(t.to, x) && !slices.Contains(s.to, x)
			}) {
				return false
			}
		}
	}
	return true
}

// weakestEdges drops transitions that another one implies: with more letters and sets, to a state that asks for
// less.
func (b *generaliser) weakestEdges(list []generalEdge) []generalEdge {
	implies := func(t, s generalEdge) bool {
		return s.in(t.cube) && s.sets&^t.sets == 0 && subset(b.conj[t.to], b.conj[s.to])
	}
	var out []generalEdge
	for i, s := range list {
		if !slices.ContainsFunc(list[:i], func(t generalEdge) bool { return implies(t, s) }) &&
			!slices.ContainsFunc(list[i+1:], func(t generalEdge) bool { return implies(t, s) && !implies(s, t) }) {
			out = append(out, s)
		}
	}
	return out
}
