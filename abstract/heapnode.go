package abstract

import (
	"context"
	"slices"

	"c2bp/abstract/refs"
	"c2bp/boolprog"
	"c2bp/frontend/core"
)

// This file abstracts nodes with references.

// heapNode abstracts a node in a program with references.
func (s *scope) heapNode(ctx context.Context, n *core.Node) ([]*boolprog.Stmt, error) {
	h := s.a.heap
	// 1. The pointers that the node follows are not null.
	list := operands(n.Stmt)
	fs := h.follows(list)
	out := h.enter(fs)
	// 2. The node itself, over more predicates.
	x := s.withHeap(h.atoms(fs, h.compared(n.Stmt, fs, s.preds)))
	x.follows, x.led = fs, fs
	if c, ok := n.Stmt.(*core.Call); ok && c.Lhs != nil {
		x.led = append(fs[:len(fs):len(fs)], h.follows([]core.Expr{c.Lhs})...)
	}
	body, err := x.plainNode(ctx, n)
	if err != nil {
		return nil, err
	}
	s.limited = s.limited || x.limited
	out = append(append(out, body...), x.unsetRefs(n.Stmt)...)
	// 3. Pointers of the program that a function without a body changes, and fields of objects to which no
	// reference leads here.
	out = append(out, x.changedOutside(n.Stmt)...)
	if dead := x.weakened(n.Stmt); dead != nil {
		out = append(out, &boolprog.Stmt{Op: dead})
	}
	out = slices.DeleteFunc(out, func(st *boolprog.Stmt) bool { _, is := st.Op.(*boolprog.Skip); return is })
	if len(out) == 0 {
		return skip(), nil
	}
	return out, nil
}

// weakened returns the statement that makes the fields arbitrary, of all objects of their classes, that a
// node may change otherwise than through a reference; nil if there are none.
func (s *scope) weakened(st core.Stmt) *boolprog.Dead {
	changes := s.otherChanges(st)
	if changes == nil {
		return nil
	}
	op := &boolprog.Dead{}
	for _, c := range s.a.heap.plan.Classes {
		// 1. Predicates that read a place that may change.
		for _, p := range s.a.heap.preds[c] {
			if slices.ContainsFunc(core.Locs(p.Expr), func(l core.Loc) bool { return changes(c, l) }) {
				op.Fields = append(op.Fields, &boolprog.Ref{Name: c.Name, Field: p.Var()})
			}
		}
		// 2. Members that are kept.
		for _, f := range c.Fields {
			if changes(c, c.Place(f)) {
				op.Fields = append(op.Fields, &boolprog.Ref{Name: c.Name, Field: f.Name})
			}
		}
	}
	if len(op.Fields) == 0 {
		return nil
	}
	return op
}

// changedOutside returns the statements that let those variables lead anywhere that a function without a
// body may change.
func (s *scope) changedOutside(st core.Stmt) (out []*boolprog.Stmt) {
	c, ok := st.(*core.Call)
	if !ok || c.Callee.HasBody() {
		return nil
	}
	for _, v := range s.a.prog.Globals {
		if class := s.a.heap.plan.Var(v); class != nil && s.a.alias.Affected(c, v.Ref()) {
			out = append(out, assignRef(&boolprog.Ref{Name: refName(v)}, &boolprog.Any{Class: class.Name, New: true}))
		}
	}
	return out
}

// otherChanges returns which places of objects of a class, or that their predicates read, a statement may
// change otherwise than through a reference to the object; nil if it changes none at all.
func (s *scope) otherChanges(st core.Stmt) func(c *refs.Class, l core.Loc) bool {
	list := written(st)
	switch st := st.(type) {
	case *core.Call:
		if !st.Callee.HasBody() {
			return func(c *refs.Class, l core.Loc) bool {
				return s.a.alias.Affected(st, l) || st.Lhs != nil && s.mayChange(st.Lhs, c, l)
			}
		}
	case *core.Havoc:
		if st.Region {
			return func(*refs.Class, core.Loc) bool { return true }
		}
	}
	if len(list) == 0 {
		return nil
	}
	return func(c *refs.Class, l core.Loc) bool {
		return slices.ContainsFunc(list, func(to core.Loc) bool { return s.mayChange(to, c, l) })
	}
}

