package alias

import "c2bp/frontend/core"

// This file makes vertices of expressions.

// value is the value of an expression: the addresses in a vertex, or one address, or nothing (both
// fields negative). Constants and addresses of variables need no vertex.
type value struct {
	vertex, address int32
}

var nothing = value{-1, -1}

// known returns the value that is one address.
func known(address int32) value { return value{-1, address} }

// in returns the value that is the addresses in a vertex.
func in(vertex int32) value { return value{vertex, -1} }

// ref is the target of an address expression: a place in one object, or a place relative to the
// addresses in a vertex. So p->f.g needs no vertex besides that of p.
type ref struct {
	vertex             int32 // -1 for a place in object
	object             int32
	off, stride, count int64
}

// vertexOf returns a vertex with the addresses in v.
func (s *solver) vertexOf(v value) int32 {
	if v.vertex >= 0 {
		return v.vertex
	}
	if n, ok := s.singles[v.address]; ok {
		return n
	}
	n := s.newVertex()
	if v.address >= 0 {
		s.insert(v.address, n)
	}
	s.singles[v.address] = n
	return n
}

// flow lets v flow to vertex n.
func (s *solver) flow(v value, n int32) {
	switch {
	case n < 0:
	case v.vertex >= 0:
		s.edge(v.vertex, n)
	case v.address >= 0:
		s.insert(v.address, n)
	}
}

// variable returns the vertex of a variable outside of memory.
func (s *solver) variable(v *core.Var) int32 {
	n, ok := s.values[v]
	if !ok {
		n = s.newVertex()
		s.values[v] = n
		if v.Volatile {
			s.edge(n, s.escaped)
		}
	}
	return n
}

// value returns the value of e, and makes vertices for it.
func (s *solver) value(e core.Expr) value {
	switch e := e.(type) {
	case *core.Const:
		return known(s.constantNumber(e))
	// Variables in memory are loaded.
	case *core.VarRef:
		if e.Var.InMemory() {
			return s.loadFrom(s.home(e.Var), e.Var.Type, 0, outsideAddress)
		}
		return in(s.variable(e.Var))
	case *core.Mem:
		return s.loadFrom(s.accessed(e.Addr), e.Typ, e.Bit, s.readOutside(e))
	// Addresses.
	case *core.AddrOf, *core.FuncAddr, *core.Offset, *core.Index:
		return s.pointer(s.ref(e))
	// Conversions; those between integers may cut an address to a piece.
	case *core.ToPtr:
		return s.toPointer(e)
	case *core.ToInt:
		return s.value(e.X)
	case *core.Conv:
		v := s.value(e.X)
		if mode, ok := s.conversion(e.X.Type(), e.To); ok {
			return s.move(v, move{mode: mode})
		}
		return v
	// Operators. A truth value is a small number.
	case *core.Unary:
		if e.Op == core.Not || e.Op == core.Ones {
			return known(smallAddress)
		}
		return s.move(s.value(e.X), unaryMove(e))
	case *core.Binary:
		return s.arithmetic(e)
	case *core.Float:
		return s.floating(e)
	case *core.Cond:
		return s.join(s.value(e.X), s.value(e.Y))
	case *core.Diff: // a number: both are in one object, else it is undefined
		return known(numberAddress)
	}
	return nothing
}

// narrow reports whether values of type t are too narrow for an address.
func (s *solver) narrow(t core.Type) bool {
	i, ok := t.(core.Int)
	return ok && i.Bits < s.pointers
}

// narrowValue reports whether e is too narrow for an address, or was before it was converted:
// (unsigned long)fd.
func (s *solver) narrowValue(e core.Expr) bool {
	for {
		if s.narrow(e.Type()) {
			return true
		}
		c, ok := e.(*core.Conv)
		if !ok {
			return false
		}
		e = c.X
	}
}

// conversion returns the effect of a conversion between integer types on an address or number; ok
// is false if it has none.
func (s *solver) conversion(from core.Type, to core.Int) (mode moveMode, ok bool) {
	f, _ := core.Word(from)
	// To at most twelve bits, to less than an address, to a full width.
	switch {
	case to.Bool || to.Bits <= smallBits:
		return shrink, !(f.Bool || f.Bits <= smallBits)
	case s.narrow(to):
		return wrap, !to.Signed && (f.Signed || !s.narrow(from))
	}
	return widen, s.narrow(from)
}

// unaryMove returns the effect of - or ~ on an address or number.
func unaryMove(e *core.Unary) move {
	if t, ok := e.Type().(core.Int); ok && e.Op == core.Neg && t.Signed {
		return move{mode: negate}
	}
	return move{mode: mix}
}

