package abstract

import (
	"slices"

	"c2bp/abstract/refs"
	"c2bp/frontend/core"
)

// This file adds predicates on the functions that objects hold. For the call t->fn(t->data), which begins with
// a comparison of t->fn with each function that it may be, and for
//
//	void timer_setup(struct timer *t, void (*fn)(void *), void *data) { t->fn = fn; … }
//
// they are fn == dev_timeout of each timer, and fn == dev_timeout in timer_setup: so an object says which
// function is called with its data.

// functionPredicates finds them.
type functionPredicates struct {
	h     *heap
	procs []*core.Proc
	names map[scopeName]bool
	list  []*Predicate // of procedures
}

// addFunctions adds predicates on functions to h, and returns those of procedures.
func (h *heap) addFunctions(procs []*core.Proc) []*Predicate {
	x := &functionPredicates{h: h, procs: procs, names: map[scopeName]bool{}}
	for _, p := range procs {
		for _, n := range p.Nodes {
			core.Walk(core.Condition(n.Stmt), func(e core.Expr) bool {
				if b, ok := e.(*core.Binary); ok {
					x.compared(b)
				}
				return true
			})
		}
	}
	return x.list
}

// compared adds the predicates for a comparison of a member with a function.
func (x *functionPredicates) compared(b *core.Binary) {
	m, isMember := b.X.(*core.Mem)
	f, isFunction := b.Y.(*core.FuncAddr)
	if !isMember || !isFunction {
		return
	}
	place := x.h.plan.Locate(m.Addr, core.Bytes(m.Typ), nil)
	if place.Pointer == nil || place.At.Some || place.At.Size < 0 {
		return
	}
	for _, c := range x.h.classesAt(place) {
		x.member(c, m, place.At.Off, f)
	}
}

// classesAt returns the classes of the object that a place may be in.
func (h *heap) classesAt(place refs.Place) []*refs.Class {
	if place.Class != nil {
		return []*refs.Class{place.Class}
	}
	return h.plan.ClassesOf(place.Pointer, nil)
}

// member adds the predicate that the member at an offset of an object of class c is f, and those on the
// values that are assigned to it.
func (x *functionPredicates) member(c *refs.Class, like *core.Mem, off int64, f *core.FuncAddr) {
	// 1. Of the object.
	o, ok := like.Addr.(*core.Offset)
	if !ok || o.Field == "" || off+core.Bytes(like.Typ) > c.Record.Size {
		return
	}
	name := o.Field + " == " + f.Proc.CName
	if slices.ContainsFunc(x.h.preds[c], func(p *Predicate) bool { return p.Name == name }) {
		return
	}
	place := like.At(&core.Offset{X: c.This.Ref(), Off: off, Of: c.Record, Member: off, Field: o.Field})
	p := NewPredicate(nil, &core.Binary{Op: core.Eq, X: place, Y: f}, name)
	p.This, p.Auto = c.This, true
	x.h.preds[c] = append(x.h.preds[c], p)
	// 2. Of the values.
	for _, q := range x.procs {
		for _, n := range q.Nodes {
			s, ok := n.Stmt.(*core.Assign)
			if !ok {
				continue
			}
			for i, l := range s.Lhs {
				if m, ok := l.(*core.Mem); ok && x.isMember(m, c, off) {
					x.value(q, s.Rhs[i], f)
				}
			}
		}
	}
}

// isMember reports whether a place may be the member at an offset of an object of class c.
func (x *functionPredicates) isMember(m *core.Mem, c *refs.Class, off int64) bool {
	place := x.h.plan.Locate(m.Addr, core.Bytes(m.Typ), nil)
	return place.Pointer != nil && place.At.Off == off && slices.Contains(x.h.classesAt(place), c)
}

// value adds the predicate that a variable of q is f, if e is one, and those on the values that it has.
func (x *functionPredicates) value(q *core.Proc, e core.Expr, f *core.FuncAddr) {
	r, ok := e.(*core.VarRef)
	if !ok || r.Var.InMemory() || r.Var.Kind == core.Global {
		return
	}
	// 1. The predicate, once.
	name := r.Var.Name + " == " + f.Proc.CName
	if x.names[scopeName{q, name}] {
		return
	}
	x.names[scopeName{q, name}] = true
	p := NewPredicate(q, &core.Binary{Op: core.Eq, X: r, Y: f}, name)
	p.Auto = true
	x.list = append(x.list, p)
	// 2. Where the value comes from: assignments, or the calls of q.
	for _, caller := range x.procs {
		for _, n := range caller.Nodes {
			switch s := n.Stmt.(type) {
			case *core.Assign:
				for i, l := range s.Lhs {
					if v := variable(l); caller == q && v == r.Var {
						x.value(q, s.Rhs[i], f)
					}
				}
			case *core.Call:
				if i := slices.Index(q.Formals, r.Var); s.Callee == q && i >= 0 {
					x.value(caller, s.Args[i], f)
				}
			}
		}
	}
}
