package prover

import (
	"context"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/aclements/go-z3/z3"

	"c2bp/ieee"
	"c2bp/logic"
)

// This file decides queries in which floating-point operations occur, in steps, each for what
// the one before leaves open.
//
// First they are functions on integers of which package logic knows facts in linear
// arithmetic. That is fast, and says all about comparisons and signs; if Z3 finds no model,
// there is none. What it finds is evaluated, with what the operations really yield: if the
// formulas hold, that is a model. If not, other numbers are tried in the place of those that
// operations are applied to.
//
// The searches of a Space, which ask much of which each answer says little, leave it at that.
//
// For others, the values that the operations yield there become facts, and Z3 is asked again, a
// few times. That is done in a context of its own: which models Z3 finds first depends on what it
// was asked before, and the answer must not.
//
// Only a prover that is patient asks the theory of floating point: it takes seconds for a sum
// and longer for a product, and much memory, and decides little that the facts do not.

// Bounds on the steps.
const (
	maxFloatLemmas = 4         // models that are tried
	theoryLimit    = 3_000_000 // of the work of a query to the theory; what it decides, it decides soon
	maxTheory      = 8         // queries that the theory may leave open before it is asked no more
)

// review looks at the models of a query with floating-point operations.
type review struct {
	wanted   *Model // to be filled in, or nil
	rounds   int    // models that may still be looked at
	sums     bool   // behind these, what counts ones may be told to be a sum
	spurious bool   // the last of these is none
}

// decideByFacts is decide for a query with floating-point operations, or with functions that
// count ones (ones.go).
func (p *Prover) decideByFacts(ctx context.Context, q *query) Answer {
	wanted := q.model
	defer func() { q.model = wanted }()
	q.review = &review{wanted: wanted, rounds: 1}
	q.emptyModel()
	a := p.decide(ctx, q)
	floats, counts := inexact(q.lits), hasOnes(q.lits)
	if a != Unknown || p.err != nil || floats && q.brief || !floats && !counts {
		return a
	}
	if q.review.spurious {
		q.review.rounds = maxFloatLemmas
		if counts {
			q.review.rounds, q.review.sums = maxOnesLemmas, true
		}
		q.emptyModel()
		if a = p.decideAlone(ctx, q); a != Unknown || p.err != nil {
			return a
		}
	}
	if counts || p.opts.Patience <= 1 || p.theory >= maxTheory {
		return Unknown
	}
	q.model, q.review, q.filled = wanted, nil, false
	if a = p.hard(ctx, p.theoryContext(), q); a == Unknown {
		p.theory++
	}
	return a
}

// emptyModel has the next model of Z3 read.
func (q *query) emptyModel() {
	q.model, q.filled = &Model{u: NewUniverse()}, false
	if w := q.review.wanted; w != nil {
		q.model = &Model{u: w.u, pick: w.pick}
	}
}

// inspect looks at the model that was read. The answer is Sat if that is one, perhaps with
// other numbers; else Unknown, with what rules it out if Z3 is to be asked again.
func (q *query) inspect() (a Answer, lemmas []*logic.Term) {
	r, m := q.review, q.model
	if m.holds(q.lits) || m.repair(q) || m.guess(q) {
		if r.wanted != nil {
			r.wanted.syms, r.wanted.apps = m.syms, m.apps
		}
		return Sat, nil
	}
	r.spurious = true
	if r.rounds--; r.rounds > 0 {
		lemmas = append(m.lemmas(q), m.onesLemmas(q)...)
	}
	if len(lemmas) == 0 && r.sums {
		r.sums, r.rounds = false, maxFloatLemmas
		lemmas = q.onesSums()
	}
	q.emptyModel()
	return Unknown, lemmas
}

// theoryContext is a new context with the theory of floating point.
func (p *Prover) theoryContext() *encoder {
	z := newEncoder(theoryLimit)
	z.floats = newFloats(z)
	return z
}

