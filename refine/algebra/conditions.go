package algebra

import (
	"fmt"

	"c2bp/frontend/core"
)

// PlaceName is the same for two ways to write one place: a member, and what is at its
// distance from the pointer.
func PlaceName(l core.Loc) string {
	m, ok := l.(*core.Mem)
	if !ok {
		return core.ExprString(l)
	}
	base, off := Base(m.Addr)
	return fmt.Sprintf("%s+%d", core.ExprString(base), off)
}

// Atoms lists the comparisons and plain values that a condition is made of.
func Atoms(e core.Expr) []core.Expr {
	switch x := e.(type) {
	case *core.Unary:
		if x.Op == core.Not {
			return Atoms(x.X)
		}
	case *core.Binary:
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

// isTruth reports whether e is a truth value, of whatever type.
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

// condition1 is e as a comparison.
func asComparison(e core.Expr) core.Expr {
	if b, ok := e.(*core.Binary); ok {
		if b.Op.IsComparison() {
			if inner, ok := comparedTruth(b); ok {
				return inner
			}
			return e
		}
	}
	switch t := e.Type().(type) {
	case core.Int:
		return &core.Binary{Op: core.Ne, X: e, Y: core.NewConst(0, t)}
	case core.Ptr:
		return &core.Binary{Op: core.Ne, X: e, Y: core.Null(t)}
	}
	return e
}

// comparedTruth returns the comparison c of (c) == 0 or (c) != 0.
func comparedTruth(b *core.Binary) (core.Expr, bool) {
	zero, ok := b.Y.(*core.Const)
	if !ok || zero.Val.Sign() != 0 || b.Op != core.Eq && b.Op != core.Ne {
		return nil, false
	}
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

// Size is the number of operators and operands of e; conversions are free.
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
