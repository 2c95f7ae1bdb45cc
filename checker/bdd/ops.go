package bdd

// This file defines the operations of Bryant 1986: negation, binary operations, if-then-else.

// op is an operation in the computed cache.
type op int32

const (
	opNone op = iota
	opNot
	opAnd
	opOr
	opXor
	opDiff
	opIte
	opExists
	opAndExists
	opRestrict
	opShift
)

// entry is one result in the cache. Operations with fewer operands leave b and c zero.
type entry struct {
	op      op
	a, b, c Ref
	res     Ref
}

// slot returns the entry of an operation in the direct-mapped cache.
func (m *Manager) slot(o op, a, b, c Ref) *entry {
	h := hash(uint32(a)+uint32(o)<<26, uint32(b), uint32(c))
	return &m.cache[h&uint32(len(m.cache)-1)]
}

// lookup returns the cached result of an operation, if it is there.
func (m *Manager) lookup(o op, a, b, c Ref) (Ref, bool) {
	e := m.slot(o, a, b, c)
	return e.res, e.op == o && e.a == a && e.b == b && e.c == c
}

// store caches a result and returns it. It computes the slot again, since the cache may have grown.
func (m *Manager) store(o op, a, b, c, res Ref) Ref {
	*m.slot(o, a, b, c) = entry{o, a, b, c, res}
	return res
}

// cofactors returns the cofactors of f for the variable at level, which is not below the top of f.
func (m *Manager) cofactors(f Ref, level int32) (lo, hi Ref) {
	if n := &m.nodes[f]; n.level == level {
		return n.lo, n.hi
	}
	return f, f
}

// Not returns !f.
func (m *Manager) Not(f Ref) Ref {
	if f <= True {
		return True - f
	}
	if r, ok := m.lookup(opNot, f, 0, 0); ok {
		return r
	}
	n := m.nodes[f]
	return m.store(opNot, f, 0, 0, m.mk(n.level, m.Not(n.lo), m.Not(n.hi)))
}

// And returns f & g.
func (m *Manager) And(f, g Ref) Ref { return m.apply(opAnd, f, g) }

// Or returns f | g.
func (m *Manager) Or(f, g Ref) Ref { return m.apply(opOr, f, g) }

// Xor returns f ^ g.
func (m *Manager) Xor(f, g Ref) Ref { return m.apply(opXor, f, g) }

// Eq returns f = g, that is !(f ^ g).
func (m *Manager) Eq(f, g Ref) Ref { return m.Not(m.Xor(f, g)) }

// Diff returns f & !g.
func (m *Manager) Diff(f, g Ref) Ref { return m.apply(opDiff, f, g) }

// Implies reports whether f => g holds for all valuations.
func (m *Manager) Implies(f, g Ref) bool { return m.Diff(f, g) == False }

// apply computes a binary operation.
func (m *Manager) apply(o op, f, g Ref) Ref {
	// 1. Terminal cases and the cache.
	if r, ok := m.terminal(o, f, g); ok {
		return r
	}
	if o != opDiff && f > g {
		f, g = g, f // commutative: one cache entry for both orders
	}
	if r, ok := m.lookup(o, f, g, 0); ok {
		return r
	}
	// 2. Shannon expansion at the topmost variable.
	level := min(m.nodes[f].level, m.nodes[g].level)
	f0, f1 := m.cofactors(f, level)
	g0, g1 := m.cofactors(g, level)
	lo := m.apply(o, f0, g0)
	hi := m.apply(o, f1, g1)
	return m.store(o, f, g, 0, m.mk(level, lo, hi))
}

// terminal decides an operation on constants or equal operands.
func (m *Manager) terminal(o op, f, g Ref) (Ref, bool) {
	switch o {
	// A dominant or neutral constant, or equal operands, decide the result without recursion.
	case opAnd:
		switch {
		case f == False || g == False:
			return False, true
		case f == True || f == g:
			return g, true
		case g == True:
			return f, true
		}
	case opOr:
		switch {
		case f == True || g == True:
			return True, true
		case f == False || f == g:
			return g, true
		case g == False:
			return f, true
		}
	case opXor:
		switch {
		case f == g:
			return False, true
		case f == False:
			return g, true
		case g == False:
			return f, true
		case f == True:
			return m.Not(g), true
		case g == True:
			return m.Not(f), true
		}
	case opDiff:
		switch {
		case f == False || g == True || f == g:
			return False, true
		case g == False:
			return f, true
		case f == True:
			return m.Not(g), true
		}
	}
	return 0, false
}

// Ite returns f & g | !f & h.
func (m *Manager) Ite(f, g, h Ref) Ref {
	// 1. Terminal cases, and those that a binary operation computes.
	switch {
	case f == True || g == h:
		return g
	case f == False:
		return h
	case g == True && h == False:
		return f
	case g == False && h == True:
		return m.Not(f)
	case g == True || f == g:
		return m.Or(f, h)
	case h == False || f == h:
		return m.And(f, g)
	case g == False:
		return m.Diff(h, f)
	}
	// 2. The cache, then Shannon expansion at the topmost variable.
	if r, ok := m.lookup(opIte, f, g, h); ok {
		return r
	}
	level := min(m.nodes[f].level, m.nodes[g].level, m.nodes[h].level)
	f0, f1 := m.cofactors(f, level)
	g0, g1 := m.cofactors(g, level)
	h0, h1 := m.cofactors(h, level)
	lo := m.Ite(f0, g0, h0)
	hi := m.Ite(f1, g1, h1)
	return m.store(opIte, f, g, h, m.mk(level, lo, hi))
}
