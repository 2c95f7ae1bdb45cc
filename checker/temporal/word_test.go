package temporal

import (
	"math/rand/v2"
	"testing"
)

// A word is a bad prefix if those are that have some values for what is not known: all of them.
func TestIsBadPrefix(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	bad, open := 0, 0
	for _, text := range []string{"a", "X a", "G (a -> b)", "G (a -> X b)", "a U b", "G F a", "G a | G b", "b R a"} {
		f := mustParse(text)
		for range 200 {
			word := make([]Letter, rng.IntN(4))
			for i := range word {
				word[i] = Letter{Atoms: rng.Uint64N(4), Unknown: rng.Uint64N(4) & rng.Uint64N(4)}
			}
			got, want := IsBadPrefix(f, word), allBad(f, word, 0)
			if got != want {
				t.Errorf("%s of %v: %v, want %v", text, word, got, want)
			}
			if got {
				bad++
			} else {
				open++
			}
		}
	}
	if bad < 100 || open < 100 {
		t.Errorf("%d bad prefixes and %d others are too few", bad, open)
	}
}

// allBad reports whether all words are bad prefixes that agree with what is known of one from a letter on.
func allBad(f *Formula, word []Letter, from int) bool {
	for i := from; i < len(word); i++ {
		for bit := range 2 {
			if word[i].Unknown>>bit&1 == 0 {
				continue
			}
			// The atom does not hold, or it does.
			less, more := append([]Letter{}, word...), append([]Letter{}, word...)
			less[i] = Letter{word[i].Atoms &^ (1 << bit), word[i].Unknown &^ (1 << bit)}
			more[i] = Letter{word[i].Atoms | 1<<bit, word[i].Unknown &^ (1 << bit)}
			return allBad(f, less, i) && allBad(f, more, i)
		}
	}
	run := &Run{}
	for _, l := range word {
		run.Stem = append(run.Stem, Step{Label: Label{Atoms: l.Atoms}})
	}
	return badPrefix(f, run) > 0
}
