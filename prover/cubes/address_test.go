package cubes

import (
	"context"
	"fmt"
	"testing"

	"c2bp/logic"
	"c2bp/prover"
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
		pr := prover.New(nil, prover.Options{})
		if got := pr.Valid(context.Background(), test.f, tab); got != test.want {
			t.Errorf("%s: valid is %v", test.name, got)
		}
		pr.Close()
	}
	// Three predicates of which at most one holds: no state may say otherwise.
	preds := []*logic.Term{tab.Eq(p, x), tab.Eq(p, y), tab.Eq(p, tab.Int(0))}
	for _, opts := range []SpaceOptions{{}, {NoPool: true}} {
		pr := prover.New(nil, prover.Options{})
		cubes, _, err := NewSpace(pr, tab, preds, opts).Infeasible(context.Background())
		if err != nil || len(cubes) != 3 {
			t.Errorf("%+v: infeasible cubes %v, %v", opts, cubes, err)
		}
		pr.Close()
	}
}

// TestOverlappingCones: what is read of an object is connected with what is read of another
// one that may be at the same place, so that a cone leaves out nothing that matters.
func TestOverlappingCones(t *testing.T) {
	tab := logic.NewTable()
	block := func(b string) logic.Storage { return logic.Storage{Block: b} }
	x, y := tab.Addr("&x", 8, 64, block("f/1/2/")), tab.Addr("&y", 8, 64, block("f/1/3/"))
	z, w := tab.Addr("&z", 8, 64, block("f/1/")), tab.Addr("&w", 0, 64, logic.Storage{})
	top := tab.Addr("&max", 1, 64, logic.Storage{}).Hi
	p, q := tab.Sym("p", tab.Int(0).Val, top), tab.Sym("q", tab.Int(0).Val, top)
	m := func(a *logic.Term) *logic.Term { return tab.App("M0:int32", nil, nil, a) }
	one := tab.Int(1)
	for _, c := range []struct {
		name  string
		preds []*logic.Term
		phi   *logic.Term
	}{
		{"read at two places that may be one", []*logic.Term{tab.Eq(m(x), one), tab.Eq(x, y)}, tab.Eq(m(y), one)},
		{"pointers to them", []*logic.Term{tab.Eq(p, x), tab.Eq(q, y), tab.Eq(p, q)}, tab.Eq(x, y)},
		{"the formula brings the other object", []*logic.Term{tab.Eq(m(x), one), tab.Eq(m(z), one), tab.Eq(p, x), tab.Eq(p, y)}, tab.Eq(m(y), one)},
		{"an object without bytes", []*logic.Term{tab.Eq(p, z), tab.Eq(q, w), tab.Eq(p, q)}, tab.Eq(z, w)},
		{"objects that are apart", []*logic.Term{tab.Eq(m(x), one), tab.Eq(p, z)}, tab.Eq(m(z), one)},
	} {
		var covers []string
		for _, opts := range []SpaceOptions{{}, {NoCone: true}} {
			pr := prover.New(nil, prover.Options{})
			cover, _, err := NewSpace(pr, tab, c.preds, opts).Strengthen(context.Background(), c.phi)
			if err != nil {
				t.Fatal(err)
			}
			covers = append(covers, fmt.Sprint(cover))
			pr.Close()
		}
		if covers[0] != covers[1] {
			t.Errorf("%s: %s with cones, %s without", c.name, covers[0], covers[1])
		}
		if c.name != "objects that are apart" && covers[0] == "[]" {
			t.Errorf("%s: nothing implies it", c.name)
		}
	}
}
