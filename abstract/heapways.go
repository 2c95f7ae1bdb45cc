package abstract

import (
	"slices"

	"c2bp/abstract/refs"
	"c2bp/boolprog"
	"c2bp/frontend/core"
)

// This file goes from one object to another at a known distance: to a part of it, as &d->lock does, or to its owner,
// as container_of does (package refs, inner.go). Where a statement needs such an address as a reference, it loads
// one before:
//
//	l = &d->lock        assume(d != null); t := d.{&lock}; assume(t != null); assume(t.{in dev} = d); l := t
//
// That the two lead to each other binds objects from outside, of which nothing is known, and excludes others.

// ways lists the ways to objects that a statement needs references for: on the right side of an assignment, for a
// parameter, or in a comparison.
func (h *heap) ways(st core.Stmt, evaluated []core.Expr) (list []core.Expr) {
	add := func(e core.Expr, classes []*refs.Class) {
		if x := h.way(e, classes, nil); x != nil {
			list = append(list, x)
		}
	}
	// 1. What is assigned, or passed.
	switch st := st.(type) {
	case *core.Assign:
		for i, l := range st.Lhs {
			add(st.Rhs[i], h.plan.ClassesOf(l, nil))
		}
	case *core.Call:
		for i, f := range st.Callee.Formals {
			add(st.Args[i], h.plan.Var(f))
		}
	}
	// 2. Operands of comparisons.
	for _, e := range evaluated {
		core.Walk(e, func(e core.Expr) bool {
			if b, ok := e.(*core.Binary); ok && (b.Op == core.Eq || b.Op == core.Ne) {
				for _, x := range h.alike(b, nil) {
					if from, _, _ := h.plan.Step(x); from != nil {
						list = append(list, x)
					}
				}
			}
			return true
		})
	}
	return list
}

// way returns the way to the object of one of some classes at an address, where the pointer that it is computed from
// leads to one of another class; nil if there is none, or it is not certain.
func (h *heap) way(e core.Expr, classes []*refs.Class, of refs.Classes) core.Expr {
	if _, isPointer := e.Type().(core.Ptr); !isPointer || core.IsNull(e) {
		return nil
	}
	for _, c := range classes {
		if x := h.plan.As(e, c, of); x != nil {
			if from, _, _ := h.plan.Step(x); from != nil {
				return x
			}
			return nil
		}
	}
	return nil
}

// alike returns the operands of a comparison as pointers to objects of a common class; none if they have none. One
// of them may be null.
func (h *heap) alike(b *core.Binary, of refs.Classes) []core.Expr {
	for _, e := range []core.Expr{b.X, b.Y} {
		if _, isPointer := e.Type().(core.Ptr); !isPointer {
			return nil
		}
	}
	x, y := h.plan.Object(b.X), h.plan.Object(b.Y)
	switch {
	case core.IsNull(b.X) && len(h.plan.ClassesOf(y, of)) > 0:
		return []core.Expr{b.X, y}
	case core.IsNull(b.Y) && len(h.plan.ClassesOf(x, of)) > 0:
		return []core.Expr{x, b.Y}
	}
	// 1. The outermost objects there.
	classes := h.plan.ClassesOf(y, of)
	common := func(c *refs.Class) bool { return slices.Contains(classes, c) }
	if slices.ContainsFunc(h.plan.ClassesOf(x, of), common) {
		return []core.Expr{x, y}
	}
	// 2. One of them as the other is.
	for _, c := range classes {
		if x := h.plan.As(b.X, c, of); x != nil {
			return []core.Expr{x, y}
		}
	}
	for _, c := range h.plan.ClassesOf(x, of) {
		if y := h.plan.As(b.Y, c, of); y != nil {
			return []core.Expr{x, y}
		}
	}
	return nil
}

// newParts returns the statements that make the parts of a new object to which a reference leads, and their
// parts. The object is off bytes after the first byte of an allocation, and pointers in it may lead anywhere that the
// program reads although nothing sets them.
func (h *heap) newParts(ref *boolprog.Ref, c *refs.Class, off int64, unset core.Ranges) (out []*boolprog.Stmt) {
	for _, in := range c.Inner {
		part := &boolprog.Ref{Name: partName(in.Class)}
		out = append(out,
			assignRef(part, &boolprog.New{Class: in.Class.Name}),
			assignRef(&boolprog.Ref{Name: part.Name, Field: in.Up()}, ref),
			assignRef(&boolprog.Ref{Name: ref.Name, Field: in.Down()}, part),
		)
		for _, f := range in.Class.Fields {
			if h.isUnset(f, off+in.Off, unset) {
				out = append(out, assignRef(&boolprog.Ref{Name: part.Name, Field: f.Name}, &boolprog.Any{Class: f.Class.Name, New: true}))
			}
		}
		out = append(out, h.newParts(part, in.Class, off+in.Off, unset)...)
	}
	return out
}

// isUnset reports whether the member f of an object that is off bytes after the first one of an allocation is among
// those bytes.
func (h *heap) isUnset(f *refs.Field, off int64, unset core.Ranges) bool {
	member := core.Ranges{{Off: off + f.Off, End: off + f.Off + core.Bytes(h.pointer)}}
	return len(member.Common(unset)) > 0
}

// partName returns the name of the reference that leads to a part while it is made.
func partName(c *refs.Class) string { return "{part " + c.Name + "}" }

// needParts declares the references of newParts.
func (h *heap) needParts(c *refs.Class, need func(string, *refs.Class)) {
	for _, in := range c.Inner {
		need(partName(in.Class), in.Class)
		h.needParts(in.Class, need)
	}
}
