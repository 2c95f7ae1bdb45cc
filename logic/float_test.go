package logic

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"c2bp/ieee"
)

// interesting are numbers at which floating-point operations change.
var interesting = []float64{0, math.Copysign(0, -1), 1, -1, 0.5, 1.5, 2.5, -2.5, 0.1, 3, 100, 1e10, -1e10, 1e300, math.MaxFloat64, -math.MaxFloat64,
	5e-324, -5e-324, 2.2250738585072014e-308, math.Inf(1), math.Inf(-1), math.NaN(), 1 << 31, -(1 << 31), 1<<31 - 1, 1 << 53, 1<<53 + 2, 1 << 62, 1 << 63, 16777217, 3.4e38, 1e-45}

// someFloat is the bits of some number of width bits.
func someFloat(rng *rand.Rand, width int) uint64 {
	v := interesting[rng.IntN(len(interesting))]
	bits := math.Float64bits(v)
	if width == 32 {
		bits = uint64(math.Float32bits(float32(v)))
	}
	switch rng.IntN(6) {
	case 0:
		bits++
	case 1:
		bits--
	case 2:
		bits = rng.Uint64()
	}
	if width == 32 {
		bits &= 1<<32 - 1
	}
	return bits
}

// floatFormula makes an atom over the symbols xs, which are numbers of width bits, and the integer n.
func floatFormula(rng *rand.Rand, t *Table, xs []*Term, n *Term, width int) *Term {
	top := ones(width)
	var value func(depth int) *Term
	value = func(depth int) *Term {
		switch {
		case depth == 0 || rng.IntN(5) == 0:
			if rng.IntN(3) == 0 {
				return t.Big(new(big.Int).SetUint64(someFloat(rng, width)))
			}
			return xs[rng.IntN(len(xs))]
		case rng.IntN(8) == 0:
			return t.Uninterpreted(FloatName(ieee.FromInt, width, nil, nil), t.Int(0).Val, top, n)
		}
		op := ieee.Op(rng.IntN(int(ieee.Rint) + 1))
		args := []*Term{value(depth - 1)}
		if op.Arity() == 2 {
			args = append(args, value(depth-1))
		}
		return t.Uninterpreted(FloatName(op, width, nil, nil), t.Int(0).Val, top, args...)
	}
	switch rng.IntN(6) {
	case 0:
		lo, hi := big.NewInt(-128), big.NewInt(127)
		if rng.IntN(2) == 0 {
			lo, hi = new(big.Int).Neg(power(63)), ones(63)
		}
		arg := value(1)
		if rng.IntN(3) == 0 {
			arg = t.Uninterpreted(FloatName(ieee.FromInt, width, nil, nil), t.Int(0).Val, top, t.Add(n, t.Int(rng.Int64N(3))))
		}
		x := t.Uninterpreted(FloatName(ieee.ToInt, width, lo, hi), lo, hi, arg)
		return t.Le(x, t.Int(rng.Int64N(200)-100))
	case 1:
		other := 96 - width
		x := t.Uninterpreted(FloatName(ieee.Resize, width, nil, nil), t.Int(0).Val, ones(other), value(1))
		c := t.Big(new(big.Int).SetUint64(someFloat(rng, other)))
		return t.Eq(t.Uninterpreted(FloatName(ieee.Lt, other, nil, nil), t.Int(0).Val, one, x, c), t.Int(1))
	}
	op := []ieee.Op{ieee.Eq, ieee.Lt, ieee.Le, ieee.Sign}[rng.IntN(4)]
	args := []*Term{value(2)}
	if op.Arity() == 2 {
		args = append(args, value(1))
		if rng.IntN(2) == 0 {
			args[0], args[1] = args[1], args[0]
		}
	}
	return t.Eq(t.Uninterpreted(FloatName(op, width, nil, nil), t.Int(0).Val, one, args...), t.Int(rng.Int64N(2)))
}

// floatApps lists the applications in fs, inner ones first.
func floatApps(fs []*Term) (apps []*Term) {
	seen := map[*Term]bool{}
	var visit func(*Term)
	visit = func(f *Term) {
		if seen[f] {
			return
		}
		seen[f] = true
		for _, a := range f.Args {
			visit(a)
		}
		if f.Op == OpApp {
			apps = append(apps, f)
		}
	}
	for _, f := range fs {
		visit(f)
	}
	return apps
}

// falseFloatFact looks for a fact that does not hold for some values.
func falseFloatFact(rng *rand.Rand, rounds int) (facts int, wrong string) {
	for range rounds {
		t := NewTable()
		width := 32 + 32*rng.IntN(2)
		zero, top := new(big.Int), ones(width)
		xs := []*Term{t.Sym("x", zero, top), t.Sym("y", zero, top)}
		lo, hi := new(big.Int).Neg(power(31)), ones(31)
		if rng.IntN(2) == 0 {
			lo, hi = zero, ones(64)
		}
		n := t.Sym("n", lo, hi)
		fs := []*Term{floatFormula(rng, t, xs, n, width), floatFormula(rng, t, xs, n, width), t.Le(n, t.Int(rng.Int64N(100)-50))}
		list, _ := t.FloatFacts(fs, floatApps(fs))
		facts += len(list)
		for range 30 {
			values := map[*Term]*big.Int{xs[0]: new(big.Int).SetUint64(someFloat(rng, width)), xs[1]: new(big.Int).SetUint64(someFloat(rng, width))}
			v := big.NewInt(rng.Int64N(120) - 60)
			if rng.IntN(3) == 0 || v.Cmp(lo) < 0 {
				v.SetUint64(rng.Uint64())
				v.Mod(v, new(big.Int).Sub(hi, lo)).Add(v, lo)
			}
			values[n] = v
			for _, f := range list {
				if f.Eval(func(s *Term) *big.Int { return values[s] }, Meaning).Sign() == 0 {
					return facts, f.String()
				}
			}
		}
	}
	return facts, ""
}

func TestFloatFactsHold(t *testing.T) {
	rounds := int(rounds(200))
	facts, wrong := falseFloatFact(rand.New(rand.NewPCG(1, 2)), rounds)
	if wrong != "" {
		t.Errorf("a false fact: %s", wrong)
	}
	if t.Logf("%d facts", facts); facts < 10*rounds {
		t.Error("there is little to see")
	}
}
