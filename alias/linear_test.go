package alias

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"c2bp/frontend/core"
)

// TestCongruence evaluates random expressions for random values of their variable.
func TestCongruence(t *testing.T) {
	if err := checkCongruence(congruenceOf); err != nil {
		t.Error(err)
	}
}

func checkCongruence(congruenceOf func(core.Expr) congruence) error {
	rng := rand.New(rand.NewPCG(8, 9))
	constants, steps := 0, 0
	for range 20000 {
		x := &core.Var{Name: "x", Type: pickType(rng)}
		e := randomInteger(rng, x, 4)
		c := congruenceOf(e)
		if c.step == 0 {
			constants++
		} else if c.step > 1 {
			steps++
		}
		for range 4 {
			typ := x.Type.(core.Int)
			value := typ.Convert(big.NewInt(int64(rng.Uint64() >> rng.IntN(64))))
			got, defined := evalInteger(e, value)
			if !defined {
				continue
			}
			d := new(big.Int).Sub(got, big.NewInt(c.rest))
			if c.step != 0 {
				d.Mod(d, big.NewInt(c.step))
			}
			if d.Sign() != 0 {
				return fmt.Errorf("%s is %s for x = %s, not in %+v", core.ExprString(e), got, value, c)
			}
		}
	}
	if constants < 100 || steps < 100 {
		return fmt.Errorf("only %d constants and %d steps", constants, steps)
	}
	return nil
}

// TestBounded: every index of an array leads to what bounded says.
func TestBounded(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	inside, counted := 0, 0
	for range 20000 {
		x := &core.Var{Name: "x", Type: pickType(rng)}
		e := &core.Index{I: randomInteger(rng, x, 3), Size: 1 + rng.Int64N(9), Count: rng.Int64N(12)}
		m := bounded(e)
		if m.count > 0 {
			counted++
		}
		to := at(3, 0).add(m.off, m.stride, m.count)
		for range 4 {
			value := x.Type.(core.Int).Convert(big.NewInt(int64(rng.Uint64() >> rng.IntN(64))))
			i, defined := evalInteger(e.I, value)
			if !defined || i.Sign() < 0 || i.Cmp(big.NewInt(max(e.Count, 1))) >= 0 {
				continue
			}
			inside++
			if b := at(3, i.Int64()*e.Size); b != to && !b.within(to) {
				t.Fatalf("%s = %s of %d elements of %d bytes is not in %+v", core.ExprString(e.I), i, e.Count, e.Size, m)
			}
		}
	}
	if inside < 1000 || counted < 1000 {
		t.Errorf("only %d in bounds, %d bounded", inside, counted)
	}
}

var integerTypes = []core.Int{core.Int8, core.Uint8, core.Int32, core.Uint32, core.Int64, core.Uint64}

func pickType(rng *rand.Rand) core.Int { return integerTypes[rng.IntN(len(integerTypes))] }

// randomInteger is an expression over x.
func randomInteger(rng *rand.Rand, x *core.Var, depth int) core.Expr {
	if depth == 0 || rng.IntN(5) == 0 {
		if rng.IntN(3) == 0 {
			return x.Ref()
		}
		t := pickType(rng)
		return &core.Const{Val: t.Convert(big.NewInt(rng.Int64N(40) - 8)), Typ: t}
	}
	e := randomInteger(rng, x, depth-1)
	t := e.Type().(core.Int)
	switch rng.IntN(4) {
	case 0:
		return &core.Conv{X: e, To: pickType(rng)}
	case 1:
		return &core.Unary{Op: []core.UnaryOp{core.Neg, core.BitNot}[rng.IntN(2)], X: e}
	}
	op := []core.BinaryOp{core.Add, core.Sub, core.Mul, core.Mul, core.Shl, core.And, core.Or}[rng.IntN(7)]
	return &core.Binary{Op: op, X: e, Y: &core.Conv{X: randomInteger(rng, x, depth-1), To: t}}
}

// evalInteger is the value of e; defined is false if signed arithmetic overflows or a
// shift is by too much.
func evalInteger(e core.Expr, x *big.Int) (v *big.Int, defined bool) {
	t := e.Type().(core.Int)
	switch e := e.(type) {
	case *core.Const:
		return e.Val, true
	case *core.VarRef:
		return x, true
	case *core.Conv:
		v, defined = evalInteger(e.X, x)
		return t.Convert(v), defined
	case *core.Unary:
		v, defined = evalInteger(e.X, x)
		if e.Op == core.BitNot {
			return t.Convert(new(big.Int).Not(v)), defined
		}
		v = new(big.Int).Neg(v)
		return t.Convert(v), defined && (!t.Signed || t.Contains(v))
	}
	b := e.(*core.Binary)
	v, defined = evalInteger(b.X, x)
	w, also := evalInteger(b.Y, x)
	defined = defined && also
	out := new(big.Int)
	switch b.Op {
	case core.Add:
		out.Add(v, w)
	case core.Sub:
		out.Sub(v, w)
	case core.Mul:
		out.Mul(v, w)
	case core.Shl:
		if w.Sign() < 0 || w.Cmp(big.NewInt(int64(t.Bits))) >= 0 || t.Signed && v.Sign() < 0 {
			return out, false
		}
		out.Lsh(v, uint(w.Int64()))
	case core.And:
		out.And(v, w)
	case core.Or:
		out.Or(v, w)
	}
	return t.Convert(out), defined && (!t.Signed || t.Contains(out))
}
