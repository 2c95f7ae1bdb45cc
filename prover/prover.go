package prover

import (
	"bytes"
	"context"
	"math/big"
	"slices"
	"sync/atomic"
	"time"

	"github.com/aclements/go-z3/z3"

	"c2bp/logic"
)

// This file defines the Prover and its queries.

// Options are hidden switches that turn work-savers off. They change the number of queries, not the
// answers.
type Options struct {
	NoModelPool bool // packages above keep no models
	NoMemo      bool // nothing is looked up in or added to the memo
	Patience    uint // a query may take this multiple of the ordinary work; 0 is 1
}

// Answer tells whether a conjunction is satisfiable.
type Answer int

const (
	Unknown Answer = iota // Z3 gave up, was interrupted or failed; treat as satisfiable
	Unsat
	Sat
)

// String returns the answer in one word.
func (a Answer) String() string {
	return [...]string{"unknown", "unsat", "sat"}[a]
}

// Stats counts the work of a Prover.
type Stats struct {
	Queries   int64 // checks that Z3 made
	Sat       int64 // its answers
	Unsat     int64
	Unknown   int64 // including interrupted checks and internal errors
	Hard      int64 // queries that had to be asked twice, the second time with a higher limit
	Trivial   int64 // answered by a false or complementary literal, or by nothing to check
	MemoHits  int64 // answered by the memo
	PoolHits  int64 // answered by a model found earlier
	Models    int64 // models read from Z3
	BadModels int64 // of these, models that did not show what they were found for; a few are harmless
	Goals     int64 // Strengthen calls, without repeated ones
	Open      int64 // answers unknown, remembered ones included
	Cone      int64 // predicates in the largest cone that was searched
}

// Add adds the counters of o, another worker's, to s.
func (s *Stats) Add(o Stats) {
	s.Queries += o.Queries
	s.Sat += o.Sat
	s.Unsat += o.Unsat
	s.Unknown += o.Unknown
	s.Hard += o.Hard
	s.Open += o.Open
	s.Trivial += o.Trivial
	s.MemoHits += o.MemoHits
	s.PoolHits += o.PoolHits
	s.Models += o.Models
	s.BadModels += o.BadModels
	s.Goals += o.Goals
	s.Cone = max(s.Cone, o.Cone)
}

// Prover asks Z3. It is not safe for concurrent use: one per worker.
type Prover struct {
	opts  Options
	memo  *Memo
	stats Stats
	err   error         // the last call's, or an InternalError, which stays
	limit uint          // of work in a query: queryLimit times Patience, but for tests
	time  time.Duration // limit of a query: queryTime, but for tests

	z        *encoder // nil until the first query and after an interrupt or error
	contexts int64    // that were made beside it
	stamp    int64    // number of the present query, to assert each fact once in it
	theory   int      // number of queries that Z3's theory of floating point left open
	running  atomic.Pointer[z3.Context]
}

// New returns a prover that shares memo with others; nil makes one of its own.
func New(memo *Memo, opts Options) *Prover {
	if memo == nil {
		memo = NewMemo()
	}
	return &Prover{opts: opts, memo: memo, limit: queryLimit * max(1, opts.Patience), time: queryTime}
}

// Close gives the Z3 context to the garbage collector. A later query makes a new one.
func (p *Prover) Close() {
	p.z = nil
	p.running.Store(nil)
}

// Stats returns the counters so far.
func (p *Prover) Stats() Stats { return p.stats }

// Counters gives access to the counters: packages above, which save queries, count there as well.
func (p *Prover) Counters() *Stats { return &p.stats }

// Options returns the options that p was made with.
func (p *Prover) Options() Options { return p.opts }

// Memo returns the memo that p shares with others.
func (p *Prover) Memo() *Memo { return p.memo }

// Err returns the reason why the last call answered Unknown, if it was not Z3 that gave up: the
// error of the cancelled context, or an *InternalError. An InternalError is kept for good, so that
// it is enough to ask once at the end.
func (p *Prover) Err() error { return p.err }

