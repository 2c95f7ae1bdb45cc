package devirt

import (
	"testing"

	"c2bp/frontend/core"
)

// TestDecide: conditions on constants, addresses among them.
func TestDecide(t *testing.T) {
	w := newWorld()
	f, g := w.Proc("f", core.Void{}), w.Proc("g", core.Void{})
	x, y := w.Global("x", agg(8)), w.Global("y", agg(8))
	eq := func(a, b core.Expr) core.Expr { return &core.Binary{Op: core.Eq, X: a, Y: b} }
	for _, c := range []struct {
		e             core.Expr
		always, never bool
	}{
		{eq(fn(f), fn(f)), true, false},
		{eq(fn(f), fn(g)), false, true},
		{eq(fn(f), null), false, true},
		{fn(f), true, false},
		{null, false, true},
		{eq(addr(x), plus(addr(x), 4, "")), false, true},
		{eq(plus(addr(x), 4, ""), plus(addr(x), 4, "")), true, false},
		{eq(addr(x), addr(y)), false, true},
		{eq(plus(addr(x), 8, ""), addr(y)), false, false}, // the end of one may be the start of the other
		{eq(plus(addr(x), 8, ""), null), false, false},
		{eq(fn(f), addr(x)), false, true},
		{&core.Unary{Op: core.Not, X: fn(f)}, false, true},
		{&core.Binary{Op: core.Lt, X: num(1), Y: num(2)}, true, false},
		{&core.Binary{Op: core.Lt, X: addr(x), Y: addr(y)}, false, false},
		{&core.Binary{Op: core.LOr, X: eq(fn(f), fn(f)), Y: eq(num(1), x.Ref())}, true, false},
		{&core.Binary{Op: core.LAnd, X: eq(fn(f), fn(f)), Y: eq(num(1), x.Ref())}, false, false},
	} {
		holds, known := decide(c.e)
		if always, never := known && holds, known && !holds; always != c.always || never != c.never {
			t.Errorf("%s: always %v, never %v", core.ExprString(c.e), always, never)
		}
	}
}
