package backward

import (
	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/refine/algebra"
	"c2bp/refine/cex"
)

// This file finds out how values of a caller came into a callee, so that the callee has words for them:
//
//	arguments          what is passed, by its text
//	valueProvenance    a variable that equals an argument, a global or a constant on the path
//	pointerProvenance  a pointer in memory that equals an argument on the path: the call passes r, the
//	                   pointer is 'e->tx, and on the path r is e->tx
//	nearbyArgument     an address with the base of an argument
//	placeProvenance    a place in memory at a constant distance from an argument on the path
//	memoryProvenance   a pointer at a constant distance from one that the callee reads, as its arguments
//	                   lead to it: in both, s = q->priv for the argument q (memory.go)
//
// What holds on the path alone becomes an atom in the caller at the call: the proof needs it.

// arguments maps the arguments of a call, by their texts, to the symbolic constants of the formals that
// they are passed to. An argument that the call may change is not in it, nor is a constant.
func (w *Walk) arguments(call *core.Call, f *cex.Frame) map[string]core.Expr {
	byText := map[string]core.Expr{}
	for i, a := range call.Args {
		if i < len(f.Proc.Formals) && w.isUnchangedBy(a, call) && algebra.IsScalar(f.Proc.Formals[i].Type) && !algebra.IsConst(a) {
			ghost := w.Constants.Of(f.Proc, f.Proc.Formals[i].Ref()).Ref()
			byText[core.ExprString(a)] = ghost
			if k, ok := a.(*core.Conv); ok && algebra.KeepsValue(k) {
				byText[core.ExprString(k.X)] = algebra.Convert(ghost, k.X.Type())
			}
		}
	}
	return byText
}

// valueProvenance returns an expression of the callee's for the value that the caller's variable v has
// at the call on the path; nil if there is none. That the two are equal is an atom in the caller at the
// call, as the proof needs it.
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
	// 1. The value of an argument.
	for i, a := range s.args {
		if !w.Values && a == value && i < len(f.Proc.Formals) {
			equal(call.Args[i])
			return algebra.Convert(w.Constants.Of(f.Proc, f.Proc.Formals[i].Ref()).Ref(), v.Type)
		}
	}
	// 2. The value of a global.
	for _, g := range w.Prog.Globals {
		if !w.Values && !g.InMemory() && algebra.IsScalar(g.Type) && s.values[cex.Slot{Var: g}] == value {
			equal(g.Ref())
			return algebra.Convert(w.Constants.Of(f.Proc, g.Ref()).Ref(), v.Type)
		}
	}
	// 3. A pointer that the callee reads at its entry.
	if _, isPtr := v.Type.(core.Ptr); isPtr && !w.Values {
		if inside, before := w.memoryProvenance(v, call, f); inside != nil {
			equal(before)
			return inside
		}
	}
	// 4. A constant.
	if t, ok := v.Type.(core.Int); ok && value.IsConst() && t.Contains(value.Val) {
		k := &core.Const{Val: value.Val, Typ: t}
		equal(k)
		return k
	}
	return nil
}

// pointerProvenance returns m, a pointer in memory that the call cannot change, in terms of the callee:
// the symbolic constant of a formal that got the same value on the path; nil if there is none. That
// the two are equal is an atom in the caller at the call, as the proof needs it.
func (w *Walk) pointerProvenance(m *core.Mem, call *core.Call, f *cex.Frame) core.Expr {
	if _, isPtr := m.Typ.(core.Ptr); !isPtr || w.Values || !w.isUnchangedBy(m, call) {
		return nil
	}
	now, ok := asNow(m, f.Caller.Proc)
	if !ok {
		return nil
	}
	x := w.atCall(f)
	value := x.Eval(f.Caller, f.Call, now)
	for i, v := range f.Proc.Formals {
		if i >= len(call.Args) || call.Args[i] == nil || v.Type != m.Typ || !w.isUnchangedBy(call.Args[i], call) {
			continue
		}
		if x.Eval(f.Caller, f.Call, call.Args[i]) == value {
			w.facts[f] = append(w.facts[f], &core.Binary{Op: core.Eq, X: m, Y: call.Args[i]})
			return w.Constants.Of(f.Proc, v.Ref()).Ref()
		}
	}
	return nil
}

// atCall returns the execution of the path up to the call that started f.
func (w *Walk) atCall(f *cex.Frame) *cex.Execution {
	if w.starts == nil {
		w.starts = map[*cex.Frame]*cex.Execution{}
	}
	if w.starts[f] == nil {
		w.starts[f] = w.Execute(logic.NewTable(), w.Path, 0, f.Call)
	}
	return w.starts[f]
}

