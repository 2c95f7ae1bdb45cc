package zing

import "slices"

// This file defines implicit conversions.

// mode says which conversions a place allows.
type mode int

const (
	implicit mode = iota // all but those of plain
	plain                // of an assignment or initialiser: those that lose the fraction of a real, too
)

// convert returns e as a value of type to, in a Convert if its representation changes.
func (c *checker) convert(e Expr, to *Type, m mode) Expr {
	from := e.TypeOf()
	if null, ok := e.(*NullLit); ok && (to.IsReference() || to == String) {
		return typed(null, to)
	}
	switch ok, changes := convertible(from, to, m); {
	case ok && !changes:
		return e
	case ok || to.Kind == KindEnum && isZero(e):
		return converted(e, to.Base())
	}
	return c.fail(e, "cannot use a value of type %s as one of type %s", from, to)
}

// converted returns e in a Convert to t, unless it has that type already.
func converted(e Expr, t *Type) Expr {
	if e.TypeOf().Base() == t {
		return e
	}
	return &Convert{ExprBase{e.Range(), t}, e}
}

// isZero reports whether e is the literal 0, which is a value of each enum.
func isZero(e Expr) bool {
	lit, ok := e.(*IntLit)
	return ok && lit.Abs == 0
}

// convertible reports whether a value of type from can be used as one of type to, and whether its
// representation changes.
func convertible(from, to *Type, m mode) (ok, changes bool) {
	switch {
	case from == invalid || to == invalid || from.Base() == to.Base():
		// Two ranges, and a range and int, are stored alike. Void is not a value.
		return from != Void, false
	case from.IsNumeric() && to.IsNumeric():
		return numeric(from.Base().Kind, to.Base().Kind, m), true
	case from.Kind == KindEnum && to.IsInteger():
		return true, true
	case from.IsReference() && to.IsReference():
		return reference(from, to), false
	}
	return false, false
}

// numeric reports whether a number of kind from can be used as one of kind to. Between integers all
// is allowed: a value that does not fit is an overflow.
func numeric(from, to Kind, m mode) bool {
	return m == plain || from <= KindULong || to == KindDouble && from == KindFloat
}

// reference reports whether a reference of type from can be used as one of type to, other than from.
func reference(from, to *Type) bool {
	return from == Object || to == Object || from == Null || slices.Contains(from.Implements, to)
}

// isNonNegative reports whether e is an integer literal without a minus sign.
func isNonNegative(e Expr) bool {
	lit, ok := e.(*IntLit)
	return ok && !lit.Neg
}

// promoted returns the type in which an operator computes with operands x and y, numbers or enums,
// as in C#; or nil if there is none.
func promoted(x, y Expr) *Type {
	a, b := operandType(x), operandType(y)
	if a.Kind < b.Kind {
		x, y, a, b = y, x, b, a
	}
	// From here on, a is the greater type.
	signed := b == Int || b == Long || b == SByte || b == Short
	switch {
	case a == Decimal && (b == Double || b == Float):
		return nil
	case a == ULong && signed && !isNonNegative(y):
		return nil
	case a == UInt && signed && !isNonNegative(y):
		return Long
	case a.Kind > KindInt:
		return a
	}
	return Int
}

// operandType returns the type of an operand that is a number or enum: for a range or an enum, int.
func operandType(e Expr) *Type {
	if e.TypeOf().Kind == KindEnum {
		return Int
	}
	return e.TypeOf().Base()
}
