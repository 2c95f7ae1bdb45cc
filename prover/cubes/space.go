package cubes

import (
	"context"

	"c2bp/logic"
	"c2bp/prover"
)

// This file defines the Space: the predicates in scope, as formulas.

// Bounds of the search for cubes, if SpaceOptions does not say otherwise.
const (
	DefaultMaxExact = 10
	DefaultMaxCube  = 3
)

// SpaceOptions are the bounds of the search for cubes and hidden switches that turn
// work-savers off. The switches do not change results.
type SpaceOptions struct {
	MaxExact     int  // largest cone searched exactly; 0: DefaultMaxExact
	MaxCube      int  // longest cube tried over larger cones; 0: DefaultMaxCube
	NoCone       bool // strengthen over all predicates; the cone still decides the bounds
	NoPool       bool // keep no states
	NoSyntactic  bool // search even if the goal is a literal
	NoInfeasible bool // keep no infeasible cubes between goals
}

// Space finds cubes over fixed predicates. The predicates are formulas, not names: under another
// interpretation of the same Boolean variables (at a call, say) one needs another Space. It is used
// by the goroutine of its Prover.
//
// The results of a Space depend on the predicates, the goal and Z3's answers alone, never on
// earlier questions.
type Space struct {
	p      *prover.Prover
	t      *logic.Table
	opts   SpaceOptions
	preds  []*logic.Term
	lits   []*logic.Term      // 2*i: predicate i, 2*i+1: its negation
	number map[logic.Hash]int // of a predicate

	cone       *cones
	u          *prover.Universe
	programs   []*prover.Program // of the predicates
	pool       *pool
	guess      *guesser
	guessed    bool     // the first guesses are in the pool
	infeasible *cubeSet // minimal infeasible cubes met so far
	recalled   bool     // the infeasible cubes of earlier spaces are among them
	goals      map[*logic.Term]*outcome
}

// outcome is a result of Strengthen.
type outcome struct {
	cover   []cube
	limited bool
}

// NewSpace returns the space of the predicates, which are terms of t.
func NewSpace(p *prover.Prover, t *logic.Table, preds []*logic.Term, opts SpaceOptions) *Space {
	if opts.MaxExact <= 0 {
		opts.MaxExact = DefaultMaxExact
	}
	if opts.MaxCube <= 0 {
		opts.MaxCube = DefaultMaxCube
	}
	// Without a pool in the prover there is none in the space.
	opts.NoPool = opts.NoPool || p.Options().NoModelPool
	s := &Space{
		p: p, t: t, opts: opts, preds: preds,
		cone:       newCones(preds),
		u:          prover.NewUniverse(),
		pool:       newPool(len(preds)),
		guess:      newGuesser(preds),
		infeasible: newCubeSet(),
		goals:      map[*logic.Term]*outcome{},
		number:     map[logic.Hash]int{},
	}
	// Number the predicates, and compile them for evaluation in models.
	for i, f := range preds {
		s.number[f.Hash()] = i
		s.lits = append(s.lits, f, t.Not(f))
		s.programs = append(s.programs, s.u.Compile(f))
	}
	return s
}

// Preds returns the predicates.
func (s *Space) Preds() []*logic.Term { return s.preds }

// Term returns the formula E(c) that a cube stands for.
func (s *Space) Term(c Cube) *logic.Term {
	var fs []*logic.Term
	for _, l := range c.Literals() {
		if l.Neg {
			fs = append(fs, s.lits[2*l.Pred+1])
		} else {
			fs = append(fs, s.lits[2*l.Pred])
		}
	}
	return s.t.And(fs...)
}

// terms lists the formulas of the literals of c, followed by more.
func (s *Space) terms(c cube, more ...*logic.Term) []*logic.Term {
	fs := make([]*logic.Term, 0, len(c)+len(more))
	for _, l := range c {
		fs = append(fs, s.lits[l])
	}
	return append(fs, more...)
}

// ask asks Z3 whether a conjunction is satisfiable, and gives the model, if there is one, to found.
func (s *Space) ask(ctx context.Context, fs []*logic.Term, found func(*prover.Model)) prover.Answer {
	if s.opts.NoPool {
		a, _ := s.p.CheckBriefly(ctx, fs, s.t, nil)
		return a
	}
	// Symbols that Z3 leaves open get guessed values.
	m := s.u.NewModel(s.guess.pick)
	a, read := s.p.CheckBriefly(ctx, fs, s.t, m)
	if read && found != nil {
		found(m)
	}
	return a
}

// keep adds a model to the pool and returns its number; -1 if a predicate has no value in it, or if
// it is a guess with the truth values of a model met before.
func (s *Space) keep(m *prover.Model, guess bool) int {
	// Evaluate the predicates; key spells their truth values.
	truth, key := make([]bool, len(s.preds)), make([]byte, len(s.preds))
	for i, p := range s.programs {
		v, ok := m.Truth(p)
		if !ok {
			return -1
		}
		truth[i] = v
		key[i] = '0'
		if v {
			key[i] = '1'
		}
	}
	// A second guess with these truth values refutes nothing more. A model of Z3 is kept in any
	// case, because it refutes the present query.
	if guess && s.guess.seen[string(key)] {
		return -1
	}
	s.guess.seen[string(key)] = true
	return s.pool.add(m, truth)
}

// feasible reports whether a cube has a state; true if Z3 does not know.
func (s *Space) feasible(ctx context.Context, c cube, found func(*prover.Model)) bool {
	if len(c) == 0 {
		return true
	}
	// A pooled model is a state.
	if s.pool.meets(c) {
		s.p.Counters().PoolHits++
		return true
	}
	return s.ask(ctx, s.terms(c), found) != prover.Unsat
}
