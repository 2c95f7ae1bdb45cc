package certificate

import (
	"fmt"

	"c2bp/logic"
)

// This file defines the formulas that invariants are.

// Op is the head of a formula.
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

// Formula is a Boolean combination of predicates.
type Formula struct {
	Op   Op
	Args []*Formula
	Pred int // of Holds and Held: the index of the predicate in the scope
}

// True and False are the constants.
func True() *Formula  { return &Formula{Op: And} }
func False() *Formula { return &Formula{Op: Or} }

// IsFalse reports whether f is the constant.
func (f *Formula) IsFalse() bool { return f.Op == Or && len(f.Args) == 0 }

// fit checks that f is over the predicates in scope.
func (f *Formula) fit(scope []*Predicate) error {
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
	for _, x := range f.Args {
		if err := x.fit(scope); err != nil {
			return err
		}
	}
	return nil
}

// reading says which formula stands for the truth of a predicate, by its index in the
// scope: now, and when the procedure was entered.
type reading struct {
	now, entry func(int) *logic.Term
}

// under is f under a reading.
func (f *Formula) under(t *logic.Table, r reading) *logic.Term {
	switch f.Op {
	case Holds:
		return r.now(f.Pred)
	case Held:
		return r.entry(f.Pred)
	case Not:
		return t.Not(f.Args[0].under(t, r))
	case Iff:
		x, y := f.Args[0].under(t, r), f.Args[1].under(t, r)
		return t.Or(t.And(x, y), t.And(t.Not(x), t.Not(y)))
	}
	args := make([]*logic.Term, len(f.Args))
	for i, x := range f.Args {
		args[i] = x.under(t, r)
	}
	if f.Op == And {
		return t.And(args...)
	}
	return t.Or(args...)
}
