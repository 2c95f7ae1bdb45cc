package prover

import (
	"context"
	"testing"

	"c2bp/logic"
)

// TestAddresses: what is known of addresses is part of every query about them, and the
// states that are guessed respect it.
func TestAddresses(t *testing.T) {
	tab := logic.NewTable()
	x, y := tab.Addr("&x", 8, 64, logic.Storage{}), tab.Addr("&y", 4, 64, logic.Storage{})
	p := tab.Sym("p", tab.Int(0).Val, tab.Addr("&z", 1, 64, logic.Storage{}).Hi)
	at := func(a *logic.Term, off int64) *logic.Term { return tab.Add(a, tab.Int(off)) }
	m := func(a *logic.Term) *logic.Term { return tab.App("M0:int32", nil, nil, a) }
	for _, test := range []struct {
		name string
		f    *logic.Term
		want bool
	}{
		{"a pointer is not both", tab.Not(tab.And(tab.Eq(p, x), tab.Eq(p, y))), true},
		{"inside one is not the other", tab.Not(tab.And(tab.Eq(p, at(x, 7)), tab.Eq(p, y))), true},
		{"behind one may be the other", tab.Not(tab.And(tab.Eq(p, at(x, 8)), tab.Eq(p, y))), false},
		{"an address is not null", tab.Not(tab.And(tab.Eq(p, x), tab.Eq(p, tab.Int(0)))), true},
		{"inside, whatever the offset", tab.Not(tab.And(tab.Le(x, p), tab.Lt(p, at(x, 8)), tab.Eq(p, y))), true},
		{"what is read at equal addresses", tab.Implies(tab.Eq(p, x), tab.Eq(m(p), m(x))), true},
		{"what is read at others", tab.Eq(m(y), m(x)), false},
	} {
		pr := New(nil, Options{})
		if got := pr.Valid(context.Background(), test.f, tab); got != test.want {
			t.Errorf("%s: valid is %v", test.name, got)
		}
		pr.Close()
	}
	// Three predicates of which at most one holds: no state may say otherwise.
	preds := []*logic.Term{tab.Eq(p, x), tab.Eq(p, y), tab.Eq(p, tab.Int(0))}
	for _, opts := range []SpaceOptions{{}, {NoPool: true}} {
		pr := New(nil, Options{})
		cubes, _, err := NewSpace(pr, tab, preds, opts).Infeasible(context.Background())
		if err != nil || len(cubes) != 3 {
			t.Errorf("%+v: infeasible cubes %v, %v", opts, cubes, err)
		}
		pr.Close()
	}
}
