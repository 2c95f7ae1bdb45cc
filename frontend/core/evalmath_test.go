package core

import (
	"math/big"
	"testing"
)

// TestEvalMath pins what is peculiar to the mathematical reading; package interp
// compares the rest with bit-precise arithmetic.
func TestEvalMath(t *testing.T) {
	n := NewConst
	bin := func(op BinaryOp, x, y Expr) Expr { return &Binary{Op: op, X: x, Y: y} }
	conv := func(x Expr, to Int) Expr { return &Conv{X: x, To: to} }
	maxInt, minInt := n(2147483647, Int32), n(-2147483648, Int32)
	for _, test := range []struct {
		e    Expr
		want string
	}{
		// Signed arithmetic is unbounded,
		{bin(Add, maxInt, n(1, Int32)), "2147483648"},
		{bin(Mul, maxInt, maxInt), "4611686014132420609"},
		{bin(Sub, minInt, n(1, Int32)), "-2147483649"},
		{&Unary{Op: Neg, X: minInt}, "2147483648"},
		{bin(Div, minInt, n(-1, Int32)), "2147483648"},
		{bin(Shl, maxInt, n(2, Int32)), "8589934588"},
		{bin(Shl, n(-3, Int32), n(2, Int32)), "-12"},
		{bin(Gt, bin(Add, maxInt, n(1, Int32)), maxInt), "1"},
		// conversions of what is out of range are exact all the same,
		{conv(bin(Add, maxInt, n(1, Int32)), Int32), "-2147483648"},
		{conv(bin(Add, maxInt, n(1, Int32)), Uint8), "0"},
		{conv(bin(Add, maxInt, n(1, Int32)), Bool), "1"},
		{conv(bin(Mul, maxInt, n(4, Int32)), Int64), "8589934588"},
		// bit operations of it are on unbounded two's complement,
		{bin(And, bin(Add, maxInt, n(1, Int32)), n(-1, Int32)), "2147483648"},
		{bin(Or, bin(Sub, minInt, n(1, Int32)), n(1, Int32)), "-2147483649"},
		{&Unary{Op: BitNot, X: bin(Add, maxInt, n(1, Int32))}, "-2147483649"},
		{bin(Shr, bin(Sub, minInt, n(1, Int32)), n(1, Int32)), "-1073741825"},
		// and unsigned arithmetic wraps.
		{bin(Sub, n(0, Uint16), n(1, Uint16)), "65535"},
		{bin(Shl, n(3, Uint8), n(7, Int32)), "128"},
		// Undefined operations have fixed values.
		{bin(Div, n(7, Int32), n(0, Int32)), "0"},
		{bin(Rem, n(-7, Int32), n(0, Int32)), "-7"},
		{bin(Div, n(7, Uint8), n(0, Uint8)), "0"},
		{bin(Shl, n(7, Int32), n(32, Int32)), "0"},
		{bin(Shl, n(7, Int32), n(-1, Int32)), "0"},
		{bin(Shr, n(-7, Int32), n(32, Uint64)), "0"},
		{bin(Shr, n(-7, Int32), n(-1, Int8)), "0"},
		{bin(Shr, n(7, Uint8), n(8, Int32)), "0"},
		// && evaluates both sides, ?: one.
		{bin(LAnd, n(2, Int32), n(4, Int8)), "1"},
		{bin(LOr, n(0, Int32), n(0, Int32)), "0"},
		{&Cond{C: n(2, Int8), X: n(1, Int32), Y: n(0, Int32)}, "1"},
	} {
		before := ExprString(test.e)
		if got := EvalMath(test.e, nil); got.String() != test.want {
			t.Errorf("%s = %s, want %s", before, got, test.want)
		}
		if after := ExprString(test.e); after != before {
			t.Errorf("the evaluation of %s changed it to %s", before, after)
		}
	}
}

func TestEvalMathVariables(t *testing.T) {
	x := &Var{Name: "x", Type: Int32}
	seven := big.NewInt(7)
	e := &Binary{Op: Sub, X: x.Ref(), Y: &Unary{Op: Neg, X: x.Ref()}}
	if got := EvalMath(e, func(*Var) *big.Int { return seven }); got.Int64() != 14 {
		t.Errorf("x - -x = %s at x = 7", got)
	}
	if seven.Int64() != 7 {
		t.Error("a value that lookup gave was changed")
	}
	defer func() {
		if recover() == nil {
			t.Error("a variable without a value went unnoticed")
		}
	}()
	EvalMath(e, func(*Var) *big.Int { return nil })
}
