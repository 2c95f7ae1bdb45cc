package cubes

import (
	"encoding/binary"
	"math/big"
	"math/rand/v2"
	"sort"

	"c2bp/logic"
	"c2bp/prover"
)

// This file guesses states. A state that refutes a cube need not come from Z3: any values within
// the ranges are a state, and evaluating the predicates in a guess costs a fraction of a query.
// Guesses take their values from the constants of the predicates and their neighbours, where truth
// values change.

const (
	firstGuesses = 64 // when a space first needs them
	nearGuesses  = 16 // around each model of Z3
)

// guesser makes states. The sequence of guesses of a space is always the same.
type guesser struct {
	r      *rand.Rand
	values []*big.Int      // to choose from, ascending
	seen   map[string]bool // truth values of the predicates in the states kept
}

// newGuesser returns a guesser whose sequence depends on the set of predicates alone.
func newGuesser(preds []*logic.Term) *guesser {
	h := logic.SetHash(preds)
	seed := rand.NewPCG(binary.LittleEndian.Uint64(h[:]), binary.LittleEndian.Uint64(h[8:]))
	return &guesser{r: rand.New(seed), values: constants(preds), seen: map[string]bool{}}
}

// constants lists the constants of formulas and their neighbours, ascending, each once.
func constants(preds []*logic.Term) []*big.Int {
	found := map[string]*big.Int{}
	// put adds a constant with its two neighbours.
	put := func(v *big.Int) {
		for d := int64(-1); d <= 1; d++ {
			n := new(big.Int).Add(v, big.NewInt(d))
			found[n.String()] = n
		}
	}
	put(new(big.Int))
	// Constants of sums, of either sign: x <= 3 is the sum x - 3.
	for f := range logic.Subterms(preds...) {
		if f.Op == logic.OpSum {
			put(f.Val)
			put(new(big.Int).Neg(f.Val))
		}
	}
	var vs []*big.Int
	for _, v := range found {
		vs = append(vs, v)
	}
	sort.Slice(vs, func(i, j int) bool { return vs[i].Cmp(vs[j]) < 0 })
	return vs
}

// pick returns a value for a symbol or application, in its range.
func (g *guesser) pick(f *logic.Term) *big.Int {
	return f.Clamp(g.values[g.r.IntN(len(g.values))])
}

// near returns a copy of m with the values of one or two symbols changed.
func (g *guesser) near(m *prover.Model) *prover.Model {
	n := m.Copy(g.pick)
	// Change one symbol, or two. Addresses stay: objects do not move.
	for range 1 + g.r.IntN(2) {
		symbols := n.Symbols()
		if len(symbols) == 0 {
			break
		}
		i := g.r.IntN(len(symbols))
		switch s := symbols[i]; g.r.IntN(3) {
		case 0:
			if s.IsAddress() {
				continue
			}
			n.Set(i, g.pick(s))
		default:
			if s.IsAddress() {
				continue
			}
			// Two times in three a neighbour, at most 2 away.
			n.Set(i, s.Clamp(new(big.Int).Add(n.Symbol(i), big.NewInt(g.r.Int64N(5)-2))))
		}
	}
	return n
}
