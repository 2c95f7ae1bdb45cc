package lowerzing

import (
	"fmt"

	"c2bp/checker/zom"
	"c2bp/frontend/zing"
)

// This file translates places: what can be assigned to.

// form is the form of a place.
type form int

const (
	local  form = iota // slots of the frame
	global             // globals
	field              // fields of an object
	elem               // slots of an element of an array
)

// place is a place whose object and index are evaluated.
type place struct {
	form   form
	slot   int32 // the first slot, global or field, or the first slot in the element
	object int32 // the slot of the object
	index  int32 // the slot of the index
	class  int32
}

// prepare evaluates the object and the index of a place.
func (w *writer) prepare(e zing.Expr) place {
	switch e := e.(type) {
	case *zing.Name:
		switch s := e.Symbol.(type) {
		case *zing.Local:
			return place{form: local, slot: w.locals[s.Index]}
		case *zing.Param:
			return place{form: local, slot: w.params[s.Index]}
		case *zing.Field:
			return w.field(s)
		}
	case *zing.Selector:
		f := e.Symbol.(*zing.Field)
		switch {
		case f.Static:
			return w.field(f)
		case f.Owner.Kind == zing.KindClass:
			return place{form: field, object: w.expr(e.X), class: w.b.classes[f.Owner], slot: w.b.fields[f]}
		}
		// A field of a struct is a part of the place of the struct.
		p := w.prepare(e.X)
		p.slot += w.b.fields[f]
		return p
	case *zing.Index:
		return place{form: elem, object: w.expr(e.X), index: w.expr(e.I), class: w.b.classes[e.X.TypeOf()]}
	}
	panic(fmt.Sprintf("lowerzing: %T is no place", e))
}

// load returns the first slot with the value of a place.
func (w *writer) load(p place, t *zing.Type) int32 {
	if p.form == local {
		return p.slot
	}
	n := w.b.width(t)
	at := w.alloc(n)
	switch p.form {
	case global:
		w.emit(zom.LoadGlobal, at, p.slot, n)
	case field:
		w.emit(zom.LoadField, at, p.object, n).Imm = zom.At(p.class, p.slot, 0)
	case elem:
		w.emit(zom.LoadElem, at, p.object, p.index).Imm = zom.At(p.class, p.slot, n)
	}
	return at
}

// store assigns a value.
func (w *writer) store(p place, v int32, t *zing.Type) {
	n := w.b.width(t)
	switch p.form {
	case local:
		w.copy(p.slot, v, n)
	case global:
		w.emit(zom.StoreGlobal, p.slot, v, n)
	case field:
		w.emit(zom.StoreField, p.object, v, n).Imm = zom.At(p.class, p.slot, 0)
	case elem:
		w.emit(zom.StoreElem, p.object, p.index, v).Imm = zom.At(p.class, p.slot, n)
	}
}

// assign assigns the value of an expression and returns its place and first slot.
func (w *writer) assign(lhs, rhs zing.Expr) int32 {
	p := w.prepare(lhs)
	// An assignment on the right side must not change which element is meant.
	if _, chained := rhs.(*zing.Assign); chained {
		p.object, p.index = w.keep(p.object), w.keep(p.index)
	}
	// The place must be there before the right side is evaluated.
	if (p.form == field || p.form == elem) && !isConstant(rhs) {
		w.exists(p)
	}
	v := w.expr(rhs)
	w.store(p, v, lhs.TypeOf())
	return v
}

// exists stops the step unless there is the object of a place, and the element.
func (w *writer) exists(p place) {
	in := w.emit(zom.Exists, p.object, p.index, 0)
	in.Imm = zom.Word(p.class)
	if p.form == elem {
		in.C = 1
	}
}

// keep returns a scratch slot with the present value of a slot.
func (w *writer) keep(slot int32) int32 {
	if int(slot) >= w.proc.Scratch {
		return slot
	}
	at := w.alloc(1)
	w.emit(zom.Copy, at, slot, 0)
	return at
}

// update translates the assignments that change a set.
func (w *writer) update(s *zing.AssignStmt) {
	set := w.expr(s.Lhs)
	w.exists(place{form: field, object: set, class: w.b.classes[s.Lhs.TypeOf()]})
	x := w.expr(s.Set.X)
	op := zom.Insert
	switch {
	case s.Set.Remove && s.Set.Whole:
		op = zom.RemoveAll
	case s.Set.Remove:
		op = zom.Remove
	case s.Set.Whole:
		op = zom.InsertAll
	}
	w.emit(op, set, x, 0).Imm = zom.Word(w.b.classes[s.Lhs.TypeOf()])
}