// written lists the places that a statement writes; of bytes at an address, one that is as long.
func written(st core.Stmt) []core.Loc {
	bytes := func(dst, size core.Expr, of *core.Record) []core.Loc {
		n, _ := core.ConstantOf(size)
		return []core.Loc{&core.Mem{Addr: dst, Typ: core.Agg{Size: n}, Of: of}}
	}
	switch st := st.(type) {
	case *core.Copy:
		return bytes(st.Dst, st.Size, st.Of)
	case *core.Fill:
		return bytes(st.Dst, st.Size, nil)
	case *core.Data:
		return bytes(st.Dst, core.NewConst(int64(len(st.Bytes)), core.Uint64), nil)
	}
	return core.Destinations(st)
}

// mayChange reports whether a write to a place may change place l, which a predicate or member of class c
// reads, and is no write through a reference to the object itself.
func (s *scope) mayChange(to core.Loc, c *refs.Class, l core.Loc) bool {
	// 1. A variable outside of memory, in the predicate: by its name alone.
	if v, ok := l.(*core.VarRef); ok && !v.Var.InMemory() {
		w, ok := to.(*core.VarRef)
		return ok && w.Var == v.Var && v.Var != c.This
	}
	if v, ok := to.(*core.VarRef); ok && !v.Var.InMemory() {
		return false
	}
	// 2. A place in the object itself: a reference leads to it, to another object of the class, which
	// is elsewhere, or to an object of another class, likewise.
	if m, ok := l.(*core.Mem); ok {
		if v, ok := core.Base(m.Addr).(*core.VarRef); ok && v.Var == c.This && s.through(to) {
			return false
		}
	}
	// 3. Any other place.
	return s.a.mem.MayAlias(to, l)
}

// through reports whether a place is in an object that the node follows a reference to, and not in the next
// one of an array, as p[1].state may be.
func (s *scope) through(to core.Loc) bool {
	address := s.addressOf(to)
	at := bytesAt(address, core.Bytes(to.Type()))
	return slices.ContainsFunc(s.led, func(f follow) bool {
		return core.Equal(f.pointer, core.Base(address)) && at.size >= 0 && at.off >= 0 && at.off+at.size <= f.class.Record.Size
	})
}

// addressOf returns the address of a place in memory.
func (s *scope) addressOf(l core.Loc) core.Expr {
	if m, ok := l.(*core.Mem); ok {
		return m.Addr
	}
	return &core.AddrOf{Var: l.(*core.VarRef).Var, Typ: s.a.prog.Pointer()}
}

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
			to, class := h.target(l, s.follows)
			if to != nil {
				value, _ := h.reference(st.Rhs[i], class, s.follows)
				op.Lhs, op.Rhs = append(op.Lhs, to), append(op.Rhs, value)
			}
			s.overwritten(l, to, op)
		}
	case *core.Alloc:
		to, class := h.target(st.Lhs, s.follows)
		s.overwritten(st.Lhs, to, op)
		switch {
		case to == nil:
		case h.plan.Site(st) == class:
			op.Lhs, op.Rhs = append(op.Lhs, to), append(op.Rhs, &boolprog.New{Class: class.Name})
		default:
			op.Lhs, op.Rhs = append(op.Lhs, to), append(op.Rhs, &boolprog.Any{Class: class.Name, New: true})
		}
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

// target returns the reference that stands for a location, and its class; nil if none does.
func (h *heap) target(l core.Loc, fs []follow) (*boolprog.Ref, *refs.Class) {
	switch l := l.(type) {
	case *core.VarRef:
		if c := h.plan.Var(l.Var); c != nil {
			return &boolprog.Ref{Name: refName(l.Var)}, c
		}
	case *core.Mem:
		if f := h.plan.Member(l); f != nil {
			return &boolprog.Ref{Name: find(fs, core.Base(l.Addr)).name, Field: f.Name}, f.Class
		}
	}
	return nil, nil
}

// havocRef makes location i of a Havoc arbitrary, if it is kept. One that begins to live, and is not read
// before it is set, leads nowhere.
func (s *scope) havocRef(st *core.Havoc, i int, l core.Loc, op *boolprog.Assign) {
	h := s.a.heap
	unset := st.Begin && (st.Unset == nil || len(st.Unset[i]) == 0)
	if to, class := h.target(l, s.follows); to != nil {
		var value boolprog.Expr = &boolprog.Any{Class: class.Name, New: true}
		if unset {
			value = &boolprog.Null{}
		}
		op.Lhs, op.Rhs = append(op.Lhs, to), append(op.Rhs, value)
		return
	}
	// A whole object, or a part of one.
	if !unset {
		s.overwritten(l, nil, op)
	}
}

