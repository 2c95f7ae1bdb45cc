package interleave_test

import (
	"context"
	"strings"
	"testing"

	"c2bp/checker/interleave"
	"c2bp/checker/lowerzing"
	"c2bp/frontend/zing/zingtest"
	"c2bp/internal/testkit"
)

// kindsOf returns the kinds of the failures that were found, in the words of the interpreter.
func kindsOf(r *interleave.Result) string {
	_, list, _ := strings.Cut(summary(r), "; ")
	var kinds []string
	for _, item := range strings.Split(list, ", ") {
		kind, _, _ := strings.Cut(item, " ")
		kinds = append(kinds, kind)
	}
	return strings.Join(kinds, " ")
}

// TestSearches compares the searches on random models: those that are complete find the same states and kinds
// of failures; the others no failure that breadth-first search does not find. Every failing run is made again.
func TestSearches(t *testing.T) {
	n := uint64(testkit.Count(60, 2000))
	for seed := range n {
		text := zingtest.Random(seed + 1000000)
		p, err := zingtest.Load("model.zing", text)
		if err != nil {
			t.Fatal(err)
		}
		low := lowerzing.Program(p, lowerzing.Options{})
		model := interleave.Model{Prog: low.Prog, Roots: low.Activate}
		explore := func(opts interleave.Options) *interleave.Result {
			opts.All, opts.MaxStates = true, 20000
			r := interleave.Explore(context.Background(), model, opts)
			for _, f := range r.Failures {
				interleave.Confirm(model, opts, f)
			}
			return r
		}
		want := explore(interleave.Options{})
		if want.Open != "" {
			continue
		}
		for _, opts := range []interleave.Options{
			{Search: interleave.Depth},
			{Search: interleave.Bounded, Bound: want.Levels + 1}, // a failing move leads to one more
			{Search: interleave.Delay, Bound: 1000},
			{Search: interleave.Preemption, Bound: 1000},
		} {
			r := explore(opts)
			if r.Open != "" || r.Distinct != want.Distinct || r.Stored != want.Stored || kindsOf(r) != kindsOf(want) {
				t.Errorf("seed %d, search %d: open %q, %d of %d states, %s; want %d of %d, %s\n%s", seed, opts.Search, r.Open,
					r.Distinct, r.Stored, kindsOf(r), want.Distinct, want.Stored, kindsOf(want), text)
			}
		}
		for _, opts := range []interleave.Options{
			{Search: interleave.Bounded, Bound: want.Levels - 1},
			{Search: interleave.Delay, Bound: 1},
			{Search: interleave.Preemption, Bound: 1},
			{Search: interleave.Random, Bound: 20, Length: 100, Seed: seed},
		} {
			r := explore(opts)
			if opts.Search == interleave.Random && r.Open == "" {
				t.Errorf("seed %d: random runs are complete", seed)
			}
			for _, k := range strings.Fields(kindsOf(r)) {
				if k != "none" && !strings.Contains(kindsOf(want), k) {
					t.Errorf("seed %d, search %d: %s; want one of %s\n%s", seed, opts.Search, k, kindsOf(want), text)
				}
			}
			if r.Stored > want.Stored {
				t.Errorf("seed %d, search %d: %d states, there are %d", seed, opts.Search, r.Stored, want.Stored)
			}
		}
		if t.Failed() {
			return
		}
	}
}

// TestLimits stops searches by the number of states, by the length of runs and by the number of delays.
func TestLimits(t *testing.T) {
	text := philosophers(3)
	for _, c := range []struct {
		opts interleave.Options
		want string
	}{
		{interleave.Options{MaxStates: 100}, "limit of 100 states reached"},
		{interleave.Options{Search: interleave.Depth, MaxStates: 100}, "limit of 100 states reached"},
		{interleave.Options{Search: interleave.Bounded, Bound: 5}, "bound of 5 states a run"},
		{interleave.Options{Search: interleave.Delay, Bound: 1}, "bound of 1 delay"},
		{interleave.Options{Search: interleave.Preemption, Bound: 2}, "bound of 2 preemptions"},
		{interleave.Options{Search: interleave.Random, Bound: 3, Length: 10}, "random runs prove nothing: 3 runs without a failure"},
		{interleave.Options{}, ""},
	} {
		if r := explore(t, text, lowerzing.Options{}, c.opts); r.Open != c.want || len(r.Failures) > 0 {
			t.Errorf("%+v: open %q, %d failures; want %q", c.opts, r.Open, len(r.Failures), c.want)
		}
	}
}
