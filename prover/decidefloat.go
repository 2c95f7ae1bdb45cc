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

// This file decides queries in which floating-point operations occur, in steps, each for the
// queries that the one before leaves open.
//
//   1. Operations are functions on integers about which package logic knows facts in linear
//      arithmetic. This is fast, and complete for comparisons and signs; if Z3 finds no model,
//      there is none. A model of Z3 is evaluated with the real results of the operations: if the
//      formulas hold, it is a model indeed. If not, other numbers are tried for the operands.
//   2. The real results in the wrong model become facts, and Z3 is asked again, a few times. This
//      is done in a context of its own: which model Z3 finds first depends on earlier queries, and
//      the answer must not. The searches for cubes, which ask many queries each of which decides
//      little, stop before this step.
//   3. A patient prover asks Z3's theory of floating point. It takes seconds for a sum and longer
//      for a product, and much memory, and decides little that the facts do not.

// Bounds on the steps.
const (
	maxFloatLemmas = 4         // number of models that are tried
	theoryLimit    = 3_000_000 // of the work of a query to the theory, which decides soon or never
	maxTheory      = 8         // number of queries that the theory may leave open before it is not asked any more
)

// review controls how the models of a query are examined whose operations are known by facts only.
// A query without one takes the models of Z3 as they are.
type review struct {
	wanted   *Model // to be filled in, or nil
	rounds   int    // number of models that may still be examined
	sums     bool   // after these, population counts may be defined as sums of bits
	spurious bool   // the last model examined is wrong
}

// decideByFacts is decide for a query with floating-point operations or population counts
// (ones.go).
func (p *Prover) decideByFacts(ctx context.Context, q *query) Answer {
	wanted := q.model
	defer func() { q.model = wanted }()
	// 1. Facts, and one model.
	q.review = &review{wanted: wanted, rounds: 1}
	q.emptyModel()
	a := p.decide(ctx, q)
	floats, counts := inexact(q.lits), hasOnes(q.lits)
	// A quick query ends here, a brief one about floating point, and one whose operations the facts
	// define completely: if that is open, it is not because of a wrong model.
	if a != Unknown || p.err != nil || q.quick || floats && q.brief || !floats && !counts {
		return a
	}
	// 2. Lemmas from wrong models, in a new context.
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
	// 3. The theory of floating point.
	if counts || p.opts.Patience <= 1 || p.theory >= maxTheory {
		return Unknown
	}
	// Models of the theory are read as they are, without a review.
	q.model, q.review, q.filled = wanted, nil, false
	if a = p.hard(ctx, p.theoryContext(), q); a == Unknown {
		p.theory++
	}
	return a
}

// emptyModel makes an empty model, into which the next model of Z3 is read.
func (q *query) emptyModel() {
	q.model, q.filled = &Model{u: NewUniverse()}, false
	if w := q.review.wanted; w != nil {
		q.model = &Model{u: w.u, pick: w.pick}
	}
}

// inspect examines the model that was read. The answer is Sat if it is a model of the literals,
// perhaps with other numbers; else Unknown, with lemmas that exclude it if Z3 is to be asked again.
func (q *query) inspect() (a Answer, lemmas []*logic.Term) {
	// 1. Accept the model if the literals hold in it, as it is or repaired.
	r, m := q.review, q.model
	// The repair is for population counts, the guesses are for floating-point operations.
	if m.holds(q.lits) || m.repair(q) || m.guess(q) {
		if r.wanted != nil {
			// The caller's model gets the values; its universe is that of m, see
			// emptyModel.
			r.wanted.syms, r.wanted.apps = m.syms, m.apps
		}
		return Sat, nil
	}
	// 2. Else exclude it by lemmas, while there are rounds left.
	r.spurious = true
	if r.rounds--; r.rounds > 0 {
		lemmas = append(m.lemmas(q), m.onesLemmas(q)...)
	}
	// 3. As a last resort define population counts as sums of bits.
	if len(lemmas) == 0 && r.sums {
		r.sums, r.rounds = false, maxFloatLemmas
		lemmas = q.onesSums()
	}
	// Z3's next model is read into an empty one: read keeps the values that are there.
	q.emptyModel()
	return Unknown, lemmas
}

// theoryContext returns a new context with the theory of floating point. Its queries have a limit
// of their own, whatever the patience.
func (p *Prover) theoryContext() *encoder {
	z := newEncoder(theoryLimit)
	z.floats = newFloats(z)
	return z
}

// inexact reports whether an operation occurs in fs that its facts do not define completely.
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

// guess looks for numbers that make the formulas hold, in the place of those that m has for the
// operands of floating-point operations. It reports whether m is a model then; else m is unchanged.
func (m *Model) guess(q *query) bool {
	fs, list := q.lits, m.unknowns(q.lits, q.places)
	if len(list) == 0 {
		return false
	}
	// The formulas are evaluated up to maxGuesses times: compile them once.
	programs := make([]*Program, len(fs))
	for i, f := range fs {
		programs[i] = m.u.Compile(f)
	}
	// Try random combinations, in which each unknown changes with probability 3/4. The generator
	// has a fixed seed, so that answers are reproducible.
	syms, apps := slices.Clone(m.syms), maps.Clone(m.apps)
	rng := rand.New(rand.NewPCG(uint64(len(fs)), uint64(len(list))))
	for range maxGuesses {
		m.syms, m.apps = slices.Clone(syms), maps.Clone(apps)
		for _, x := range list {
			if rng.IntN(4) > 0 {
				// A value that is listed several times is drawn more often.
				m.put(x, x.values[rng.IntN(len(x.values))])
			}
		}
		if !slices.ContainsFunc(programs, func(p *Program) bool { v, ok := m.Truth(p); return !v || !ok }) {
			return true
		}
	}
	// No combination fits: restore the model.
	m.syms, m.apps = syms, apps
	return false
}

