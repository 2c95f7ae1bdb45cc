package certificate

import (
	"fmt"
	"slices"

	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/prover"
)

// This file states the conditions of nodes other than calls.

// start proves that the invariant of main's entry holds in every state, after symbolic constants
// have been set, and with the present truth of predicates as that at the entry.
func (a *activation) start() bool {
	tr := a.tr.With(func(v *core.Var) *logic.Term {
		if v.Kind == core.Ghost {
			return a.tr.Value(v.Init)
		}
		return a.tr.Env(v)
	})
	now := func(i int) *logic.Term { return tr.Cond(a.scope[i].Expr) }
	first := a.p.Invariants[0].under(a.tr.T, reading{now, now})
	return a.refute(0, "the invariant does not hold when the program starts", a.tr.T.Not(first))
}

// node proves the conditions of node i, and reports whether to continue.
func (a *activation) node(i int) bool {
	n := a.p.Proc.Nodes[i]
	// 1. An error label must not be reached.
	wanted := a.cert.proves(a.p.Proc.NodeID(i))
	if wanted && a.isError(n) && !a.refute(i, "the invariant does not exclude that the error label is reached", a.invariant(i)) {
		return false
	}
	// 2. The invariant is kept by the statement, and an assertion holds.
	t, facts := a.tr.T, slices.Clip(a.tr.Facts(n.Stmt))
	switch s := n.Stmt.(type) {
	case *core.Skip, *core.Branch:
		return a.steps(i, identity)
	case *core.Assume:
		return a.steps(i, identity, append(facts, a.tr.Tested(s.Cond))...)
	case *core.Assert:
		holds := a.tr.Tested(s.Cond)
		if wanted && !a.refute(i, "the invariant does not exclude that the assertion fails", append(facts, a.invariant(i), t.Not(holds))...) {
			return false
		}
		// A run continues from an assertion only if it holds, whoever proves it.
		return a.steps(i, identity, append(facts, holds)...)
	case *core.Assign, *core.Havoc, *core.Copy, *core.Fill, *core.Data, *core.Alloc, *core.Free:
		return a.steps(i, a.tr.Pre(s), facts...)
	case *core.Call:
		return a.call(i, s)
	case *core.Return: // callers use the invariant
		return true
	}
	return a.blame(i, Rejected, fmt.Sprintf("unknown statement %T", n.Stmt))
}

// identity is the weakest precondition of a statement that changes nothing.
func identity(phi *logic.Term) *logic.Term { return phi }

// steps proves that the invariant of node i and the facts imply the weakest preconditions of the
// invariants of all successors.
func (a *activation) steps(i int, pre func(*logic.Term) *logic.Term, facts ...*logic.Term) bool {
	for _, m := range a.p.Proc.Nodes[i].Succ {
		if !a.follows(i, m, pre, append([]*logic.Term{a.invariant(i)}, facts...)) {
			return false
		}
	}
	return true
}

// follows proves that the invariant of m holds after a statement of node i, if facts hold before
// it; pre maps a formula to its weakest precondition.
//
// Preconditions read memory place by place. If the alias analysis excludes p = &x, but the facts
// here do not, then in a precondition a write to x changes x and not *p, even where p = &x. No such
// state is reachable, but the precondition of p = &x -> *p = x does not hold in it. So if the whole
// invariant does not follow, some conjuncts may, and the others from them: after the statement as
// before it, one place has one value.
func (a *activation) follows(i, m int, pre func(*logic.Term) *logic.Term, facts []*logic.Term) bool {
	// 1. The invariant as a whole.
	t := a.tr.T
	facts = slices.Clip(facts)
	lost := append(facts, t.Not(a.after(m, pre)))
	if a.excluded(lost) {
		a.report.Conditions++
		return true
	}
	// 2. Conjunct by conjunct: those that follow, and the rest.
	var kept, rest []*logic.Term
	for _, f := range a.p.Invariants[m].parts() {
		after := f.under(t, reading{func(j int) *logic.Term { return pre(a.now[j]) }, a.held})
		now := f.under(t, reading{func(j int) *logic.Term { return a.now[j] }, a.held})
		if a.excluded(append(facts, t.Not(after))) {
			kept = append(kept, now)
		} else {
			rest = append(rest, now)
		}
	}
	// 3. The rest follows from the conjuncts that do, in the state after the statement.
	if len(kept) > 0 && a.excluded(append(kept, t.Not(t.And(rest...)))) {
		a.report.Conditions++
		return true
	}
	// 4. It does not: ask again for the report, which tells "no" from "unknown".
	return a.refute(i, a.lost(m), lost...)
}

// excluded reports whether the prover finds the formulas inconsistent.
func (a *activation) excluded(list []*logic.Term) bool {
	return a.pr.Check(a.ctx, list, a.tr.T) == prover.Unsat
}

// lost returns the message that the invariant of node m does not follow.
func (a *activation) lost(m int) string {
	return fmt.Sprintf("the invariant of %s does not follow", a.p.Proc.NodeID(m))
}