// Check tells whether the conjunction of the literals (any formulas) is satisfiable. Terms are from
// t. Ranges of symbols and applications, and the axioms about applications that occur, are part of
// every query.
//
// If ctx is cancelled, the answer is Unknown, promptly, and Err returns its error.
func (p *Prover) Check(ctx context.Context, lits []*logic.Term, t *logic.Table) Answer {
	defer p.Watch(ctx)()
	return p.ask(ctx, &query{lits: lits, t: t})
}

// CheckQuickly is like Check, for one of many questions about the same formulas each of which can do without an
// answer: it makes the first of two attempts only, so that whether it is decided may depend on the questions before.
// That it is not is not remembered.
func (p *Prover) CheckQuickly(ctx context.Context, lits []*logic.Term, t *logic.Table) Answer {
	defer p.Watch(ctx)()
	return p.ask(ctx, &query{lits: lits, t: t, quick: true})
}

// CheckModel is like Check; if the answer is Sat, it returns the truth values of the formulas eval
// in a model of the literals, the same model for all of them.
func (p *Prover) CheckModel(ctx context.Context, lits []*logic.Term, t *logic.Table, eval []*logic.Term) (Answer, []bool) {
	defer p.Watch(ctx)()
	u := NewUniverse()
	q := &query{lits: lits, t: t, mention: eval, model: &Model{u: u}, fresh: true}
	a := p.ask(ctx, q)
	if a != Sat {
		return a, nil
	}
	values := make([]bool, len(eval))
	for i, f := range eval {
		v, ok := q.model.Truth(u.Compile(f))
		if !ok {
			return Unknown, nil
		}
		values[i] = v
	}
	return Sat, values
}

// Model is like Check; if the answer is Sat, it returns a model of the literals.
func (p *Prover) Model(ctx context.Context, lits []*logic.Term, t *logic.Table) (Answer, *Model) {
	defer p.Watch(ctx)()
	u := NewUniverse()
	q := &query{lits: lits, t: t, model: &Model{u: u}, fresh: true}
	a := p.ask(ctx, q)
	if a != Sat {
		return a, nil
	}
	// Believe Z3 only if the literals evaluate to true in its model.
	if !q.model.satisfies(lits) {
		return Unknown, nil
	}
	return Sat, q.model
}

// CheckBriefly is like Check, for one of many questions each of which decides little: where there are
// floating-point operations, it tries the first step only (decidefloat.go). If m is not nil and
// Z3 found a model, that is read into m, and read is true; an answer from the memo has none.
//
// Z3 is not interrupted if ctx is cancelled, unless [Prover.Watch] watches it.
func (p *Prover) CheckBriefly(ctx context.Context, lits []*logic.Term, t *logic.Table, m *Model) (a Answer, read bool) {
	q := &query{lits: lits, t: t, brief: true, model: m}
	a = p.ask(ctx, q)
	return a, q.filled
}

// Knows reports whether CheckBriefly answers by inspection or from the memo.
func (p *Prover) Knows(lits []*logic.Term, t *logic.Table) bool {
	return p.remembers(&query{lits: lits, t: t, brief: true})
}

// Valid reports whether f holds in all states; false if Z3 does not know.
func (p *Prover) Valid(ctx context.Context, f *logic.Term, t *logic.Table) bool {
	return p.Check(ctx, []*logic.Term{t.Not(f)}, t) == Unsat
}

// query is a question to Z3.
type query struct {
	lits    []*logic.Term
	mention []*logic.Term // further formulas whose symbols and applications count as occurring
	t       *logic.Table
	model   *Model                     // to be filled in if the answer is Sat; or nil
	fresh   bool                       // a model is needed: do not take Sat from the memo
	filled  bool                       // the model was filled in
	brief   bool                       // one of many, each of which decides little
	quick   bool                       // one attempt is enough
	review  *review                    // for functions about which only some facts are known; see decidefloat.go
	known   []*logic.Term              // facts about floating-point operations, computed once
	ones    []*logic.Term              // likewise, about population counts
	places  map[*logic.Term][]*big.Int // values at which operations change, see logic.Table.FloatFacts
}

