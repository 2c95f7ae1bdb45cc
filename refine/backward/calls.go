package backward

import (
	"slices"

	"c2bp/frontend/core"
	"c2bp/refine/algebra"
	"c2bp/refine/cex"
	"c2bp/refine/technique"
	"c2bp/wp"
)

// This file says in terms of a callee what matters to a caller behind the call: a local
// variable of the caller is no word of the callee's language. If its value came in through
// a formal f, it is 'f there; through a pointer, *'p: so polymorphic predicates are found,
// which serve all calls. If it equals what a global held at the call, it is the symbolic
// constant of the global. If it was a constant on the path, it is that constant.

// arguments maps what a call passes, by text, to what it is for the callee: the symbolic
// constants of formals. What the call may change is not there.
func (w *Walk) arguments(call *core.Call, f *cex.Frame) map[string]core.Expr {
	byText := map[string]core.Expr{}
	for i, a := range call.Args {
		if i < len(f.Proc.Formals) && w.isUnchangedBy(a, call) && algebra.IsScalar(f.Proc.Formals[i].Type) && !algebra.IsConst(a) {
			ghost := w.constants.Of(f.Proc, f.Proc.Formals[i].Ref()).Ref()
			byText[core.ExprString(a)] = ghost
			if k, ok := a.(*core.Conv); ok && algebra.KeepsValue(k) {
				byText[core.ExprString(k.X)] = algebra.Convert(ghost, k.X.Type())
			}
		}
	}
	return byText
}

// inTermsOfCallee is e, about the state at the return of the activation f, without
// variables of the caller; nil if that cannot be said.
func (w *Walk) inTermsOfCallee(e core.Expr, call *core.Call, f *cex.Frame) core.Expr {
	byText := w.arguments(call, f)
	known := true
	e = core.Replace(e, func(x core.Expr) core.Expr {
		if l, ok := x.(*core.VarRef); ok && l.Var.InMemory() && w.foreign(l.Var) {
			if p := byText[core.ExprString(algebra.Address(l))]; p != nil {
				return &core.Mem{Addr: p, Typ: l.Var.Type}
			}
		}
		if by := byText[core.ExprString(x)]; by != nil {
			return by
		}
		if m, ok := x.(*core.Mem); ok && core.Mentions(m, w.foreign) {
			if by := w.pointerProvenance(m, call, f); by != nil {
				return by
			}
		}
		if l, ok := x.(*core.VarRef); ok && !l.Var.InMemory() && w.foreign(l.Var) {
			by := w.valueProvenance(l.Var, call, f)
			known = known && by != nil
			return by
		}
		if a, ok := x.(*core.AddrOf); ok && w.foreign(a.Var) {
			known = false
		}
		if l, ok := x.(*core.VarRef); ok && w.foreign(l.Var) && l.Var.InMemory() {
			known = false
		}
		return nil
	})
	if !known {
		return nil
	}
	return w.ofResult(e, f)
}

// returned is a variable that stands for the result of q. It is distinct from the
// caller's variables, also where q calls itself, and by name from those that q is given: the
// result may be a formal.
func (w *Walk) returned(q *core.Proc) *core.Var {
	if w.result == nil {
		v := *q.Result
		v.Name = "\\result of " + q.Name
		w.result = &v
	}
	return w.result
}

// foreign reports whether v is a variable or symbolic constant of the caller's.
func (w *Walk) foreign(v *core.Var) bool { return v.Kind != core.Global && v != w.result }

// isFixed reports whether the call cannot change what e reads.
func (w *Walk) isUnchangedBy(e core.Expr, call *core.Call) bool {
	for _, l := range core.Locs(e) {
		if w.Alias.Affected(call, l) {
			return false
		}
	}
	return true
}

// byValue is an expression of the callee's for the value of the caller's v; nil if none
// is seen. That the two are equal is a fact about the caller's state at the call, which
// the proof needs too.
func (w *Walk) valueProvenance(v *core.Var, call *core.Call, f *cex.Frame) core.Expr {
	s := w.calls[f.Call]
	if s == nil {
		return nil
	}
	value := s.valueOf(v, f.Caller)
	if value == nil {
		return nil
	}
	equal := func(to core.Expr) {
		if to.Type() == v.Type {
			w.facts[f] = append(w.facts[f], &core.Binary{Op: core.Eq, X: v.Ref(), Y: to})
		}
	}
	for i, a := range s.args {
		if !w.Values && a == value && i < len(f.Proc.Formals) {
			equal(call.Args[i])
			return algebra.Convert(w.constants.Of(f.Proc, f.Proc.Formals[i].Ref()).Ref(), v.Type)
		}
	}
	for _, g := range w.Prog.Globals {
		if !w.Values && !g.InMemory() && algebra.IsScalar(g.Type) && s.values[cex.Slot{Frame: nil, Var: g}] == value {
			equal(g.Ref())
			return algebra.Convert(w.constants.Of(f.Proc, g.Ref()).Ref(), v.Type)
		}
	}
	if t, ok := v.Type.(core.Int); ok && value.IsConst() && t.Contains(value.Val) {
		k := &core.Const{Val: value.Val, Typ: t}
		equal(k)
		return k
	}
	return nil
}

