package abstract

import (
	"slices"
	"strings"

	"c2bp/abstract/refs"
	"c2bp/frontend/core"
)

// This file makes object predicates of others. p->state == 1 in some procedure is state == 1 of any object
// of p's type, if all that it reads in memory is in the object at p, and the rest are globals:
//
//	d->state == 1                 struct dev: state == 1
//	d->first->done == g           struct req: done == g
//	d->count == n                 stays, with a local n
//	d->count == e->count          stays, with two objects
//
// It also adds predicates on the functions that objects hold. For the call t->fn(t->data), which begins with
// a comparison of t->fn with each function that it may be, and for
//
//	void timer_setup(struct timer *t, void (*fn)(void *), void *data) { t->fn = fn; … }
//
// they are fn == dev_timeout of each timer, and fn == dev_timeout in timer_setup: so an object says which
// function is called with its data.

// ObjectPredicates returns predicates in which those that say something of one object are object predicates,
// unless package refs refuses to keep its type: the others are as they were.
func ObjectPredicates(preds []*Predicate, pointer core.Ptr) (list []*Predicate) {
	this := map[*core.Record]*core.Var{}
	for _, p := range preds {
		if q := objectPredicate(p, this, pointer); q != nil {
			p = q
		}
		list = append(list, p)
	}
	return list
}

// objectPredicate returns the object predicate that says of any object the same as p of one; nil if there is
// none. this are the pointers to objects that predicates speak of.
func objectPredicate(p *Predicate, this map[*core.Record]*core.Var, pointer core.Ptr) *Predicate {
	// 1. One object that it reads. The pointers on the way to it are no part of what it says.
	_, record, ok := objectOf(p.Expr)
	if !ok || record == nil {
		return nil
	}
	v := this[record]
	if v == nil {
		v = &core.Var{Name: "this", Type: pointer, Kind: core.Ghost, To: record}
		this[record] = v
	}
	e := core.Replace(p.Expr, func(e core.Expr) core.Expr {
		m, ok := e.(*core.Mem)
		if !ok {
			return nil
		}
		o := m.Addr.(*core.Offset)
		return m.At(&core.Offset{X: v.Ref(), Off: o.Member, Field: o.Field, Of: o.Of, Member: o.Member})
	})
	// 2. The rest is the same for each object.
	if core.Mentions(e, func(w *core.Var) bool { return w != v && w.Kind != core.Global }) {
		return nil
	}
	name := strings.ReplaceAll(core.CString(e), "this->", "")
	q := NewPredicate(nil, e, name)
	q.This, q.Auto, q.plain = v, p.Auto, p
	return q
}

// objectOf returns the pointer to the one object that e reads, and the type of that; ok is false if it reads
// none, or several.
func objectOf(e core.Expr) (object core.Expr, record *core.Record, ok bool) {
	ok = true
	core.Walk(e, func(e core.Expr) bool {
		m, isMem := e.(*core.Mem)
		if !isMem {
			// The value of an address is none of an object.
			_, isAddress := e.(*core.AddrOf)
			ok = ok && !isAddress
			return true
		}
		o, isMember := m.Addr.(*core.Offset)
		if !isMember || o.Of == nil {
			ok = false
			return false
		}
		first := o.X
		if o.Off != o.Member { // a struct in another one
			first = &core.Offset{X: o.X, Off: o.Off - o.Member}
		}
		ok = ok && (object == nil || core.Equal(object, first))
		object, record = first, o.Of
		return false // not into the way to the object
	})
	return object, record, ok && object != nil
}

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
			core.Walk(orNull(core.Condition(n.Stmt), h), func(e core.Expr) bool {
				if b, ok := e.(*core.Binary); ok {
					x.compared(b)
				}
				return true
			})
		}
	}
	return x.list
}

// orNull returns e, or a constant if there is none.
func orNull(e core.Expr, h *heap) core.Expr {
	if e == nil {
		return core.Null(h.pointer)
	}
	return e
}

// compared adds the predicates for a comparison of a member with a function.
func (x *functionPredicates) compared(b *core.Binary) {
	m, isMember := b.X.(*core.Mem)
	f, isFunction := b.Y.(*core.FuncAddr)
	if !isMember || !isFunction {
		return
	}
	pointer, at := x.h.plan.Locate(m.Addr, core.Bytes(m.Typ))
	if pointer == nil || at.Some || at.Size < 0 {
		return
	}
	for _, c := range x.h.plan.ClassesOf(pointer, nil) {
		x.member(c, m, at.Off, f)
	}
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
	pointer, at := x.h.plan.Locate(m.Addr, core.Bytes(m.Typ))
	return pointer != nil && at.Off == off && slices.Contains(x.h.plan.ClassesOf(pointer, nil), c)
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
