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

// A formula may hold if it holds with some values for what is not known, and does not hold if nothing is unknown and it does
// not.
func TestMayHold(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	yes, no := 0, 0
	letter := func() Letter { return Letter{Atoms: rng.Uint64N(4), Unknown: rng.Uint64N(4) & rng.Uint64N(4)} }
	for _, text := range []string{"a", "!a", "X !a", "G (a -> b)", "G (a -> F b)", "!(a U b)", "G F a", "F G !a", "a <-> X b", "b R !a"} {
		f := mustParse(text)
		for range 300 {
			var stem, loop []Letter
			for range rng.IntN(3) {
				stem = append(stem, letter())
			}
			for range 1 + rng.IntN(3) {
				loop = append(loop, letter())
			}
			may := f.MayHold(stem, loop)
			// The values of what is not known may be others in each round: in the first one, they are of the stem.
			if anyHolds(f, append(append([]Letter{}, stem...), append(loop, loop...)...), len(stem)+len(loop)) {
				if yes++; !may {
					t.Errorf("%s of %v %v cannot hold", text, stem, loop)
				}
			} else if !may {
				no++
			}
		}
	}
	if yes < 500 || no < 500 {
		t.Errorf("%d words that satisfy a formula and %d that do not are too few", yes, no)
	}
}

// anyHolds reports whether a formula holds of a word, with a loop from a letter on, for some values of what is not known.
func anyHolds(f *Formula, word []Letter, loop int) bool {
	for i, l := range word {
		for bit := range 2 {
			if l.Unknown>>bit&1 == 0 {
				continue
			}
			less, more := append([]Letter{}, word...), append([]Letter{}, word...)
			less[i] = Letter{l.Atoms &^ (1 << bit), l.Unknown &^ (1 << bit)}
			more[i] = Letter{l.Atoms | 1<<bit, l.Unknown &^ (1 << bit)}
			return anyHolds(f, less, loop) || anyHolds(f, more, loop)
		}
	}
	var letters []uint64
	for _, l := range word {
		letters = append(letters, l.Atoms)
	}
	return f.Holds(letters[:loop], letters[loop:])
}
