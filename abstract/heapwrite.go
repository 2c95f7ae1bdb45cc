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
	_, isCall := st.(*core.Call)
	for _, to := range written(st) {
		w := write{to: to}
		w.led, w.through = s.through(to)
		// A call stores its result through the pointer to one object.
		if isCall {
			w.led = slices.DeleteFunc(w.led, func(x touched) bool { return x.class != s.dest })
		}
		list = append(list, w)
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

// write is a place that a statement writes, whether it does so through references, and to which objects: see through.
type write struct {
	to      core.Loc
	through bool
	led     []touched
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
	// is elsewhere, or to an object of another class, likewise, unless that is a part of one of the class.
	if m, ok := l.(*core.Mem); ok {
		if v, ok := core.Base(m.Addr).(*core.VarRef); ok && v.Var == c.This && w.through {
			return w.inPart(c, m)
		}
	}
	// 3. Any other place.
	return s.a.mem.MayAlias(w.to, l)
}

// inPart reports whether a write through references to other objects may change a place in an object of class c, of
// which one of them is a part.
func (w write) inPart(c *refs.Class, l *core.Mem) bool {
	if slices.ContainsFunc(w.led, func(x touched) bool { return x.class == c }) {
		return false
	}
	// 1. The bytes of the place, if they are at a constant distance.
	o, isMember := l.Addr.(*core.Offset)
	known := isMember && core.Equal(o.X, c.This.Ref())
	// 2. Those that are written of each part.
	for _, x := range w.led {
		for _, off := range c.Embeds(x.class) {
			at := x.at
			at.Off += off
			if !known || at.Meets(o.Off, core.Bytes(l.Typ)) {
				return true
			}
		}
	}
	return false
}

// through reports whether a place is in objects that the node follows references to, all of it: not in the
// next one of an array, as p[1].state may be. It returns these objects.
func (s *scope) through(to core.Loc) (list []touched, ok bool) {
	for i, x := range s.a.heap.plan.Places(s.addressOf(to), core.Bytes(to.Type()), known(s.led)) {
		f, ok := find(s.led, x.Pointer)
		_, oneOf := x.Pointer.(*core.Index)
		apart := oneOf || s.a.heap.plan.Spot(x.Pointer) == nil // places go on in others that are not listed
		if !ok || x.At.Size < 0 || apart && i == 0 && !x.At.Within(f.class.Record.Size) {
			return nil, false
		}
		list = append(list, touched{f, x.At})
	}
	return list, len(list) > 0
}

// addressOf returns the address of a place in memory.
func (s *scope) addressOf(l core.Loc) core.Expr {
	if m, ok := l.(*core.Mem); ok {
		return m.Addr
	}
	return &core.AddrOf{Var: l.(*core.VarRef).Var, Typ: s.a.prog.Pointer()}
}
