package temporal

import (
	"cmp"
	"slices"
)

// This file makes the very weak alternating automaton of a formula (Gastin–Oddoux 2001, §2). Its states are
// temporal terms, and a term leads to a conjunction of such terms.

// cube is a set of letters: those with all atoms of pos and none of neg.
type cube struct{ pos, neg uint64 }

// empty reports whether no letter is in the cube.
func (c cube) empty() bool { return c.pos&c.neg != 0 }

// and returns the letters in both cubes.
func (c cube) and(d cube) cube { return cube{c.pos | d.pos, c.neg | d.neg} }

// in reports whether all letters of c are in d.
func (c cube) in(d cube) bool { return d.pos&^c.pos == 0 && d.neg&^c.neg == 0 }

// has reports whether a letter is in the cube.
func (c cube) has(letter uint64) bool { return c.pos&^letter == 0 && c.neg&letter == 0 }

// step is a transition of the alternating automaton: with a letter of the cube to all terms of a sorted set.
type step struct {
	cube
	to []term
}

// alternating makes the transitions of terms when they are asked for.
type alternating struct {
	*terms
	steps map[term][]step
	large bool // a list was cut off after maxEdges: the formula is too large
}

// from returns the transitions of a term (Gastin–Oddoux 2001, §2, the function δ).
func (a *alternating) from(x term) []step {
	if s, ok := a.steps[x]; ok || a.large {
		return s
	}
	var out []step
	switch n := a.nodes[x]; n.op {
	case True:
		out = []step{{}}
	case False:
	case Atom:
		out = []step{{cube: cube{pos: 1 << n.atom}}}
	case Not:
		out = []step{{cube: cube{neg: 1 << n.atom}}}
	case Next:
		for _, to := range a.conjunctions(n.x) {
			out = append(out, step{to: to})
		}
	case And:
		out = a.joined(a.from(n.x), a.from(n.y))
	case Or:
		out = slices.Concat(a.from(n.x), a.from(n.y))
	// x U y is y, or x and then itself; x R y is y, and x or then itself.
	case Until:
		out = slices.Concat(a.from(n.y), a.joined(a.from(n.x), []step{{to: []term{x}}}))
	case Release:
		out = a.joined(a.from(n.y), slices.Concat(a.from(n.x), []step{{to: []term{x}}}))
	}
	out = weakest(out)
	a.steps[x] = out
	return out
}

// conjunctions returns the sets of temporal terms one of which must hold for x to hold.
func (a *alternating) conjunctions(x term) [][]term {
	if a.large {
		return nil
	}
	switch n := a.nodes[x]; n.op {
	case True:
		return [][]term{nil}
	case False:
		return nil
	case Or:
		return slices.Concat(a.conjunctions(n.x), a.conjunctions(n.y))
	case And:
		var out [][]term
		left, right := a.conjunctions(n.x), a.conjunctions(n.y)
		for _, l := range left {
			for _, r := range right {
				if len(out) == maxEdges {
					a.large = true
					return nil
				}
				out = append(out, union(l, r))
			}
		}
		return out
	}
	return [][]term{{x}}
}

// joined returns the transitions that make one of each list.
func (a *alternating) joined(list, other []step) (out []step) {
	for _, s := range list {
		for _, t := range other {
			if both := s.and(t.cube); !both.empty() {
				if len(out) == maxEdges {
					a.large = true
					return nil
				}
				out = append(out, step{both, union(s.to, t.to)})
			}
		}
	}
	return out
}

// weakest drops transitions that another one implies: it has more letters, and asks for less.
func weakest(list []step) []step {
	// Sort, so that equal ones are neighbours and those that ask for less come first.
	slices.SortFunc(list, func(s, t step) int {
		return cmp.Or(cmp.Compare(len(s.to), len(t.to)), slices.Compare(s.to, t.to), compareCubes(s.cube, t.cube))
	})
	var out []step
	for i, s := range list {
		implied := false
		for j, t := range list {
			same := i != j && s.cube == t.cube && slices.Equal(s.to, t.to)
			if i != j && s.in(t.cube) && subset(t.to, s.to) && (!same || j < i) {
				implied = true
				break
			}
		}
		if !implied {
			out = append(out, s)
		}
	}
	return out
}

// compareCubes orders cubes.
func compareCubes(c, d cube) int { return cmp.Or(cmp.Compare(c.pos, d.pos), cmp.Compare(c.neg, d.neg)) }

// union returns the sorted union of two sorted sets.
func union(a, b []term) []term {
	out := slices.Concat(a, b)
	slices.Sort(out)
	return slices.Compact(out)
}

// subset reports whether all elements of a are in b; both are sorted.
func subset(a, b []term) bool {
	for _, x := range a {
		if _, found := slices.BinarySearch(b, x); !found {
			return false
		}
	}
	return true
}
