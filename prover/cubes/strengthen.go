package cubes

import (
	"context"

	"c2bp/logic"
	"c2bp/prover"
)

// This file computes F, the strengthening of a formula to a Boolean combination of predicates
// (Ball–Millstein–Rajamani 2005, §4.2).

// Strengthen computes F(phi): cubes whose disjunction is the weakest combination of the predicates
// that implies phi, as far as states exist. They are an irredundant cover, in the fixed order of
// cubes (shorter first, then by predicates, the positive literal before the negative).
//
// The implicants of phi are the cubes c with E(c) satisfiable and E(c) & !phi unsatisfiable; the
// primes are the implicants that contain no other. They are searched over the cone of phi: the
// predicates connected to it through shared symbols and functions. If the cone has more than
// MaxExact predicates, only cubes up to length MaxCube are tried, and limited is true: the
// combination implies phi but may not be the weakest. Then the primes that the others cover are
// dropped, from last to first. The cover of a phi that is a predicate, or the negation of one, is
// that literal.
//
// A valid phi has the empty cube, an unsatisfiable phi no cube. Where Z3 does not know, a cube
// counts as feasible and as no implicant.
func (s *Space) Strengthen(ctx context.Context, phi *logic.Term) (cover []Cube, limited bool, err error) {
	if o := s.goals[phi]; o != nil && !s.p.Options().NoMemo {
		return publicCubes(o.cover), o.limited, nil
	}
	defer s.p.Watch(ctx)()
	s.p.Counters().Goals++
	o, err := s.strengthen(ctx, phi)
	if err != nil {
		return nil, false, err
	}
	s.goals[phi] = o
	return publicCubes(o.cover), o.limited, nil
}

// strengthen computes Strengthen, without the memory of goals.
func (s *Space) strengthen(ctx context.Context, phi *logic.Term) (*outcome, error) {
	// 1. Determine the predicates to search over, and the length of cubes.
	preds := s.cone.of(phi)
	s.p.Counters().Cone = max(s.p.Counters().Cone, int64(len(preds)))
	maxLen, limited := len(preds), len(preds) > s.opts.MaxExact
	if s.opts.NoCone { // no prime is longer than the cone for that
		preds = s.cone.members(func(int) bool { return true })
	}
	if limited {
		maxLen = s.opts.MaxCube
	}
	// 2. A valid goal has the empty cube, an unsatisfiable one no cube.
	r := s.newSearch(ctx, phi, preds)
	if r.run(0, 0); r.err != nil || len(r.list) > 0 {
		return &outcome{cover: r.list}, r.err
	}
	// Only if no model met so far satisfies the goal, Z3 is asked.
	if !r.satisfied && s.ask(ctx, []*logic.Term{phi}, r.add) == prover.Unsat {
		return &outcome{}, nil
	}
	if r.stop(s.p.Err()) {
		return nil, r.err
	}
	// 3. A goal that is a literal is its own cover. NoSyntactic searches nevertheless, as a check.
	if hit := s.literal(phi); hit >= 0 {
		if s.opts.NoSyntactic {
			r.run(1, maxLen)
			if r.err == nil && !r.found.has(cube{hit}) {
				panic("prover: a goal that is a predicate does not have it as a prime")
			}
		}
		return &outcome{cover: []cube{{hit}}}, r.err
	}
	// 4. Search for the primes, and drop the redundant ones.
	o := &outcome{cover: r.cover(r.all(maxLen)), limited: limited}
	return o, r.err
}

// all returns the cubes that r finds up to a length, with the help of those that earlier searches found.
func (r *search) all(length int) []cube {
	// Findings name predicates by hash, which needs different predicates.
	preds, ok := r.hashes()
	if !ok || r.s.p.Options().NoMemo {
		r.run(1, length)
		return r.list
	}
	l := r.s.learned()
	// 1. Recall the findings on the same goal, or on the same predicates.
	subjects := infeasibleSubjects(preds)
	if r.about != nil {
		subjects = []subject{{formula: r.about.Hash()}}
		r.s.recallInfeasible()
	}
	// 2. Take over what they found; search for the rest.
	r.remember(l.recall(preds, subjects...), length)
	r.run(1, length)
	// 3. Keep the result for later searches.
	inOrder(r.list)
	if r.err == nil {
		l.learn(r.finding(length), subjects...)
	}
	return r.list
}

