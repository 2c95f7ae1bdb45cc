package certificate

import (
	"fmt"

	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/prover"
	"c2bp/wp"
)

// This file reads the predicates and invariants of one procedure as terms, and asks the prover.

// activation is a procedure whose conditions are being proved. Its terms are in a table of its own.
type activation struct {
	*validator
	p     *Procedure
	scope []*Predicate
	tr    *wp.Translator
	now   []*logic.Term // by predicate: it holds
}

// newActivation returns an activation of p, with the predicates in scope as terms.
func (v *validator) newActivation(p *Procedure) *activation {
	a := &activation{validator: v, p: p, scope: v.cert.Scope(p), tr: wp.New(logic.NewTable(), v.mem, v.bits)}
	// The predicates of the procedure, in the state at a node.
	for _, q := range a.scope {
		a.now = append(a.now, a.tr.Cond(q.Expr))
	}
	return a
}

// unknown returns an unconstrained truth value. No variable of C has such a name.
func (a *activation) unknown(kind string, i int) *logic.Term {
	t := a.tr.T
	return t.Not(t.Eq(t.Sym(fmt.Sprintf("?%s %d", kind, i), t.Int(0).Val, t.Int(1).Val), t.Int(0)))
}

// held returns the truth of predicate i at the entry of this activation, which never changes.
func (a *activation) held(i int) *logic.Term { return a.unknown("entry", i) }

// under returns the invariant of node i, with now for the present truth of predicates.
func (a *activation) under(i int, now func(int) *logic.Term) *logic.Term {
	return a.p.Invariants[i].under(a.tr.T, reading{now, a.held})
}

// invariant returns the invariant of node i in the present state.
func (a *activation) invariant(i int) *logic.Term {
	return a.under(i, func(j int) *logic.Term { return a.now[j] })
}

// after returns the invariant of node i after a statement; pre maps a formula to its weakest
// precondition. A precondition is a substitution, so it commutes with the connectives.
func (a *activation) after(i int, pre func(*logic.Term) *logic.Term) *logic.Term {
	return a.under(i, func(j int) *logic.Term { return pre(a.now[j]) })
}

// refute proves that the facts are inconsistent, and reports whether to continue. Otherwise node i
// is reported, and why says which condition does not follow.
func (a *activation) refute(i int, why string, facts ...*logic.Term) bool {
	a.report.Conditions++
	switch a.pr.Check(a.ctx, facts, a.tr.T) {
	case prover.Unsat:
		// An open condition is reported only if nothing worse is; the rest is still tried.
		return true
	case prover.Unknown:
		if a.report.Verdict == Valid {
			a.blame(i, Unknown, "the prover cannot tell whether this holds: "+why)
		}
		return a.pr.Err() == nil
	}
	return a.blame(i, Rejected, why)
}

// blame sets the verdict to one other than Valid, because of node i. It returns false: validation
// stops.
func (a *activation) blame(i int, verdict Verdict, why string) bool {
	return a.validator.blame(a.p.Proc, i, verdict, a.about+why)
}

// blame sets the verdict, and the place and the text of node i of p as its cause. It returns false.
func (v *validator) blame(p *core.Proc, i int, verdict Verdict, why string) bool {
	// The report has the place in the core program and in the C text.
	n := p.Nodes[i]
	r := v.report
	r.Verdict, r.Where, r.Why, r.At, r.Text = verdict, p.NodeID(i), why, n.Pos, n.Text
	return false
}