// unknown is a symbol, or the content of a map at an address, with values that it may have.
type unknown struct {
	term   *logic.Term
	key    string // of a map: the point
	values []*big.Int
}

// put sets the value of x in m.
func (m *Model) put(x unknown, v *big.Int) {
	if x.key != "" {
		m.define(x.key, v)
		return
	}
	m.Set(m.u.symbol(x.term), v)
}

// unknowns lists the operands of floating-point operations in fs that are not such operations
// themselves, with values to try.
func (m *Model) unknowns(fs []*logic.Term, places map[*logic.Term][]*big.Int) (list []unknown) {
	// 1. Make a pool of values for each width, 0 for integers: usual numbers, and the constants
	// that operations in fs are applied to.
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
				// The operand of FromInt is an integer: its constants are no bits.
				if op != ieee.FromInt && isBits(c, width) {
					pool[width] = append(pool[width], c.Val)
				}
			}
		}
	}
	// 2. List the operands, each with the values of its width and those where an operation on it
	// changes.
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
		for range 1 + len(pool[width])/(1+len(places[x])) { // about as many as the others
			values = append(values[:len(values):len(values)], places[x]...)
		}
		if u.allow(values); len(u.values) > 0 {
			list = append(list, u)
		}
	}
	for _, o := range operandsOf(apps) {
		add(o.term, o.width)
	}
	// 3. List the integers that become floating-point numbers.
	for _, a := range apps {
		if op, _, _ := a.Float(); op == ieee.FromInt {
			for _, s := range a.Args[0].Syms() {
				// The symbols of the integer, which may be a sum, get usual
				// integers.
				add(s, 0)
			}
		}
	}
	return list
}

// unknown returns x, a symbol or the content of a map, without values; ok is false for other terms.
func (m *Model) unknown(x *logic.Term) (u unknown, ok bool) {
	u.term = x
	switch {
	case x.Op == logic.OpSym:
		return u, true
	// A map: the unknown is its content at the present values of the arguments.
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

// allow adds those of values that are in the range of x; a nil bound is no bound.
func (x *unknown) allow(values []*big.Int) {
	for _, v := range values {
		if (x.term.Lo == nil || v.Cmp(x.term.Lo) >= 0) && (x.term.Hi == nil || v.Cmp(x.term.Hi) <= 0) {
			x.values = append(x.values, v)
		}
	}
}

// usualNumbers are numbers that programs treat in different ways: 0, -0, 1, -1, 0.5, 2, 10, 1000,
// -2.5, infinity, and NaN; by width.
var usualNumbers = map[int][]uint64{
	32: {0, 0x80000000, 0x3f800000, 0xbf800000, 0x3f000000, 0x40000000, 0x41200000, 0x447a0000, 0xc0200000, 0x7f800000, 0x7fc00000},
	64: {0, 1 << 63, 0x3ff0 << 48, 0xbff0 << 48, 0x3fe0 << 48, 0x4000 << 48, 0x4024 << 48, 0x408f4 << 44, 0xc004 << 48, 0x7ff0 << 48, 0x7ff8 << 48},
}

// lemmas returns the results in m of the operations that the facts do not define completely: the
// lemma of ieee64.add(x, y), if m has 1.0 and 0.5 for x and y, is that x = 1.0 and y = 0.5 (as
// bits) imply that the result is 1.5.
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

// lemma states the result of the application a for the values that its arguments have in m; nil if
// that is not defined, or a NaN, whose bits differ between machines.
func (m *Model) lemma(a *logic.Term, t *logic.Table) *logic.Term {
	// same states that the arguments have their values in m.
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
	// The table computes the operation on constants.
	constants := make([]*logic.Term, len(args))
	for i, v := range args {
		constants[i] = t.Big(v)
	}
	// The result is a constant, or an application where compilers may differ.
	v := t.Uninterpreted(a.Name, a.Lo, a.Hi, constants...)
	if !v.IsConst() {
		return nil
	}
	return t.Implies(same, t.Eq(a, v))
}

// floatFacts returns the facts about floating point that q needs.
func (z *encoder) floatFacts(q *query, infos []*literal) (facts []z3.Bool) {
	if !hasFloats(q.lits, q.mention) {
		return nil
	}
	// In the theory of floating point only the equations with constants are to be added.
	if z.floats != nil {
		return z.floats.equations(infos)
	}
	// The facts are kept in q for its second attempt in another context.
	if q.known == nil {
		q.known, q.places = q.aboutFloats()
	}
	for _, f := range q.known {
		facts = append(facts, z.bool(f))
	}
	return facts
}

// aboutFloats returns the facts in linear arithmetic about the operations in q, and the places that
// matter for their operands.
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