// toPointer returns the value of a conversion to a pointer.
func (s *solver) toPointer(e *core.ToPtr) value {
	// A narrow integer is a piece of an address at most.
	v := s.value(e.X)
	if s.narrow(e.X.Type()) {
		v = s.move(v, move{mode: widen})
	}
	return s.madePointer(v)
}

// arithmetic returns the value of e: a constant added to an address is a known displacement, any
// other operation may yield any address in the objects of both operands.
func (s *solver) arithmetic(e *core.Binary) value {
	if e.Op.IsComparison() || e.Op.IsLogical() || keepsLowBits(e) {
		return known(smallAddress)
	}
	x, y, m := s.operands(e)
	switch {
	case y == nil:
		return s.move(s.value(x), m)
	case x == nil:
		return s.move(s.value(y), m)
	}
	return s.join(s.move(s.value(x), m), s.move(s.value(y), m))
}

// floating returns the value of e: a result of floating-point arithmetic may be any address in the
// objects of the operands, as an address that is converted to double and back is the same one.
func (s *solver) floating(e *core.Float) value {
	if e.Op.IsTruth() {
		return known(smallAddress)
	}
	v := nothing
	for _, x := range e.Args {
		v = s.join(v, s.move(s.value(x), move{mode: mix}))
	}
	return v
}

// operands returns the operands of e whose addresses the result may be derived from, and their
// displacement. An operand that only gives a distance, a constant, is nil.
//
//	n + 8       n, displaced by 8
//	n & ~7      n, masked
//	n - m       both, mixed: a distance, or an address if one of them is a distance
func (s *solver) operands(e *core.Binary) (x, y core.Expr, m move) {
	wide := !s.narrow(e.X.Type())
	// A masked address, or one that is displaced by a constant, keeps more than the object.
	switch {
	// A number on the right: masks, sums and differences.
	case isNumber(e.Y):
		k, ok := constant(e.Y)
		switch {
		case wide && s.masksLowBits(e.Op, e.Y):
			return e.X, nil, move{mode: mask}
		case ok && wide && e.Op == core.Add:
			return e.X, nil, move{mode: moveInteger, off: k}
		case ok && wide && e.Op == core.Sub && k > -limit:
			return e.X, nil, move{mode: moveInteger, off: -k}
		}
		return e.X, nil, move{mode: mix}
	// A number on the left: sums.
	case isNumber(e.X):
		if k, ok := constant(e.X); ok && wide && e.Op == core.Add {
			return nil, e.Y, move{mode: moveInteger, off: k}
		}
		return nil, e.Y, move{mode: mix}
	}
	return e.X, e.Y, move{mode: mix}
}

// isNumber reports whether e depends on constants alone.
func isNumber(e core.Expr) bool {
	number := true
	core.Walk(e, func(e core.Expr) bool {
		switch e.(type) {
		case *core.Const, *core.Conv, *core.Unary, *core.Binary:
		default:
			number = false
		}
		return number
	})
	return number
}

// move returns v displaced.
func (s *solver) move(v value, m move) value {
	switch {
	case v.vertex >= 0:
		return in(s.displaced(v.vertex, m))
	case v.address >= 0:
		a := s.addresses[v.address]
		if b, ok := m.apply(a, s.objects[a.object]); ok {
			return known(s.number(b))
		}
	}
	return nothing
}

// join returns a value with the addresses of x and y.
func (s *solver) join(x, y value) value {
	switch {
	case x == nothing || x == y:
		return y
	case y == nothing:
		return x
	}
	// A vertex for each pair of vertices is made once.
	a, b := s.vertexOf(x), s.vertexOf(y)
	key := [2]int32{a, b}
	n, ok := s.joined[key]
	if !ok {
		n = s.newVertex()
		s.joined[key] = n
		s.edge(a, n)
		s.edge(b, n)
	}
	return in(n)
}

// home returns the place of a variable in memory.
func (s *solver) home(v *core.Var) ref { return ref{vertex: -1, object: s.object(v)} }

// ref returns the place that address expression e denotes.
func (s *solver) ref(e core.Expr) ref {
	switch e := e.(type) {
	case *core.AddrOf:
		return s.home(e.Var)
	case *core.FuncAddr:
		return ref{vertex: -1, object: s.function[e.Proc]}
	case *core.Offset:
		return s.displace(s.ref(e.X), move{mode: movePointer, off: e.Off})
	// tab[i] is displaced by multiples of the size.
	case *core.Index:
		if t, ok := e.X.(*core.ToPtr); ok {
			if _, ok := constant(t.X); ok { // 0 + p, by macros
				return s.place(s.madePointer(s.move(s.value(e.I), move{mode: mix})))
			}
		}
		return s.displace(s.ref(e.X), s.displacement(e))
	}
	return s.place(s.value(e))
}

