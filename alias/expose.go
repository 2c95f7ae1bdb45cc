package alias

import (
	"math/big"

	"c2bp/frontend/core"
)

// This file finds the objects that an integer may be an address of although it was not computed
// from that address. It follows the provenance model of ISO/IEC TS 6010:2025 (address-exposed, user
// disambiguation): an integer that is made a pointer may lead to any exposed object, that is, one
// whose address has become known to the program as a number.
//
//	long a = input();
//	if (a == (long)&x)            x is exposed: its address is compared with a number
//	        *(int *)a = 1;        a, from outside, leads outside or to x
//
// An address that is kept in an integer, copied, or made a pointer again exposes nothing, as it
// leads where it was taken:
//
//	timer.data = (unsigned long)dev;                     {dev}
//	struct dev *d = (struct dev *)timer.data;            {dev}
//
// An object is exposed by a use of its address that can make another number depend on it:
//
//	comparison with another number              a == (long)&x; but not with a constant in
//	                                            the first or last page, such as null and
//	                                            error codes
//	comparison with a pointer made of a number  (int *)a == &x
//	arithmetic                                  (long)&x >> 3; but not setting and clearing
//	                                            bits of the lowest twelve, nor adding a constant
//	as an index or size                         table[(long)&x]
//	reading a piece of it                       *(char *)&p
//	conversion to a type that is not followed   (double)(long)&x
//
// Escaped objects are known outside, and so a pointer made of a number may lead to them, too.
//
// A number in the first or last page is no address of an object; so a value that is computed as
// such a number, an error code above all, leads nowhere.
// A value that a load puts together from several such numbers, as bytes, may be any number
// ([solver.gathers]).

// pageSize is the least size of a page, in bytes; smallBits is the width of an index into it.
const (
	pageSize  = 4096
	smallBits = 12
)

// isAddress reports whether t is a pointer.
func isAddress(t core.Type) bool {
	_, ok := t.(core.Ptr)
	return ok
}

// constantNumber returns the address that represents the constant e.
func (s *solver) constantNumber(e *core.Const) int32 {
	switch {
	case e.Val.Sign() == 0:
		return zeroAddress
	case s.isSmall(e):
		return smallAddress
	}
	return numberAddress
}

// isSmall reports whether e, as a pointer, would lead into the first or last page.
func (s *solver) isSmall(e *core.Const) bool {
	return s.signed(e).CmpAbs(big.NewInt(pageSize)) < 0
}

// signed returns the value of e; an unsigned integer as wide as a pointer counts as signed.
func (s *solver) signed(e *core.Const) *big.Int {
	if w, ok := core.Word(e.Typ); ok && !w.Signed && w.Bits == s.pointers && e.Val.BitLen() == w.Bits {
		return new(big.Int).Sub(e.Val, new(big.Int).Lsh(big.NewInt(1), uint(w.Bits)))
	}
	return e.Val
}

// keepsLowBits reports whether e is x & 7 or the like, which keeps of an address only its place in
// a page.
func keepsLowBits(e *core.Binary) bool {
	for _, x := range []core.Expr{e.X, e.Y} {
		if c, ok := x.(*core.Const); ok && e.Op == core.And && c.Val.Sign() >= 0 && c.Val.BitLen() <= smallBits {
			return true
		}
	}
	return false
}

// masksLowBits reports whether op with the constant e changes at most the lowest twelve bits: x &
// ~7, x | 1, x ^ 1.
func (s *solver) masksLowBits(op core.BinaryOp, e core.Expr) bool {
	c, ok := e.(*core.Const)
	if !ok || op != core.And && op != core.Or && op != core.Xor {
		return false
	}
	k := s.signed(c)
	if op == core.And {
		return k.Sign() < 0 && k.CmpAbs(big.NewInt(pageSize)) <= 0
	}
	return k.Sign() >= 0 && k.CmpAbs(big.NewInt(pageSize)) < 0
}