// ask answers q by inspection, from the memo or by Z3.
func (p *Prover) ask(ctx context.Context, q *query) Answer {
	p.begin()
	// 1. Inspect the literals.
	lits, a := simplify(q.lits, q.t)
	if a == Unsat || a == Sat && q.model == nil {
		p.stats.Trivial++
		return a
	}
	q.lits = lits
	// 2. Look into the memo. It has no models: Sat is of no use where one is needed.
	key := q.key()
	if !p.opts.NoMemo {
		if a, ok := p.memo.get(key); ok && !(a == Sat && q.fresh) {
			p.stats.MemoHits++
			if a == Unknown {
				p.stats.Open++
			}
			return a
		}
	}
	// 3. Ask Z3, and remember the answer, unless an error cut the query short.
	if ctx.Err() != nil {
		p.fail(ctx.Err())
		return Unknown
	}
	if hasFloats(lits) || hasOnes(lits) {
		a = p.decideByFacts(ctx, q)
	} else {
		a = p.decide(ctx, q)
	}
	p.count(a)
	// The facts about formulas that q mentions were asserted, too, and the key does not have
	// them. Another attempt may decide what a quick one has not.
	if !p.opts.NoMemo && p.err == nil && len(q.mention) == 0 && !(q.quick && a == Unknown) {
		p.memo.put(key, a)
	}
	return a
}

// begin forgets the error of the last call, unless it is an InternalError, which stays.
func (p *Prover) begin() {
	if _, internal := p.err.(*InternalError); !internal {
		p.err = nil
	}
}

// key returns the key of q in the memo. A brief query has a key of its own where it may be left
// open although a full one is decided.
func (q *query) key() logic.Hash {
	key := logic.SetHash(q.lits)
	if q.brief && inexact(q.lits) {
		key[len(key)-1] ^= 1
	}
	return key
}

// remembers reports whether the answer to q is known.
func (p *Prover) remembers(q *query) bool {
	lits, a := simplify(q.lits, q.t)
	if a != Unknown || p.opts.NoMemo {
		return a != Unknown
	}
	q.lits = lits
	_, known := p.memo.get(q.key())
	return known
}

// decide lets Z3 answer q, in a context of its own if it is hard.
//
// The number of steps of a query depends a little on the queries before it (by a tenth, where it
// was measured). The answer must not, so a query gets a quarter of the limit in the context in use
// and, if that was not enough, all of it in a new context. A quick query is one of those whose order
// is always the same, and ends after the first.
func (p *Prover) decide(ctx context.Context, q *query) Answer {
	if p.z == nil {
		p.z = newEncoder(p.limit / 4)
	}
	a := p.run(ctx, p.z, q)
	if a != Unknown || p.err != nil || q.quick || q.review != nil && q.review.spurious {
		return a
	}
	return p.decideAlone(ctx, q)
}

// decideAlone lets Z3 answer q in a new context, with all of the limit.
func (p *Prover) decideAlone(ctx context.Context, q *query) Answer {
	return p.hard(ctx, newEncoder(p.limit), q)
}

// hard lets Z3 answer q in z, a context for q alone.
func (p *Prover) hard(ctx context.Context, z *encoder, q *query) Answer {
	p.stats.Hard++
	p.own()
	// Sort the literals by hash, so that the order in which they were given does not matter.
	q.lits = slices.SortedFunc(slices.Values(q.lits), func(f, g *logic.Term) int {
		a, b := f.Hash(), g.Hash()
		return bytes.Compare(a[:], b[:])
	})
	return p.run(ctx, z, q)
}

// count adds an answer of Z3 to the statistics.
func (p *Prover) count(a Answer) {
	p.stats.Queries++
	switch a {
	case Sat:
		p.stats.Sat++
	case Unsat:
		p.stats.Unsat++
	default:
		p.stats.Unknown++
		p.stats.Open++
	}
}

// fail notes the error of the present call. It does not replace an InternalError.
func (p *Prover) fail(err error) {
	if _, internal := p.err.(*InternalError); !internal {
		p.err = err
	}
}

