package backward

import (
	"c2bp/frontend/core"
	"c2bp/refine/algebra"
	"c2bp/refine/cex"
	"c2bp/refine/technique"
)

// This file replaces pointers by the variables that they point to. Where a pointer holds the address of
// a variable in scope on the path, an atom about the target becomes one about the variable, and that
// the pointer points there is an atom of its own. In drivers, which have one device, the former is often
// about globals alone, and then holds for all procedures at once. If the pointer can point nowhere else
// (alias.Result.Followed), nothing needs to be said of it.

// withTargets returns atom a with variables for the targets of its pointers, as far as these are known
// on the path, and the atoms that the pointers point there. With path values it only replaces pointers
// that have one target in the whole program.
func (w *Walk) withTargets(a core.Expr) []core.Expr {
	if !algebra.ReadsMemory(a) || w.Without.Has(technique.ConcretePointers) {
		return []core.Expr{a}
	}
	if w.Values {
		return []core.Expr{w.Alias.AllFollowed(a)}
	}
	var facts []core.Expr
	seen := map[*core.Var]bool{}
	out := w.replacePointers(a, func(v *core.Var) core.Expr {
		to := w.pointee(v)
		if to != nil && !seen[v] {
			seen[v] = true
			facts = append(facts, &core.Binary{Op: core.Eq, X: v.Ref(), Y: to})
			w.askOtherTargets(a, v, to)
		}
		return to
	})
	return append([]core.Expr{out}, facts...)
}

// mostTargets bounds the places that a pointer is told apart by.
const mostTargets = 4

// otherTargets returns the places besides to, the target on this path, that pointer v may lead to, if
// these are few; nil otherwise. That v leads there is proposed as predicates: other paths will ask
// which of them is meant.
func (w *Walk) otherTargets(v *core.Var, to core.Expr) (out []core.Expr) {
	places, ok := w.Alias.Places(v.Ref(), mostTargets)
	if !ok || w.Without.Has(technique.OtherTargets) {
		return nil
	}
	for _, p := range places {
		if !core.Equal(p, to) {
			w.Found.Add(w.frame.Proc, &core.Binary{Op: core.Eq, X: v.Ref(), Y: p})
			out = append(out, p)
		}
	}
	return out
}

// askOtherTargets proposes atom a, about the place to, the target of v on this path, for each of the
// other places that v may lead to, as a predicate. If a driver has three requests in its one device, a
// predicate that matters for one matters for all.
func (w *Walk) askOtherTargets(a core.Expr, v *core.Var, to core.Expr) {
	for _, p := range w.otherTargets(v, to) {
		w.Found.Add(w.frame.Proc, w.replacePointers(a, func(u *core.Var) core.Expr {
			if u == v {
				return p
			}
			return w.pointee(u)
		}))
	}
}

// replacePointers replaces the pointer variables that a follows: by returns the address for one, nil to
// keep it.
func (w *Walk) replacePointers(a core.Expr, by func(*core.Var) core.Expr) core.Expr {
	return core.Replace(a, func(x core.Expr) core.Expr {
		m, ok := x.(*core.Mem)
		if !ok {
			return nil
		}
		out := *m
		out.Addr = core.Replace(w.Alias.Followed(m.Addr), func(y core.Expr) core.Expr {
			switch y := y.(type) {
			case *core.Mem:
				return w.replacePointers(y, by)
			case *core.VarRef:
				if _, isPtr := y.Var.Type.(core.Ptr); isPtr && !y.Var.InMemory() && y.Var.Kind != core.Ghost {
					return by(y.Var)
				}
			}
			return nil
		})
		return &out
	})
}

// pointee returns the address that v holds on the path, if that lies in a global or in a variable of
// the present activation; else nil.
func (w *Walk) pointee(v *core.Var) core.Expr {
	value := w.now.Values[cex.SlotOf(w.frame, v)]
	if value == nil {
		return nil
	}
	p := w.frame.Proc
	return w.now.SpellAddress(value, w.frame, v.Type.(core.Ptr), w.Prog.Globals, p.Formals, p.Locals)
}

// statement returns s with variables for the targets of its pointers, as far as these are known on the
// path, and the atoms that the pointers point there.
func (w *Walk) statement(s core.Stmt) (core.Stmt, []core.Expr) {
	if w.Values || w.Without.Has(technique.ConcretePointers) {
		return s, nil
	}
	var facts []core.Expr
	by := func(v *core.Var) core.Expr {
		to := w.pointee(v)
		if to != nil {
			facts = append(facts, &core.Binary{Op: core.Eq, X: v.Ref(), Y: to})
			w.otherTargets(v, to)
		}
		return to
	}
	expr := func(e core.Expr) core.Expr { return w.replacePointers(e, by) }
	address := func(e core.Expr) core.Expr {
		m := w.replacePointers(&core.Mem{Addr: e, Typ: core.Int8}, by)
		return m.(*core.Mem).Addr
	}
	switch s := s.(type) {
	case *core.Assign:
		out := &core.Assign{}
		for i, l := range s.Lhs {
			out.Lhs = append(out.Lhs, expr(l).(core.Loc))
			out.Rhs = append(out.Rhs, expr(s.Rhs[i]))
		}
		return out, facts
	case *core.Copy:
		out := *s
		out.Dst, out.Src = address(s.Dst), address(s.Src)
		return &out, facts
	case *core.Fill:
		out := *s
		out.Dst = address(s.Dst)
		return &out, facts
	}
	return s, nil
}
