package temporal

import (
	"cmp"
	"fmt"
	"strings"
)

// This file defines Büchi automata, and makes them of generalised ones.

// Automaton is a Büchi automaton. A word is accepted if a run on it makes accepting transitions infinitely
// often.
type Automaton struct {
	Init   []int
	States [][]Transition
}

// Transition is a transition with the letters that have all atoms of Pos and none of Neg.
type Transition struct {
	Pos, Neg uint64
	To       int
	Accept   bool
}

// Has reports whether the transition can be made with a letter.
func (t Transition) Has(letter uint64) bool { return cube{t.Pos, t.Neg}.has(letter) }

// Translate returns an automaton that accepts the words that satisfy f. It fails with a *LimitError.
func Translate(f *Formula) (*Automaton, error) {
	t := newTerms()
	g, err := t.generalise(t.normal(f, false))
	if err != nil {
		return nil, err
	}
	return g.degeneralise().automaton(), nil
}

// degeneralise returns an automaton with one set (Gastin–Oddoux 2001, §4): its states count through the sets,
// and a transition is accepting if the count comes to their end.
func (g *generalised) degeneralise() *generalised {
	of, accepting := g.components()
	type counting struct{ state, count int }
	out := &generalised{sets: 1}
	numbers := map[counting]int{}
	var list []counting
	number := func(c counting) int {
		n, ok := numbers[c]
		if !ok {
			n = len(list)
			numbers[c] = n
			list = append(list, c)
		}
		return n
	}
	for _, s := range g.init {
		out.init = append(out.init, number(counting{s, 0}))
	}
	for i := 0; i < len(list); i++ {
		c := list[i]
		var edges []generalEdge
		for _, e := range g.states[c.state] {
			// The count begins anew where a component is entered, and there is none in one that accepts nothing.
			to, accept := counting{e.to, 0}, false
			if of[e.to] == of[c.state] && accepting[of[e.to]] {
				to.count, accept = g.count(c.count, e.sets)
			}
			edge := generalEdge{cube: e.cube, to: number(to), sets: everySet}
			if !accept {
				edge.sets &^= 1
			}
			edges = append(edges, edge)
		}
		out.states = append(out.states, edges)
	}
	out.reduce()
	return out
}

// count returns the count after a transition in some sets: it goes on over all of these that come next. At the
// end it begins anew.
func (g *generalised) count(from int, sets uint64) (to int, accept bool) {
	for to = from; to < g.sets && sets>>to&1 == 1; to++ {
	}
	if to < g.sets {
		return to, false
	}
	return 0, true
}

// compareEdges orders transitions.
func compareEdges(a, b generalEdge) int {
	return cmp.Or(cmp.Compare(a.to, b.to), compareCubes(a.cube, b.cube), cmp.Compare(a.sets, b.sets))
}

// automaton returns g, which has one set, as an Automaton.
func (g *generalised) automaton() *Automaton {
	a := &Automaton{Init: g.init, States: make([][]Transition, len(g.states))}
	for s, edges := range g.states {
		for _, e := range edges {
			a.States[s] = append(a.States[s], Transition{e.pos, e.neg, e.to, e.sets&1 == 1})
		}
	}
	return a
}

// Transitions returns the number of transitions.
func (a *Automaton) Transitions() (n int) {
	for _, edges := range a.States {
		n += len(edges)
	}
	return n
}

// String returns the automaton as text, with atoms by their numbers and "!" after accepting transitions:
//
//	start 0
//	0: 1 → 0, 0 → 1
//	1: true → 1 !
//
// where 1 → 0 is a transition to state 0 with the letters of atom 1.
func (a *Automaton) String() string {
	var b strings.Builder
	fmt.Fprintln(&b, "start", strings.Trim(fmt.Sprint(a.Init), "[]"))
	for s, edges := range a.States {
		var list []string
		for _, t := range edges {
			list = append(list, t.text())
		}
		fmt.Fprintf(&b, "%d: %s\n", s, strings.Join(list, ", "))
	}
	return b.String()
}

// text returns a transition as text.
func (t Transition) text() string {
	var atoms []string
	for i := range MaxAtoms {
		switch {
		case t.Pos>>i&1 == 1:
			atoms = append(atoms, fmt.Sprint(i))
		case t.Neg>>i&1 == 1:
			atoms = append(atoms, fmt.Sprint("!", i))
		}
	}
	text := "true"
	if len(atoms) > 0 {
		text = strings.Join(atoms, "&")
	}
	text += fmt.Sprintf(" → %d", t.To)
	if t.Accept {
		text += " !"
	}
	return text
}
