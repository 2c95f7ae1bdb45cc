package abstract

import (
	"slices"

	"c2bp/abstract/refs"
	"c2bp/frontend/core"
)

// This file finds the places in objects that the program writes otherwise than through references to these:
// as *i of int *i = &d->state, or a member d->first through &d->first. Object predicates on such a place
// are forgotten of all objects there, so that an ordinary predicate on one of them says more.

// weakWrites are those writes.
type weakWrites struct {
	a    *abstraction
	list []core.Loc
}

// newWeakWrites finds the writes of a program.
func newWeakWrites(a *abstraction) *weakWrites {
	w := &weakWrites{a: a}
	for _, p := range a.procs {
		for _, n := range p.Nodes {
			if c, ok := n.Stmt.(*core.Call); ok && !c.Callee.HasBody() {
				continue // nobody knows more of what it changes
			}
			for _, to := range written(n.Stmt) {
				if v, ok := to.(*core.VarRef); ok && !v.Var.InMemory() {
					continue
				}
				exprs := a.heap.operands(n.Stmt)
				for _, roles := range a.heap.roles(exprs) {
					s := scope{a: a, led: a.heap.follows(append(exprs[:len(exprs):len(exprs)], to), roles)}
					if _, ok := s.through(to); !ok {
						w.list = append(w.list, to)
						break
					}
				}
			}
		}
	}
	return w
}

// change reports whether one of them may change a place that e reads.
func (w *weakWrites) change(e core.Expr) bool {
	return slices.ContainsFunc(core.Locs(e), func(l core.Loc) bool {
		m, ok := l.(*core.Mem)
		return ok && slices.ContainsFunc(w.list, func(to core.Loc) bool {
			t, ok := to.(*core.Mem)
			if !ok {
				t = &core.Mem{Addr: &core.AddrOf{Var: to.(*core.VarRef).Var, Typ: w.a.heap.pointer}, Typ: to.Type()}
			}
			return w.a.alias.MayAlias(t, m)
		})
	})
}

// weakFields lists the pointers in objects of class c that they may change.
func (h *heap) weakFields(c *refs.Class) (list []*refs.Field) {
	for _, f := range c.Fields {
		if h.weak.change(c.Place(f)) {
			list = append(list, f)
		}
	}
	return list
}