// accessed is ref for the address of a read or write. Where no access leaves an array, it is an element that is accessed, and not the
// end of the array, to which an address may lead, too.
func (s *solver) accessed(e core.Expr) ref {
	switch e := e.(type) {
	case *core.Offset:
		return s.displace(s.accessed(e.X), move{mode: movePointer, off: e.Off})
	case *core.Index:
		if c := congruenceOf(e.I); s.prog.ArraysApart && e.Count > 0 {
			if m := displacement(e).upTo(e, c, e.Count, moveElement); m.count > 0 {
				return s.displace(s.accessed(e.X), m)
			}
		}
	}
	return s.ref(e)
}

// displace returns r moved by pointer arithmetic.
func (s *solver) displace(r ref, m move) ref {
	if m.off == 0 && m.stride == 0 {
		return r
	}
	a := r.address()
	// In a known object a displacement may be clipped to it.
	if r.vertex < 0 {
		a, _ = m.apply(a, s.objects[r.object])
	} else {
		a = a.add(m.off, m.stride, m.count)
	}
	return ref{r.vertex, r.object, a.off, a.stride, a.count}
}

// place returns the target of v.
func (s *solver) place(v value) ref {
	if v.vertex < 0 && v.address >= 0 {
		a := s.addresses[v.address]
		return ref{-1, a.object, a.off, a.stride, a.count}
	}
	return ref{vertex: s.vertexOf(v), object: -1}
}

// pointer returns r as a value.
func (s *solver) pointer(r ref) value {
	if r.vertex < 0 {
		return known(s.number(r.address()))
	}
	m := move{off: r.off, stride: r.stride, count: r.count}
	if m.count > 0 {
		m.mode = moveElement
	}
	return s.move(in(r.vertex), m)
}

// loadKey identifies the vertex of a load through a pointer.
type loadKey struct {
	vertex      int32
	off, stride int64
	count       int64
	bit, bits   int64
	from        int32 // what is read outside
}

// loadFrom returns the contents of r, bit bits further on, as a value of type t; outside it is
// from.
func (s *solver) loadFrom(r ref, t core.Type, bit int, from int32) value {
	first, bits := bitRange(t, bit)
	// 1. A known place: its view.
	if r.vertex < 0 {
		switch o := s.objects[r.object]; {
		case o.Kind == Outside:
			return known(from)
		case !o.isMemory():
			return nothing
		}
		if n := s.view(r.object, r.cell(first, bits)); n >= 0 {
			return s.loadedAs(n, t)
		}
		return nothing
	}
	// 2. Relative to a vertex: a rule that loads at each address, made once.
	key := loadKey{r.vertex, r.off, r.stride, r.count, first, bits, from}
	n, ok := s.loaded[key]
	if !ok {
		n = s.newVertex()
		s.loaded[key] = n
		s.rule(r.vertex, rule{kind: loadRule, other: n, off: r.off, stride: r.stride, count: r.count, bit: first, bits: bits, from: from})
	}
	return s.loadedAs(n, t)
}

// cell returns the cell of bits bits that begins first bits after r.
func (r ref) cell(first, bits int64) cell {
	return r.address().cell(first, bits)
}

// storeTo lets v flow to the bits bits that begin first bits after r.
func (s *solver) storeTo(r ref, first, bits int64, v value) {
	if v == nothing {
		return
	}
	// 1. Relative to a vertex: a rule that stores at each address, made once.
	if r.vertex >= 0 {
		key := loadKey{vertex: r.vertex, off: r.off, stride: r.stride, count: r.count, bit: first, bits: bits}
		n, ok := s.stored[key]
		if !ok {
			n = s.newVertex()
			s.stored[key] = n
			s.rule(r.vertex, rule{kind: storeRule, other: n, off: r.off, stride: r.stride, count: r.count, bit: first, bits: bits})
		}
		s.flow(v, n)
		return
	}
	// 2. A known place: its slot.
	switch o := s.objects[r.object]; {
	case o.Kind == Outside:
		s.flow(v, s.escaped)
	case o.isMemory():
		c := r.cell(first, bits)
		s.flow(s.pieces(r.object, c, v), s.slot(r.object, c))
	}
}

// assign lets v flow to location l.
func (s *solver) assign(l core.Loc, v value) {
	switch l := l.(type) {
	// A volatile variable may be read by others.
	case *core.VarRef:
		if !l.Var.InMemory() {
			s.flow(v, s.variable(l.Var))
			return
		}
		first, bits := bitRange(l.Var.Type, 0)
		s.storeTo(s.home(l.Var), first, bits, v)
		if l.Var.Volatile {
			s.flow(v, s.escaped)
		}
	case *core.Mem:
		first, bits := bitRange(l.Typ, l.Bit)
		s.storeTo(s.accessed(l.Addr), first, bits, v)
	}
}
