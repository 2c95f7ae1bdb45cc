package abstract

import (
	"regexp"
	"slices"

	"c2bp/abstract/refs"
	"c2bp/boolprog"
	"c2bp/frontend/core"
)

// This file has the references for pointers: as they are named, read, and assigned to.

// likeOther matches names that the Boolean program has for other things.
var likeOther = regexp.MustCompile(`^(prm|ret)[0-9]+$`)

// refName returns the name of the reference for a pointer variable, as far as it leads to objects of a class.
func (h *heap) refName(v *core.Var, c *refs.Class) string {
	switch {
	case len(h.plan.Var(v)) > 1:
		return refs.RoleName(v.Name, c)
	case boolprog.ValidName(v.Name) && !boolprog.IsReferenceWord(v.Name) && !likeOther.MatchString(v.Name) && v.Name[0] != '{' && v.Name != "_":
		return v.Name
	}
	return "{ref " + v.Name + "}"
}

// objectName returns the name of the reference to an object with a name.
func objectName(x refs.Spot) string { return "{&" + x.Name + "}" }

// reference returns the reference that stands for a pointer, as the right side of an assignment to the one
// of a class among those of a pointer with several; ok is false if it may be any.
func (h *heap) reference(e core.Expr, class *refs.Class, among []*refs.Class, fs []follow) (ref boolprog.Expr, ok bool) {
	// 1. The pointer to an object is the address of its first member, too: &p->f. It may be a way to another one.
	if core.IsNull(e) {
		return &boolprog.Null{}, true
	}
	address := e
	e = h.plan.Object(e)
	classes := h.classes(e, fs)
	if len(classes) == 0 || slices.ContainsFunc(classes, func(c *refs.Class) bool { return !slices.Contains(among, c) }) {
		if e = h.way(address, among, known(fs)); e == nil {
			return &boolprog.Any{Class: class.Name, New: true}, false
		}
		classes = h.classes(e, fs)
	}
	// 2. It leads to an object of another class only.
	if !slices.Contains(classes, class) {
		return &boolprog.Null{}, true
	}
	ref = h.read(e, class, fs)
	_, choice := ref.(*boolprog.Any)
	return ref, !choice
}

// read returns the expression for a kept pointer, as far as it leads to objects of a class.
func (h *heap) read(e core.Expr, class *refs.Class, fs []follow) boolprog.Expr {
	switch x := e.(type) {
	case *core.VarRef:
		return &boolprog.Ref{Name: h.refName(x.Var, class)}
	case *core.Mem:
		place := h.plan.Locate(x.Addr, core.Bytes(x.Typ), known(fs))
		base, _ := find(fs, place.Pointer)
		for _, f := range base.class.At(place.At.Off) {
			if f.Class == class {
				return &boolprog.Select{X: &boolprog.Ref{Name: base.name}, Field: f.Name}
			}
		}
	}
	if spot := h.plan.Spot(e); spot != nil {
		return &boolprog.Ref{Name: objectName(*spot)}
	}
	if f, ok := find(fs, e); ok {
		return &boolprog.Ref{Name: f.name}
	}
	return &boolprog.Any{Class: class.Name, New: true} // an object without a name
}

// slot is a reference that stands for a location, as far as that leads to objects of a class.
type slot struct {
	ref   *boolprog.Ref
	class *refs.Class
}

// classesIn lists the classes of slots.
func classesIn(list []slot) (classes []*refs.Class) {
	for _, x := range list {
		classes = append(classes, x.class)
	}
	return classes
}

// targets returns the references that stand for a location; none if it is not kept.
func (h *heap) targets(l core.Loc, fs []follow) (list []slot) {
	switch l := l.(type) {
	case *core.VarRef:
		for _, c := range h.plan.Var(l.Var) {
			list = append(list, slot{&boolprog.Ref{Name: h.refName(l.Var, c)}, c})
		}
	case *core.Mem:
		place := h.plan.Locate(l.Addr, core.Bytes(l.Typ), known(fs))
		f, ok := find(fs, place.Pointer)
		if _, isPointer := l.Typ.(core.Ptr); !ok || !isPointer || place.At.Some || place.At.Size < 0 {
			return nil
		}
		for _, m := range f.class.At(place.At.Off) {
			list = append(list, slot{&boolprog.Ref{Name: f.name, Field: m.Name}, m.Class})
		}
	}
	return list
}

// anything returns the statements that let a variable lead anywhere.
func (h *heap) anything(v *core.Var) (out []*boolprog.Stmt) {
	for _, c := range h.plan.Var(v) {
		out = append(out, assignRef(&boolprog.Ref{Name: h.refName(v, c)}, &boolprog.Any{Class: c.Name, New: true}))
	}
	return out
}
