package cubes

import (
	"context"

	"c2bp/logic"
	"c2bp/prover"
)

// This file enumerates cubes.

// search is one enumeration: of the prime implicants of a goal or, without a goal, of the minimal
// infeasible cubes.
//
// Cubes are tried by increasing length and, within a length, lexicographically, by a depth-first
// walk of the tree of prefixes. Each prefix has the set of pooled models that refute it, so a few
// machine words show whether a cube needs a query.
type search struct {
	s       *Space
	ctx     context.Context
	preds   []int           // to make cubes of, ascending
	about   *logic.Term     // the goal; nil to search for infeasible cubes
	notGoal *logic.Term     // the negated goal, or nil
	goal    *prover.Program // the goal, to be evaluated in models; or nil

	prefix     cube
	refuted    [][]uint64 // by length of the prefix: the models of the prefix in which the goal is false
	found      *cubeSet
	list       []cube // found, in order
	infeasible *cubeSet
	satisfied  bool // some model has the goal
	tried      int  // cubes reached at the present length
	passed     bool // cubes of the present length were skipped as known
	exhausted  bool // every longer cube contains one that is settled
	err        error

	findings []*finding // of earlier searches
	knownBy  []uint8    // by index in r.preds: the set of findings whose predicates include this one
	knownTo  []uint8    // likewise, this one and all that follow
	open     int64      // Stats.Open when the search began
}

// newSearch prepares the search for prime implicants of goal over preds, or for infeasible cubes if
// goal is nil. It evaluates the goal in all pooled models.
func (s *Space) newSearch(ctx context.Context, goal *logic.Term, preds []int) *search {
	r := &search{s: s, ctx: ctx, preds: preds, found: newCubeSet(), infeasible: s.infeasible, open: s.p.Counters().Open}
	if s.opts.NoInfeasible {
		r.infeasible = newCubeSet()
	}
	// The models that refute a goal are numbered, so trim the pool before, never during a search.
	if s.pool.trim() {
		s.guess.seen = map[string]bool{}
	}
	// The empty prefix is refuted by all models of the negated goal; without a goal, by all models:
	// a cube with a model is feasible.
	if goal == nil {
		r.refuted = [][]uint64{s.pool.all()}
		return r
	}
	r.about, r.notGoal, r.goal = goal, s.t.Not(goal), s.u.Compile(goal)
	root := make([]uint64, s.pool.words())
	for i, m := range s.pool.models {
		if r.refutes(m) {
			setBit(root, i)
		}
	}
	r.refuted = [][]uint64{root}
	return r
}

// refutes reports whether the goal is false in m, which makes m refute the cubes that hold in it.
func (r *search) refutes(m *prover.Model) bool {
	if r.goal == nil {
		return true
	}
	v, ok := m.Truth(r.goal)
	r.satisfied = r.satisfied || ok && v
	return ok && !v
}

// add puts a model of Z3 into the pool and into the sets along the present prefix, and then some
// guesses near it.
func (r *search) add(m *prover.Model) {
	r.put(m, false)
	for range nearGuesses {
		r.put(r.s.guess.near(m), true)
	}
}

// put keeps a model, and adds it to the sets of those prefixes of the present prefix that it
// refutes.
func (r *search) put(m *prover.Model, guess bool) {
	n := r.s.keep(m, guess)
	if n < 0 {
		return
	}
	// in says that the goal is false in m and that all literals of the prefix up to d hold.
	in := r.refutes(m)
	for d := 0; d <= len(r.prefix); d++ {
		// A word holds 64 models; sets for longer prefixes are made anew by narrow.
		if n%64 == 0 {
			r.refuted[d] = append(r.refuted[d], 0)
		}
		in = in && (d == 0 || r.s.pool.holds(r.prefix[d-1], n))
		if in {
			setBit(r.refuted[d], n)
		}
	}
}

// addRefuting adds a model that is expected to refute the prefix.
func (r *search) addRefuting(m *prover.Model) {
	r.add(m)
	if !anyBit(r.refuted[len(r.prefix)]) {
		r.s.p.Counters().BadModels++
	}
}

// run tries all cubes of lengths from from to to, inclusive.
func (r *search) run(from, to int) {
	// Length 0 is that of the empty cube alone.
	for k := from; k <= to && r.err == nil; k++ {
		r.tried, r.passed = 0, false
		r.extend(k, 0, r.deciding(k))
		if r.tried == 0 && !r.passed {
			r.exhausted = true // every longer cube contains one that is settled
			return
		}
	}
}

