package inline

import (
	"math/big"

	"c2bp/frontend/core"
)

// This file folds constants.

// fold returns e with its constant parts computed.
func fold(e core.Expr) core.Expr {
	old := core.Children(e)
	next := make([]core.Expr, len(old))
	changed := false
	for i, x := range old {
		next[i] = fold(x)
		changed = changed || next[i] != x
	}
	if changed {
		e = core.WithChildren(e, next)
	}
	if v := constant(e); v != nil {
		return v
	}
	return e
}

// constant returns the value of the operator e if its operands are constants and C defines it, else
// nil.
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
			return nil
		}
	case *core.Conv:
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

// conv returns x converted to t.
func conv(x core.Expr, t core.Int) core.Expr {
	if x.Type() == core.Type(t) {
		return x
	}
	if c, ok := x.(*core.Const); ok {
		return &core.Const{Val: new(big.Int).Set(t.Convert(c.Val)), Typ: t}
	}
	return &core.Conv{X: x, To: t}
}

// isConstant reports whether e is a number or an address given as a number.
func isConstant(e core.Expr) bool {
	if p, ok := e.(*core.ToPtr); ok {
		e = p.X
	}
	_, ok := e.(*core.Const)
	return ok
}

// truth returns the value of the condition e, if it is known.
func truth(e core.Expr) (value, known bool) {
	c, ok := e.(*core.Const)
	if !ok {
		return false, false
	}
	return c.Val.Sign() != 0, true
}
