package cex

import (
	"slices"

	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/refine/algebra"
	"c2bp/wp"
)

// This file collects the memory that a path reads and writes. A path may fail because of a write to a
// place that depends on a made-up value, though none of its conditions mention that value: the other
// places that the write may have gone to are not part of them.

// collect adds the addresses and sizes that step i evaluates, pointers that others are computed from,
// and pairs of pointers that must be in one object.
func (x *Execution) collect(s Step, i int) {
	add := func(e core.Expr) {
		if e != nil && algebra.IsScalar(e.Type()) {
			x.Accessed = append(x.Accessed, x.Eval(s.Frame, i, e))
		}
	}
	touch := func(e core.Expr) {
		add(e)
		x.Touched = append(x.Touched, x.Accessed[len(x.Accessed)-1])
	}
	// 1. The operands that say which memory a statement touches.
	switch st := s.Stmt().(type) {
	case *core.Copy:
		touch(st.Dst)
		touch(st.Src)
		add(st.Size)
	case *core.Fill:
		touch(st.Dst)
		add(st.Size)
	case *core.Data:
		touch(st.Dst)
	case *core.Alloc:
		add(st.Size)
	case *core.Free:
		x.Released = append(x.Released, x.Eval(s.Frame, i, st.Ptr))
	case *core.Call:
		// Where a pointer can only lead to this function, nothing reads it any more.
		if st.Through != nil && x.IsRead(st.Through) {
			add(st.Through)
		}
	}
	x.define(s, i)
	// 2. The places and pointer arithmetic in its expressions.
	core.StmtExprs(s.Stmt(), func(e core.Expr) {
		core.Walk(e, func(e core.Expr) bool {
			if m, ok := e.(*core.Mem); ok {
				touch(m.Addr)
				x.own(m)
				x.align(m)
			}
			// The address of a member: its object is there, whoever is given the address.
			if o, ok := e.(*core.Offset); ok && o.Of != nil {
				x.ownAt(x.Table.Add(x.Eval(s.Frame, i, o.X), x.Table.Int(o.Off-o.Member)), core.Shape{Record: o.Of, Size: o.Of.Size})
			}
			if base := movedFrom(e); base != nil {
				x.Bases = append(x.Bases, x.Eval(s.Frame, i, base))
				x.Touched = append(x.Touched, x.Bases[len(x.Bases)-1])
			}
			if n, ok := e.(*core.Index); ok && n.Row == 0 {
				x.Moved = append(x.Moved, Move{x.Eval(s.Frame, i, n.X), x.Eval(s.Frame, i, n)})
			}
			if a, b, size := related(e); a != nil {
				x.Related = append(x.Related, relation{x.Eval(s.Frame, i, a), x.Eval(s.Frame, i, b), size})
			}
			return true
		})
	})
}

// define records that the operations of step i are defined: shifts by less than the width of the number, and divisors that
// are not 0.
func (x *Execution) define(s Step, i int) {
	t := x.Table
	add := func(f *logic.Term) {
		if f != t.True {
			x.Defined = append(x.Defined, f)
		}
	}
	wp.Evaluated(s.Stmt(), func(e core.Expr) {
		b, ok := e.(*core.Binary)
		if !ok {
			return
		}
		switch b.Op {
		case core.Shl, core.Shr:
			n := x.Eval(s.Frame, i, b.Y)
			add(t.And(t.Le(t.Int(0), n), t.Lt(n, t.Int(int64(b.Type().(core.Int).Bits)))))
		case core.Div, core.Rem:
			add(t.Not(t.Eq(x.Eval(s.Frame, i, b.Y), t.Int(0))))
		}
	})
}

// movedFrom returns the pointer that e computes another one from; nil if e is no pointer arithmetic,
// or if that pointer is no lvalue.
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

// related returns the pointers a and b if e asks for their distance or order, which C defines only
// within one object, and the size of the elements that a distance counts, 1 for an order. a is nil if
// e asks neither.
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

// relation is a pair of addresses in one object, a multiple of Size apart.
type relation struct {
	A, B *logic.Term
	Size int64
}

// Move is a pointer and another one, in the same object or just after it, that the path computes from it.
type Move struct{ From, To *logic.Term }

// aligned is an address that is a multiple of To.
type aligned struct {
	At *logic.Term
	To int64
}

// align records that the address that was collected last is one where m's scalar may be.
func (x *Execution) align(m *core.Mem) {
	// Bit-fields and members of packed structs may be anywhere.
	size := min(core.Bytes(m.Typ), int64(x.Bits/8))
	if i, ok := m.Typ.(core.Int); m.Packed || ok && !slices.Contains([]int{16, 32, 64}, i.Bits) || size <= 1 {
		return
	}
	x.Aligned = append(x.Aligned, aligned{x.Accessed[len(x.Accessed)-1], size})
}

// owned is an object that begins Off bytes after an address.
type owned struct {
	Shape core.Shape
	Off   int64
}

// own records the object that m is a part of by its type, at the address that was collected last.
func (x *Execution) own(m *core.Mem) {
	// 1. The record that m is a member of, or else a scalar, but characters that may be in anything.
	r, off := core.Owner(m)
	shape := core.Shape{Size: core.Bytes(m.Typ), Tag: m.Tag}
	switch {
	case r != nil:
		shape = core.Shape{Record: r, Size: r.Size}
	case shape.Size <= 0, shape.Size == 1 && !x.Prog.CharsApart, m.PartOf > 0: // where the number begins is not known
		return
	}
	// 2. It begins so far before m.
	x.ownAt(x.Table.Sub(x.Accessed[len(x.Accessed)-1], x.Table.Int(off)), shape)
}

// ownAt records that an object of the shape begins at an address.
func (x *Execution) ownAt(at *logic.Term, shape core.Shape) {
	if x.Owners == nil {
		x.Owners = map[*logic.Term][]owned{}
	}
	// The address in the form symbol + offset, so that objects of one pointer are found together.
	o := owned{Shape: shape}
	if at.Op == logic.OpSum && at.Val.IsInt64() {
		o.Off = at.Val.Int64()
		at = x.Table.Sub(at, x.Table.Int(o.Off))
	}
	if !slices.Contains(x.Owners[at], o) {
		x.Owners[at] = append(x.Owners[at], o)
	}
}
