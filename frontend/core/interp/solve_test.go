package interp

import (
	"testing"

	"c2bp/frontend/core"
)

// TestSolve compares terms over x with a constant and puts in what the comparison wants.
func TestSolve(t *testing.T) {
	main := newProc("main", core.Void{})
	x := local(main, "x", core.Uint32)
	u := func(v int64) core.Expr { return core.NewConst(v, core.Uint32) }
	arithmetic := func(a core.Expr, op core.BinaryOp, b core.Expr) core.Expr {
		return &core.Binary{Op: op, X: a, Y: b}
	}
	for _, test := range []struct {
		e      core.Expr
		wanted int64
	}{
		{x.Ref(), 77},
		{arithmetic(x.Ref(), core.Add, u(5)), 77},
		{arithmetic(u(5), core.Add, x.Ref()), 77},
		{arithmetic(x.Ref(), core.Sub, u(5)), 77},
		{arithmetic(u(500), core.Sub, x.Ref()), 77},
		{arithmetic(x.Ref(), core.Mul, u(7)), 77},
		{arithmetic(x.Ref(), core.Div, u(8)), 77},
		{arithmetic(x.Ref(), core.Rem, u(100)), 77},
		{arithmetic(x.Ref(), core.Xor, u(1234)), 77},
		{arithmetic(x.Ref(), core.And, u(0xff0)), 0x770},
		{arithmetic(x.Ref(), core.Or, u(0xf)), 0x7f},
		{arithmetic(x.Ref(), core.Shl, u(3)), 0x770},
		{arithmetic(x.Ref(), core.Shr, u(8)), 77},
		{arithmetic(arithmetic(x.Ref(), core.Shr, u(8)), core.And, u(0xff)), 77},
		{&core.Conv{X: x.Ref(), To: core.Uint8}, 77},
		{&core.Conv{X: arithmetic(x.Ref(), core.And, u(0x3ff)), To: core.Int64}, 77},
		{arithmetic(x.Ref(), core.And, u(0xff0)), 0x560}, // equal already
	} {
		typ, _ := core.Word(test.e.Type())
		line(main, &core.Assume{Cond: bin(test.e, core.Eq, core.NewConst(test.wanted, typ))})
		p := program(t, nil, main)
		compare := func(value int64) (equal bool, wanted []int64) {
			m := New(p, &script{values: []int64{value}}, Options{OnCompare: func(c Comparison) {
				equal = c.X == c.Y
				c.Solve(func(now, then int64) {
					if now != value {
						t.Errorf("%s: x is %d and not %d", core.ExprString(test.e), value, now)
					}
					wanted = append(wanted, then)
				})
			}})
			m.Step()
			return equal, wanted
		}
		equal, wanted := compare(0x1234_5567)
		if len(wanted) != 1 {
			t.Errorf("%s: %d values are wanted", core.ExprString(test.e), len(wanted))
			continue
		}
		if now, _ := compare(wanted[0]); now == equal {
			t.Errorf("%s: with x = %#x it is as before", core.ExprString(test.e), wanted[0])
		}
	}
}
