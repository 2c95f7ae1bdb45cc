package alias

import (
	"slices"

	"c2bp/frontend/core"
)

// This file evaluates expressions over the solution. It agrees with value.go but makes no vertices:
// sets are computed, and memoized. The two must handle the same cases: value.go makes the
// constraints for the expressions of the program, and this file answers about any others, those of
// predicates above all, which dereference and add in ways that the program does not.

// PointsTo returns the points-to set of e, a pointer or any other value that may carry an address,
// over all times. A symbolic constant points to the targets of its initial value.
//
//	p = &tab[i].p;        PointsTo(p) is {tab+8+16k}
//	q = get();            PointsTo(q) is {outside}
//	r = 0;                PointsTo(r) is {}
func (r *Result) PointsTo(e core.Expr) Set {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.set(r.eval(e))
}

// IsOwn reports whether the place l is only in objects that are neither known outside nor volatile
// themselves.
func (r *Result) IsOwn(l core.Loc) bool {
	var set Set
	switch l := l.(type) {
	case *core.Mem:
		set = r.PointsTo(l.Addr)
	case *core.VarRef:
		set = r.PointsTo(&core.AddrOf{Var: l.Var, Typ: r.Pointer()})
	}
	for _, t := range set.Targets() {
		if t.Object.Kind == Outside || t.Object.Escaped || t.Object.Var != nil && t.Object.Var.Volatile {
			return false
		}
	}
	return !set.IsEmpty()
}

// MayAlias reports whether the places a and b may have a bit in common. Outside of the program, and
// in objects that others know, their types decide.
func (r *Result) MayAlias(a, b *core.Mem) bool {
	bitA, bitsA := bitRange(a.Typ, a.Bit)
	bitB, bitsB := bitRange(b.Typ, b.Bit)
	s, t := r.PointsTo(a.Addr), r.PointsTo(b.Addr)
	// 1. No types are needed.
	if r.follows == nil || s.IsEmpty() || t.IsEmpty() || !s.meetsOutside(t) {
		return s.overlaps(bitA, bitsA, t, bitB, bitsB)
	}
	if s.meet(bitA, bitsA, t, bitB, bitsB) {
		return true
	}
	// 2. The types of the places say whether they may be one outside.
	r.mu.Lock()
	defer r.mu.Unlock()
	x, y := r.follows.shown(a), r.follows.shown(b)
	if r.prog.ScalarsApart && s.Outside() && t.Outside() && (x.shape.Record == nil) != (y.shape.Record == nil) {
		return false
	}
	return s.Outside() && r.follows.mayMeet(x, y, t, bitB, bitsB) || t.Outside() && r.follows.mayMeet(y, x, s, bitA, bitsA)
}

// set returns the set n as callers see it.
func (r *Result) set(n setID) Set {
	s, ok := r.setOf[n]
	if !ok {
		var list []address
		for a := range r.solver.sets.all(n) {
			list = append(list, r.solver.addresses[a])
		}
		s = newSet(r.solver.objects, list)
		r.setOf[n] = s
	}
	return s
}

// eval returns the addresses that e may be.
func (r *Result) eval(e core.Expr) setID {
	s := r.solver
	switch e := e.(type) {
	case *core.Const:
		return s.sets.single(s.constantNumber(e))
	case *core.VarRef:
		return r.variable(e)
	case *core.Mem:
		first, bits := bitRange(e.Typ, e.Bit)
		return r.readAs(r.contents(r.eval(e.Addr), first, bits, r.solver.readOutside(e)), e.Typ)
	// Addresses, displaced.
	case *core.AddrOf:
		return r.exactly(s.object(e.Var))
	case *core.FuncAddr:
		return r.exactly(s.function[e.Proc])
	case *core.Offset:
		return s.moveSet(r.eval(e.X), move{mode: movePointer, off: e.Off})
	case *core.Index:
		return r.index(e)
	// Conversions.
	case *core.ToPtr:
		set := r.eval(e.X)
		if s.narrow(e.X.Type()) {
			set = s.moveSet(set, move{mode: widen})
		}
		return r.madePointer(set)
	case *core.ToInt:
		return r.eval(e.X)
	case *core.Conv:
		set := r.eval(e.X)
		if mode, ok := s.conversion(e.X.Type(), e.To); ok {
			set = s.moveSet(set, move{mode: mode})
		}
		return set
	// Operators.
	case *core.Unary:
		if e.Op == core.Not || e.Op == core.Ones {
			return s.sets.single(smallAddress)
		}
		return s.moveSet(r.eval(e.X), unaryMove(e))
	case *core.Binary:
		if e.Op.IsComparison() || e.Op.IsLogical() || keepsLowBits(e) {
			return s.sets.single(smallAddress)
		}
		return r.arithmetic(e)
	case *core.Float:
		if e.Op.IsTruth() {
			return s.sets.single(smallAddress)
		}
		set := setID(0)
		for _, x := range e.Args {
			set = s.sets.union(set, s.moveSet(r.eval(x), move{mode: mix}))
		}
		return set
	case *core.Cond:
		return s.sets.union(r.eval(e.X), r.eval(e.Y))
	}
	return s.sets.single(numberAddress)
}

