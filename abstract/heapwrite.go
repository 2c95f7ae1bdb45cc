package abstract

import (
	"slices"

	"c2bp/abstract/refs"
	"c2bp/boolprog"
	"c2bp/frontend/core"
)

// This file finds the fields that a node may change otherwise than through a reference to their object: by a
// pointer that is not kept, or in a function without a body. They become arbitrary in all objects.

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

// otherChanges returns which places of objects of a class, or that their predicates read, a statement may
// change otherwise than through a reference to the object; nil if it changes none at all.
func (s *scope) otherChanges(st core.Stmt) func(c *refs.Class, l core.Loc) bool {
	var list []write
	for _, to := range written(st) {
		list = append(list, write{to, s.through(to)})
	}
	mayChange := func(c *refs.Class, l core.Loc) bool {
		return slices.ContainsFunc(list, func(w write) bool { return s.mayChange(w, c, l) })
	}
	switch st := st.(type) {
	case *core.Call:
		if !st.Callee.HasBody() {
			return func(c *refs.Class, l core.Loc) bool { return s.a.alias.Affected(st, l) || mayChange(c, l) }
		}
	case *core.Havoc:
		if st.Region {
			return func(*refs.Class, core.Loc) bool { return true }
		}
	}
	if len(list) == 0 {
		return nil
	}
	return mayChange
}

// write is a place that a statement writes, and whether it does so through references: see through.
type write struct {
	to      core.Loc
	through bool
}

// changedOutside returns the statements that let those variables lead anywhere that a function without a
// body may change.
func (s *scope) changedOutside(st core.Stmt) (out []*boolprog.Stmt) {
	c, ok := st.(*core.Call)
	if !ok || c.Callee.HasBody() {
		return nil
	}
	for _, v := range s.a.prog.Globals {
		if s.a.alias.Affected(c, v.Ref()) {
			out = append(out, s.a.heap.anything(v)...)
		}
	}
	return out
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
func (s *scope) mayChange(w write, c *refs.Class, l core.Loc) bool {
	// 1. A variable outside of memory, in the predicate: by its name alone.
	if v, ok := l.(*core.VarRef); ok && !v.Var.InMemory() {
		u, ok := w.to.(*core.VarRef)
		return ok && u.Var == v.Var && v.Var != c.This
	}
	if v, ok := w.to.(*core.VarRef); ok && !v.Var.InMemory() {
		return false
	}
	// 2. A place in the object itself: a reference leads to it, to another object of the class, which
	// is elsewhere, or to an object of another class, likewise.
	if m, ok := l.(*core.Mem); ok {
		if v, ok := core.Base(m.Addr).(*core.VarRef); ok && v.Var == c.This && w.through {
			return false
		}
	}
	// 3. Any other place.
	return s.a.mem.MayAlias(w.to, l)
}

// through reports whether a place is in objects that the node follows references to, all of it: not in the
// next one of an array, as p[1].state may be.
func (s *scope) through(to core.Loc) bool {
	places := s.a.heap.plan.Places(s.addressOf(to), core.Bytes(to.Type()))
	for _, x := range places {
		f, ok := find(s.led, x.Pointer)
		_, oneOf := x.Pointer.(*core.Index)
		apart := oneOf || s.a.heap.plan.Spot(x.Pointer) == nil // places go on in others that are not listed
		if !ok || x.At.Size < 0 || apart && !x.At.Within(f.class.Record.Size) {
			return false
		}
	}
	return len(places) > 0
}

// addressOf returns the address of a place in memory.
func (s *scope) addressOf(l core.Loc) core.Expr {
	if m, ok := l.(*core.Mem); ok {
		return m.Addr
	}
	return &core.AddrOf{Var: l.(*core.VarRef).Var, Typ: s.a.prog.Pointer()}
}
