package temporal

import (
	"fmt"
	"math/rand/v2"

	"c2bp/source"
)

// This file makes random formulas and words.

// randomFormula returns a formula with a number of operators and atoms, over some atoms.
func randomFormula(rng *rand.Rand, size, atoms int) *Formula {
	if size <= 1 {
		if rng.IntN(12) == 0 {
			return constant(rng.IntN(2) == 0)
		}
		n := rng.IntN(atoms)
		return AtomOf(n, string(rune('a'+n)))
	}
	if op := []Op{Not, Next, Finally, Globally}[rng.IntN(4)]; size == 2 || rng.IntN(2) == 0 {
		return Unary(op, randomFormula(rng, size-1, atoms))
	}
	op := []Op{Until, Release, Weak, And, Or, Implies, Iff}[rng.IntN(7)]
	left := 1 + rng.IntN(size-2)
	return Binary(op, randomFormula(rng, left, atoms), randomFormula(rng, size-1-left, atoms))
}

// randomWord returns the stem and the loop of a word over some atoms.
func randomWord(rng *rand.Rand, atoms int) (stem, loop []uint64) {
	letter := func() uint64 { return rng.Uint64N(1 << atoms) }
	for range rng.IntN(4) {
		stem = append(stem, letter())
	}
	for range 1 + rng.IntN(4) {
		loop = append(loop, letter())
	}
	return stem, loop
}

// parseTest parses a formula whose atoms are letters, a being atom 0.
func parseTest(text string) (*Formula, error) {
	return Parse(source.NewFile("formula", []byte(text)), func(a AtomText) (int, error) {
		name := a.Text
		if inner, _, ok := a.Braced(); ok {
			name = inner
		}
		if len(name) != 1 || name[0] < 'a' || name[0] > 'z' {
			return 0, a.Errorf("unknown atom %q", a.Text)
		}
		return int(name[0] - 'a'), nil
	})
}

// mustParse is parseTest for formulas that are right.
func mustParse(text string) *Formula {
	f, err := parseTest(text)
	if err != nil {
		panic(fmt.Sprint(text, ": ", err))
	}
	return f
}

// accepts reports whether an automaton accepts a word: whether the product with the word has an accepting cycle.
func (a *Automaton) accepts(stem, loop []uint64) bool {
	type point struct{ state, at int }
	letters := append(append([]uint64{}, stem...), loop...)
	next := func(at int) int {
		if at+1 == len(letters) {
			return len(stem)
		}
		return at + 1
	}
	// reach returns the points that can be reached from one, without itself if no cycle leads back.
	reach := func(from point) map[point]bool {
		seen := map[point]bool{}
		todo := []point{from}
		for len(todo) > 0 {
			p := todo[0]
			todo = todo[1:]
			for _, t := range a.States[p.state] {
				if q := (point{t.To, next(p.at)}); t.Has(letters[p.at]) && !seen[q] {
					seen[q] = true
					todo = append(todo, q)
				}
			}
		}
		return seen
	}
	for _, s := range a.Init {
		reached := reach(point{s, 0})
		reached[point{s, 0}] = true
		for p := range reached {
			for _, t := range a.States[p.state] {
				if t.Accept && t.Has(letters[p.at]) {
					q := point{t.To, next(p.at)}
					if q == p || reach(q)[p] {
						return true
					}
				}
			}
		}
	}
	return false
}
