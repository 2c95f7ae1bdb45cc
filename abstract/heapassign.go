package abstract

import (
	"slices"

	"c2bp/abstract/refs"
	"c2bp/boolprog"
	"c2bp/frontend/core"
)

// This file assigns references: what an assignment, an allocation, a copy or a fill does to variables and
// members that are kept.

// refUpdate adds to an assignment the targets that are references: variables and members that the
// statement assigns.
func (s *scope) refUpdate(st core.Stmt, op *boolprog.Assign) {
	h := s.a.heap
	if h == nil {
		return
	}
	switch st := st.(type) {
	case *core.Assign:
		for i, l := range st.Lhs {
			to := h.targets(l, s.follows)
			for _, x := range to {
				value, _ := h.reference(st.Rhs[i], x.class, classesIn(to), s.follows)
				op.Lhs, op.Rhs = append(op.Lhs, x.ref), append(op.Rhs, value)
			}
			s.overwritten(l, to, op)
		}
	case *core.Alloc:
		to, class := h.targets(st.Lhs, s.follows), h.plan.Site(st)
		known := slices.Contains(classesIn(to), class)
		for _, x := range to {
			var value boolprog.Expr = &boolprog.Any{Class: x.class.Name, New: true}
			switch {
			case x.class == class:
				value = &boolprog.New{Class: class.Name}
			case known:
				value = &boolprog.Null{}
			}
			op.Lhs, op.Rhs = append(op.Lhs, x.ref), append(op.Rhs, value)
		}
		s.overwritten(st.Lhs, to, op)
	case *core.Havoc:
		for i, l := range st.Locs {
			s.havocRef(st, i, l, op)
		}
	case *core.Copy:
		s.copyRefs(st, op)
	case *core.Fill:
		s.fillRefs(&core.Mem{Addr: st.Dst, Typ: core.Agg{Size: constantOf(st.Size)}}, isZero(st.Byte), op)
	case *core.Data:
		zero := !slices.ContainsFunc(st.Bytes, func(b byte) bool { return b != 0 })
		s.fillRefs(&core.Mem{Addr: st.Dst, Typ: core.Agg{Size: int64(len(st.Bytes))}}, zero, op)
	}
}

// constantOf returns the value of e if it is a constant, else 0.
func constantOf(e core.Expr) int64 {
	n, _ := core.ConstantOf(e)
	return n
}

// isZero reports whether e is the constant 0; nil is not.
func isZero(e core.Expr) bool {
	n, ok := core.ConstantOf(e)
	return ok && n == 0
}

// havocRef makes location i of a Havoc arbitrary, if it is kept. One that begins to live, and is not read
// before it is set, leads nowhere.
func (s *scope) havocRef(st *core.Havoc, i int, l core.Loc, op *boolprog.Assign) {
	h := s.a.heap
	unset := st.Begin && (st.Unset == nil || len(st.Unset[i]) == 0)
	to := h.targets(l, s.follows)
	for _, x := range to {
		var value boolprog.Expr = &boolprog.Any{Class: x.class.Name, New: true}
		if unset {
			value = &boolprog.Null{}
		}
		op.Lhs, op.Rhs = append(op.Lhs, x.ref), append(op.Rhs, value)
	}
	// A whole object, or a part of one.
	if len(to) == 0 && !unset {
		s.overwritten(l, nil, op)
	}
}

// overwritten makes the members arbitrary that are kept and have bytes in a place which is written, except
// those that are assigned: those that share a union with it, or an array of bytes.
func (s *scope) overwritten(l core.Loc, assigned []slot, op *boolprog.Assign) {
	for _, x := range s.touched(s.addressOf(l), core.Bytes(l.Type())) {
		x.eachMember(s, func(m *refs.Field) {
			if !slices.ContainsFunc(assigned, func(a slot) bool { return a.ref.Field == m.Name }) {
				op.Lhs = append(op.Lhs, &boolprog.Ref{Name: x.name, Field: m.Name})
				op.Rhs = append(op.Rhs, &boolprog.Any{Class: m.Class.Name, New: true})
			}
		})
	}
}

// touched is bytes of an object that a node follows a reference to.
type touched struct {
	follow
	at refs.Span
}

// touched lists the bytes that size of them at an address are, of each object that the node follows a
// reference to.
func (s *scope) touched(address core.Expr, size int64) (list []touched) {
	for _, x := range s.a.heap.plan.Places(address, size, known(s.follows)) {
		if f, ok := find(s.follows, x.Pointer); ok {
			list = append(list, touched{f, x.At})
		}
	}
	return list
}

// eachMember calls do for the members that are kept and have some of the bytes.
func (x touched) eachMember(s *scope, do func(*refs.Field)) {
	for _, m := range x.class.Fields {
		if x.at.Meets(m.Off, core.Bytes(s.a.prog.Pointer())) {
			do(m)
		}
	}
}

// copyRefs copies the members that are kept, if a whole object is copied to another; else those in the
// bytes that are written become arbitrary.
func (s *scope) copyRefs(st *core.Copy, op *boolprog.Assign) {
	n, pointer := constantOf(st.Size), core.Bytes(s.a.prog.Pointer())
	sources := s.touched(st.Src, n)
	for _, to := range s.touched(st.Dst, n) {
		// The object at the same distance from the first byte.
		var from touched
		for _, x := range sources {
			if x.class == to.class && x.at == to.at {
				from = x
			}
		}
		to.eachMember(s, func(m *refs.Field) {
			var value boolprog.Expr = &boolprog.Any{Class: m.Class.Name, New: true}
			if from.class != nil && to.at.Covers(m.Off, pointer) {
				value = &boolprog.Select{X: &boolprog.Ref{Name: from.name}, Field: m.Name}
			}
			op.Lhs, op.Rhs = append(op.Lhs, &boolprog.Ref{Name: to.name, Field: m.Name}), append(op.Rhs, value)
		})
	}
}

// fillRefs makes the members that are kept null, if all of their bytes become 0; else arbitrary.
func (s *scope) fillRefs(l *core.Mem, zero bool, op *boolprog.Assign) {
	for _, to := range s.touched(l.Addr, core.Bytes(l.Typ)) {
		to.eachMember(s, func(m *refs.Field) {
			var value boolprog.Expr = &boolprog.Any{Class: m.Class.Name, New: true}
			if zero && to.at.Covers(m.Off, core.Bytes(s.a.prog.Pointer())) {
				value = &boolprog.Null{}
			}
			op.Lhs, op.Rhs = append(op.Lhs, &boolprog.Ref{Name: to.name, Field: m.Name}), append(op.Rhs, value)
		})
	}
}
