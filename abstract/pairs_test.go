package abstract

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"c2bp/alias"
	"c2bp/alias/devirt"
	"c2bp/frontend"
	"c2bp/frontend/cgen"
	"c2bp/internal/testkit"
)

// This file simulates drivers whose pointers come from functions that they do not define
// (cgen.GeneratePair).

// aboutPairs are predicates for such drivers: places of all types in main, and in its callees.
var aboutPairs = []string{
	"d0->id == 11", "d1->id == 12", "d2->id == 77", "d0->in.a == 11", "d1->in.b == 12", "d0->peer == d1", "d1->l.next == l0", "d0->count == n0",
	"b0->k == 11", "b1->k == 12", "b0->u.in.a == 11", "b0->u.n == 12", "b0->arr[1].a == 11", "b0->arr[2].b == 12", "b0->next == b1",
	"i0->a == 11", "i0->b == 12", "i1->a == 11", "i1->b == 12", "p0->x == 11", "p0->y == 12", "p1->y == 11", "*s0 == 11", "*n0 == 11", "*n1 == 12",
	"u0->in.a == 11", "u0->n == 12", "n0 == n1", "d0 == d1", "i0 == i1", "b0 == b1", "n0 == &d0->id", "i0 == &b0->u.in", "n1 == &i0->b",
	"gd.id == 11", "gd.in.b == 12", "gb.k == 11", "gb.arr[1].a == 11", "gi == 11", "d0 == 0", "n0 == 0", "i0 == 0",
}

// pairPredicates chooses predicates for a driver, of what it has to do with.
func pairPredicates(text string, rng *rand.Rand) string {
	_, body, _ := strings.Cut(text, "int main(void)")
	words := strings.FieldsFunc(body, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	preds := "main:\n\td0->id == 11"
	for _, i := range rng.Perm(len(aboutPairs))[:3] {
		if q := aboutPairs[i]; q[0] != 'g' || slices.Contains(words, q[:2]) {
			preds += ", " + q
		}
	}
	if strings.Contains(text, "*bu") {
		preds += [...]string{", du->id == 11", ", du->peer->id == 12", ", bu->k == 11", ", bu->next->k == 12"}[rng.IntN(4)]
	}
	preds += "\n"
	for name, of := range map[string]string{"put": "*p == 12, *p == 11", "mark": "d->id == 77"} {
		if slices.Contains(words, name) {
			preds += name + ":\n\t" + of + "\n"
		}
	}
	return preds
}

// simulatePairs simulates n drivers that make generates, those of the seeds from 1 on, and returns how
// many runs went to their end, and their steps.
func simulatePairs(t *testing.T, make func(uint64) cgen.Pair, n uint64) (runs, steps int, err error) {
	t.Helper()
	for seed := uint64(1); seed <= n; seed++ {
		text := make(seed).Driver
		preds := pairPredicates(text, rand.New(rand.NewPCG(seed, 12)))
		prog, list := loadWith(t, text, preds, frontend.Options{})
		devirt.Resolve(prog)
		result := alias.Analyze(prog)
		s, err := simulationBy(prog, list, Options{Jobs: 1, MaxExact: campaignExact, Alias: result})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		s.types = result
		for r := range uint64(20) {
			k, err := s.run(r, 200)
			steps += k
			switch {
			case errors.Is(err, errDiscarded):
			case err != nil:
				return runs, steps, fmt.Errorf("seed %d, run %d: %w\n%s%s", seed, r, err, text, preds)
			default:
				runs++
			}
		}
	}
	return runs, steps, nil
}

// TestPairs: the abstraction simulates drivers in memory that is outside of them.
func TestPairs(t *testing.T) {
	t.Parallel()
	n := testkit.Count[uint64](5, 1500)
	for name, make := range map[string]func(uint64) cgen.Pair{"initialised": cgen.GeneratePair, "not": cgen.GenerateUnsetPair} {
		runs, steps, err := simulatePairs(t, make, n)
		if err != nil {
			t.Error(err)
		}
		t.Logf("%s: %d drivers, %d runs to their end, %d steps", name, n, runs, steps)
		if runs < int(n)*2 {
			t.Errorf("%s: only %d runs came to their end", name, runs)
		}
	}
}