// exposeAll exposes every object that an address in vertex n points into.
func (s *solver) exposeAll(n int32) {
	s.rule(n, rule{kind: exposeRule})
}

// exposeValue exposes the objects that v points into: at once if that is known, otherwise by a
// rule.
func (s *solver) exposeValue(v value) {
	switch {
	case v.vertex >= 0:
		s.exposeAll(v.vertex)
	case v.address >= 0:
		s.exposeAt(s.addresses[v.address])
	}
}

// exposeAt exposes the object of a.
func (s *solver) exposeAt(a address) {
	// Numbers and memory outside have no address to be exposed.
	switch s.objects[a.object].Kind {
	case Variable, Allocation, Function:
		s.insert(s.number(a.anywhere()), s.exposed)
	}
}

// madePointer returns the integer v as a pointer. It leads where the addresses lead that it was
// computed from and, if it may be a number or comes from outside, to everything that is exposed.
func (s *solver) madePointer(v value) value {
	out := s.move(v, move{mode: cast})
	n := int32(-1)
	switch {
	// The addresses are not known yet: a rule decides for each.
	case v.vertex >= 0:
		n = s.vertexOf(out)
		s.rule(v.vertex, rule{kind: guessRule, other: n, bit: outsideObject})
	// A number, or an address from outside.
	case v.address == numberAddress || v.address >= 0 && s.isOutside(s.addresses[v.address]):
		n = s.newVertex()
		s.flow(out, n)
		s.guess(n)
	default:
		return out
	}
	return in(n)
}

// loadedAs returns the contents of a place, in vertex n, read as a value of type t. A number that
// is read as a pointer becomes one.
func (s *solver) loadedAs(n int32, t core.Type) value {
	if _, ok := t.(core.Ptr); ok {
		s.rule(n, rule{kind: guessRule, other: n, bit: numberObject})
	}
	return in(n)
}

// guessed lets a pointer in vertex n that is made of a number lead to exposed objects. It takes a
// for such a number; if from is outsideObject, integers from outside count as numbers, too: they
// may be any number.
func (s *solver) guessed(a address, n int32, from int64) {
	if a.object == numberObject || s.isOutside(a) && from == outsideObject {
		s.guess(n)
	}
}

// guess lets the pointers in vertex n lead outside, or to exposed objects. The ledger says so
// (assumeNumbers).
func (s *solver) guess(n int32) {
	s.guesses = true
	s.insert(guessAddress, n)
	s.insert(outsideAddress, n)
	s.edge(s.exposed, n)
}

// isGuess reports whether set has a number as guessed defines it.
func (s *solver) isGuess(set setID, from int64) bool {
	for n := range s.sets.all(set) {
		if a := s.addresses[n]; a.object == numberObject || s.isOutside(a) && from == outsideObject {
			return true
		}
	}
	return false
}

// madePointer returns the integers in set as pointers, as solver.madePointer does.
func (r *Result) madePointer(set setID) setID {
	out := r.solver.moveSet(set, move{mode: cast})
	if r.solver.isGuess(set, outsideObject) {
		out = r.withExposed(out)
	}
	return out
}

// readAs returns set, the contents of a place, read as a value of type t.
func (r *Result) readAs(set setID, t core.Type) setID {
	if _, ok := t.(core.Ptr); ok && r.solver.isGuess(set, numberObject) {
		return r.withExposed(set)
	}
	return set
}

// withExposed returns set together with the targets of a pointer that is made of a number.
func (r *Result) withExposed(set setID) setID {
	s := r.solver
	set = s.sets.union(set, s.setIn(s.exposed))
	return s.sets.union(s.sets.union(set, s.sets.single(guessAddress)), s.sets.single(outsideAddress))
}

// lose lets x flow into values of types that are not followed, which exposes the addresses in it,
// or outside.
func (s *solver) lose(x core.Source) {
	to := s.unfollowed
	if x.Outside {
		to = s.escaped
	}
	s.flow(s.source(x), to)
}

