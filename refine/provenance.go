package refine

import (
	"maps"
	"slices"

	"c2bp/abstract"
	"c2bp/frontend/core"
	"c2bp/refine/cex"
	"c2bp/refine/preds"
	"c2bp/refine/technique"
	"c2bp/verdict"
)

// This file tells the provenance of predicates.

// origin returns the provenance of predicates that a strategy finds for a core.
func origin(iteration int, p *cex.Path, why *cex.Core, by technique.Name) preds.Origin {
	c := why.Conds[len(why.Conds)-1]
	s := p.Steps[c.Step]
	return preds.Origin{Iteration: iteration, Node: s.ID(), Pos: s.CoreNode().Pos, Condition: core.CString(c.Expr), Rule: by}
}

// Origin returns the provenance of the predicate with this expression, one of o.Predicates. It is not
// known of predicates that the abstraction adds.
func (o *Outcome) Origin(e core.Expr) (preds.Origin, bool) {
	from, ok := o.origins[e]
	return from, ok
}

// hand adds the predicates of the last abstraction that were found for paths, with their provenance, to a set.
func (o *Outcome) hand(to *preds.Set) {
	for _, p := range o.Predicates {
		if from, found := o.origins[p.From()]; found && p.This == nil {
			to.Origin = from
			to.Add(p.Proc, p.Expr)
		}
	}
}

// join adds the provenance of the predicates of the proof.
func (o *Outcome) join() {
	// The map belongs to the last abstraction; the outcome gets its own.
	o.origins = maps.Clone(o.origins)
	for _, p := range o.Proof {
		for e, from := range p.origins {
			if _, ok := o.origins[e]; !ok {
				o.origins[e] = from
			}
		}
	}
}

// predicates returns the predicates of the last abstraction and of the proof, as reports have them.
func (o *Outcome) predicates() (out []verdict.Predicate) {
	for _, p := range o.everything() {
		q := verdict.Predicate{Text: p.Name}
		if p.Proc != nil {
			q.Proc = p.Proc.Name
		}
		if p.This != nil {
			q.Of = p.This.To.Name
		}
		if from, ok := o.Origin(p.From()); ok {
			q.Iteration, q.Node, q.Pos, q.Condition, q.Rule = from.Iteration, from.Node, from.Pos, from.Condition, string(from.Rule)
		}
		out = append(out, q)
	}
	return out
}

// everything returns the predicates of the last abstraction, and then those of other abstractions of
// the proof.
func (o *Outcome) everything() []*abstract.Predicate {
	type scoped struct {
		proc *core.Proc
		this *core.Record
		text string
	}
	key := func(p *abstract.Predicate) scoped {
		k := scoped{proc: p.Proc, text: p.Name}
		if p.This != nil {
			k.this = p.This.To
		}
		return k
	}
	// Predicates are told apart by scope and text: the proof may have one in several
	// abstractions.
	seen := map[scoped]bool{}
	for _, p := range o.Predicates {
		seen[key(p)] = true
	}
	all := slices.Clone(o.Predicates)
	for _, part := range o.Proof {
		for _, p := range part.Predicates {
			if k := key(p); !seen[k] {
				seen[k] = true
				all = append(all, p)
			}
		}
	}
	return all
}