// extend tries all cubes of length k that start with the prefix and continue with predicates from
// index i of r.preds on. known is the set of the findings that decide cubes of length k over the
// predicates of the prefix.
func (r *search) extend(k, i int, known uint8) {
	d := len(r.prefix)
	// 1. Skip the subtree if one finding decides all cubes in it: its predicates include those of
	// the prefix and all that may follow.
	if known != 0 && (d == k || known&r.knownTo[i] != 0) {
		r.passed = true
		return
	}
	// 2. Decide a cube of full length.
	if d == k {
		r.try()
		return
	}
	// 3. Extend the prefix by each literal, unless the result contains a cube that is settled: an
	// implicant (what contains it is no prime) or an infeasible cube.
	for ; i <= len(r.preds)-(k-d); i++ {
		for sign := 0; sign < 2 && r.err == nil; sign++ {
			l := 2*r.preds[i] + sign
			r.prefix = append(r.prefix, l)
			if !r.found.inside(r.prefix) && !r.settledInfeasible(r.prefix) {
				r.narrow(l)
				r.extend(k, i+1, r.narrowed(known, i))
			}
			r.prefix = r.prefix[:d]
		}
	}
}

// narrowed returns those findings of known whose predicates include the one at index i of r.preds.
func (r *search) narrowed(known uint8, i int) uint8 {
	if known == 0 {
		return 0
	}
	return known & r.knownBy[i]
}

// settledInfeasible reports whether c contains an infeasible cube, so that no cube that contains c
// is an answer. A search for infeasible cubes finds them on its own.
func (r *search) settledInfeasible(c cube) bool {
	return r.goal != nil && r.infeasible.inside(c)
}

// narrow computes the set of models that refute the prefix, whose last literal is l: those of the
// shorter prefix in which l holds.
func (r *search) narrow(l int) {
	d := len(r.prefix)
	for len(r.refuted) <= d {
		r.refuted = append(r.refuted, nil)
	}
	w, up, lit := r.refuted[d][:0], r.refuted[d-1], r.s.pool.lits[l]
	for i := range up {
		w = append(w, up[i]&lit[i])
	}
	r.refuted[d] = w
}

// try decides the cube r.prefix.
func (r *search) try() {
	// 0. Now and then look whether the context was cancelled: most cubes need no query.
	r.tried++
	if r.tried&0xfff == 0 && r.stop(r.ctx.Err()) {
		return
	}
	// 1. A pooled model, or a guess, may refute the cube.
	c := r.prefix
	if anyBit(r.refuted[len(c)]) {
		r.s.p.Counters().PoolHits++
		return
	}
	if r.guess(c) && anyBit(r.refuted[len(c)]) {
		r.s.p.Counters().PoolHits++
		return
	}
	// 2. The cube is an implicant if no state of it refutes the goal ...
	if r.goal == nil {
		r.tryInfeasible(c)
		return
	}
	a := r.s.ask(r.ctx, r.s.terms(c, r.notGoal), r.addRefuting)
	if r.stop(r.s.p.Err()) || a != prover.Unsat {
		return
	}
	// ... and if it has a state at all.
	if !r.s.feasible(r.ctx, c, r.add) {
		// It is no implicant, and neither is any cube that contains it, whatever the goal.
		r.infeasible.add(c)
		return
	}
	if !r.stop(r.s.p.Err()) {
		r.take(c)
	}
}

// guess fills the pool with the first guesses when they are first needed: not where the memo
// answers the question. It reports whether it did.
func (r *search) guess(c cube) bool {
	s := r.s
	if s.guessed || s.opts.NoPool || r.goal == nil && r.infeasible.has(c) {
		return false
	}
	fs := s.terms(c)
	if r.goal != nil {
		fs = append(fs, r.notGoal)
	}
	if s.p.Knows(fs, s.t) {
		return false
	}
	s.guessed = true
	for range firstGuesses {
		r.put(s.u.NewModel(s.guess.pick), true)
	}
	return true
}

// tryInfeasible decides the cube c in a search without a goal.
// A cube that was found infeasible for a goal needs no query.
func (r *search) tryInfeasible(c cube) {
	if r.infeasible.has(c) {
		r.take(c)
		return
	}
	a := r.s.ask(r.ctx, r.s.terms(c), r.addRefuting)
	if !r.stop(r.s.p.Err()) && a == prover.Unsat {
		r.infeasible.add(c)
		r.take(c)
	}
}

// take adds c to the result.
func (r *search) take(c cube) {
	r.found.add(c)
	r.list = append(r.list, append(cube(nil), c...))
}

// stop notes an error, if there is one, and reports whether the search has ended by an error.
func (r *search) stop(err error) bool {
	if err != nil && r.err == nil {
		r.err = err
	}
	return r.err != nil
}