// source returns the addresses that x may carry.
func (s *solver) source(x core.Source) value {
	if x.Value != nil {
		return s.value(x.Value)
	}
	// Bytes of memory: any address in them, or a piece of one.
	bits := int64(unbounded)
	if x.Size != nil {
		bits = sizeOf(x.Size)
	}
	return s.loadFrom(s.ref(x.At), core.Agg{Size: bits / 8}, 0, s.origin(originKey{node: pieces}))
}

// observe exposes the objects whose addresses stmt makes other numbers depend on.
func (s *solver) observe(stmt core.Stmt) {
	core.StmtExprs(stmt, func(e core.Expr) {
		core.Walk(e, func(e core.Expr) bool { s.observeIn(e); return true })
	})
	// Sizes are numbers, too.
	switch n := stmt.(type) {
	case *core.Alloc:
		s.observeNumber(n.Size)
	case *core.Copy:
		s.observeNumber(n.Size)
	case *core.Fill:
		s.observeNumber(n.Size)
	}
}

// observeIn exposes the objects whose addresses e itself, not a part of it, makes numbers depend
// on.
func (s *solver) observeIn(e core.Expr) {
	switch e := e.(type) {
	// 1. Indices and arithmetic other than displacements.
	case *core.Index:
		s.observeNumber(e.I)
	case *core.Unary:
		if e.Op != core.Not && unaryMove(e).mode == mix {
			s.observeNumber(e.X)
		}
	// 2. Reads of pieces of addresses.
	case *core.Mem:
		if s.isPiece(e) {
			s.observeNumber(e)
		}
	case *core.VarRef:
		if e.Var.InMemory() && s.isPiece(e) {
			s.observeNumber(e)
		}
	// 3. Comparisons of pointers, and floating-point numbers.
	case *core.Diff:
		s.compare(e.X, e.Y)
	case *core.Float:
		for _, x := range e.Args {
			s.observeNumber(x)
		}
	case *core.Binary:
		switch {
		// 4. Comparisons of pointers, and of other numbers except with a constant in the first or
		// last page.
		case e.Op.IsComparison() && isAddress(e.X.Type()):
			s.compare(e.X, e.Y)
		case e.Op.IsComparison():
			if !s.isTest(e.Y) && !s.isTest(e.X) {
				s.observeNumber(e.X)
				s.observeNumber(e.Y)
			}
		case e.Op.IsLogical() || keepsLowBits(e):
		// 5. Arithmetic that is no displacement.
		default:
			if x, y, m := s.operands(e); m.mode == mix {
				s.observeNumber(x)
				s.observeNumber(y)
			}
		}
	}
}

// isPiece reports whether l is too small to hold an address: if it holds a piece of one, the
// address is exposed.
func (s *solver) isPiece(l core.Loc) bool {
	t, ok := l.Type().(core.Int)
	return ok && t.Bits < s.pointers
}

// isTest reports whether comparing an address with e reveals nothing of it: e is in the first or
// last page.
func (s *solver) isTest(e core.Expr) bool {
	c, ok := e.(*core.Const)
	return ok && (c.Val.Sign() == 0 || s.isSmall(c))
}

// observeNumber exposes the objects that the number e is an address of. e is nil for no number.
func (s *solver) observeNumber(e core.Expr) {
	if e == nil || isNumber(e) {
		return
	}
	s.exposeValue(s.value(e))
}

// compare exposes the objects that one of two pointers leads to if the other one was a number.
// Comparing two pointers that are none exposes nothing.
func (s *solver) compare(x, y core.Expr) {
	v, w := s.value(x), s.value(y)
	s.comparedWith(v, w)
	s.comparedWith(w, v)
}

// comparedWith exposes the objects that w leads to if v was a number.
func (s *solver) comparedWith(v, w value) {
	if v.vertex >= 0 && w != nothing {
		s.rule(v.vertex, rule{kind: compareRule, other: s.vertexOf(w)})
	}
}
