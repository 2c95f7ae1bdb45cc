package spurious

import (
	"context"
	"slices"
	"strconv"

	"c2bp/abstract"
	"c2bp/internal/quickxplain"
	"c2bp/logic"
	"c2bp/prover"
	"c2bp/refine/cex"
	"c2bp/refine/event"
)

// This file rules out a path that the predicates rule out and the Boolean program has all
// the same: what becomes of each predicate is computed for itself, from short conjunctions
// of them, and what is lost by that may be what matters. The values that the predicates have
// on the path are held against each step of the program: those that it cannot bring about are
// excluded by constraints, until the path is gone, or until there are values that every step
// can bring about. Then predicates are missing.

// Bounds on the search for constraints.
const (
	mostFound = 60
	mostFacts = 200_000 // of all moves on a path
)

// Excluder looks for the constraints without which a path is one of an abstraction.
type Excluder struct {
	Abstraction *abstract.Result
	Prover      *prover.Prover
	Exhausted   func() bool // no more queries are allowed
}

// Exclude finds the constraints without which a path is one of the abstraction: those that
// exclude the stretch of its reason from any state, or else the path from the start on.
func (e *Excluder) Exclude(ctx context.Context, p *cex.Path, r *cex.Core) (event.Standing, []abstract.Constraint) {
	s, cs := e.excludeSegment(ctx, p, r.From, r.To)
	if s != event.Gone && (r.From > 0 || r.To < len(p.Steps)) {
		s, cs = e.excludeSegment(ctx, p, 0, len(p.Steps))
	}
	return s, cs
}

func (e *Excluder) excludeSegment(ctx context.Context, p *cex.Path, from, to int) (event.Standing, []abstract.Constraint) {
	x := newPathFormula(e.Abstraction, p, from, to)
	if x.facts > mostFacts {
		return event.Unclear, nil
	}
	var found []abstract.Constraint
	lits := slices.Clip(x.conds)
	for len(found) < mostFound && !e.Exhausted() {
		answer, model := e.Prover.Model(ctx, lits, x.t)
		switch answer {
		case prover.Unsat:
			return event.Gone, e.needed(ctx, x, found)
		case prover.Unknown:
			return event.Unclear, nil
		}
		c, ok := e.impossibleMove(ctx, x, model, parts(lits))
		if !ok {
			return event.Missing, nil
		}
		found = append(found, c)
		lits = append(lits, x.excludes(c))
	}
	return event.Unclear, nil
}

// broken finds a move that the program cannot make with the values of a model. What the
// formulas do not read may have any value, and is taken at that of the model only if it must be.
func (e *Excluder) impossibleMove(ctx context.Context, x *pathFormula, model *prover.Model, read map[*logic.Term]bool) (abstract.Constraint, bool) {
	values := valuation{model: model, known: map[*logic.Term]bool{}}
	for _, all := range []bool{false, true} {
		for _, m := range x.moves {
			var lits []abstract.Literal
			text := []byte{} // what m is asked about
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
			asked := query{m.Move, string(text)}
			if x.possible[asked] {
				continue
			}
			impossible := func(lits []abstract.Literal) bool { return x.r.Impossible(ctx, e.Prover, m.Move, lits) }
			if impossible(lits) {
				return abstract.Constraint{Move: m.Move, Literals: quickxplain.Minimal(lits, nil, impossible)}, true
			}
			x.possible[asked] = true
		}
	}
	return abstract.Constraint{}, false
}

// question is whether a move is possible with some of its facts 0 and some 1.
type query struct {
	abstract.Move
	values string
}

// valuation is a model as values of formulas, each computed once.
type valuation struct {
	model *prover.Model
	known map[*logic.Term]bool
}

func (v valuation) of(f *logic.Term) bool {
	one, known := v.known[f]
	if !known {
		n, ok := v.model.Value(f)
		one = ok && n.Sign() != 0
		v.known[f] = one
	}
	return one
}

// needed is a part of the constraints that excludes the path and no proper part of which does.
func (e *Excluder) needed(ctx context.Context, x *pathFormula, all []abstract.Constraint) []abstract.Constraint {
	return quickxplain.Minimal(all, nil, func(some []abstract.Constraint) bool {
		lits := slices.Clip(x.conds)
		for _, c := range some {
			lits = append(lits, x.excludes(c))
		}
		return e.Prover.Check(ctx, lits, x.t) == prover.Unsat
	})
}

// parts is all that formulas are made of.
func parts(fs []*logic.Term) map[*logic.Term]bool {
	seen := map[*logic.Term]bool{}
	var walk func(*logic.Term)
	walk = func(f *logic.Term) {
		if !seen[f] {
			seen[f] = true
			for _, g := range f.Args {
				walk(g)
			}
		}
	}
	for _, f := range fs {
		walk(f)
	}
	return seen
}

// excludes is what a constraint says of all moves of its kind on the path.
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
