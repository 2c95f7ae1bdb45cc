package certificate

import (
	"fmt"

	"c2bp/logic"
)

// This file defines formulas, the form of invariants.

// Op is the operator of a formula.
type Op int

// The connectives. And of nothing is true, Or of nothing false.
const (
	And   Op = iota
	Or       // (or F G …)
	Not      // (not F)
	Iff      // (iff F G)
	Holds    // p: the predicate holds now
	Held     // (entry p): it held when the procedure was entered
)

// Formula is a Boolean combination of predicates. It is a directed acyclic graph: a subformula that
// occurs several times may be one Formula, in several invariants, too. As a tree it can be
// exponentially larger, so every traversal remembers the nodes that it has visited. Formulas are
// immutable.
type Formula struct {
	Op   Op
	Args []*Formula
	Pred int // of Holds and Held: the index of the predicate in the scope
}

// True and False return the constants.
func True() *Formula  { return &Formula{Op: And} }
func False() *Formula { return &Formula{Op: Or} }

// IsFalse reports whether f is the constant false.
func (f *Formula) IsFalse() bool { return f.Op == Or && len(f.Args) == 0 }

// mostParts bounds the number of conjuncts that parts returns.
const mostParts = 200

// parts returns formulas whose conjunction is f: its conjuncts, nested ones flattened, each once.
func (f *Formula) parts() (out []*Formula) {
	seen := map[*Formula]bool{}
	var visit func(*Formula)
	visit = func(g *Formula) {
		// Beyond the bound a conjunction stays whole.
		switch {
		case seen[g]:
		case g.Op == And && len(out) < mostParts:
			seen[g] = true
			for _, x := range g.Args {
				visit(x)
			}
		default:
			seen[g] = true
			out = append(out, g)
		}
	}
	visit(f)
	return out
}

// fit checks that f is well formed over the predicates in scope. Formulas in seen are known to be,
// and those found to be are added.
func (f *Formula) fit(scope []*Predicate, seen map[*Formula]bool) error {
	if seen[f] {
		return nil
	}
	// 1. The number of operands, -1 for any, and the predicate.
	args := -1
	switch f.Op {
	case And, Or:
	case Not:
		args = 1
	case Iff:
		args = 2
	case Holds, Held:
		if f.Pred < 0 || f.Pred >= len(scope) {
			return fmt.Errorf("an unknown predicate")
		}
		if f.Op == Held && !AtEntry(scope[f.Pred].Expr) {
			return fmt.Errorf("predicate %s has no truth at the entry that callers can tell", scope[f.Pred].Name)
		}
		args = 0
	default:
		return fmt.Errorf("an unknown connective")
	}
	if args >= 0 && len(f.Args) != args {
		return fmt.Errorf("%d operands, want %d", len(f.Args), args)
	}
	// 2. The operands. Only then is f known to be well formed.
	for _, x := range f.Args {
		if err := x.fit(scope, seen); err != nil {
			return err
		}
	}
	seen[f] = true
	return nil
}

// reading gives the formula for the truth of a predicate, by its index in the scope: at present,
// and when the procedure was entered.
type reading struct {
	now, entry func(int) *logic.Term
}

// under returns f as a term under a reading.
func (f *Formula) under(t *logic.Table, r reading) *logic.Term {
	return newTerms(t, r).of(f)
}

// terms translates formulas to terms under one reading.
type terms struct {
	table *logic.Table
	reading
	done map[*Formula]*logic.Term
	atom map[[2]int]*logic.Term // by Op and Pred
}

// newTerms returns terms that nothing has been translated with.
func newTerms(t *logic.Table, r reading) *terms {
	return &terms{t, r, map[*Formula]*logic.Term{}, map[[2]int]*logic.Term{}}
}

// of returns f as a term; each node of the graph is translated once.
func (r *terms) of(f *Formula) *logic.Term {
	if t := r.done[f]; t != nil {
		return t
	}
	t := r.make(f)
	r.done[f] = t
	return t
}

// make translates f, whose operands may have been translated before.
func (r *terms) make(f *Formula) *logic.Term {
	t := r.table
	switch f.Op {
	case Holds, Held:
		return r.predicate(f)
	case Not:
		return t.Not(r.of(f.Args[0]))
	case Iff:
		x, y := r.of(f.Args[0]), r.of(f.Args[1])
		// Terms have no equivalence: both operands are written twice, but as one pointer each.
		return t.Or(t.And(x, y), t.And(t.Not(x), t.Not(y)))
	}
	args := make([]*logic.Term, len(f.Args))
	for i, x := range f.Args {
		args[i] = r.of(x)
	}
	if f.Op == And {
		return t.And(args...)
	}
	return t.Or(args...)
}

// predicate reads each predicate once, because its weakest precondition is expensive.
func (r *terms) predicate(f *Formula) *logic.Term {
	key := [2]int{int(f.Op), f.Pred}
	if t := r.atom[key]; t != nil {
		return t
	}
	read := r.now
	if f.Op == Held {
		read = r.entry
	}
	t := read(f.Pred)
	r.atom[key] = t
	return t
}
