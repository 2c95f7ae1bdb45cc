package cex

import (
	"fmt"
	"testing"

	"c2bp/logic"
	"c2bp/prover"
)

// TestExclude: the prover is not asked about a part of conditions that can all hold, nor, after several answers that
// it does not know, about a part of such conditions; it is asked about all others.
func TestExclude(t *testing.T) {
	table := logic.NewTable()
	conds := make([]Condition, 200)
	for i := range conds {
		conds[i] = Condition{Step: i, Term: table.Sym(fmt.Sprint("x", i), nil, nil)}
	}
	a := &asked{numbers: map[*logic.Term]int{}}
	for i, c := range []struct {
		from, to int
		answer   prover.Answer
		asked    bool
	}{
		{0, 10, prover.Sat, true},
		{2, 10, prover.Unsat, false},
		{2, 11, prover.Unsat, true},
		{2, 11, prover.Sat, true},
		{3, 11, prover.Unsat, false}, // a part of a larger set
		{0, 2, prover.Unsat, false},  // which does not have these
		{0, 11, prover.Unsat, true},
		{60, 130, prover.Sat, true},
		{63, 65, prover.Unsat, false},
		{63, 131, prover.Unsat, true},
		{100, 150, prover.Unknown, true},
		{100, 149, prover.Unknown, true},
		{101, 149, prover.Unknown, true},
		{102, 149, prover.Unknown, true},
		{120, 149, prover.Unsat, false},
		{120, 151, prover.Unsat, true},
	} {
		asked := false
		got := a.exclude(conds[c.from:c.to], func() prover.Answer { asked = true; return c.answer })
		if asked != c.asked || got != (asked && c.answer == prover.Unsat) {
			t.Errorf("%d: conditions %d to %d: %t, asked: %t", i, c.from, c.to, got, asked)
		}
	}
}

// TestQuickly: where a quick attempt sees that all conditions exclude each other, no other is made; where it does not,
// others decide, also about conditions of which it knew nothing.
func TestQuickly(t *testing.T) {
	table := logic.NewTable()
	conds := make([]Condition, 8)
	for i := range conds {
		conds[i] = Condition{Step: i, Term: table.Sym(fmt.Sprint("x", i), nil, nil)}
	}
	// The last two conditions exclude each other. A quick attempt knows that only of so many or fewer.
	patient := 0
	answer := func(some []Condition) prover.Answer {
		if len(some) >= 2 && some[len(some)-2].Step == 6 {
			return prover.Unsat
		}
		return prover.Sat
	}
	quick := func(most int) func([]Condition) prover.Answer {
		return func(some []Condition) prover.Answer {
			if len(some) > most {
				return prover.Unknown
			}
			return answer(some)
		}
	}
	for _, most := range []int{8, 7} {
		patient = 0
		unsat := excludingBy(conds, quick(most), func(some []Condition) prover.Answer { patient++; return answer(some) })
		if core := minimal(conds, unsat); len(core) != 2 || core[0].Step != 6 || (patient > 0) != (most == 7) {
			t.Errorf("up to %d conditions quickly: core %v, %d patient questions", most, core, patient)
		}
		if got, want := unsat(conds), true; got != want {
			t.Errorf("up to %d conditions quickly: all exclude each other: %t", most, got)
		}
	}
}
