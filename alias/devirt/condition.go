package devirt

import (
	"c2bp/alias"
	"c2bp/frontend/core"
)

// This file decides conditions on constants, addresses among them.

// decide reports whether condition e holds in all states, or in none; known is false if neither is
// evident.
func decide(e core.Expr) (holds, known bool) {
	// 1. Operators, and comparisons of addresses.
	switch x := e.(type) {
	case *core.Unary:
		if x.Op == core.Not {
			holds, known = decide(x.X)
			return !holds, known
		}
	case *core.Conv: // a truth value of another type
		if _, isTruth := x.X.(*core.Binary); isTruth && isCondition(x.X) {
			return decide(x.X)
		}
	case *core.Binary:
		switch {
		case x.Op.IsLogical():
			return logical(x)
		case isAddress(x.X.Type()) && (x.Op == core.Eq || x.Op == core.Ne):
			equal, known := sameAddress(x.X, x.Y)
			return equal == (x.Op == core.Eq), known
		}
	}
	// 2. An address as a condition is compared with null.
	if isAddress(e.Type()) {
		equal, known := sameAddress(e, core.Null(e.Type().(core.Ptr)))
		return !equal, known
	}
	// 3. Numbers.
	if !isFixedNumber(e) {
		return false, false
	}
	return core.EvalMath(e, nil).Sign() != 0, true
}

// logical decides a conjunction or disjunction.
func logical(x *core.Binary) (holds, known bool) {
	a, knownA := decide(x.X)
	b, knownB := decide(x.Y)
	// One operand that is true decides a disjunction, one that is false a conjunction.
	decides := x.Op == core.LOr // what one operand has to be
	switch {
	case knownA && a == decides, knownB && b == decides:
		return decides, true
	}
	return !decides, knownA && knownB
}

// isCondition reports whether e is a comparison, a conjunction or a disjunction.
func isCondition(e core.Expr) bool {
	b, ok := e.(*core.Binary)
	return ok && (b.Op.IsComparison() || b.Op.IsLogical())
}

// isAddress reports whether t is a pointer.
func isAddress(t core.Type) bool {
	_, ok := t.(core.Ptr)
	return ok
}

// isFixedNumber reports whether e is computed from constants other than addresses, and is defined.
func isFixedNumber(e core.Expr) bool {
	number := true
	core.Walk(e, func(e core.Expr) bool {
		switch x := e.(type) {
		case *core.Const, *core.Conv:
		case *core.Unary:
			number = number && x.Op == core.Not
		case *core.Binary:
			number = number && x.Op.IsComparison()
		default:
			number = false
		}
		return number
	})
	return number
}

// sameAddress compares two constant addresses. Objects are distinct, as functions are, and none is
// at null; but the end of one may be the start of the next, and constants may be merged.
func sameAddress(x, y core.Expr) (equal, known bool) {
	a, b := fixedAddress(x), fixedAddress(y)
	// Bytes of two objects differ, and none is null. A place past the end may be the start of
	// another object.
	switch {
	case !a.known || !b.known:
		return false, false
	case a.object == b.object:
		return a.off == b.off, true
	case a.merged && b.merged:
		return false, false
	case a.inside && b.inside, a.isNull() && b.inside, b.isNull() && a.inside:
		return false, true
	}
	return false, false
}

// fixedPlace is an address that has one value in all states.
type fixedPlace struct {
	object any // a variable or a procedure; nil for a number
	off    int64
	inside bool // it is a byte of object
	merged bool // object is a constant that may be merged with others
	known  bool
}

// isNull reports whether p is the null pointer.
func (p fixedPlace) isNull() bool { return p.object == nil && p.off == 0 }

// fixedAddress returns the place of e; known is false if it may vary.
func fixedAddress(e core.Expr) fixedPlace {
	switch x := e.(type) {
	case *core.FuncAddr:
		return fixedPlace{object: x.Proc, inside: true, known: true}
	case *core.ToPtr:
		n, ok := x.X.(*core.Const)
		return fixedPlace{known: ok && n.Val.Sign() == 0}
	}
	if v, off := alias.PlaceIn(e); v != nil && v.Kind == core.Global {
		return fixedPlace{object: v, off: off, inside: off >= 0 && off < core.Bytes(v.Type), merged: v.Merged, known: true}
	}
	return fixedPlace{}
}
