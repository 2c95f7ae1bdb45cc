package cubes

import "c2bp/prover"

// This file defines the pool of models, found by Z3 or guessed. There is one bit set per literal:
// bit m of it says that the literal holds in model m.

// pool is a list of models with the literals that hold in each.
type pool struct {
	models []*prover.Model
	lits   [][]uint64 // by literal, 2*i for predicate i and 2*i+1 for its negation
	max    int        // models to keep; a larger pool is trimmed
}

// newPool returns an empty pool for that many predicates.
func newPool(preds int) *pool { return &pool{lits: make([][]uint64, 2*preds), max: maxModels} }

// words returns the number of words of a set of models.
func (p *pool) words() int { return (len(p.models) + 63) / 64 }

// add adds a model with the truth values of all predicates, and returns its number.
func (p *pool) add(m *prover.Model, truth []bool) int {
	n := len(p.models)
	p.models = append(p.models, m)
	// Each predicate is true or false in the model, so one of its two literals gets the bit.
	for i, v := range truth {
		l := 2 * i
		if !v {
			l++
		}
		if n%64 == 0 {
			p.lits[2*i] = append(p.lits[2*i], 0)
			p.lits[2*i+1] = append(p.lits[2*i+1], 0)
		}
		setBit(p.lits[l], n)
	}
	return n
}

// maxModels bounds the pool. Forgetting models costs queries only.
const maxModels = 2048

// trim forgets the older half of a pool that is too large, and reports whether it did. Models are
// renumbered, so it may be called between searches only.
func (p *pool) trim() bool {
	if len(p.models) <= p.max {
		return false
	}
	// Drop whole words, so that bits need not be shifted.
	drop := len(p.models) / 2 / 64 * 64
	p.models = append([]*prover.Model(nil), p.models[drop:]...)
	for i, w := range p.lits {
		p.lits[i] = append([]uint64(nil), w[drop/64:]...)
	}
	return true
}

// all returns the set of all models.
func (p *pool) all() []uint64 {
	w := make([]uint64, p.words())
	for m := range p.models {
		setBit(w, m)
	}
	return w
}

// meets reports whether all literals of c hold in some model.
func (p *pool) meets(c cube) bool {
	for w := 0; w < p.words(); w++ {
		if p.word(c, w) != 0 {
			return true
		}
	}
	return false
}

// word returns word w of the set of the models in which all literals of c hold.
func (p *pool) word(c cube, w int) uint64 {
	x := ^uint64(0)
	// The last word may have room for further models: their bits do not count.
	if rest := len(p.models) - 64*w; rest < 64 {
		x = 1<<rest - 1
	}
	for _, l := range c {
		x &= p.lits[l][w]
	}
	return x
}

// holds reports whether literal l holds in model m.
func (p *pool) holds(l, m int) bool { return hasBit(p.lits[l], m) }

// setBit adds i to the set w, which has room for it.
func setBit(w []uint64, i int) { w[i/64] |= 1 << (i % 64) }

// hasBit reports whether i is in the set w.
func hasBit(w []uint64, i int) bool { return i/64 < len(w) && w[i/64]>>(i%64)&1 != 0 }

// anyBit reports whether the set w has an element.
func anyBit(w []uint64) bool {
	for _, x := range w {
		if x != 0 {
			return true
		}
	}
	return false
}