// intoCallee goes, backwards, from behind a call into the callee, f, at its return.
// What the call cannot change waits in the caller.
func (w *Walk) intoCallee(f *cex.Frame) {
	call := w.path.Steps[f.Call].Stmt().(*core.Call)
	after := w.frontier
	w.frontier = nil
	to, facts := w.destination(call, f)
	w.frame = f
	var wait, inside []core.Expr
	w.atCaller(f, call)
	for _, a := range after {
		w.found.Add(f.Caller.Proc, a)
		e, depends := w.atReturn(a, call, to, f.Proc)
		if !depends {
			wait = append(wait, a)
			continue
		}
		w.facts[f] = append(w.facts[f], facts...)
		facts = nil
		if !w.Values && !w.Without[technique.CalleeSummaries] && (w.Sums[f.Proc] != nil || core.Mentions(e, w.foreign)) {
			if callee, before, ok := w.summarise(e, call, f); ok {
				if bound := w.argumentBound(e, callee, call, f); bound != nil {
					inside = append(inside, bound)
					continue
				}
				inside = append(inside, callee...)
				if w.Recursion {
					for _, e := range callee {
						w.found.Add(f.Proc, e)
					}
				}
				w.facts[f] = append(w.facts[f], before)
				continue
			}
		}
		if w.Sums[f.Proc] != nil {
			continue // what matters of it is hinted at
		}
		if e = w.inTermsOfCallee(e, call, f); e != nil {
			inside = append(inside, e)
		}
	}
	w.waiting[f.Caller] = wait
	w.addAll(inside)
}

// atCaller says to the caller what is hinted at about the result of the activation f, where
// it has words for that.
func (w *Walk) atCaller(f *cex.Frame, call *core.Call) {
	if !w.Recursion || call.Lhs == nil || f.Proc.Result == nil || !algebra.IsScalar(call.Lhs.Type()) {
		return
	}
	for _, e := range w.Hints[f.Return] {
		known := true
		e = core.Replace(e, func(x core.Expr) core.Expr {
			r, ok := x.(*core.VarRef)
			switch {
			case !ok:
				return nil
			case r.Var == f.Proc.Result:
				return algebra.Convert(call.Lhs, r.Var.Type)
			case r.Var.Kind == core.Ghost:
				arg := wp.Actual(call, r.Var.Init)
				known = known && arg != r.Var.Init && !w.reads(arg, call.Lhs) // not a global's
				return arg
			}
			return nil
		})
		if simple, trivial := algebra.Simplify(e, false); known && !trivial {
			w.found.Add(f.Caller.Proc, simple)
		}
	}
}

// destination is where a call that started f stores the result, with the variables that its
// pointers point to in their place; that they do are facts about the caller's state.
func (w *Walk) destination(call *core.Call, f *cex.Frame) (to core.Loc, facts []core.Expr) {
	if call.Lhs == nil || w.Values || w.Without[technique.ConcretePointers] {
		return call.Lhs, nil
	}
	w.frame = f.Caller
	e := w.replacePointers(call.Lhs, func(v *core.Var) core.Expr {
		to := w.pointee(v)
		if to != nil {
			facts = append(facts, &core.Binary{Op: core.Eq, X: v.Ref(), Y: to})
			w.otherTargets(v, to)
		}
		return to
	})
	return e.(core.Loc), facts
}

// atReturn is a, an atom of the caller behind the call, with the result in the place of
// the call's destination, to; depends is set if the callee has a say in it.
func (w *Walk) atReturn(a core.Expr, call *core.Call, to core.Loc, q *core.Proc) (e core.Expr, depends bool) {
	e, w.result = a, nil
	if call.Lhs != nil && q.Result != nil && algebra.IsScalar(q.Result.Type) && algebra.IsScalar(call.Lhs.Type()) {
		var result core.Expr = w.returned(q).Ref()
		if call.ResultConv != nil {
			result = algebra.Convert(result, *call.ResultConv)
		}
		names := []string{core.ExprString(call.Lhs), core.ExprString(to)}
		e = core.Replace(a, func(x core.Expr) core.Expr {
			if l, ok := x.(core.Loc); ok && slices.Contains(names, core.ExprString(l)) {
				depends = true
				return result
			}
			return nil
		})
	}
	e = core.Replace(e, func(x core.Expr) core.Expr {
		if l, ok := x.(core.Loc); ok {
			if m := w.member(l, call, q); m != nil {
				depends = true
				return m
			}
		}
		return nil
	})
	for _, l := range core.Locs(e) {
		depends = depends || w.Alias.Affected(call, l)
	}
	return e, depends
}

// outOfCallee goes, backwards, from the entry of the activation g to before its call.
func (w *Walk) outOfCallee(g *cex.Frame, call *core.Call) {
	inside := w.frontier
	w.frontier = nil
	for _, a := range inside {
		w.found.Add(g.Proc, a)
	}
	w.addAll(w.waiting[g.Caller])
	delete(w.waiting, g.Caller)
	w.addAll(w.facts[g])
	delete(w.facts, g)
	if w.Sums[g.Proc] != nil && w.Sums[g.Caller.Proc] != nil {
		return // from one depth of the recursion to the next, n <= 0 becomes n <= 1
	}
	for _, a := range inside {
		if core.Mentions(a, func(v *core.Var) bool { return v.Kind == core.Local || v.Kind == core.Temp }) {
			continue // nobody has set it
		}
		a = AtEntry(a)
		w.found.Add(g.Proc, a) // for callers to say
		w.addAll([]core.Expr{wp.Actual(call, a)})
	}
}

// AtEntry is e at the entry, where symbolic constants are what they are constants for.
func AtEntry(e core.Expr) core.Expr {
	return core.Replace(e, func(x core.Expr) core.Expr {
		if r, ok := x.(*core.VarRef); ok && r.Var.Kind == core.Ghost {
			return r.Var.Init
		}
		return nil
	})
}
