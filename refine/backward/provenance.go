package backward

import (
	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/refine/algebra"
	"c2bp/refine/cex"
)

// This file finds the formal of a callee through which a pointer of the caller came in, if that cannot
// be read off the call: the call passes r, the pointer is 'e->tx, and on the path r is e->tx.

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
			return w.constants.Of(f.Proc, v.Ref()).Ref()
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
		w.starts[f] = w.Execute(logic.NewTable(), w.path, 0, f.Call)
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
