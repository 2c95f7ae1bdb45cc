package certificate

import (
	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/wp"
)

// This file states the conditions of calls l := R(a1, …, ak) from a procedure Q at node n with
// successor m, over three states: before the call, at the return before the result is stored, and
// after the store. Package wp reads expressions in each of them; package alias says which locations
// a call may change.

// call proves the conditions of a call, and reports whether to continue.
func (a *activation) call(i int, c *core.Call) bool {
	if c.Callee == nil {
		return a.blame(i, Rejected, "a call through a pointer")
	}
	// 1. The two states around the call: a location keeps its value unless the callee may write it.
	around := a.tr.Around(c, func(l core.Loc) bool { return a.alias.Affected(c, l) })
	// 2. The invariant of the call holds before it, and the pointers that it follows point to some target.
	before := a.under(i, func(j int) *logic.Term { return around.Orig().Cond(a.scope[j].Expr) })
	facts := append(around.Orig().Facts(c), before)
	// 3. A callee with a body must be entered in its invariant; its exit invariant is a fact then.
	if c.Callee.HasBody() {
		callee := a.procs[c.Callee]
		if !a.entered(i, c, callee) {
			return false
		}
		facts = append(facts, a.returned(c, around, callee))
	}
	// 4. After the result is stored, the invariant of each successor holds.
	for _, m := range a.p.Proc.Nodes[i].Succ {
		if !a.follows(i, m, around.Store, facts) {
			return false
		}
	}
	return true
}

// entered proves that the invariant of the callee's entry holds when it is called from node i.
func (a *activation) entered(i int, c *core.Call, callee *Procedure) bool {
	// Predicates at the entry are read as callers read them; only those over locals need a frame.
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

// inside returns a translator that reads expressions of the callee as it starts, over the state
// before the call: formals are the actuals and symbolic constants their initial values. Locals are
// unknown, and in a frame of their own, since the caller may be an activation of the same
// procedure.
func (a *activation) inside(c *core.Call, entering *wp.Callee) *wp.Translator {
	const frame = "@callee"
	tr := a.tr.On(frame, "")
	return tr.With(func(v *core.Var) *logic.Term {
		// Globals are the same variables; the others are values at the call.
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

// returned returns the callee's exit invariant as the caller reads it: symbolic constants and
// (entry p) are about the state before the call; globals, memory and the result are about the state
// at the return. Other predicates are only known to be true or false.
func (a *activation) returned(c *core.Call, around *wp.Call, callee *Procedure) *logic.Term {
	scope := a.cert.Scope(callee)
	now := func(j int) *logic.Term {
		if e := scope[j].Expr; AtReturn(callee.Proc, e) {
			return around.Gamma(e)
		}
		return a.unknown("callee", j)
	}
	entering := around.Orig().Entering(c)
	entry := func(j int) *logic.Term { return entering.Cond(scope[j].Expr) }
	return callee.Invariants[callee.Proc.Exit()].under(a.tr.T, reading{now, entry})
}
