package cex

import (
	"testing"

	"c2bp/frontend/core"
)

// TestSteps: a place that a loop changes by adding a constant to it, or by shifting it, counts its rounds.
func TestSteps(t *testing.T) {
	x, y := &core.Var{Name: "x", Type: core.Uint32}, &core.Var{Name: "y", Type: core.Uint32}
	one := core.NewConst(1, core.Uint32)
	for _, c := range []struct {
		op   core.BinaryOp
		a, b core.Expr
		want bool
	}{
		{core.Add, x.Ref(), one, true},
		{core.Add, one, x.Ref(), true},
		{core.Sub, x.Ref(), one, true},
		{core.Shl, x.Ref(), one, true},
		{core.Shr, x.Ref(), one, true},
		{core.Sub, one, x.Ref(), false},
		{core.Shl, one, x.Ref(), false},
		{core.Add, x.Ref(), y.Ref(), false},
		{core.Shr, y.Ref(), one, false},
		{core.And, x.Ref(), one, false},
	} {
		e := &core.Binary{Op: c.op, X: c.a, Y: c.b}
		if got := isStep(e, x.Ref()); got != c.want {
			t.Errorf("%s: %v", core.ExprString(e), got)
		}
	}
}
