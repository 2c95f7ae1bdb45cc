package abstract

import (
	"context"
	"fmt"
	"slices"

	"c2bp/abstract/refs"
	"c2bp/boolprog"
	"c2bp/frontend/core"
)

// This file abstracts nodes with references.

// heapNode abstracts a node in a program with references. Where a pointer that the node follows may lead to
// objects of several classes, the node becomes a choice among these:
//
//	if (*) then assume({p as dev} != null); … else assume({p as lamp} != null); … fi
func (s *scope) heapNode(ctx context.Context, node int) (out []*boolprog.Stmt, err error) {
	n := s.proc.Nodes[node]
	exprs := operands(n.Stmt)
	if c, ok := n.Stmt.(*core.Call); ok && c.Lhs != nil {
		exprs = append(exprs, c.Lhs)
	}
	list := s.a.heap.roles(exprs)
	var arms [][]*boolprog.Stmt
	for _, roles := range list {
		x := *s
		x.roles = roles
		body, err := x.roleNode(ctx, node)
		if err != nil {
			return nil, err
		}
		s.limited = s.limited || x.limited
		if len(list) == 1 {
			return body, nil
		}
		arms = append(arms, body)
	}
	return []*boolprog.Stmt{oneOf(arms)}, nil
}

// oneOf returns the statement that executes one of several lists.
func oneOf(arms [][]*boolprog.Stmt) *boolprog.Stmt {
	op, last := &boolprog.If{}, len(arms)-1
	for _, arm := range arms[:last] {
		op.Conds, op.Thens = append(op.Conds, &boolprog.Nondet{}), append(op.Thens, arm)
	}
	op.Else = arms[last]
	return &boolprog.Stmt{Op: op}
}

// roleNode is heapNode where the classes of all objects are given.
func (s *scope) roleNode(ctx context.Context, node int) ([]*boolprog.Stmt, error) {
	h, n := s.a.heap, s.proc.Nodes[node]
	// 1. The pointers that the node follows are not null.
	fs := h.follows(operands(n.Stmt), s.roles)
	out, err := s.enter(ctx, fs)
	if err != nil {
		return nil, err
	}
	// 2. The node itself, where pointers that only predicates follow are null, and where they are not.
	consulted, sure := s.consulted(node, fs)
	var arms [][]*boolprog.Stmt
	for there := range 1 << len(consulted) {
		arm, seen, err := s.presence(ctx, consulted, there, fs)
		if err != nil {
			return nil, err
		}
		body, err := s.atNode(ctx, node, fs, append(seen, sure...))
		if err != nil {
			return nil, err
		}
		if len(consulted) == 0 {
			out = append(out, body...)
			continue
		}
		arms = append(arms, withoutSkips(append(arm, body...)))
	}
	if len(consulted) > 0 {
		out = append(out, oneOf(arms))
	}
	out = withoutSkips(out)
	if len(out) == 0 {
		return skip(), nil
	}
	return out, nil
}

// atNode abstracts a node that follows fs, over the predicates of the objects that seen lead to.
func (s *scope) atNode(ctx context.Context, node int, fs, seen []follow) ([]*boolprog.Stmt, error) {
	h, n := s.a.heap, s.proc.Nodes[node]
	// 1. The node itself, over more predicates.
	x := s.withHeap(h.atoms(seen, h.compared(s.proc, node, seen, s.preds)))
	x.follows, x.led = seen, fs
	if c, ok := n.Stmt.(*core.Call); ok && c.Lhs != nil && len(h.plan.Places(s.addressOf(c.Lhs), core.Bytes(c.Lhs.Type()))) == 1 {
		x.led = append(fs[:len(fs):len(fs)], h.destination(c, s.roles)...)
	}
	out, err := x.plainNode(ctx, n)
	if err != nil {
		return nil, err
	}
	s.limited = s.limited || x.limited
	out = append(h.feasible(seen, out), out...)
	out = append(out, x.unsetRefs(n.Stmt)...)
	// 2. Pointers of the program that a function without a body changes, and fields of objects to which no
	// reference leads here.
	out = append(out, x.changedOutside(n.Stmt)...)
	if dead := x.weakened(n.Stmt); dead != nil {
		out = append(out, &boolprog.Stmt{Op: dead})
	}
	return out, nil
}

// mostConsulted bounds the pointers of which a node is told apart whether they are null.
const mostConsulted = 2

