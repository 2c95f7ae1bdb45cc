package abstract

import (
	"context"

	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/prover"
)

// This file defines the exact effect of a step of the program on the predicates: the values that
// they can have together before and after it. The Boolean program gives the new value of each
// predicate independently, from conjunctions of a few; constrain.go recovers the precision that
// this loses, on demand.

// Move is one of the ways in which control passes a node.
type Move struct {
	Proc *core.Proc
	Node int // -1 for Enters
	Part Part
}

// Part distinguishes the moves of a node.
type Part int

const (
	Holds   Part = iota // the statement takes effect; an assumption or assertion holds
	Fails               // an assertion does not hold
	Passes              // a call of a procedure with a body passes its arguments
	Returns             // and is back
	Enters              // no node: a procedure sets its symbolic constants
)

// Fact is a predicate at one side of a move.
type Fact struct {
	Side Side
	Pred string // Predicate.Var
}

// Side says in which state a predicate is read.
type Side int

const (
	Before   Side = iota // in the state before; at Returns, global predicates when the callee is done
	After                // in the state after
	Passed               // Passes: a predicate of the callee about its formals, as passed
	Returned             // Returns: a predicate of the callee about its result, as returned
)

// Literal is a fact or its negation.
type Literal struct {
	Fact
	Neg bool
}

// transition is the meaning of a move: whatever the states are, the conditions hold, and each fact
// is equivalent to its formula. The formulas after a move are over the values before it and
// unknowns.
type transition struct {
	table *logic.Table
	conds []*logic.Term
	facts []Fact
	terms map[Fact]*logic.Term
}

// add adds the fact of the predicate name at side, with its formula f.
func (x *transition) add(side Side, name string, f *logic.Term) {
	k := Fact{side, name}
	x.facts = append(x.facts, k)
	x.terms[k] = f
}

// transition returns the transition of m, which is made once.
func (r *Result) transition(m Move) *transition {
	if x := r.transitions[m]; x != nil {
		return x
	}
	s := r.scopes[m.Proc]
	if s == nil {
		s = r.abstraction.newScope(nil, &procWork{proc: m.Proc})
		r.scopes[m.Proc] = s
	}
	x := s.transition(m)
	r.transitions[m] = x
	return x
}

// transition makes the transition of m.
func (s *scope) transition(m Move) *transition {
	x := &transition{table: s.tr.T, terms: map[Fact]*logic.Term{}}
	// 1. Entries and calls.
	if m.Part == Enters {
		s.entering(x)
		return x
	}
	st := s.proc.Nodes[m.Node].Stmt
	if c, ok := st.(*core.Call); ok {
		s.calling(x, c, m.Part)
		return x
	}
	// 2. The predicates before the statement.
	x.conds = s.tr.Facts(st)
	for i, name := range s.names {
		x.add(Before, name, s.terms[i])
	}
	// 3. Its condition, or the predicates after it.
	switch st := st.(type) {
	case *core.Assume:
		x.conds = append(x.conds, s.tr.Tested(st.Cond))
	case *core.Assert:
		f := s.tr.Tested(st.Cond)
		if m.Part == Fails {
			f = s.tr.T.Not(f)
		}
		x.conds = append(x.conds, f)
	case *core.Assign, *core.Havoc, *core.Copy, *core.Fill, *core.Data, *core.Alloc, *core.Free:
		s.after(x, s.tr.Pre(st))
	}
	return x
}

// after adds the predicates that pre changes, with their values after the move.
func (s *scope) after(x *transition, pre func(*logic.Term) *logic.Term) {
	for i, name := range s.names {
		if f := pre(s.terms[i]); f != x.terms[Fact{Before, name}] {
			x.add(After, name, f)
		}
	}
}

// entering makes the transition that sets the symbolic constants of a procedure.
func (s *scope) entering(x *transition) {
	// 1. The assignment.
	init := &core.Assign{}
	for _, g := range s.a.ifaces[s.proc].Ghosts {
		init.Lhs = append(init.Lhs, g.Ref())
		init.Rhs = append(init.Rhs, g.Init)
	}
	// 2. Predicates about symbolic constants have no value before it.
	for i, p := range s.preds {
		if !p.mentions(func(v *core.Var) bool { return v.Kind == core.Ghost }) {
			x.add(Before, s.names[i], s.terms[i])
		}
	}
	s.after(x, s.tr.Pre(init))
}

// calling makes the transition of a call.
func (s *scope) calling(x *transition, c *core.Call, part Part) {
	around := s.tr.Around(c, s.affectedBy(c))
	// 1. To the callee: its predicates about formals, as passed.
	if part == Passes {
		x.conds = s.tr.Facts(c)
		for i, name := range s.names {
			x.add(Before, name, s.terms[i])
		}
		for _, p := range s.a.ifaces[c.Callee].Formals {
			x.add(Passed, p.Var(), around.Actual(p.Expr))
		}
		return
	}
	// 2. From the callee: local predicates are those before the call, global ones those at the
	// return.
	orig := around.Orig()
	x.conds = orig.Facts(c)
	for i, p := range s.preds {
		f := s.terms[i]
		if p.Proc != nil || !c.Callee.HasBody() {
			f = orig.Cond(p.Expr)
		}
		x.add(Before, s.names[i], f)
	}
	if c.Callee.HasBody() {
		for _, p := range s.a.ifaces[c.Callee].Returns {
			x.add(Returned, p.Var(), around.Gamma(p.Expr))
		}
	}
	s.after(x, around.Store)
}

// Facts lists the predicates that a move concerns: all before it, and those after it that it may
// change.
func (r *Result) Facts(m Move) []Fact { return r.transition(m).facts }

// Impossible reports whether no step of the program makes the move such that the literals hold,
// which are facts of the move; false if the prover does not know. It is one query: the conditions
// of the move and all literals are unsatisfiable.
func (r *Result) Impossible(ctx context.Context, p *prover.Prover, m Move, lits []Literal) bool {
	return r.Possible(ctx, p, m, lits, false) == prover.Unsat
}

// Possible answers the question whether a step of the program makes the move such that the literals hold. A quick
// question gets one attempt only, as one of many about the move each of which can do without an answer.
func (r *Result) Possible(ctx context.Context, p *prover.Prover, m Move, lits []Literal, quick bool) prover.Answer {
	// Is there a state in which the conditions and all literals hold?
	x := r.transition(m)
	terms := append([]*logic.Term(nil), x.conds...)
	for _, l := range lits {
		f := x.terms[l.Fact]
		if f == nil {
			return prover.Unknown
		}
		if l.Neg {
			f = x.table.Not(f)
		}
		terms = append(terms, f)
	}
	if quick {
		return p.CheckQuickly(ctx, terms, x.table)
	}
	return p.Check(ctx, terms, x.table)
}
