package interp

import (
	"math"
	"math/big"
	"testing"

	"c2bp/frontend/core"
	"c2bp/ieee"
)

var widths = []core.Int{
	core.Int8, core.Int16, core.Int32, core.Int64,
	core.Uint8, core.Uint16, core.Uint32, core.Uint64, core.Bool,
	{Bits: 1}, {Bits: 1, Signed: true}, {Bits: 3, Signed: true}, {Bits: 5}, {Bits: 33, Signed: true}, {Bits: 63},
}

// samples are all values of a narrow type, and of a wide one those near 0, near
// its ends, and near the ends of the others.
func samples(t core.Int) []*big.Int {
	var out []*big.Int
	seen := map[string]bool{}
	add := func(v *big.Int) {
		if t.Contains(v) && !seen[v.String()] {
			seen[v.String()] = true
			out = append(out, v)
		}
	}
	if t.Bits <= 5 || t.Bool {
		for v := int64(-16); v < 32; v++ {
			add(big.NewInt(v))
		}
		return out
	}
	for _, u := range append(widths, t) {
		for d := int64(-2); d <= 2; d++ {
			add(new(big.Int).Add(u.Min(), big.NewInt(d)))
			add(new(big.Int).Add(u.Max(), big.NewInt(d)))
		}
	}
	for _, v := range []int64{46340, 46341, 65535, 65537, 3037000499, 3037000500, 4294967297} { // roots of the ends
		add(big.NewInt(v))
		add(big.NewInt(-v))
	}
	return out
}

// evalAlone evaluates e, which has no variables, with the machine's arithmetic.
func evalAlone(e core.Expr) (*big.Int, UB) {
	p := &Prepared{prog: &core.Program{}}
	v := evaluation{machine: &Machine{Prepared: p}}
	c := p.compile(nil, e)
	return toBig(c.typ, v.value(c)), v.ub
}

// definedByC says whether C defines op for x and y of type t: where the exact
// result is a value of t (C23 6.5.1 p5), and further rules for division and shifts.
func definedByC(op core.BinaryOp, t core.Int, x, y *big.Int) UB {
	exact := new(big.Int)
	outside := SignedOverflow
	switch op {
	case core.Add:
		exact.Add(x, y)
	case core.Sub:
		exact.Sub(x, y)
	case core.Mul:
		exact.Mul(x, y)
	case core.Div, core.Rem:
		if y.Sign() == 0 {
			return DivisionByZero
		}
		exact.Quo(x, y)
		outside = DivisionOverflow
	case core.Shl, core.Shr:
		if y.Sign() < 0 || y.Cmp(big.NewInt(int64(t.Bits))) >= 0 {
			return ShiftAmount
		}
		if op == core.Shr {
			return Defined
		}
		if t.Signed && x.Sign() < 0 {
			return ShiftOverflow
		}
		exact.Lsh(x, uint(y.Int64()))
		outside = ShiftOverflow
	default:
		return Defined
	}
	if t.Signed && !t.Contains(exact) {
		return outside
	}
	return Defined
}

// disagreement runs every operation on the samples of every type and returns the
// first on which the machine differs from C's rules and from EvalMath.
func disagreement() string {
	for _, t := range widths {
		for _, x := range samples(t) {
			for _, op := range []core.UnaryOp{core.Neg, core.BitNot, core.Not, core.Ones} {
				if t.Bool && op != core.Not {
					continue
				}
				e := &core.Unary{Op: op, X: &core.Const{Val: x, Typ: t}}
				want := Defined
				if op == core.Neg && t.Signed && !t.Contains(new(big.Int).Neg(x)) {
					want = SignedOverflow
				}
				if s := differs(e, want); s != "" {
					return t.String() + ": " + s
				}
			}
			for op := core.Add; op <= core.LOr; op++ {
				if t.Bool && !op.IsComparison() && !op.IsLogical() {
					continue
				}
				for _, y := range samples(t) {
					e := &core.Binary{Op: op, X: &core.Const{Val: x, Typ: t}, Y: &core.Const{Val: y, Typ: t}}
					if s := differs(e, definedByC(op, t, x, y)); s != "" {
						return t.String() + ": " + s
					}
				}
			}
		}
	}
	return ""
}

func differs(e core.Expr, want UB) string {
	got, ub := evalAlone(e)
	if ub != want {
		return core.ExprString(e) + " is " + ub.String() + ", should be " + want.String()
	}
	if exact := core.EvalMath(e, nil); ub == Defined && got.Cmp(exact) != 0 {
		return core.ExprString(e) + " = " + got.String() + ", should be " + exact.String()
	}
	return ""
}

// TestArithmetic compares the machine's arithmetic with big integers.
func TestArithmetic(t *testing.T) {
	if s := disagreement(); s != "" {
		t.Error(s)
	}
}

