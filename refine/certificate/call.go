package certificate

import (
	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/wp"
)

// This file states the conditions of calls l := R(a1, …, ak) of a procedure Q at node n
// with successor m, in terms of three states: before the call, at the return before the
// result is stored, and behind the store. Package wp reads expressions in each of them;
// what a call may change is for package alias to say.

// call proves the conditions of a call, and reports whether to go on.
func (a *activation) call(i int, c *core.Call) bool {
	if c.Callee == nil {
		return a.blame(i, Rejected, "a call through a pointer")
	}
	around := a.tr.Around(c, func(l core.Loc) bool {
		return a.alias.Affected(c, l) && !a.opts.mutate.callsKeepAll
	})
	before := a.under(i, func(j int) *logic.Term { return around.Orig().Cond(a.scope[j].Expr) })
	facts := append(around.Orig().Facts(c), before)
	if c.Callee.HasBody() {
		callee := a.procs[c.Callee]
		if !a.opts.mutate.skipCallEntry && !a.entered(i, c, callee) {
			return false
		}
		facts = append(facts, a.returned(c, around, callee))
	}
	store := around.Store
	if a.opts.mutate.keepResult {
		store = identity
	}
	for _, m := range a.p.Proc.Nodes[i].Succ {
		if !a.follows(i, m, store, facts) {
			return false
		}
	}
	return true
}

// entered: the invariant of the entry of the callee holds when it is called from node i.
func (a *activation) entered(i int, c *core.Call, callee *Procedure) bool {
	entering := a.tr.Entering(c)
	inside := a.inside(c, entering)
	scope := a.cert.Scope(callee)
	now := func(j int) *logic.Term {
		if e := scope[j].Expr; !AtEntry(e) {
			return inside.Cond(e)
		}
		return entering.Cond(scope[j].Expr)
	}
	first := callee.Invariants[0].under(a.tr.T, reading{now, now})
	why := "the invariant of " + callee.Proc.NodeID(0) + " does not follow"
	return a.refute(i, why, append(a.tr.Facts(c), a.invariant(i), a.tr.T.Not(first))...)
}

// inside reads expressions of the callee as it starts, in terms of the state before the
// call: formals are the actuals, symbolic constants what they are set to; locals are
// unknown, and in a frame of their own, for the caller may be an activation of the same
// procedure.
func (a *activation) inside(c *core.Call, entering *wp.Callee) *wp.Translator {
	const frame = "@callee"
	tr := a.tr.On(frame, "")
	return tr.With(func(v *core.Var) *logic.Term {
		switch v.Kind {
		case core.Global:
			return a.tr.Env(v)
		case core.Ghost:
			return entering.Value(v.Init)
		case core.Formal:
			return entering.Value(v.Ref())
		}
		if v.InMemory() {
			return tr.Stored(v)
		}
		return wp.Sym(a.tr.T, v, frame)
	})
}

// returned is the invariant of the return node of the callee as the caller reads it:
// symbolic constants and (entry p) speak of the state before the call, globals, memory
// and the result of that at the return. Of other predicates it is only known that they
// are true or false.
func (a *activation) returned(c *core.Call, around *wp.Call, callee *Procedure) *logic.Term {
	scope := a.cert.Scope(callee)
	now := func(j int) *logic.Term {
		if e := scope[j].Expr; AtReturn(callee.Proc, e) {
			return around.Gamma(e)
		}
		return a.unknown("callee", j)
	}
	before := around.Orig()
	if a.opts.mutate.lateEntry {
		before = a.tr
	}
	entering := before.Entering(c)
	entry := func(j int) *logic.Term { return entering.Cond(scope[j].Expr) }
	return callee.Invariants[callee.Proc.Exit()].under(a.tr.T, reading{now, entry})
}
