package spurious

import (
	"context"
	"slices"
	"strconv"

	"c2bp/abstract"
	"c2bp/frontend/core"
	"c2bp/internal/quickxplain"
	"c2bp/logic"
	"c2bp/prover"
	"c2bp/refine/cex"
	"c2bp/refine/event"
)

// This file finds transition constraints that exclude a path. Each predicate's next value is
// computed for itself, from short conjunctions, so that the Boolean program may have a path which
// the predicates together rule out. The values of the predicates on the path are compared with each
// move of the program: values that a move cannot bring about are excluded by a constraint, until the
// path is gone, or there are values that every move can bring about. Then predicates are missing.

// Bounds on the search for constraints. Beyond the first two, the answer is event.Unclear.
const (
	mostFound = 120     // constraints for a segment of a path, and once more for all of it
	mostFacts = 200_000 // facts of all moves on a path
	mostOpen  = 2       // questions about one procedure that the prover may leave open with all its effort
)

// Excluder looks for the constraints by which an abstraction does not have a path.
type Excluder struct {
	Abstraction *abstract.Result
	Prover      *prover.Prover
	Exhausted   func() bool // no more queries are allowed
	// Open counts the questions about moves of a procedure that the prover has left open, in all searches of an audit.
	// They are alike, about bits in shifted numbers, say: after a few the prover makes but one attempt at each.
	Open map[*core.Proc]int
}

// Exclude reports whether path p is one of the abstraction, and returns the constraints that exclude
// it: of the segment of its core r, from any state, or else of the path from its start.
func (e *Excluder) Exclude(ctx context.Context, p *cex.Path, r *cex.Core) (event.Standing, []abstract.Constraint) {
	s, cs := e.excludeSegment(ctx, p, r.From, r.To, nil)
	if s != event.Gone && (r.From > 0 || r.To < len(p.Steps)) {
		s, cs = e.excludeSegment(ctx, p, 0, len(p.Steps), cs)
	}
	if s != event.Gone {
		return s, nil
	}
	return s, cs
}

// excludeSegment is Exclude for the steps from … to-1, some constraints of which were found already. If they do not
// exclude the segment, it returns all that it has found.
func (e *Excluder) excludeSegment(ctx context.Context, p *cex.Path, from, to int, found []abstract.Constraint) (event.Standing, []abstract.Constraint) {
	// 1. The formula of the segment, of which each constraint found becomes a conjunct.
	x := newPathFormula(e.Abstraction, p, from, to)
	if x.facts > mostFacts {
		return event.Unclear, found
	}
	all, read := e.Prover.Grow(x.t, x.conds...), map[*logic.Term]bool{}
	note(read, x.conds...)
	add := func(c abstract.Constraint) {
		f := x.excludes(c)
		all.Add(f)
		note(read, f)
	}
	for _, c := range found {
		add(c)
	}
	for most := len(found) + mostFound; len(found) < most && !e.Exhausted(); {
		// 2. Are there values with which the Boolean program takes the segment?
		answer, model := all.Model(ctx)
		switch answer {
		case prover.Unsat:
			return event.Gone, needed(ctx, x, all, found)
		case prover.Unknown:
			return event.Unclear, found
		}
		// 3. A move that the program cannot make with these values gives the next constraint. If it can make
		// all of them, no constraint excludes the values.
		c, ok := e.impossibleMove(ctx, x, model, read)
		if !ok {
			return event.Missing, found
		}
		found = append(found, c)
		add(c)
	}
	return event.Unclear, found
}

// impossibleMove returns a constraint that excludes the values of a model at one of the moves, the last one; ok is
// false if the program can make all moves. At the end of the path is the condition that cannot hold there, so a value
// that turns wrong before it is more often to do with that than one that turns wrong at the start. read is the set of
// terms that the formula depends on: facts outside of it may have any value, and that of the model is used only in a
// second round.
func (e *Excluder) impossibleMove(ctx context.Context, x *pathFormula, model *prover.Model, read map[*logic.Term]bool) (abstract.Constraint, bool) {
	values := valuation{model: model, known: map[*logic.Term]bool{}}
	for _, all := range []bool{false, true} {
		for _, m := range slices.Backward(x.moves) {
			var lits []abstract.Literal
			// 1. The values of the move's facts, in the first round those that matter.
			text := []byte{} // the values that are asked about
			for _, k := range x.r.Facts(m.Move) {
				v := m.values[k]
				if !all && !read[v] && !read[x.t.Not(v)] {
					text = append(text, '*')
					continue
				}
				one := values.of(v)
				lits = append(lits, abstract.Literal{Fact: k, Neg: !one})
				text = strconv.AppendBool(text, one)
			}
			// 2. Was that asked before? Moves recur along a path.
			asked := query{m.Move, string(text)}
			if x.possible[asked] {
				continue
			}
			// 3. Ask the prover; of impossible values keep a minimal part.
			impossible := func(lits []abstract.Literal) bool { return e.impossible(ctx, x.r, m.Move, lits) }
			if impossible(lits) {
				return abstract.Constraint{Move: m.Move, Literals: quickxplain.Minimal(lits, nil, impossible)}, true
			}
			x.possible[asked] = true
		}
	}
	return abstract.Constraint{}, false
}

// impossible reports whether no step of the program makes a move such that the literals hold; false if the prover leaves
// that open.
func (e *Excluder) impossible(ctx context.Context, r *abstract.Result, m abstract.Move, lits []abstract.Literal) bool {
	answer := r.Possible(ctx, e.Prover, m, lits, e.Open[m.Proc] >= mostOpen)
	if answer == prover.Unknown {
		e.Open[m.Proc]++
	}
	return answer == prover.Unsat
}

// query is the question whether a move is possible with some of its facts 0 and some 1.
type query struct {
	abstract.Move
	values string
}

// valuation is a model as truth values of formulas, each computed once.
type valuation struct {
	model *prover.Model
	known map[*logic.Term]bool
}

// of returns the value of f in the model; a formula without a value is false.
func (v valuation) of(f *logic.Term) bool {
	one, known := v.known[f]
	if !known {
		n, ok := v.model.Value(f)
		one = ok && n.Sign() != 0
		v.known[f] = one
	}
	return one
}

// needed returns a minimal part of the constraints that still excludes the path, whose formula is given.
func needed(ctx context.Context, x *pathFormula, path *prover.Growing, all []abstract.Constraint) []abstract.Constraint {
	return quickxplain.Minimal(all, nil, func(some []abstract.Constraint) bool {
		path.Reset()
		for _, c := range some {
			path.Add(x.excludes(c))
		}
		return path.Check(ctx) == prover.Unsat
	})
}

// note adds the subterms of formulas to a set.
func note(set map[*logic.Term]bool, fs ...*logic.Term) {
	for f := range logic.Subterms(fs...) {
		set[f] = true
	}
}

// excludes returns the formula of a constraint: at each move of its kind on the path, one of its
// literals is false.
func (x *pathFormula) excludes(c abstract.Constraint) *logic.Term {
	var clauses []*logic.Term
	for _, m := range x.moves {
		if m.Move != c.Move {
			continue
		}
		var lits []*logic.Term
		for _, l := range c.Literals {
			f := m.values[l.Fact]
			if !l.Neg {
				f = x.t.Not(f)
			}
			lits = append(lits, f)
		}
		clauses = append(clauses, x.t.Or(lits...))
	}
	return x.t.And(clauses...)
}