// exactly returns the address of object.
func (r *Result) exactly(object int32) setID {
	return r.solver.sets.single(r.solver.number(at(object, 0)))
}

// variable returns the addresses that a variable may hold.
func (r *Result) variable(e *core.VarRef) setID {
	v := e.Var
	if v.InMemory() {
		first, bits := bitRange(v.Type, 0)
		return r.readAs(r.contents(r.exactly(r.solver.object(v)), first, bits, outsideAddress), v.Type)
	}
	// A symbolic constant also has the values of the place that it is initialised from.
	set := setID(0)
	if n, ok := r.solver.values[v]; ok {
		set = r.solver.setIn(n)
	}
	if v.Init != nil {
		set = r.solver.sets.union(set, r.eval(v.Init))
		if v.Proc == r.prog.Entry { // before the globals are initialised
			set = r.solver.sets.union(set, r.solver.sets.single(outsideAddress))
		}
	}
	return set
}

// setIn returns the addresses in vertex n.
func (s *constraintGraph) setIn(n int32) setID { return s.vertices[s.find(n)].set }

// cellsOf names the cells of bits bits that begin first bits after the addresses in set.
type cellsOf struct {
	set         setID
	first, bits int64
}

// contentsOf names the contents of these cells; from is the address that is read outside.
type contentsOf struct {
	cellsOf
	from int32
}

// contents returns the addresses that the cells at the addresses in set may hold; outside it is
// from.
func (r *Result) contents(set setID, first, bits int64, from int32) setID {
	key := contentsOf{cellsOf{set, first, bits}, from}
	out, ok := r.contentsOf[key]
	if ok {
		return out
	}
	// Collect the sets that are stored at each address, then unite each once.
	s := r.solver
	var parts []setID
	for n := range s.sets.all(set) {
		a := s.addresses[n]
		o := s.objects[a.object]
		c, ok := a.cell(first, bits).in(o.bits())
		switch {
		case o.Kind == Outside:
			parts = append(parts, s.sets.single(from))
		case ok && o.isMemory():
			parts = r.stored(parts, &s.memories[a.object], c)
		}
	}
	slices.Sort(parts)
	for _, p := range slices.Compact(parts) {
		out = s.sets.union(out, p)
	}
	r.contentsOf[key] = out
	return out
}

// stored appends the sets of addresses that may be stored in c.
func (r *Result) stored(parts []setID, m *memory, c cell) []setID {
	// The program loads the same cell: its view has everything.
	if n, ok := m.viewOf[c]; ok {
		return append(parts, r.solver.setIn(n))
	}
	for _, p := range m.slots {
		switch set := r.solver.setIn(p.vertex); {
		case !p.cell.overlaps(c):
		case r.solver.gathers(m, p.cell, c):
			parts = append(parts, r.solver.moveSet(set, move{mode: piece}))
		default:
			parts = append(parts, set)
		}
	}
	if m.isLent(c) {
		parts = append(parts, r.solver.sets.single(outsideAddress))
	}
	return parts
}

// index returns the addresses of an element of an array.
func (r *Result) index(e *core.Index) setID {
	s := r.solver
	// 0 + p, by macros: the address is in the index.
	if t, ok := e.X.(*core.ToPtr); ok {
		if _, ok := constant(t.X); ok {
			return r.madePointer(s.moveSet(r.eval(e.I), move{mode: mix}))
		}
	}
	return s.moveSet(r.eval(e.X), bounded(e))
}

// arithmetic returns the addresses that arithmetic yields.
func (r *Result) arithmetic(e *core.Binary) setID {
	x, y, m := r.solver.operands(e)
	set := setID(0)
	for _, operand := range []core.Expr{x, y} {
		if operand != nil {
			set = r.solver.sets.union(set, r.eval(operand))
		}
	}
	return r.solver.moveSet(set, m)
}