// overwritten makes the members arbitrary that are kept and have bytes in a place which is written, except
// the one that is assigned, if it is not nil: those that share a union with it, or an array of bytes.
func (s *scope) overwritten(l core.Loc, assigned *boolprog.Ref, op *boolprog.Assign) {
	f, at, ok := s.whole(l)
	if !ok {
		return
	}
	s.eachMember(f, at, func(m *refs.Field) {
		if assigned == nil || assigned.Field != m.Name {
			op.Lhs = append(op.Lhs, &boolprog.Ref{Name: f.name, Field: m.Name})
			op.Rhs = append(op.Rhs, &boolprog.Any{Class: m.Class.Name, New: true})
		}
	})
}

// span is bytes of an object: size bytes from off on; size is -1 if that is not known. Of those of an array
// with an index that is not known, only some are meant.
type span struct {
	off, size int64
	some      bool
}

// whole returns the object that a place of several bytes is in, and its bytes; ok is false if it is in
// none that is followed.
func (s *scope) whole(l core.Loc) (f follow, at span, ok bool) {
	address := s.addressOf(l)
	i := slices.IndexFunc(s.follows, func(f follow) bool { return core.Equal(f.pointer, core.Base(address)) })
	if i < 0 {
		return follow{}, span{}, false
	}
	return s.follows[i], bytesAt(address, core.Bytes(l.Type())), true
}

// bytesAt returns the bytes of an object, from the base of an address on, that a place of some size there
// may have.
func bytesAt(address core.Expr, size int64) span {
	at := span{size: size}
	if size == 0 {
		at.size = -1
	}
	for {
		switch x := address.(type) {
		case *core.Offset:
			at.off += x.Off
			address = x.X
		// An array that is a member: any of its elements.
		case *core.Index:
			if x.Count <= 0 || x.Count >= core.OpenEnd || at.size < 0 {
				return span{size: -1}
			}
			at.size += (x.Count - 1) * x.Size
			at.some = true
			address = x.X
		default:
			return at
		}
	}
}

// eachMember calls f for the members that are kept of the object of a follow and lie in some bytes of it.
func (s *scope) eachMember(f follow, at span, do func(*refs.Field)) {
	size := core.Bytes(s.a.prog.Pointer())
	for _, m := range f.class.Fields {
		if at.size < 0 || m.Off < at.off+at.size && at.off < m.Off+size {
			do(m)
		}
	}
}

// copyRefs copies the members that are kept, if a whole object is copied to another; else those in the
// bytes that are written become arbitrary.
func (s *scope) copyRefs(st *core.Copy, op *boolprog.Assign) {
	n := constantOf(st.Size)
	to, at, ok := s.whole(&core.Mem{Addr: st.Dst, Typ: core.Agg{Size: n}})
	if !ok {
		return
	}
	from, source, known := s.whole(&core.Mem{Addr: st.Src, Typ: core.Agg{Size: n}})
	s.eachMember(to, at, func(m *refs.Field) {
		var value boolprog.Expr = &boolprog.Any{Class: m.Class.Name, New: true}
		if known && from.class == to.class && source == at && at.covers(m.Off, core.Bytes(s.a.prog.Pointer())) {
			value = &boolprog.Select{X: &boolprog.Ref{Name: from.name}, Field: m.Name}
		}
		op.Lhs, op.Rhs = append(op.Lhs, &boolprog.Ref{Name: to.name, Field: m.Name}), append(op.Rhs, value)
	})
}

// fillRefs makes the members that are kept null, if all of their bytes become 0; else arbitrary.
func (s *scope) fillRefs(l *core.Mem, zero bool, op *boolprog.Assign) {
	to, at, ok := s.whole(l)
	if !ok {
		return
	}
	s.eachMember(to, at, func(m *refs.Field) {
		var value boolprog.Expr = &boolprog.Any{Class: m.Class.Name, New: true}
		if zero && at.covers(m.Off, core.Bytes(s.a.prog.Pointer())) {
			value = &boolprog.Null{}
		}
		op.Lhs, op.Rhs = append(op.Lhs, &boolprog.Ref{Name: to.name, Field: m.Name}), append(op.Rhs, value)
	})
}

// covers reports whether size bytes from off on are certain to be among those of at.
func (at span) covers(off, size int64) bool {
	return at.size > 0 && !at.some && at.off <= off && off+size <= at.off+at.size
}
