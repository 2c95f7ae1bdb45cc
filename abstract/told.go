package abstract

import (
	"c2bp/abstract/refs"
	"c2bp/frontend/core"
	"c2bp/verdict"
)

// This file reads a state of the Boolean program as conditions of C: the inverse of a view.

// Told is a condition that a state of the Boolean program tells.
type Told struct {
	Expr  core.Expr
	Holds bool
}

// Told lists the conditions that the values of variables in sight in a procedure tell, and those of the objects that
// these lead to: the truth of predicates, of objects that references lead to as well. Values that are "*" tell nothing.
//
//	{n == 1} = 0, queue = A0, A0.{done != 0} = 1        !(n == 1), queue->done != 0
func (r *Result) Told(p *core.Proc, vars []verdict.Value, heap []verdict.Object) (list []Told) {
	tell := func(e core.Expr, v verdict.Value) {
		if v.Val == "0" || v.Val == "1" {
			list = append(list, Told{e, v.Val == "1"})
		}
	}
	// 1. Predicates that are variables.
	a := r.abstraction
	for _, q := range a.set.inScope(p) {
		for _, v := range vars {
			if q.This == nil && v.Name == q.Var() && !core.Mentions(q.Expr, func(w *core.Var) bool { return w.Kind == core.Ghost }) {
				tell(q.Expr, v)
			}
		}
	}
	if a.heap == nil {
		return list
	}
	// 2. Ways to the objects: from variables, and from objects to which there is one.
	ways := map[string]core.Expr{}
	a.heap.waysFrom(a.prog, p, vars, ways)
	for range heap {
		for _, o := range heap {
			c := a.heap.classNamed(o.Class)
			if ways[o.Name] == nil || c == nil {
				continue
			}
			for _, f := range c.Fields {
				addWay(ways, o.Fields, f.Name, f.At(ways[o.Name], c))
			}
		}
	}
	// 3. The predicates of these.
	for _, o := range heap {
		c := a.heap.classNamed(o.Class)
		if ways[o.Name] == nil || c == nil {
			continue
		}
		for _, q := range a.heap.preds[c] {
			for _, v := range o.Fields {
				if v.Name == q.Var() {
					tell(a.heap.of(q, ways[o.Name]), v)
				}
			}
		}
	}
	return list
}

// waysFrom adds ways from the variables that a procedure sees to objects.
func (h *heap) waysFrom(prog *core.Program, p *core.Proc, vars []verdict.Value, ways map[string]core.Expr) {
	for _, in := range [][]*core.Var{p.Formals, p.Locals, prog.Globals} {
		for _, v := range in {
			for _, c := range h.plan.Var(v) {
				addWay(ways, vars, h.refName(v, c), v.Ref())
			}
			for _, x := range h.plan.Spots(v) {
				addWay(ways, vars, objectName(x), x.Address)
			}
		}
	}
}

// addWay adds the way of a reference with a name to the object that it leads to, if there is none yet.
func addWay(ways map[string]core.Expr, values []verdict.Value, name string, way core.Expr) {
	for _, v := range values {
		if v.Name == name && v.Val != "null" && v.Val != "*" && ways[v.Val] == nil {
			ways[v.Val] = way
		}
	}
}

// classNamed returns the class with a name, nil if there is none.
func (h *heap) classNamed(name string) *refs.Class {
	for _, c := range h.plan.Classes {
		if c.Name == name {
			return c
		}
	}
	return nil
}
