package temporal

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"c2bp/internal/testkit"
	"c2bp/verdict"
)

// Check agrees with the nested depth-first search on random systems and formulas. Where that search is cut off, what
// it finds must be found.
func TestCheckAgrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	counts := map[string]int{}
	for i := range testkit.Count(10000, 1000000) {
		f := randomFormula(rng, 1+rng.IntN(7), 2)
		sys := randomTable(rng, 1+rng.IntN(3), 2+rng.IntN(3), i%3 == 0, i%4 == 0)
		var fair []int
		if rng.IntN(4) == 0 {
			fair = []int{2}
		}
		agree(t, sys, f, fair, counts)
	}
	t.Log(counts)
	for _, what := range []string{"true complete", "false complete", "true cut", "false cut", "prefix"} {
		if counts[what] < 50 {
			t.Errorf("only %d pairs are %s", counts[what], what)
		}
	}
}

// agree compares the answers for one system and formula.
func agree(t *testing.T, sys *table, f *Formula, fair []int, counts map[string]int) {
	t.Helper()
	got, err := Check(context.Background(), sys, f, Options{Fair: fair})
	if err != nil {
		t.Fatalf("%s, fair %v: %v\n%s", f, fair, err, sys)
	}
	// The oracle's fairness is in the formula.
	bad := Unary(Not, f)
	for _, atom := range fair {
		bad = Binary(And, bad, Unary(Globally, Unary(Finally, AtomOf(atom, "c"))))
	}
	a, err := Translate(bad)
	if err != nil {
		t.Fatal(err)
	}
	o := &oracle{t: sys, a: a, depth: 6}
	violated := o.cycle()
	if !violated && len(fair) == 0 {
		if o.a, err = Translate(f); err != nil {
			t.Fatal(err)
		}
		if violated = o.prefix(); violated {
			counts["prefix"]++
		}
	}
	size := " complete"
	if o.cut {
		size = " cut"
	}
	counts[strings.ToLower(got.Verdict.String())+size]++
	switch {
	case got.Verdict == verdict.Unknown, violated && got.Verdict != verdict.False, !violated && !o.cut && got.Verdict != verdict.True:
		t.Fatalf("%s, fair %v: %v %s, violated %v%s\n%s", f, fair, got.Verdict, got.Reason, violated, size, sys)
	}
}
