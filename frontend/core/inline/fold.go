package inline

import (
	"math/big"

	"c2bp/frontend/core"
)

// This file folds constants.

// fold returns e with its constant parts computed: (uint64)(3 + 1) becomes 4, x + (2 * 3) becomes x
// + 6. Constants that are not the two operands of one operator are not brought together.
func fold(e core.Expr) core.Expr {
	old := core.Children(e)
	next := make([]core.Expr, len(old))
	changed := false
	for i, x := range old {
		next[i] = fold(x)
		changed = changed || next[i] != x
	}
	// Operands first, so that constants rise.
	if changed {
		e = core.WithChildren(e, next)
	}
	if v := constant(e); v != nil {
		return v
	}
	return e
}

// constant returns the value of the operator e if its operands are constants and C defines it, else
// nil. It may also return a conversion of a conversion's operand.
func constant(e core.Expr) core.Expr {
	t, isInt := e.Type().(core.Int)
	if !isInt {
		return nil
	}
	switch e := e.(type) {
	case *core.Unary:
	case *core.Binary:
		switch e.Op {
		case core.Div, core.Rem, core.Shl, core.Shr:
			// These may be undefined, for reasons that the range of the result does not show.
			return nil
		}
	case *core.Conv:
		// (uint64)(uint32)c of a uint8 c is (uint64)c.
		if i, ok := e.X.(*core.Conv); ok { // nested conversions that lose nothing
			if from, ok := i.X.Type().(core.Int); ok && i.To.Holds(from) {
				return conv(i.X, e.To)
			}
		}
	case *core.ToInt:
	default:
		return nil
	}
	// All operands must be constant, and the value one of the type: there is no overflow.
	for _, x := range core.Children(e) {
		if !isConstant(x) {
			return nil
		}
	}
	v := core.EvalIn(e, core.State{})
	if !t.Contains(v) {
		return nil // overflow
	}
	return &core.Const{Val: v, Typ: t}
}

// conv returns x, of an integer type, converted to t: no more nodes than needed.
func conv(x core.Expr, t core.Int) core.Expr {
	if x.Type() == core.Type(t) {
		return x
	}
	if c, ok := x.(*core.Const); ok {
		return &core.Const{Val: new(big.Int).Set(t.Convert(c.Val)), Typ: t}
	}
	return &core.Conv{X: x, To: t}
}

// isConstant reports whether e is a number or an address given as a number, such as null.
func isConstant(e core.Expr) bool {
	if p, ok := e.(*core.ToPtr); ok {
		e = p.X
	}
	_, ok := e.(*core.Const)
	return ok
}

// truth returns the value of the condition e, if it is known: e must have been folded.
func truth(e core.Expr) (value, known bool) {
	c, ok := e.(*core.Const)
	if !ok {
		return false, false
	}
	return c.Val.Sign() != 0, true
}
