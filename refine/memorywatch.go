package refine

import (
	"slices"

	"c2bp/frontend/core"
	"c2bp/logic"
)

// This file collects which memory a path reads and writes. A path may fail because of what
// was written to a place that depends on a made-up value, and none of its conditions
// mention that value: where else the write may have gone is left out of them.

// collect adds the addresses and sizes that step i evaluates.
func (x *execution) collect(s Step, i int) {
	add := func(e core.Expr) {
		if e != nil && isScalar(e.Type()) {
			x.places = append(x.places, x.eval(s.Frame, i, e))
		}
	}
	switch st := s.stmt().(type) {
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
	core.StmtExprs(s.stmt(), func(e core.Expr) {
		core.Walk(e, func(e core.Expr) bool {
			if m, ok := e.(*core.Mem); ok {
				add(m.Addr)
				x.own(m)
			}
			if base := movedFrom(e); base != nil {
				x.bases = append(x.bases, x.eval(s.Frame, i, base))
			}
			if a, b, size := related(e); a != nil {
				x.related = append(x.related, relation{x.eval(s.Frame, i, a), x.eval(s.Frame, i, b), size})
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
	a, b *logic.Term
	size int64
}

// owned is an object so many bytes behind an address.
type owned struct {
	shape core.Shape
	off   int64
}

// own notes what lies where m, whose address was collected last, begins.
func (x *execution) own(m *core.Mem) {
	r, off := core.Owner(m)
	shape := core.Shape{Record: r, Size: core.Bytes(m.Typ)}
	switch {
	case r != nil:
		shape.Size = r.Size
	case shape.Size <= 1:
		return
	}
	if x.owners == nil {
		x.owners = map[*logic.Term][]owned{}
	}
	at, o := x.t.Sub(x.places[len(x.places)-1], x.t.Int(off)), owned{shape: shape}
	if at.Op == logic.OpSum && at.Val.IsInt64() {
		o.off = at.Val.Int64()
		at = x.t.Sub(at, x.t.Int(o.off))
	}
	if !slices.Contains(x.owners[at], o) {
		x.owners[at] = append(x.owners[at], o)
	}
}