// asNow returns e with formals for their symbolic constants; ok is false if that may not be the same
// now, because p assigns to one of them.
func asNow(e core.Expr, p *core.Proc) (now core.Expr, ok bool) {
	ok = true
	now = core.Replace(e, func(x core.Expr) core.Expr {
		r, isRef := x.(*core.VarRef)
		if !isRef || r.Var.Kind != core.Ghost {
			return nil
		}
		start, isRef := r.Var.Init.(*core.VarRef)
		ok = ok && isRef && start.Var.Kind == core.Formal && !start.Var.InMemory() && !assigned(p, start.Var)
		return r.Var.Init
	})
	return now, ok
}

// assigned reports whether a statement of p assigns to v.
func assigned(p *core.Proc, v *core.Var) bool {
	for _, n := range p.Nodes {
		for _, l := range core.Destinations(n.Stmt) {
			if algebra.Variable(l) == v {
				return true
			}
		}
	}
	return false
}

// nearbyArgument returns an address of the caller's at a constant distance from an argument in terms of
// the callee; nil if there is no such argument.
func (w *Walk) nearbyArgument(address core.Expr, call *core.Call, f *cex.Frame) core.Expr {
	base, off := algebra.Base(address)
	for i, v := range f.Proc.Formals {
		if call.Args[i] == nil || v.InMemory() || !w.isUnchangedBy(call.Args[i], call) {
			continue
		}
		if b, at := algebra.Base(call.Args[i]); core.Equal(b, base) {
			return rebased(address, call.Args[i], w.Constants.Of(f.Proc, v.Ref()).Ref(), off-at)
		}
	}
	return nil
}

// placeProvenance returns l, a place in memory that variables of the caller lead to, in terms of the
// callee: at an address relative to one that was passed; nil if there is none.
func (w *Walk) placeProvenance(l core.Loc, call *core.Call, f *cex.Frame) core.Loc {
	m, ok := l.(*core.Mem)
	if !ok {
		m = &core.Mem{Addr: algebra.Address(l, w.Bits), Typ: l.Type()}
	}
	out := *m
	// 1. The address mentions arguments, and no other variable of the caller.
	byText := w.arguments(call, f)
	out.Addr = core.Replace(m.Addr, func(x core.Expr) core.Expr { return byText[core.ExprString(x)] })
	if !core.Mentions(out.Addr, func(v *core.Var) bool { return v.Kind != core.Ghost && w.foreign(v) }) &&
		!core.Mentions(out.Addr, func(v *core.Var) bool { return v.Proc != nil && v.Proc != f.Proc }) {
		return &out
	}
	// 2. Its base is that of an argument.
	if out.Addr = w.nearbyArgument(m.Addr, call, f); out.Addr != nil {
		return &out
	}
	// 3. On the path its base is at a constant distance from the value of an argument. The nearest one is
	// taken, and that the distance is so becomes an atom in the caller at the call.
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
		// 4. On the path its base is at a constant distance from a pointer that the callee reads at its entry.
		inside, before := w.memoryProvenance(r.Var, call, f)
		if inside == nil {
			return nil
		}
		w.facts[f] = append(w.facts[f], &core.Binary{Op: core.Eq, X: base, Y: before})
		out.Addr = rebased(m.Addr, base, inside, off)
		return &out
	}
	if same := algebra.Displace(call.Args[best], at-off); !core.Equal(same, base) {
		w.facts[f] = append(w.facts[f], &core.Binary{Op: core.Eq, X: base, Y: same})
	}
	formal := f.Proc.Formals[best]
	start := w.Constants.Of(f.Proc, formal.Ref()).Ref()
	out.Addr = algebra.Displace(start, at)
	// 5. The names of members are kept where the callee's pointer is declared to point to the same type. Elsewhere
	// they would claim a type that the callee does not use it as.
	if to := target(r.Var); at == off && to != nil && to == formal.To {
		out.Addr = rebased(m.Addr, base, start, at)
	}
	return &out
}

// target returns the type that v is declared to point to, nil if there is none that is known. A symbolic constant
// is declared as the variable that it stands for.
func target(v *core.Var) *core.Record {
	if start, ok := v.Init.(*core.VarRef); ok && v.Kind == core.Ghost {
		return start.Var.To
	}
	return v.To
}

// abs returns the absolute value of x.
func abs(x int64) int64 { return max(x, -x) }