// consulted lists kept pointers that a node does not follow, but predicates do whose values it changes: with
// d->count == n in scope, n = 3 makes it d->count == 3, which the object may know. They may be null, but for
// those that are sure.
func (s *scope) consulted(node int, fs []follow) (list, sure []follow) {
	// 1. The predicates, as they are before the node.
	var exprs []core.Expr
	h, st := s.a.heap, s.proc.Nodes[node].Stmt
	switch st := st.(type) {
	case *core.Call:
		if st.Callee.HasBody() {
			exprs = s.a.withActuals(st)
		}
	case *core.Assign:
		for _, p := range s.preds {
			e := core.Replace(p.Expr, func(e core.Expr) core.Expr {
				for i, l := range st.Lhs {
					if v := variable(l); v != nil && core.Equal(e, l) {
						return st.Rhs[i]
					}
				}
				return nil
			})
			if !core.Equal(e, p.Expr) {
				exprs = append(exprs, e)
			}
		}
	}
	// 2. Variables, and members of objects that the node follows.
	for _, e := range exprs {
		for _, f := range h.follows(append(operands(st), e), s.roles) {
			_, known := find(fs, f.pointer)
			_, again := find(append(list[:len(list):len(list)], sure...), f.pointer)
			switch {
			case known || again || len(h.preds[f.class]) == 0:
				continue
			case f.sure:
				if f.kept {
					sure = append(sure, f)
				}
				continue
			case len(list) == mostConsulted:
				continue
			}
			switch x := f.pointer.(type) {
			case *core.VarRef:
				if h.isSet(s.proc, node, x.Var) {
					list = append(list, f)
				}
			case *core.Mem:
				if pointer, _ := h.plan.Locate(x.Addr, core.Bytes(x.Typ)); pointer != nil {
					if _, through := find(fs, pointer); through {
						f.name = consultedName(f.class, len(list))
						list = append(list, f)
					}
				}
			}
		}
	}
	return list, sure
}

// consultedName returns the name of consulted reference i of a node, for pointers that no variable holds.
func consultedName(c *refs.Class, i int) string { return fmt.Sprintf("{seen %d to %s}", i+1, c.Name) }

// presence returns the statements of the case in which the consulted pointers whose bits are set in there lead
// to objects, and the others are null; and the pointers that lead to objects then.
func (s *scope) presence(ctx context.Context, consulted []follow, there int, fs []follow) (out []*boolprog.Stmt, seen []follow, err error) {
	seen = slices.Clone(fs)
	for i, f := range consulted {
		load, err := s.load(ctx, f, fs)
		if err != nil {
			return nil, nil, err
		}
		out = append(out, load...)
		cond := &boolprog.Binary{Op: boolprog.Eq, X: &boolprog.Ref{Name: f.name}, Y: &boolprog.Null{}}
		if there&(1<<i) != 0 {
			cond.Op = boolprog.Ne
			seen = append(seen, f)
		}
		out = append(out, &boolprog.Stmt{Op: &boolprog.Assume{Cond: cond}})
	}
	return out, seen, nil
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
		if s.a.alias.Affected(c, v.Ref()) {
			out = append(out, s.a.heap.anything(v)...)
		}
	}
	return out
}

// anything returns the statements that let a variable lead anywhere.
func (h *heap) anything(v *core.Var) (out []*boolprog.Stmt) {
	for _, c := range h.plan.Var(v) {
		out = append(out, assignRef(&boolprog.Ref{Name: h.refName(v, c)}, &boolprog.Any{Class: c.Name, New: true}))
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
		pointer, at := h.plan.Locate(l.Addr, core.Bytes(l.Typ))
		f, ok := find(fs, pointer)
		if _, isPointer := l.Typ.(core.Ptr); !ok || !isPointer || at.Some || at.Size < 0 {
			return nil
		}
		for _, m := range f.class.At(at.Off) {
			list = append(list, slot{&boolprog.Ref{Name: f.name, Field: m.Name}, m.Class})
		}
	}
	return list
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
	for _, x := range s.a.heap.plan.Places(address, size) {
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
	for i, to := range s.touched(st.Dst, n) {
		var from touched
		if i < len(sources) {
			from = sources[i]
		}
		to.eachMember(s, func(m *refs.Field) {
			var value boolprog.Expr = &boolprog.Any{Class: m.Class.Name, New: true}
			if from.class == to.class && from.at == to.at && to.at.Covers(m.Off, pointer) {
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
