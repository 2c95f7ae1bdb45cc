package cex

import (
	"context"
	"slices"

	"c2bp/logic"
	"c2bp/prover"
)

// This file spares the prover questions about conditions of a path whose answers follow from others.
//
// The search for a minimal part asks about large parts of a long path, and those that can all hold are what
// takes time: the prover has to find values for everything that the path computes. But the parts of
// successive searches are much alike, suffixes of the path without one more condition:
//
//	conditions 209 to 834                           they can hold
//	conditions 210 to 834, but for 800              a part of these: they can, too
//
// Where the prover does not know the answer, it takes all the time that it may. A part of such conditions may still
// be one that it finds to exclude each other; but if it has not known several answers, there is little hope.
//
// A question that takes it long seldom has the answer that the conditions exclude each other: that is shown by a few
// of them, or not at all. So if a quick attempt sees that all the conditions do, quick attempts are all that is made,
// and the minimal part is one as far as these see.

// mostUnknown is the number of answers that the prover may not know before it is asked no more about parts of such
// conditions.
const mostUnknown = 4

// excluding returns a function that asks pr whether some of the conditions all exclude each other, and is false where
// it does not know; their terms are of t. It does not ask about part of some conditions that can all hold.
func excluding(ctx context.Context, pr *prover.Prover, t *logic.Table, all []Condition) func([]Condition) bool {
	return excludingBy(all,
		func(conds []Condition) prover.Answer { return pr.CheckQuickly(ctx, Terms(conds), t) },
		func(conds []Condition) prover.Answer { return pr.Check(ctx, Terms(conds), t) })
}

// excludingBy is excluding with two ways to ask, of which the second may take its time. That one is for conditions all
// of which are not seen to exclude each other by the first.
func excludingBy(all []Condition, quickly, patiently func([]Condition) prover.Answer) func([]Condition) bool {
	a := &asked{numbers: map[*logic.Term]int{}}
	asking := func(check func([]Condition) prover.Answer) func([]Condition) bool {
		return func(conds []Condition) bool {
			return a.exclude(conds, func() prover.Answer { return check(conds) })
		}
	}
	if quick := asking(quickly); quick(all) {
		return quick
	}
	a.open = nil // what was not decided quickly may be decided
	return asking(patiently)
}

// exclude reports whether conds are known to exclude each other; check asks the prover.
func (a *asked) exclude(conds []Condition, check func() prover.Answer) bool {
	// 1. The answer follows from others, or there is no hope for one.
	set := a.set(conds)
	if slices.ContainsFunc(a.hold, set.within) || len(a.open) >= mostUnknown && slices.ContainsFunc(a.open, set.within) {
		return false
	}
	// 2. Ask, and note what can be of use.
	answer := check()
	switch answer {
	case prover.Sat: // smaller sets say nothing that this one does not
		a.hold = append(slices.DeleteFunc(a.hold, func(s termSet) bool { return s.within(set) }), set)
	case prover.Unknown:
		a.open = append(a.open, set)
	}
	return answer == prover.Unsat
}

// asked is what is known of conditions.
type asked struct {
	numbers map[*logic.Term]int
	hold    []termSet // each can all hold, and is part of no other
	open    []termSet // those of which the prover does not know
}

// termSet is a set of terms by their numbers, as bits.
type termSet []uint64

// set returns the terms of conds.
func (a *asked) set(conds []Condition) (s termSet) {
	for _, c := range conds {
		n, known := a.numbers[c.Term]
		if !known {
			n = len(a.numbers)
			a.numbers[c.Term] = n
		}
		for n/64 >= len(s) {
			s = append(s, 0)
		}
		s[n/64] |= 1 << (n % 64)
	}
	return s
}

// within reports whether all terms of s are in other.
func (s termSet) within(other termSet) bool {
	for i, w := range s {
		if i >= len(other) && w != 0 || i < len(other) && w&^other[i] != 0 {
			return false
		}
	}
	return true
}
