package backward

import (
	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/refine/algebra"
	"c2bp/refine/cex"
	"c2bp/wp"
)

// This file states the effect of a callee on a path in terms of its entry: g == 'g + 1 at the return,
// or \result == 'x. A caller's atom about g, and a variable that the callee cannot name, then becomes a
// fact about the state before the call and a predicate of the callee over symbolic constants, which
// other calls can use, too.

// summarise splits e, an atom after the call that started f. It returns the effect of the callee:
// equations between the places that it changed and symbolic constants; and e before the call, which
// with the effect decides e after it. ok is false if the effect on a place is no sum of values at the
// entry.
func (w *Walk) summarise(e core.Expr, call *core.Call, f *cex.Frame) (callee []core.Expr, before core.Expr, ok bool) {
	// 1. Execute the activation alone, from any state.
	x, sums := w.effects(call, f), w.Sums[f.Proc]
	changed := map[string]core.Expr{} // places by text; in terms of the callee's formals and globals at its entry
	ends := map[string]core.Loc{}     // the same in terms of the callee at its exit
	// 2. For each place of e that the call changes, its value at the exit in terms of the entry. A
	// recursive procedure has one from samples of all activations.
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
		callee = append(callee, &core.Binary{Op: core.Eq, X: at, Y: w.Constants.In(f.Proc, value)})
	}
	if len(changed) == 0 {
		return nil, nil, false
	}
	// 3. If only the sum of several places matters, one equation takes the place of one for each.
	if all := w.sumSummary(e, changed, ends, f.Proc); all != nil && sums == nil {
		callee = []core.Expr{all}
	}
	// 4. Before the call, the values at the entry stand for the places.
	before = core.Replace(e, func(y core.Expr) core.Expr {
		if l, isLoc := y.(core.Loc); isLoc && changed[core.ExprString(l)] != nil {
			return asVariables(wp.Actual(call, changed[core.ExprString(l)]))
		}
		return nil
	})
	// 5. A fact about globals alone before the call is also said of the callee's symbolic constants: they
	// remember it while the callee changes the globals.
	if simple, trivial := algebra.Simplify(before, false); !trivial && !algebra.ReadsMemory(simple) && !core.Mentions(simple, w.foreign) {
		callee = append(callee, w.Constants.In(f.Proc, simple))
	}
	return callee, before, true
}

// changedBy reports whether the call may change l, a place in an atom of atReturn: the callee's result
// is changed.
func (w *Walk) changedBy(l core.Loc, call *core.Call) bool {
	if core.Mentions(l, func(v *core.Var) bool { return v == w.result }) {
		return true
	}
	return w.Alias.Affected(call, l)
}

// atExit returns place l, of an atom after the call, in terms of the callee, and the value that it has
// at the end of activation f in terms of the values at its start; value is nil if it cannot be said.
func (w *Walk) atExit(x *cex.Execution, l core.Loc, call *core.Call, f *cex.Frame) (at core.Loc, value core.Expr) {
	// 1. A variable outside of memory has a value in the execution.
	if l = w.ofResult(l, f).(core.Loc); algebra.Variable(l) != nil && !algebra.Variable(l).InMemory() {
		return l, w.spell(x, x.Value(f, algebra.Variable(l)), f, l.Type())
	}
	// 2. A place in memory that the caller's variables lead to must be within reach of an argument.
	if base, _ := algebra.Base(algebra.Address(l, w.Bits)); !isResult(base, f) && core.Mentions(l, w.foreign) {
		if l = w.placeProvenance(l, call, f); l == nil {
			return nil, nil
		}
	}
	// 3. An address that the program itself does not use may be anything: that far from an argument there
	// may be another object. The same goes for pointers that are read on the way there, as q->p in *q->p.
	if !w.IsRead(l) {
		return nil, nil
	}
	return l, w.spell(x, x.Eval(f, f.Return, l), f, l.Type())
}

// spell returns an expression of type typ over formals and globals for term t; nil if t is no sum of
// values that these and places that they lead to held at the start.
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
