package backward

import (
	"c2bp/frontend/core"
	"c2bp/refine/algebra"
	"c2bp/refine/cex"
	"c2bp/refine/technique"
	"c2bp/wp"
)

// This file takes the frontier from a caller into a callee and out again. A local variable of the
// caller is no word of the callee's language. In the callee it becomes one of
//
//	'f       if its value came in through formal f
//	*'p      if it is the target of a pointer that came in through formal p
//	'g       if on the path it equals what global g held at the call
//	k        if on the path it was the constant k
//
// With the first three, predicates are polymorphic: they serve all calls.

// inTermsOfCallee returns e, about the state at the return of activation f, without variables of the
// caller; nil if that cannot be said.
func (w *Walk) inTermsOfCallee(e core.Expr, call *core.Call, f *cex.Frame) core.Expr {
	byText := w.arguments(call, f)
	known := true
	e = core.Replace(e, func(x core.Expr) core.Expr {
		// 1. A variable of the caller in memory: the target of an argument that is its address.
		if l, ok := x.(*core.VarRef); ok && l.Var.InMemory() && w.foreign(l.Var) {
			if p := byText[core.ExprString(algebra.Address(l, w.Bits))]; p != nil {
				return &core.Mem{Addr: p, Typ: l.Var.Type}
			}
		}
		// 2. An argument itself.
		if by := byText[core.ExprString(x)]; by != nil {
			return by
		}
		// 3. A pointer in the caller's memory that equals an argument.
		if m, ok := x.(*core.Mem); ok && core.Mentions(m, w.foreign) {
			if by := w.pointerProvenance(m, call, f); by != nil {
				return by
			}
		}
		// 4. A variable of the caller that equals an argument, a global, or a constant.
		if l, ok := x.(*core.VarRef); ok && !l.Var.InMemory() && w.foreign(l.Var) {
			by := w.valueProvenance(l.Var, call, f)
			known = known && by != nil
			return by
		}
		// 5. Anything else of the caller's has no name.
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

// returned returns the variable that stands for the result of q while atoms are carried into it. It is
// distinct from the caller's variables, also where q calls itself, and has a name of its own: the
// result may be a formal, which symbolic constants speak of.
func (w *Walk) returned(q *core.Proc) *core.Var {
	if w.result == nil {
		v := *q.Result
		v.Name = "\\result of " + q.Name
		w.result = &v
	}
	return w.result
}

// foreign reports whether v is a variable or symbolic constant of the caller.
func (w *Walk) foreign(v *core.Var) bool { return v.Kind != core.Global && v != w.result }

// isUnchangedBy reports whether the call cannot change the places that e reads.
func (w *Walk) isUnchangedBy(e core.Expr, call *core.Call) bool {
	for _, l := range core.Locs(e) {
		if w.Alias.Affected(call, l) {
			return false
		}
	}
	return true
}

// intoCallee takes the frontier, which is after the call that started activation f, to the return of
// f. Atoms that the call cannot change wait in the caller.
func (w *Walk) intoCallee(f *cex.Frame) {
	// 1. The destination of the call's result, with its pointers replaced by their targets.
	call := w.Path.Steps[f.Call].Stmt().(*core.Call)
	after := w.frontier
	w.frontier = nil
	to, facts := w.destination(call, f)
	w.frame = f
	// 2. Hints about the callee's result are predicates of the caller, too.
	var wait, inside []core.Expr
	w.atCaller(f, call)
	for _, a := range after {
		w.Found.Add(f.Caller.Proc, a)
		// 3. The atom at the return, with the callee's result for the destination. Does the callee decide
		// anything in it?
		e, depends := w.atReturn(a, call, to, f.Proc)
		if !depends {
			wait = append(wait, a)
			continue
		}
		w.facts[f] = append(w.facts[f], facts...)
		facts = nil
		// 4. Does it also speak of the caller's variables, or is there a summary of the callee? Then split
		// it into the effect of the callee and a fact before the call.
		if !w.Values && (w.Sums[f.Proc] != nil || core.Mentions(e, w.foreign)) && !w.Without.Has(technique.CalleeSummaries) {
			if callee, before, ok := w.summarise(e, call, f); ok {
				// a. Bounds by an argument: the callee's value was a constant by accident.
				if bound := w.argumentBound(e, callee, call, f); bound != nil {
					inside = append(inside, bound)
					continue
				}
				// b. The effect is carried back through the callee; a recursive procedure's is proposed as
				// it stands. The fact waits at the call.
				inside = append(inside, callee...)
				if w.Recursion {
					for _, e := range callee {
						w.Found.Add(f.Proc, e)
					}
				}
				w.facts[f] = append(w.facts[f], before)
				continue
			}
		}
		// 5. Otherwise say the whole atom in terms of the callee, if that is possible.
		if w.Sums[f.Proc] != nil {
			continue // hints say what matters of it
		}
		if e = w.inTermsOfCallee(e, call, f); e != nil {
			inside = append(inside, e)
		}
	}
	w.waiting[f.Caller] = wait
	w.addAll(inside)
}

// atCaller proposes the hints about the result of activation f as predicates of the caller after the
// call, if it has words for all of them.
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
			case r.Var == f.Proc.Result: // it is in the destination now
				return algebra.Convert(call.Lhs, r.Var.Type)
			case r.Var.Kind == core.Ghost:
				// A formal held the argument at the entry, which the caller still has unless it is the
				// destination. The value of a global at the entry is forgotten.
				arg := wp.Actual(call, r.Var.Init)
				known = known && arg != r.Var.Init && !w.reads(arg, call.Lhs)
				return arg
			}
			return nil
		})
		if simple, trivial := algebra.Simplify(e, false); known && !trivial {
			w.Found.Add(f.Caller.Proc, simple)
		}
	}
}

