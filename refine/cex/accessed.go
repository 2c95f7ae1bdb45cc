package cex

import (
	"slices"

	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/refine/algebra"
)

// This file collects which memory a path reads and writes. A path may fail because of what
// was written to a place that depends on a made-up value, and none of its conditions
// mention that value: where else the write may have gone is left out of them.

// collect adds the addresses and sizes that step i evaluates.
func (x *Execution) collect(s Step, i int) {
	add := func(e core.Expr) {
		if e != nil && algebra.IsScalar(e.Type()) {
			x.Accessed = append(x.Accessed, x.Eval(s.Frame, i, e))
		}
	}
	switch st := s.Stmt().(type) {
	case *core.Copy:
		add(st.Dst)
		add(st.Src)
		add(st.Size)
	case *core.Fill:
		add(st.Dst)
		add(st.Size)
	case *core.Data:
		add(st.Dst)
	case *core.Alloc:
		add(st.Size)
	case *core.Call:
		add(st.Through)
	}
	core.StmtExprs(s.Stmt(), func(e core.Expr) {
		core.Walk(e, func(e core.Expr) bool {
			if m, ok := e.(*core.Mem); ok {
				add(m.Addr)
				x.own(m)
			}
			if base := movedFrom(e); base != nil {
				x.Bases = append(x.Bases, x.Eval(s.Frame, i, base))
			}
			if a, b, size := related(e); a != nil {
				x.Related = append(x.Related, relation{x.Eval(s.Frame, i, a), x.Eval(s.Frame, i, b), size})
			}
			return true
		})
	})
}

// movedFrom is the pointer that e computes another one from, nil if e is no arithmetic with pointers
// or if that is such a place by name.
func movedFrom(e core.Expr) core.Expr {
	var base core.Expr
	switch e := e.(type) {
	case *core.Offset:
		base = e.X
	case *core.Index:
		base = e.X
	}
	if _, ok := base.(core.Loc); ok {
		return base
	}
	return nil
}

// related are the pointers of which e asks how far or which way one is from the other, as C defines
// only of places in one object, and the size of what they point to if e asks how far; nil if it is no
// such question.
func related(e core.Expr) (a, b core.Expr, size int64) {
	switch e := e.(type) {
	case *core.Diff:
		return e.X, e.Y, e.Size
	case *core.Binary:
		if _, ok := e.X.Type().(core.Ptr); ok && e.Op.IsComparison() && e.Op != core.Eq && e.Op != core.Ne {
			return e.X, e.Y, 1
		}
	}
	return nil, nil, 0
}

// relation is two addresses in one object, so many elements of a size apart.
type relation struct {
	A, B *logic.Term
	Size int64
}

// owned is an object so many bytes behind an address.
type owned struct {
	Shape core.Shape
	Off   int64
}

// own notes what lies where m, whose address was collected last, begins.
func (x *Execution) own(m *core.Mem) {
	r, off := core.Owner(m)
	shape := core.Shape{Record: r, Size: core.Bytes(m.Typ)}
	switch {
	case r != nil:
		shape.Size = r.Size
	case shape.Size <= 1:
		return
	}
	if x.Owners == nil {
		x.Owners = map[*logic.Term][]owned{}
	}
	at, o := x.Table.Sub(x.Accessed[len(x.Accessed)-1], x.Table.Int(off)), owned{Shape: shape}
	if at.Op == logic.OpSum && at.Val.IsInt64() {
		o.Off = at.Val.Int64()
		at = x.Table.Sub(at, x.Table.Int(o.Off))
	}
	if !slices.Contains(x.Owners[at], o) {
		x.Owners[at] = append(x.Owners[at], o)
	}
}