// literal returns the first literal that is the term f, or -1.
func (s *Space) literal(f *logic.Term) int {
	for l, g := range s.lits {
		if f == g {
			return l
		}
	}
	return -1
}

// cover drops primes that the remaining ones cover, from last to first.
func (r *search) cover(primes []cube) []cube {
	keep := append([]cube(nil), primes...)
	clauses := make([]*logic.Term, len(keep)) // negations of the primes
	for i, c := range keep {
		// l^1 is the complementary literal.
		var fs []*logic.Term
		for _, l := range c {
			fs = append(fs, r.s.lits[l^1])
		}
		clauses[i] = r.s.t.Or(fs...)
	}
	// Later primes are longer or come later in the order: they are dropped rather than earlier
	// ones.
	for i := len(keep) - 1; i >= 0 && len(keep) > 1 && r.err == nil; i-- {
		if r.covered(keep, clauses, i) {
			keep = append(keep[:i], keep[i+1:]...)
			clauses = append(clauses[:i], clauses[i+1:]...)
		}
	}
	return keep
}

// covered reports whether every state of cube i is a state of another cube.
func (r *search) covered(cubes []cube, clauses []*logic.Term, i int) bool {
	c := cubes[i]
	// 1. A pooled model of cube i alone settles it.
	if r.s.pool.hasOnly(cubes, i) {
		r.s.p.Counters().PoolHits++
		return false
	}
	// 2. Else ask for a state of c and of no other cube. Cubes with a literal complementary to one
	// of c exclude it anyway.
	fs := r.s.terms(c)
	for j, o := range cubes {
		if j != i && !o.excludes(c) {
			fs = append(fs, clauses[j])
		}
	}
	if len(fs) == len(c) {
		return false // c has a state, and no other cube can have it
	}
	a := r.s.ask(r.ctx, fs, r.add)
	return !r.stop(r.s.p.Err()) && a == prover.Unsat
}

// hasOnly reports whether some model has cube i and no other of the cubes.
func (p *pool) hasOnly(cubes []cube, i int) bool {
	// x has the models of cube i in word w, less those of the other cubes.
	for w := 0; w < p.words(); w++ {
		x := p.word(cubes[i], w)
		for j := 0; j < len(cubes) && x != 0; j++ {
			if j != i {
				x &^= p.word(cubes[j], w)
			}
		}
		if x != 0 {
			return true
		}
	}
	return false
}

// excludes reports whether the cubes have complementary literals.
func (c cube) excludes(o cube) bool {
	for _, l := range c {
		for _, k := range o {
			if l == k^1 {
				return true
			}
		}
	}
	return false
}

// Infeasible lists the minimal infeasible cubes: those without a state, every part of which has
// one. They are searched within the groups of connected predicates, in groups of more than MaxExact
// predicates only up to length MaxCube; limited reports whether there was such a group. A cube of
// length 1 means a constant predicate.
func (s *Space) Infeasible(ctx context.Context) (cubes []Cube, limited bool, err error) {
	defer s.p.Watch(ctx)()
	var all []cube
	// A cube over several groups is infeasible only if its part in one of them is: the groups
	// are not connected.
	for _, g := range s.cone.groups() {
		maxLen := len(g)
		if maxLen > s.opts.MaxExact {
			maxLen, limited = s.opts.MaxCube, true
		}
		r := s.newSearch(ctx, nil, g)
		all = append(all, r.all(maxLen)...)
		if r.err != nil {
			return nil, false, r.err
		}
	}
	return publicCubes(inOrder(all)), limited, nil
}