// destination returns the place in which the call that started f stores its result, with variables for
// the targets of its pointers, and the atoms that the pointers point there.
func (w *Walk) destination(call *core.Call, f *cex.Frame) (to core.Loc, facts []core.Expr) {
	if call.Lhs == nil || w.Values || w.Without.Has(technique.ConcretePointers) {
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

// atReturn returns a, an atom of the caller after the call, with the callee's result for the call's
// destination, which is spelt as in the call or as to; depends is set if the callee may decide a.
func (w *Walk) atReturn(a core.Expr, call *core.Call, to core.Loc, q *core.Proc) (e core.Expr, depends bool) {
	e, w.result = a, nil
	// 1. A scalar result.
	if call.Lhs != nil && q.Result != nil && algebra.IsScalar(q.Result.Type) && algebra.IsScalar(call.Lhs.Type()) {
		var result core.Expr = w.returned(q).Ref()
		if call.ResultConv != nil {
			result = algebra.Convert(result, *call.ResultConv)
		}
		e = core.Replace(a, func(x core.Expr) core.Expr {
			if l, ok := x.(core.Loc); ok && (core.Equal(l, call.Lhs) || core.Equal(l, to)) {
				depends = true
				return result
			}
			return nil
		})
	}
	// 2. Members of a struct that the call returns.
	e = core.Replace(e, func(x core.Expr) core.Expr {
		if l, ok := x.(core.Loc); ok {
			if m := w.member(l, call, q); m != nil {
				depends = true
				return m
			}
		}
		return nil
	})
	// 3. Places that the callee may change.
	for _, l := range core.Locs(e) {
		depends = depends || w.Alias.Affected(call, l)
	}
	return e, depends
}

// outOfCallee takes the frontier from the entry of activation g to before its call.
func (w *Walk) outOfCallee(g *cex.Frame, call *core.Call) {
	// 1. Propose the frontier at the callee's entry.
	inside := w.frontier
	w.frontier = nil
	for _, a := range inside {
		w.Found.Add(g.Proc, a)
	}
	// 2. Atoms that waited in the caller, and facts at the call, join the frontier.
	w.addAll(w.waiting[g.Caller])
	delete(w.waiting, g.Caller)
	w.addAll(w.facts[g])
	delete(w.facts, g)
	// 3. From one depth of a recursion to the next nothing is carried: n <= 0 would become n <= 1.
	if w.Sums[g.Proc] != nil && w.Sums[g.Caller.Proc] != nil {
		return
	}
	// 4. At the entry, symbolic constants equal the lvalues that they are constants of; before the call,
	// formals are the arguments.
	for _, a := range inside {
		if core.Mentions(a, func(v *core.Var) bool { return v.Kind == core.Local || v.Kind == core.Temp }) {
			continue // it reads a variable that was not set
		}
		a = AtEntry(a)
		w.Found.Add(g.Proc, a) // callers can state it of their arguments
		w.addAll([]core.Expr{wp.Actual(call, a)})
	}
}

// AtEntry returns e with the lvalues in the place of their symbolic constants, as they are at the entry.
func AtEntry(e core.Expr) core.Expr {
	return core.Replace(e, func(x core.Expr) core.Expr {
		if r, ok := x.(*core.VarRef); ok && r.Var.Kind == core.Ghost {
			return r.Var.Init
		}
		return nil
	})
}
