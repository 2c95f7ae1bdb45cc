package trace

import (
	"context"
	"reflect"
	"testing"

	"c2bp/checker/symbolic"
	"c2bp/verdict"
)

// What values there are on a trace has no part in the way that it takes, into calls as well.
func TestWayOnlyTakesTheSameWay(t *testing.T) {
	steps, values := 0, 0
	for seed := range programs() / 2 {
		want := waysOf(t, seed, Options{})
		got := waysOf(t, seed, Options{WayOnly: true})
		for i := range want {
			for j := range want[i] {
				steps++
				values += len(want[i][j].Values)
				want[i][j].Values = nil
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: the way is\n%v\nwithout values and\n%v\nwith\n%s", seed, got, want, random(seed))
		}
	}
	if steps < 1000 || values < steps {
		t.Errorf("the programs exercise too little: %d steps, %d values", steps, values)
	}
}

// waysOf is the traces to all assertions that fail in the program of a seed, and the insides
// of their calls.
func waysOf(t *testing.T, seed uint64, opts Options) (ways [][]verdict.Step) {
	t.Helper()
	ctx := context.Background()
	s := find(t, graphOf(t, random(seed)), symbolic.Tuning{}, opts)
	for i, p := range s.Graph.Procs {
		for v := range p.Nodes {
			at := symbolic.Point{Proc: i, Node: v}
			if !s.CanFail(at) {
				continue
			}
			tr, err := s.Trace(ctx, []Target{{at, true}})
			if err != nil {
				t.Fatal(err)
			}
			steps := tr.Steps()
			ways = append(ways, steps)
			for k, st := range steps {
				if !st.Collapsed {
					continue
				}
				inner, err := tr.Expand(ctx, k)
				if err != nil {
					t.Fatal(err)
				}
				ways = append(ways, inner.Steps())
			}
		}
	}
	return ways
}
