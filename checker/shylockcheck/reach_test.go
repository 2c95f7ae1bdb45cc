package shylockcheck

import (
	"math/rand/v2"
	"testing"

	"c2bp/checker/temporal"
	"c2bp/frontend/shylock/shytest"
	"c2bp/internal/testkit"
	"c2bp/verdict"
)

// TestSaturation compares the search by summaries with post* of package temporal, on the same pushdown systems:
// whether a failure can be reached, and the length of a run to it.
func TestSaturation(t *testing.T) {
	kinds := []shytest.Kind{shytest.Recursive, shytest.Uniform, shytest.Hanging, shytest.Looping}
	count := testkit.Count(uint64(400), 10000)
	fails, holds, open := 0, 0, 0
	for seed := range count {
		text := shytest.Random(rand.New(rand.NewPCG(seed, 9)), kinds[seed%uint64(len(kinds))])
		p := shytest.Load(text)
		opts := Options{Bound: 5, Lenient: seed%2 == 0, MaxStates: 20000}
		got := Check(t.Context(), p, opts)
		s := &system{space: newSpace(Translate(p), opts), formula: &Formula{}}
		want, err := temporal.Reach(t.Context(), s, func(loc, symbol int) bool {
			_, fails := s.meaning(symbol).(failure)
			return fails
		}, temporal.Options{MaxHeads: opts.MaxStates})
		if err != nil {
			t.Fatal(err)
		}
		vacuous := got.Verdict == verdict.Unknown && got.Trace == nil && want.Verdict == verdict.True
		if got.Verdict != want.Verdict && !vacuous {
			t.Fatalf("seed %d: %s, post* says %v (%s):\n%s", seed, got.Summary(), want.Verdict, want.Reason, text)
		}
		switch got.Verdict {
		case verdict.False:
			fails++
			// The last step of the other run is at the failure.
			if n := len(want.Run.Stem) - 1; n < len(got.Trace.Steps) {
				t.Fatalf("seed %d: a run of %d steps, post* has one of %d:\n%s", seed, len(got.Trace.Steps), n, text)
			}
		case verdict.True:
			holds++
		default:
			open++
		}
	}
	t.Logf("%d fail, %d hold, %d are open", fails, holds, open)
	if fails < int(count)/5 || holds < int(count)/10 || open < int(count)/20 {
		t.Error("too few")
	}
}
