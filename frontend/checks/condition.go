package checks

import (
	"math/big"

	"c2bp/frontend/core"
)

// This file defines conditions.

// Property is a property of an operation: its name, and the condition under which it holds.
type Property struct {
	Name string
	Cond Condition
}

// Condition is a condition on operands. Core expressions have no case distinction that leaves an operand
// unevaluated, so a condition may need control flow: if If is set, Then must hold where If is not 0, and
// Else where it is.
type Condition struct {
	Holds      core.Expr // if If is nil
	If         core.Expr
	Then, Else *Condition
}

// when returns the condition that yes holds where c does, and no elsewhere.
func when(c core.Expr, yes, no Condition) Condition {
	return Condition{If: c, Then: &yes, Else: &no}
}

// plain returns the condition e.
func plain(e core.Expr) Condition { return Condition{Holds: e} }

// constant returns the number v as an expression of type t.
func constant(v *big.Int, t core.Int) core.Expr { return &core.Const{Val: new(big.Int).Set(v), Typ: t} }

// truth returns the int 1 or 0.
func truth(b bool) core.Expr {
	if b {
		return core.NewConst(1, core.Int32)
	}
	return core.NewConst(0, core.Int32)
}

// compare returns x op v for a comparison op of x with the number v, which need not be a value of the type
// of x: where the range of x decides, the result is a constant.
func compare(op core.BinaryOp, x core.Expr, v *big.Int) core.Expr {
	lo, hi := Range(x)
	below, above := hi.Cmp(v) < 0, lo.Cmp(v) > 0 // x is always less, or greater
	switch {
	case below:
		return truth(op == core.Ne || op == core.Lt || op == core.Le)
	case above:
		return truth(op == core.Ne || op == core.Gt || op == core.Ge)
	case op == core.Le && hi.Cmp(v) <= 0, op == core.Ge && lo.Cmp(v) >= 0:
		return truth(true)
	case op == core.Lt && lo.Cmp(v) >= 0, op == core.Gt && hi.Cmp(v) <= 0:
		return truth(false)
	case lo.Cmp(hi) == 0: // both are v
		return truth(op == core.Eq || op == core.Le || op == core.Ge)
	}
	return &core.Binary{Op: op, X: x, Y: constant(v, x.Type().(core.Int))}
}

// both returns x && y, and either returns x || y; constants are left out.
func both(x, y core.Expr) core.Expr   { return connect(core.LAnd, x, y) }
func either(x, y core.Expr) core.Expr { return connect(core.LOr, x, y) }

// connect returns x op y for a logical operator.
func connect(op core.BinaryOp, x, y core.Expr) core.Expr {
	for _, pair := range [][2]core.Expr{{x, y}, {y, x}} {
		if c, ok := pair[0].(*core.Const); ok {
			if (c.Val.Sign() != 0) == (op == core.LOr) { // it decides
				return truth(op == core.LOr)
			}
			return pair[1]
		}
	}
	return &core.Binary{Op: op, X: x, Y: y}
}

// within returns lo <= x && x <= hi.
func within(x core.Expr, lo, hi *big.Int) core.Expr {
	return both(compare(core.Ge, x, lo), compare(core.Le, x, hi))
}

// always reports whether c holds for all values, as its form shows.
func (c Condition) always() bool {
	if c.If != nil {
		return c.Then.always() && c.Else.always()
	}
	k, ok := c.Holds.(*core.Const)
	return ok && k.Val.Sign() != 0
}