// inexact reports whether there is an operation of which the facts do not say all.
func inexact(fs []*logic.Term) bool {
	for _, f := range fs {
		for _, a := range f.Applications() {
			if op, _, ok := a.Float(); ok && !logic.IsExactFloat(op) {
				return true
			}
		}
	}
	return false
}

// holds reports whether the formulas hold in m.
func (m *Model) holds(fs []*logic.Term) bool {
	for _, f := range fs {
		if v, ok := m.Truth(m.u.Compile(f)); !ok || !v {
			return false
		}
	}
	return true
}

// maxGuesses bounds the combinations of numbers that are tried.
const maxGuesses = 200

// guess looks for numbers that make the formulas hold, in the place of those of m that
// floating-point operations are applied to. It reports whether m is a model then.
func (m *Model) guess(q *query) bool {
	fs, list := q.lits, m.unknowns(q.lits, q.places)
	if len(list) == 0 {
		return false
	}
	programs := make([]*Program, len(fs))
	for i, f := range fs {
		programs[i] = m.u.Compile(f)
	}
	syms, apps := slices.Clone(m.syms), maps.Clone(m.apps)
	rng := rand.New(rand.NewPCG(uint64(len(fs)), uint64(len(list))))
	for range maxGuesses {
		m.syms, m.apps = slices.Clone(syms), maps.Clone(apps)
		for _, x := range list {
			if rng.IntN(4) > 0 {
				m.put(x, x.values[rng.IntN(len(x.values))])
			}
		}
		if !slices.ContainsFunc(programs, func(p *Program) bool { v, ok := m.Truth(p); return !v || !ok }) {
			return true
		}
	}
	m.syms, m.apps = syms, apps
	return false
}

// unknown is a symbol, or what a map holds at an address, and values that it may have.
type unknown struct {
	term   *logic.Term
	key    string // of a map
	values []*big.Int
}

func (m *Model) put(x unknown, v *big.Int) {
	if x.key != "" {
		m.define(x.key, v)
		return
	}
	m.Set(m.u.symbol(x.term), v)
}

// unknowns lists what floating-point operations in fs are applied to and is no such operation
// itself.
func (m *Model) unknowns(fs []*logic.Term, places map[*logic.Term][]*big.Int) (list []unknown) {
	var apps []*logic.Term
	pool := map[int][]*big.Int{0: {}, 32: {}, 64: {}}
	for width, numbers := range usualNumbers {
		for _, v := range numbers {
			pool[width] = append(pool[width], new(big.Int).SetUint64(v))
		}
	}
	for _, v := range []int64{0, 1, -1, 2, 3, 5, 7, 10, 100, -3} {
		pool[0] = append(pool[0], big.NewInt(v))
	}
	for _, f := range fs {
		for _, a := range f.Applications() {
			op, width, ok := a.Float()
			if !ok {
				continue
			}
			apps = append(apps, a)
			for _, c := range a.Args {
				if op != ieee.FromInt && isBits(c, width) {
					pool[width] = append(pool[width], c.Val)
				}
			}
		}
	}
	seen := map[*logic.Term]bool{}
	add := func(x *logic.Term, width int) {
		if seen[x] || x.IsConst() {
			return
		}
		seen[x] = true
		u, ok := m.unknown(x)
		if !ok {
			return
		}
		values := pool[width]
		for range 1 + len(pool[width])/(1+len(places[x])) { // as many as of the others
			values = append(values[:len(values):len(values)], places[x]...)
		}
		if u.allow(values); len(u.values) > 0 {
			list = append(list, u)
		}
	}
	for _, o := range operandsOf(apps) {
		add(o.term, o.width)
	}
	for _, a := range apps {
		if op, _, _ := a.Float(); op == ieee.FromInt {
			for _, s := range a.Args[0].Syms() {
				add(s, 0)
			}
		}
	}
	return list
}

