package refine

import (
	"context"
	"maps"
	"slices"

	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/prover"
	"c2bp/refine/backward"
	"c2bp/refine/cex"
	"c2bp/refine/invgen"
	"c2bp/refine/technique"
)

// This file has the strategies that find predicates, and the order in which they are tried.

// Strategy proposes predicates that rule out an infeasible path. A proposal needs no justification:
// by whatever predicates a program is abstracted, TRUE is TRUE. Its name stands in the provenance of
// its predicates, in statistics, and in the ablation table, and leaves it out (Options.Without).
type Strategy interface {
	Name() technique.Name
	// Propose adds predicates to q (Query.Add).
	Propose(ctx context.Context, q *Query)
}

// ladder is the strategies in the order in which they are tried: those whose predicates serve many
// paths come first, those that speak of one path alone last.
type ladder struct {
	rungs []Strategy
	last  Strategy // when no rung helps for any core of a path
}

// newLadder returns the ladder of an audit, with more rungs at its end.
func newLadder(more []Strategy) ladder {
	return ladder{
		rungs: append([]Strategy{
			recursionSummaries{},
			loopInvariants{},
			counterValues{},
			backwardWalk{},
			backwardWalk{values: true},
			pathRanges{},
		}, more...),
		last: observedValues{},
	}
}

// index returns the rung of a strategy.
func (l ladder) index(name technique.Name) int {
	return slices.IndexFunc(l.rungs, func(s Strategy) bool { return s.Name() == name })
}

// sharpenAt returns the rung before which the abstraction by the predicates that are there already is
// made more exact, of a path that goes round a loop so often: before each round gets predicates of its
// own, or before the values of this path alone do.
func (l ladder) sharpenAt(rounds int) int {
	if rounds >= cex.LoopVisits {
		return l.index(technique.CounterValues)
	}
	return l.index(technique.BackwardValues)
}

// Query is what a strategy is asked about: a path that is infeasible because of an unsat core.
type Query struct {
	Path  *cex.Path
	Core  *cex.Core
	proof *invgen.Proof // loop invariants that are known to exclude the path; nil if none are

	audit *audit
}

// Add proposes a predicate: e, a condition in terms of procedure p, or of globals alone.
func (q *Query) Add(p *core.Proc, e core.Expr) { q.audit.search.preds.Add(p, e) }

// propose asks a strategy about a core.
func (a *audit) propose(ctx context.Context, s Strategy, p *cex.Path, r *cex.Core, known *invgen.Proof) {
	if a.Without.Has(s.Name()) {
		return
	}
	// The set puts the origin on each predicate that is added from now on.
	a.search.preds.Origin = origin(len(a.statistics.list), p, r, s.Name())
	s.Propose(ctx, &Query{Path: p, Core: r, proof: known, audit: a})
}

// walk walks back along the path from the last step of a core to its first, or to the start of the
// path, with the atoms of its conditions.
func (q *Query) walk(ctx context.Context, r *cex.Core, from int, by backward.Style) {
	a := q.audit
	unsat := func(fs []*logic.Term, t *logic.Table) bool { return a.pr.Check(ctx, fs, t) == prover.Unsat }
	w := &backward.Walk{Facts: a.Facts, Path: q.Path, Core: r, Constants: a.constants, Found: a.search.preds, Unsat: unsat, Style: by}
	w.Run(from)
}

// recursionSummaries finds relations between entry and return that hold in all activations of a
// recursive procedure on the path.
type recursionSummaries struct{}

func (recursionSummaries) Name() technique.Name { return technique.RecursionSummaries }

func (recursionSummaries) Propose(ctx context.Context, q *Query) {
	if hints, sums := q.audit.finder().RecursionSummaries(ctx, q.Path, q.Core); len(hints) > 0 {
		q.walk(ctx, q.Core, q.Core.From, backward.Style{Recursion: true, Hints: hints, Sums: sums})
	}
}

// loopInvariants finds candidate invariants of the loops that the path goes round, and keeps those
// that a proof by induction takes.
type loopInvariants struct{}

// roundsApart is the number of rounds of a loop on a path from which on all rounds up to a constant are told apart.
const roundsApart = 8

func (loopInvariants) Name() technique.Name { return technique.LoopInvariants }

func (loopInvariants) Propose(ctx context.Context, q *Query) {
	var hints map[int][]core.Expr
	var r *cex.Core
	// A proof has invariants that are known to exclude the path: no need to guess.
	if q.proof != nil {
		hints, r = q.proof.Hints, q.proof.Core
	} else {
		hints, r = q.audit.finder().LoopInvariants(ctx, q.Path, q.Core)
		// Where the loop's invariants are known already, a walk with them would only go round the loop once more than
		// the last one did. If it counts to a constant, the values on the way say more. But first shorter paths get
		// their turn: what rules them out may rule this one out, too.
		if !q.audit.Without.Has(technique.CounterValues) && q.Core.Unwindings(q.Path) >= roundsApart && q.known(hints) {
			before := len(q.audit.search.preds.List)
			q.audit.finder().CounterValues(q.Path, q.Core)
			if len(q.audit.search.preds.List) > before {
				return
			}
		}
	}
	if len(hints) > 0 {
		q.walk(ctx, r, 0, backward.Style{Loops: true, Hints: hints})
	}
}

// known reports whether all hints are predicates of their procedures.
func (q *Query) known(hints map[int][]core.Expr) bool {
	all := q.audit.search.preds.Clone()
	before := len(all.List)
	for _, i := range slices.Sorted(maps.Keys(hints)) {
		for _, e := range hints[i] {
			all.Add(q.Path.Steps[i].Frame.Proc, e)
		}
	}
	return len(all.List) == before
}

// counterValues proposes the values of variables that count to a constant.
type counterValues struct{}

func (counterValues) Name() technique.Name { return technique.CounterValues }

func (counterValues) Propose(_ context.Context, q *Query) {
	q.audit.finder().CounterValues(q.Path, q.Core)
}

// backwardWalk proposes the meaning of the core's conditions at each step before them: weakest
// preconditions of their atoms, with a callee's part in them over its symbolic constants.
type backwardWalk struct {
	values bool // with the constants that variables hold on the path
}

func (s backwardWalk) Name() technique.Name {
	if s.values {
		return technique.BackwardValues
	}
	return technique.Backward
}

func (s backwardWalk) Propose(ctx context.Context, q *Query) {
	from := q.Core.From
	// Constants are known from the start of the path on.
	if s.values {
		from = 0
	}
	q.walk(ctx, q.Core, from, backward.Style{Values: s.values})
}

// observedValues proposes the values of variables that hold few values in random runs.
type observedValues struct{}

func (observedValues) Name() technique.Name { return technique.ObservedValues }

func (observedValues) Propose(ctx context.Context, q *Query) {
	q.audit.finder().ObservedValues(ctx, q.Path)
}
