package symbolic

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"c2bp/boolprog"
	"c2bp/boolprog/bpgen"
	"c2bp/checker/bdd"
	"c2bp/checker/symbolic/flow"
	"c2bp/checker/symbolic/varorder"
)

// This file tests that the order of the variables is carried to the next program.

// What reordering has found once needs no reordering any more, also where the program has
// another variable, declared before all others.
func TestOrderIsCarriedOn(t *testing.T) {
	for _, x := range bpgen.HardPrograms() {
		if !strings.HasPrefix(x.Name, "copies-24") || x.Name == "copies-24-branch" { // see TestReorderingRescues
			continue
		}
		s, err := Solve(context.Background(), parse(t, x.Text), Options{NodeLimit: 400_000})
		if err != nil {
			t.Fatalf("%s: %v", x.Name, err)
		}
		if s.Order() == nil {
			t.Fatalf("%s: nothing was reordered", x.Name)
		}
		for _, text := range []string{x.Text, strings.Replace(x.Text, "begin\n", "begin\n decl another; another := *; assume(another);\n", 1)} {
			g := parse(t, text)
			next, err := Solve(context.Background(), g, Options{NodeLimit: 400_000, Tuning: Tuning{ReorderNever: true}, Start: s.Order()})
			if err != nil {
				t.Errorf("%s: %v", x.Name, err)
				continue
			}
			if next.Order() == nil {
				t.Errorf("%s: the order is carried on once only", x.Name)
			}
			for v, n := range g.Main.Nodes {
				if n.Kind == boolprog.NodeAssert && next.CanFail(Point{g.Main.Index, v}) {
					t.Errorf("%s: node %d can fail", x.Name, v)
				}
			}
		}
		other := s.Order()
		elsewhere := rand.New(rand.NewPCG(7, 7)).Perm(s.Layout.Groups())
		for v, i := range other.Place {
			other.Place[v] = elsewhere[i]
		}
		if _, err := Solve(context.Background(), parse(t, x.Text), Options{NodeLimit: 400_000, Tuning: Tuning{ReorderNever: true}, Start: other}); !errors.Is(err, bdd.ErrNodeLimit) {
			t.Errorf("%s: any order will do", x.Name)
		}
	}
}

// Whatever another program has to do with this one, its order makes a permutation; and a
// program that was not reordered has none.
func TestOrderOfAnotherProgram(t *testing.T) {
	for seed := range uint64(100) {
		s, err := Solve(context.Background(), graphOf(t, random(seed)), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if s.Order() != nil {
			t.Fatalf("seed %d: reordered", seed)
		}
		s.arranged = 1
		l, _ := varorder.NewLayout(graphOf(t, random(seed+1)), nil, s.Order())
		order := slices.Clone(l.ByPlace)
		slices.Sort(order)
		for i, g := range order {
			if int(g) != i {
				t.Fatalf("seed %d: no permutation: %v", seed, l.ByPlace)
			}
		}
		for g, i := range l.Place {
			if l.ByPlace[i] != flow.Group(g) {
				t.Fatalf("seed %d: group %d is not where it is", seed, g)
			}
		}
	}
}