// unknown is x, a symbol or what a map holds, without values; ok is false for other terms.
func (m *Model) unknown(x *logic.Term) (u unknown, ok bool) {
	u.term = x
	switch {
	case x.Op == logic.OpSym:
		return u, true
	case x.Op == logic.OpApp && !logic.HasMeaning(x.Name):
		var args []*big.Int
		for _, a := range x.Args {
			v, ok := m.run(m.u.Compile(a))
			if !ok {
				return u, false
			}
			args = append(args, new(big.Int).Set(v))
		}
		u.key = pointKey(x, args)
		return u, true
	}
	return u, false
}

// allow adds those of values that x may have.
func (x *unknown) allow(values []*big.Int) {
	for _, v := range values {
		if (x.term.Lo == nil || v.Cmp(x.term.Lo) >= 0) && (x.term.Hi == nil || v.Cmp(x.term.Hi) <= 0) {
			x.values = append(x.values, v)
		}
	}
}

// usualNumbers are numbers that programs treat in different ways: 0, -0, 1, -1, 0.5, 2, 10,
// 1000, -2.5, infinity, and what is no number.
var usualNumbers = map[int][]uint64{
	32: {0, 0x80000000, 0x3f800000, 0xbf800000, 0x3f000000, 0x40000000, 0x41200000, 0x447a0000, 0xc0200000, 0x7f800000, 0x7fc00000},
	64: {0, 1 << 63, 0x3ff0 << 48, 0xbff0 << 48, 0x3fe0 << 48, 0x4000 << 48, 0x4024 << 48, 0x408f4 << 44, 0xc004 << 48, 0x7ff0 << 48, 0x7ff8 << 48},
}

// lemmas are the values in m of the operations of which the facts do not say all.
func (m *Model) lemmas(q *query) (list []*logic.Term) {
	seen := map[*logic.Term]bool{}
	for _, f := range q.lits {
		for _, a := range f.Applications() {
			op, _, ok := a.Float()
			if !ok || seen[a] || logic.IsExactFloat(op) {
				continue
			}
			seen[a] = true
			if l := m.lemma(a, q.t); l != nil {
				list = append(list, l)
			}
		}
	}
	return list
}

// lemma says what the application a yields for the values that its arguments have in m; nil if
// that is not defined, or no number, whose bits differ between machines.
func (m *Model) lemma(a *logic.Term, t *logic.Table) *logic.Term {
	same := t.True
	var args []*big.Int
	for _, x := range a.Args {
		v, ok := m.run(m.u.Compile(x))
		if !ok {
			return nil
		}
		v = new(big.Int).Set(v)
		args = append(args, v)
		same = t.And(same, t.Eq(x, t.Big(v)))
	}
	constants := make([]*logic.Term, len(args))
	for i, v := range args {
		constants[i] = t.Big(v)
	}
	v := t.Uninterpreted(a.Name, a.Lo, a.Hi, constants...)
	if !v.IsConst() {
		return nil
	}
	return t.Implies(same, t.Eq(a, v))
}

// floatFacts are the facts about floating point that q needs.
func (z *encoder) floatFacts(q *query, infos []*literal) (facts []z3.Bool) {
	if !hasFloats(q.lits, q.mention) {
		return nil
	}
	if z.floats != nil {
		return z.floats.equations(infos)
	}
	if q.known == nil {
		q.known, q.places = q.aboutFloats()
	}
	for _, f := range q.known {
		facts = append(facts, z.bool(f))
	}
	return facts
}

// aboutFloats are the facts in linear arithmetic about the operations in q, and the places
// that matter for their operands.
func (q *query) aboutFloats() (facts []*logic.Term, places map[*logic.Term][]*big.Int) {
	var apps, formulas []*logic.Term
	seen := map[logic.Hash]bool{}
	for _, f := range append(q.lits[:len(q.lits):len(q.lits)], q.mention...) {
		formulas = append(formulas, f)
		for _, a := range f.Applications() {
			if _, _, ok := a.Float(); ok && !seen[a.Hash()] {
				seen[a.Hash()] = true
				apps = append(apps, a)
			}
		}
	}
	return q.t.FloatFacts(formulas, apps)
}
