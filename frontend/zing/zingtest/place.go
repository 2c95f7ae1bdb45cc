package zingtest

import (
	"c2bp/frontend/zing"
)

// This file finds places and objects.

// place returns the variable, field or element that an expression denotes.
func (r *run) place(e zing.Expr) *value {
	switch e := e.(type) {
	case *zing.Name:
		switch x := e.Symbol.(type) {
		case *zing.Local:
			return &r.frame().locals[x.Index]
		case *zing.Param:
			return &r.frame().params[x.Index]
		case *zing.Field:
			if x.Static {
				return &r.state.globals[x.Index]
			}
			return &r.objectOf(r.frame().this, x.Owner, e).elems[x.Index]
		}
	case *zing.Selector:
		f := e.Symbol.(*zing.Field)
		switch {
		case f.Static:
			return &r.state.globals[f.Index]
		case f.Owner.Kind == zing.KindClass:
			return &r.object(e.X).elems[f.Index]
		}
		return &(*r.place(e.X)).(structure)[f.Index]
	case *zing.Index:
		return r.indexed(e)
	}
	// A value that is no variable: a field of it is wanted.
	v := r.eval(e)
	return &v
}

// indexed returns an element of an array.
func (r *run) indexed(e *zing.Index) *value {
	array := r.eval(e.X)
	i := r.eval(e.I).(int64)
	return r.elementOf(r.objectOf(array, e.X.TypeOf(), e.X), i, e)
}

// element returns an element of an array or a set.
func (r *run) element(coll zing.Expr, index value, at zing.Node) *value {
	return r.elementOf(r.object(coll), index.(int64), at)
}

// elementOf returns an element of an object if there is one of that index.
func (r *run) elementOf(o *object, i int64, at zing.Node) *value {
	if i < 0 || i >= int64(len(o.elems)) {
		panic(&Failure{Kind: BadIndex, Pos: at.Pos()})
	}
	return &o.elems[i]
}

// object returns the object to which an expression refers.
func (r *run) object(e zing.Expr) *object { return r.objectOf(r.eval(e), e.TypeOf(), e) }

// objectOf returns the object to which a reference refers, if there is one and it is of a type.
func (r *run) objectOf(v value, t *zing.Type, at zing.Node) *object {
	if v == nil {
		panic(&Failure{Kind: NullPointer, Pos: at.Pos()})
	}
	o := r.state.heap[v.(ref)]
	if o.of == t {
		return o
	}
	for _, i := range o.of.Implements {
		if i == t {
			return o
		}
	}
	panic(&Failure{Kind: Internal, Pos: at.Pos(), Text: "object of class " + o.of.Name + " instead of " + t.Name})
}
