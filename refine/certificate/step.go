package certificate

import (
	"fmt"
	"slices"

	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/prover"
)

// This file states the conditions of nodes other than calls.

// start: the invariant of the entry of main holds in every state, when symbolic constants
// have been set and what holds now is what held at the entry.
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

// node proves the conditions of node i, and reports whether to go on.
func (a *activation) node(i int) bool {
	n := a.p.Proc.Nodes[i]
	wanted := a.cert.proves(a.p.Proc.NodeID(i))
	if wanted && a.isError(n) {
		if !a.opts.mutate.skipLabels && !a.refute(i, "the invariant does not exclude that the error label is reached", a.invariant(i)) {
			return false
		}
	}
	t, facts := a.tr.T, slices.Clip(a.tr.Facts(n.Stmt))
	switch s := n.Stmt.(type) {
	case *core.Skip, *core.Branch:
		return a.steps(i, identity)
	case *core.Assume:
		return a.steps(i, identity, append(facts, a.tr.Cond(s.Cond))...)
	case *core.Assert:
		holds := a.tr.Cond(s.Cond)
		if wanted && !a.opts.mutate.skipAssertions && !a.refute(i, "the invariant does not exclude that the assertion fails", append(facts, a.invariant(i), t.Not(holds))...) {
			return false
		}
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

func identity(phi *logic.Term) *logic.Term { return phi }

// steps: the invariant of node i and the facts imply the weakest preconditions of those of
// the successors.
func (a *activation) steps(i int, pre func(*logic.Term) *logic.Term, facts ...*logic.Term) bool {
	for _, m := range a.p.Proc.Nodes[i].Succ {
		if !a.follows(i, m, pre, append([]*logic.Term{a.invariant(i)}, facts...)) {
			return false
		}
	}
	return true
}

// follows: behind a statement of node i the invariant of m holds, if facts hold before it;
// pre maps a formula to its weakest precondition.
//
// Preconditions read memory place by place. If what the alias analysis says excludes that p is
// &x, and not what is known here, a write to x changes x in them and not *p, also where p = &x.
// No such state is met, but the precondition of p = &x -> *p = x does not hold in it. So if the
// whole does not follow, parts of it may, and the others from those: behind the statement as
// before it what is at one place is one value.
func (a *activation) follows(i, m int, pre func(*logic.Term) *logic.Term, facts []*logic.Term) bool {
	t := a.tr.T
	facts = slices.Clip(facts)
	lost := append(facts, t.Not(a.after(m, pre)))
	if a.excluded(lost) {
		a.report.Conditions++
		return true
	}
	var kept, rest []*logic.Term
	for _, f := range a.p.Invariants[m].parts() {
		behind := f.under(t, reading{func(j int) *logic.Term { return pre(a.now[j]) }, a.held})
		now := f.under(t, reading{func(j int) *logic.Term { return a.now[j] }, a.held})
		if a.excluded(append(facts, t.Not(behind))) {
			kept = append(kept, now)
		} else {
			rest = append(rest, now)
		}
	}
	if len(kept) > 0 && a.excluded(append(kept, t.Not(t.And(rest...)))) {
		a.report.Conditions++
		return true
	}
	return a.refute(i, a.lost(m), lost...)
}

// excluded reports whether the prover says that formulas exclude each other.
func (a *activation) excluded(list []*logic.Term) bool {
	return a.pr.Check(a.ctx, list, a.tr.T) == prover.Unsat
}

// lost says that the invariant of node m does not follow.
func (a *activation) lost(m int) string {
	return fmt.Sprintf("the invariant of %s does not follow", a.p.Proc.NodeID(m))
}
