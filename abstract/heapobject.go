package abstract

import (
	"fmt"
	"slices"
	"strings"

	"c2bp/abstract/refs"
	"c2bp/frontend/core"
)

// This file makes object predicates of others, and says which others remain. p->state == 1 in some procedure is
// state == 1 of any object of p's type, if all that it reads in memory is in the object at p, and the rest
// are globals:
//
//	d->state == 1                 struct dev: state == 1
//	d->first->done == g           struct req: done == g
//	d->count == n                 stays, with a local n
//	d->count == e->count          stays, with two objects

// ObjectPredicates returns predicates in which those that say something of one object are object predicates,
// unless package refs refuses to keep its type: the others are as they were. They speak of the objects as the object
// predicates among more do.
func ObjectPredicates(preds []*Predicate, pointer core.Ptr, more ...*Predicate) (list []*Predicate) {
	this := map[*core.Record]*core.Var{}
	for _, p := range more {
		if p.This != nil {
			this[p.This.To] = p.This
		}
	}
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
	name := strings.ReplaceAll(core.CString(e), v.Name+"->", "")
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

// of returns object predicate p of the object at an address.
func (p *Predicate) of(address core.Expr) core.Expr {
	return core.Replace(p.Expr, func(e core.Expr) core.Expr {
		if v, ok := e.(*core.VarRef); ok && v.Var == p.This {
			return address
		}
		return nil
	})
}

// of is p.of for an address that may be a way to another object.
func (h *heap) of(p *Predicate, address core.Expr) core.Expr { return h.plan.Merged(p.of(address)) }

// ordinary lists the predicates that are Boolean variables of the program. Those that speak of an object are
// not among them, where its class has them as fields, and none that only compares references: unless the
// places that they read are written otherwise than through references, or the pointer to the object is not
// kept. An index that chooses the object is compared with each number that it may be.
func (h *heap) ordinary(preds []*Predicate) (list []*Predicate) {
	for _, p := range preds {
		object := p.This != nil && slices.ContainsFunc(h.plan.Classes, func(c *refs.Class) bool { return c.This == p.This })
		switch {
		case p.plain != nil: // it was made of another one
			plain := p.plain
			if object && h.ofObject(plain.Expr, p.This) {
				list = append(list, h.indexPredicates(plain)...)
				if !h.weak.change(p.Expr) {
					continue
				}
			}
			list = append(list, plain)
		case p.This != nil:
		case !p.Pos.IsValid() && h.compares(p.Expr):
			list = append(list, h.indexPredicates(p)...)
			if h.weak.change(p.Expr) {
				list = append(list, p)
				h.vague = p.Name
			}
		default:
			list = append(list, p)
		}
	}
	return list
}

// indexPredicates compares the indices in p that choose objects with the numbers of these.
func (h *heap) indexPredicates(p *Predicate) (list []*Predicate) {
	core.Walk(p.Expr, func(e core.Expr) bool {
		index, choices := h.plan.Choices(e)
		for i := range choices {
			q := NewPredicate(p.Proc, indexIs(index, i), fmt.Sprintf("%s == %d", core.CString(index.I), i))
			q.Auto = true
			list = append(list, q)
		}
		return true
	})
	return list
}

// ofObject reports whether e says something of one object, like this, to which a kept pointer leads.
func (h *heap) ofObject(e core.Expr, this *core.Var) bool {
	object, _, ok := objectOf(e)
	if !ok {
		return false
	}
	i := slices.IndexFunc(h.plan.Classes, func(c *refs.Class) bool { return c.This == this })
	return len(h.plan.ClassesOf(h.plan.Object(object), nil)) > 0 || i >= 0 && h.plan.As(object, h.plan.Classes[i], nil) != nil
}

// compares reports whether e compares a pointer that is kept with another one, or with null.
func (h *heap) compares(e core.Expr) bool {
	b, ok := e.(*core.Binary)
	if !ok || b.Op != core.Eq && b.Op != core.Ne {
		return false
	}
	return len(h.alike(b, nil)) > 0
}