// TestConversions converts every sample of every type to every type, and
// compares with package core's Convert.
func TestConversions(t *testing.T) {
	for _, from := range widths {
		for _, to := range widths {
			for _, x := range samples(from) {
				e := &core.Conv{X: &core.Const{Val: x, Typ: from}, To: to}
				got, _ := evalAlone(e)
				if want := to.Convert(x); got.Cmp(want) != 0 {
					t.Errorf("%s %s = %s, want %s", from, core.ExprString(e), got, want)
				}
			}
		}
	}
}

// TestKnownValues pins values worked out by hand, for both evaluators.
func TestKnownValues(t *testing.T) {
	n := core.NewConst
	bin := func(op core.BinaryOp, x, y core.Expr) core.Expr { return &core.Binary{Op: op, X: x, Y: y} }
	conv := func(x core.Expr, to core.Int) core.Expr { return &core.Conv{X: x, To: to} }
	for _, test := range []struct {
		e    core.Expr
		want string
	}{
		{conv(n(300, core.Int32), core.Uint8), "44"},
		{conv(n(200, core.Int32), core.Int8), "-56"},
		{conv(n(-1, core.Int32), core.Uint32), "4294967295"},
		{conv(n(-1, core.Int8), core.Uint64), "18446744073709551615"},
		{conv(conv(n(-1, core.Int8), core.Uint64), core.Int64), "-1"},
		{conv(n(256, core.Int32), core.Bool), "1"},
		{conv(n(7, core.Int32), core.Int{Bits: 3, Signed: true}), "-1"},
		{bin(core.Add, n(4294967295, core.Uint32), n(2, core.Uint32)), "1"},
		{bin(core.Sub, n(0, core.Uint8), n(1, core.Uint8)), "255"},
		{bin(core.Mul, n(65536, core.Uint32), n(65537, core.Uint32)), "65536"},
		{bin(core.Div, n(-7, core.Int32), n(2, core.Int32)), "-3"},
		{bin(core.Rem, n(-7, core.Int32), n(2, core.Int32)), "-1"},
		{bin(core.Shr, n(-7, core.Int32), n(1, core.Int32)), "-4"},
		{bin(core.Shr, n(4294967295, core.Uint32), n(31, core.Int32)), "1"},
		{bin(core.Shl, n(3, core.Uint8), n(7, core.Int32)), "128"},
		{bin(core.Lt, conv(n(-1, core.Int32), core.Uint32), n(1, core.Uint32)), "0"},
		{bin(core.Lt, conv(n(-1, core.Int32), core.Uint64), n(1, core.Uint64)), "0"},
		{bin(core.Xor, n(-8, core.Int32), n(5, core.Int32)), "-3"},
		{&core.Unary{Op: core.BitNot, X: n(5, core.Uint16)}, "65530"},
		{&core.Unary{Op: core.Neg, X: n(1, core.Uint64)}, "18446744073709551615"},
		{&core.Unary{Op: core.Ones, X: n(-1, core.Int64)}, "64"},
		{&core.Unary{Op: core.Ones, X: n(-2, core.Int16)}, "15"},
		{&core.Unary{Op: core.Ones, X: n(1231, core.Uint32)}, "7"},
		{&core.Cond{C: n(0, core.Int32), X: n(1, core.Int32), Y: n(2, core.Int32)}, "2"},
	} {
		got, ub := evalAlone(test.e)
		if ub != Defined || got.String() != test.want {
			t.Errorf("machine: %s = %s (%s), want %s", core.ExprString(test.e), got, ub, test.want)
		}
		if got := core.EvalMath(test.e, nil); got.String() != test.want {
			t.Errorf("EvalMath: %s = %s, want %s", core.ExprString(test.e), got, test.want)
		}
	}
}

// TestFloats compares the machine's floating-point arithmetic with EvalMath.
func TestFloats(t *testing.T) {
	numbers := []float64{0, math.Copysign(0, -1), 1, -1, 0.1, 0.7, 3, 10, 1e300, 5e-324, math.Inf(1), math.NaN()}
	for _, x := range numbers {
		for _, y := range numbers {
			for op := ieee.Add; op <= ieee.Sign; op++ {
				e := &core.Float{Op: op, Args: []core.Expr{core.NewFloat(math.Float64bits(x), core.Float64)}, Typ: core.Float64}
				if op.Arity() == 2 {
					e.Args = append(e.Args, core.NewFloat(math.Float64bits(y), core.Float64))
				}
				if op.IsTruth() {
					e.Typ = core.Int32
				}
				if s := differs(e, Defined); s != "" {
					t.Errorf("%s of %v and %v: %s", op, x, y, s)
				}
			}
		}
	}
}