// simplify flattens conjunctions and drops constants and repetitions. The answer is Unsat for a
// false literal or two complementary ones, Sat if nothing is left, and else Unknown.
func simplify(lits []*logic.Term, t *logic.Table) ([]*logic.Term, Answer) {
	// 1. Flatten one level (the arguments of a conjunction are none), without repetitions.
	var flat []*logic.Term
	seen := make(map[*logic.Term]bool, len(lits))
	put := func(f *logic.Term) {
		if f != t.True && !seen[f] {
			seen[f] = true
			flat = append(flat, f)
		}
	}
	for _, f := range lits {
		if f.Op == logic.OpAnd {
			for _, g := range f.Args {
				put(g)
			}
		} else {
			put(f)
		}
	}
	// 2. Look for contradictions. The negation of a disjunction is a conjunction, which was
	// flattened.
	for _, f := range flat {
		if f == t.False || f.Op != logic.OpOr && seen[t.Not(f)] {
			return nil, Unsat
		}
	}
	if len(flat) == 0 {
		return nil, Sat
	}
	return flat, Unknown
}

// run lets Z3 answer q.
func (p *Prover) run(ctx context.Context, z *encoder, q *query) Answer {
	return p.guard(ctx, z, func() Answer { return p.check(ctx, z, q) })
}

// guard returns the answer of ask, a question to Z3 in the context of z. It is the one place where errors of Z3 are caught.
func (p *Prover) guard(ctx context.Context, z *encoder, ask func() Answer) (a Answer) {
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		text, ok := r.(string) // package z3 panics with the text of Z3's error
		if !ok {
			panic(r)
		}
		// After an error the context is in no state to be used again.
		p.z, a = nil, Unknown
		if ctx.Err() != nil { // an interrupt can end as an error, too
			p.fail(ctx.Err())
		} else {
			p.fail(&InternalError{Text: text})
		}
	}()
	p.running.Store(z.ctx)
	return ask()
}

// check asserts q in z and checks it. Where models may be wrong, it repeats with lemmas that
// exclude the wrong ones.
func (p *Prover) check(ctx context.Context, z *encoder, q *query) Answer {
	// 1. Assert the literals, and the facts about the symbols and applications that occur.
	// Between queries expressions may be forgotten: afterwards they belong to this query.
	z.trim()
	z.solver.Push()
	defer z.solver.Pop()
	p.stamp++
	infos := make([]*literal, 0, len(q.lits)+len(q.mention))
	for _, f := range q.lits {
		l := z.literal(f, q.t)
		infos = append(infos, l)
		z.solver.Assert(l.value)
	}
	for _, f := range q.mention {
		infos = append(infos, z.literal(f, q.t))
	}
	p.assertFacts(z, infos...)
	// 2. Assert the facts that depend on the query as a whole.
	for _, fact := range z.apart(infos, q.lits, q.t) {
		z.solver.Assert(fact.value)
	}
	for _, fact := range z.floatFacts(q, infos) {
		z.solver.Assert(fact)
	}
	for _, fact := range q.aboutOnes() {
		z.solver.Assert(z.bool(fact))
	}
	// 3. Check, until there is an answer, a model that evaluates to true, or no further lemma.
	for {
		a := p.solve(ctx, z, q, infos)
		// Without a review a model of Z3 is believed.
		if a != Sat || q.review == nil {
			return a
		}
		a, lemmas := q.inspect()
		if len(lemmas) == 0 {
			return a
		}
		for _, f := range lemmas {
			l := z.literal(f, q.t)
			z.solver.Assert(l.value)
			p.assertFacts(z, l)
		}
	}
}

// assertFacts asserts the facts about symbols and applications in literals, each once in a query.
func (p *Prover) assertFacts(z *encoder, infos ...*literal) {
	for _, l := range infos {
		for _, fact := range l.facts {
			if fact.stamp != p.stamp {
				fact.stamp = p.stamp
				z.solver.Assert(fact.value)
			}
		}
	}
}

// solve checks the assertions of q, and reads a model if one is needed.
func (p *Prover) solve(ctx context.Context, z *encoder, q *query, infos []*literal) Answer {
	onTime := p.bounded()
	sat, err := z.solver.Check()
	// An interrupted check may end with any answer: look for the interrupt first.
	switch late := !onTime(); {
	case ctx.Err() != nil:
		p.fail(ctx.Err())
		p.z = nil
		return Unknown
	case late:
		return Unknown
	case err != nil:
		return Unknown
	case !sat:
		return Unsat
	}
	// Read the model, before the assertions are popped.
	if q.model != nil {
		p.stats.Models++
		z.read(z.solver.Model(), infos, q.model)
		q.filled = true
	}
	return Sat
}
