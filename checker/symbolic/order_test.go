package symbolic

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"c2bp/boolprog"
	"c2bp/boolprog/bpgen"
	"c2bp/checker/bdd"
	"c2bp/checker/symbolic/varorder"
)

// This file tests and measures what the order of the variables does to programs that
// depend on it.

// atRandom is an order that has nothing to do with the program.
func atRandom(n int, edges [][]int32) []int32 {
	order := varorder.Declared(n, nil)
	rand.New(rand.NewPCG(uint64(n), uint64(len(edges)))).Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
	return order
}

// orders are those that the comparison with brute force runs with. Nothing but the
// cost may depend on them.
var orders = []varorder.Ordering{varorder.Force, atRandom, varorder.Declared}

// With FORCE, no way to declare the operands makes 40 bits expensive; without, the
// bad ones are out of reach.
func TestOrderDecides(t *testing.T) {
	for _, x := range bpgen.HardPrograms() {
		if strings.HasPrefix(x.Name, "counter") || strings.HasPrefix(x.Name, "copies") {
			continue // the one takes long in any order, as it counts; of the other see TestReorderingRescues
		}
		g := parse(t, x.Text)
		s, err := Solve(context.Background(), g, Options{NodeLimit: 100_000, Tuning: Tuning{ReorderNever: true}})
		if err != nil {
			t.Errorf("%s: %v", x.Name, err)
			continue
		}
		for p, pg := range g.Procs {
			for v := range pg.Nodes {
				if s.CanFail(Point{p, v}) != strings.HasPrefix(x.Name, "unconstrained") && pg.Nodes[v].Kind == boolprog.NodeAssert && !strings.HasPrefix(x.Name, "window") {
					t.Fatalf("%s: node %d can fail: %v", x.Name, v, s.CanFail(Point{p, v}))
				}
			}
		}
		if !x.Bad {
			continue
		}
		if _, err := Solve(context.Background(), g, Options{NodeLimit: 100_000, Tuning: Tuning{Ordering: varorder.Declared, ReorderNever: true}}); !errors.Is(err, bdd.ErrNodeLimit) {
			t.Errorf("%s: the declared order is no worse", x.Name)
		}
	}
}

// What statements do not say of the variables, reordering finds out.
func TestReorderingRescues(t *testing.T) {
	for _, x := range bpgen.HardPrograms() {
		if !strings.HasPrefix(x.Name, "copies-24") || x.Name == "copies-24-branch" { // whose branches say it
			continue
		}
		how, g := x.Name, parse(t, x.Text)
		s, err := Solve(context.Background(), g, Options{NodeLimit: 400_000})
		if err != nil {
			t.Errorf("%s: %v", how, err)
			continue
		}
		for v, n := range g.Main.Nodes {
			if n.Kind == boolprog.NodeAssert && s.CanFail(Point{g.Main.Index, v}) {
				t.Fatalf("%s: node %d can fail", how, v)
			}
		}
		if _, err := Solve(context.Background(), g, Options{NodeLimit: 400_000, Tuning: Tuning{ReorderNever: true}}); !errors.Is(err, bdd.ErrNodeLimit) {
			t.Errorf("%s: no worse without", how)
		}
	}
}

// The order does not change the number of levels.
func TestOrderKeepsLevels(t *testing.T) {
	for seed := range uint64(100) {
		g := graphOf(t, random(seed))
		a, _ := varorder.NewLayout(g, nil, nil)
		b, _ := varorder.NewLayout(g, varorder.Declared, nil)
		if a.Levels() != b.Levels() || a.Groups() != len(a.ByPlace) {
			t.Fatalf("seed %d: %d levels, %d in the declared order", seed, a.Levels(), b.Levels())
		}
	}
}

func BenchmarkOrder(b *testing.B) {
	for _, x := range bpgen.HardPrograms() {
		g := parse(b, x.Text)
		for _, o := range []struct {
			name string
			Tuning
		}{
			{"default", Tuning{}},
			{"force-only", Tuning{ReorderNever: true}},
			{"sifting-only", Tuning{Ordering: varorder.Declared}},
			{"neither", Tuning{Ordering: varorder.Declared, ReorderNever: true}},
			{"nothing-forgotten", Tuning{ForgetNever: true}},
			{"postorder", Tuning{Postorder: true}},
		} {
			b.Run(x.Name+"/"+o.name, func(b *testing.B) {
				var s *Solution
				for b.Loop() {
					var err error
					if s, err = Solve(context.Background(), g, Options{NodeLimit: 1_000_000, Tuning: o.Tuning}); errors.Is(err, bdd.ErrNodeLimit) {
						b.Skip("more than a million nodes")
					} else if err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(s.m.Peak()), "nodes")
			})
		}
	}
}
