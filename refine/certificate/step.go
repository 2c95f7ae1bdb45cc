package certificate

import (
	"fmt"
	"slices"

	"c2bp/frontend/core"
	"c2bp/logic"
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
		lits := append([]*logic.Term{a.invariant(i), a.tr.T.Not(a.after(m, pre))}, facts...)
		if !a.refute(i, a.lost(m), lits...) {
			return false
		}
	}
	return true
}

// lost says that the invariant of node m does not follow.
func (a *activation) lost(m int) string {
	return fmt.Sprintf("the invariant of %s does not follow", a.p.Proc.NodeID(m))
}
