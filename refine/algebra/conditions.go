package algebra

import (
	"fmt"

	"c2bp/frontend/core"
)

// This file takes conditions apart into atoms, and names places so that two spellings of one place
// have one name.

// PlaceName returns a name for the place l that is the same for both ways to write a place in
// memory: as a member, and as a dereference at the member's distance from the pointer.
//
//	p->b[2]        p+12       where b is at offset 4, of 4-byte elements
//	*(p + 12)      p+12
//	n              n          a variable
func PlaceName(l core.Loc) string {
	m, ok := l.(*core.Mem)
	if !ok {
		return core.ExprString(l)
	}
	base, off := Base(m.Addr)
	return fmt.Sprintf("%s+%d", core.ExprString(base), off)
}

// Atoms returns the atoms of condition e, in order: comparisons, and plain values as comparisons
// with 0. Conversions of a truth value, negations, and equations between two truth values are taken
// apart, too.
//
//	!(a < b && c)            a < b, c != 0
//	(a < b) == (c < d)       a < b, c < d
//	(int)(a < b)             a < b
func Atoms(e core.Expr) []core.Expr {
	switch x := e.(type) {
	case *core.Unary:
		// A negation has the atoms of its operand.
		if x.Op == core.Not {
			return Atoms(x.X)
		}
	case *core.Binary:
		// So has a connective of both; an equation of truth values is one, too.
		if x.Op.IsLogical() || (x.Op == core.Eq || x.Op == core.Ne) && isTruthValue(x.X) && isTruthValue(x.Y) {
			return append(Atoms(x.X), Atoms(x.Y)...)
		}
	case *core.Conv: // a truth value of another type
		if b, ok := x.X.(*core.Binary); ok && (b.Op.IsComparison() || b.Op.IsLogical()) {
			return Atoms(x.X)
		}
	}
	return []core.Expr{asComparison(e)}
}

// isTruthValue reports whether e is 0 or 1 because of its operator, whatever its type.
func isTruthValue(e core.Expr) bool {
	switch x := e.(type) {
	case *core.Conv:
		return isTruthValue(x.X)
	case *core.Unary:
		return x.Op == core.Not
	case *core.Float:
		return x.Op.IsTruth()
	case *core.Binary:
		return x.Op.IsComparison() || x.Op.IsLogical()
	}
	return false
}

// asComparison returns e as a comparison: v becomes v != 0, and (a < b) != 0 becomes a < b.
func asComparison(e core.Expr) core.Expr {
	if b, ok := e.(*core.Binary); ok {
		// 1. A comparison, or one that is compared with 0.
		if b.Op.IsComparison() {
			if inner, ok := comparedTruth(b); ok {
				return inner
			}
			return e
		}
	}
	// 2. A number or pointer is compared with 0.
	switch t := e.Type().(type) {
	case core.Int:
		return &core.Binary{Op: core.Ne, X: e, Y: core.NewConst(0, t)}
	case core.Ptr:
		return &core.Binary{Op: core.Ne, X: e, Y: core.Null(t)}
	}
	return e
}

// comparedTruth returns the comparison c of (c) == 0 or (c) != 0; ok is false if b is neither. The
// comparison is the same for both: atoms are asked about as they stand and negated.
func comparedTruth(b *core.Binary) (core.Expr, bool) {
	zero, ok := b.Y.(*core.Const)
	if !ok || zero.Val.Sign() != 0 || b.Op != core.Eq && b.Op != core.Ne {
		return nil, false
	}
	// Conversions keep whether a truth value is 0.
	x := b.X
	for {
		c, ok := x.(*core.Conv)
		if !ok {
			break
		}
		x = c.X
	}
	if c, ok := x.(*core.Binary); ok && c.Op.IsComparison() {
		return asComparison(c), true
	}
	return nil, false
}

// Size returns the number of operators and operands of e, without conversions.
func Size(e core.Expr) int {
	n := 0
	core.Walk(e, func(x core.Expr) bool {
		if _, ok := x.(*core.Conv); !ok {
			n++
		}
		return true
	})
	return n
}
