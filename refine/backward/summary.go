package backward

import (
	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/refine/algebra"
	"c2bp/refine/cex"
	"c2bp/wp"
)

// This file says what a callee did on a path in terms of its entry: g is 'g + 1 at the
// return, the result is 'x. A caller's fact about g and a variable that the callee
// cannot name then becomes a fact about the state before the call, and the callee's part
// in it a predicate over symbolic constants, which is true at other calls, too.

// summarised splits e, an atom behind the call that started f, at the call: in callee,
// equations between what the call changed and symbolic constants; and what e says before
// the call if these hold. ok is false if the effect is no sum of inputs.
func (w *Walk) summarise(e core.Expr, call *core.Call, f *cex.Frame) (callee []core.Expr, before core.Expr, ok bool) {
	x, sums := w.effects(call, f), w.Sums[f.Proc]
	changed := map[string]core.Expr{} // places by text; in terms of the callee's formals and globals at its entry
	ends := map[string]core.Loc{}     // the same in terms of the callee at its exit
	for _, l := range core.Locs(e) {
		text := core.ExprString(l)
		if changed[text] != nil || !w.changedBy(l, call) {
			continue
		}
		at, value := w.atExit(x, l, call, f)
		if sums != nil && at != nil {
			value = sums[algebra.Variable(at)]
		}
		if value == nil {
			return nil, nil, false
		}
		changed[text], ends[text] = value, at
		callee = append(callee, &core.Binary{Op: core.Eq, X: at, Y: w.constants.In(f.Proc, value)})
	}
	if len(changed) == 0 {
		return nil, nil, false
	}
	if all := w.sumSummary(e, changed, ends, f.Proc); all != nil && sums == nil && !w.Apart {
		callee = []core.Expr{all}
	}
	before = core.Replace(e, func(y core.Expr) core.Expr {
		if l, isLoc := y.(core.Loc); isLoc && changed[core.ExprString(l)] != nil {
			return asVariables(wp.Actual(call, changed[core.ExprString(l)]))
		}
		return nil
	})
	if simple, trivial := algebra.Simplify(before, false); !trivial && !algebra.ReadsMemory(simple) && !core.Mentions(simple, w.foreign) {
		// A fact about globals before the call: the callee changes them, and it is the
		// callee's symbolic constants that remember it.
		callee = append(callee, w.constants.In(f.Proc, simple))
	}
	return callee, before, true
}

// changedBy reports whether a call may change l, which atReturn speaks of.
func (w *Walk) changedBy(l core.Loc, call *core.Call) bool {
	if core.Mentions(l, func(v *core.Var) bool { return v == w.result }) {
		return true
	}
	return w.Alias.Affected(call, l)
}

// atExit is l in terms of the callee, and what it holds at the end of activation f in
// terms of what held at its start; nil if that cannot be said.
func (w *Walk) atExit(x *cex.Execution, l core.Loc, call *core.Call, f *cex.Frame) (at core.Loc, value core.Expr) {
	if l = w.ofResult(l, f).(core.Loc); algebra.Variable(l) != nil && !algebra.Variable(l).InMemory() {
		return l, w.spell(x, x.Value(f, algebra.Variable(l)), f, l.Type())
	}
	if base, _ := algebra.Base(algebra.Address(l)); !isResult(base, f) && core.Mentions(l, w.foreign) {
		if l = w.placeProvenance(l, call, f); l == nil {
			return nil, nil
		}
	}
	if !w.Regions.Know(l) {
		return nil, nil // an address that the program does not lead to: so far from what was passed, there may be anything
	}
	return l, w.spell(x, x.Eval(f, f.Return, l), f, l.Type())
}

// passed is l, a place in memory that variables of the caller lead to, in terms of the
// callee: at an address that it was given; nil if there is none.
func (w *Walk) placeProvenance(l core.Loc, call *core.Call, f *cex.Frame) core.Loc {
	m, ok := l.(*core.Mem)
	if !ok {
		m = &core.Mem{Addr: algebra.Address(l), Typ: l.Type()}
	}
	out := *m
	byText := w.arguments(call, f)
	out.Addr = core.Replace(m.Addr, func(x core.Expr) core.Expr { return byText[core.ExprString(x)] })
	if !core.Mentions(out.Addr, func(v *core.Var) bool { return v.Kind != core.Ghost && w.foreign(v) }) &&
		!core.Mentions(out.Addr, func(v *core.Var) bool { return v.Proc != nil && v.Proc != f.Proc }) {
		return &out
	}
	if out.Addr = w.nearbyArgument(m.Addr, call, f); out.Addr != nil {
		return &out
	}
	base, off := algebra.Base(m.Addr)
	r, ok := base.(*core.VarRef)
	s := w.calls[f.Call]
	if !ok || r.Var.InMemory() || s == nil {
		return nil
	}
	value := s.valueOf(r.Var, f.Caller)
	best, at := -1, int64(0) // the argument that is nearest to the place, and how far that is
	for i, a := range s.args {
		if value == nil || a == nil || i >= len(f.Proc.Formals) {
			continue
		}
		if d := s.t.Sub(value, a); d.IsConst() && d.Val.IsInt64() {
			if far := d.Val.Int64() + off; best < 0 || abs(far) < abs(at) {
				best, at = i, far
			}
		}
	}
	if best < 0 {
		return nil
	}
	if same := algebra.Displace(call.Args[best], at-off); core.ExprString(same) != core.ExprString(base) {
		w.facts[f] = append(w.facts[f], &core.Binary{Op: core.Eq, X: base, Y: same})
	}
	out.Addr = algebra.Displace(w.constants.Of(f.Proc, f.Proc.Formals[best].Ref()).Ref(), at)
	return &out
}

func abs(x int64) int64 { return max(x, -x) }

// express spells a term as an expression over formals and globals; nil if it is no sum of
// what these held at the start.
func (w *Walk) spell(x *cex.Execution, t *logic.Term, f *cex.Frame, typ core.Type) core.Expr {
	switch to := typ.(type) {
	case core.Int:
		return x.SpellNumber(t, f, to)
	case core.Ptr:
		if t.IsConst() && t.Val.Sign() == 0 {
			return core.Null(to)
		}
		if l := x.StartRead(t, f); l != nil && l.Type() == typ {
			return l
		}
		return x.SpellAddress(t, f, to, w.Prog.Globals)
	}
	return nil
}
