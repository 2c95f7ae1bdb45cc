package prover

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"c2bp/ieee"
	"c2bp/internal/testkit"
	"c2bp/logic"
)

// someNumber is the bits of some floating-point number.
func someNumber(rng *rand.Rand, width int) *big.Int {
	list := []float64{0, math.Copysign(0, -1), 1, -1, 0.5, 2.5, -2.5, 0.1, 3, 100, 1e10, 1e300, 3e38, -math.MaxFloat64, 5e-324, 1e-40, math.Inf(1), math.Inf(-1), math.NaN(), 1 << 31, 1<<53 + 2, 16777217}
	v := list[rng.IntN(len(list))]
	bits := math.Float64bits(v)
	if width == 32 {
		bits = uint64(math.Float32bits(float32(v)))
	}
	switch rng.IntN(6) {
	case 0:
		bits++
	case 1:
		bits = rng.Uint64()
	}
	if width == 32 {
		bits &= math.MaxUint32
	}
	return new(big.Int).SetUint64(bits)
}

// numberFormula is a random atom over the numbers xs and the integer n.
func numberFormula(rng *rand.Rand, t *logic.Table, xs []*logic.Term, n *logic.Term, width int, eval func(*logic.Term) *big.Int) *logic.Term {
	zero, one := big.NewInt(0), big.NewInt(1)
	top := func(width int) *big.Int {
		v := new(big.Int).Lsh(one, uint(width))
		return v.Sub(v, one)
	}
	apply := func(op ieee.Op, width int, lo, hi *big.Int, args ...*logic.Term) *logic.Term {
		return t.Uninterpreted(logic.FloatName(op, width, lo, hi), lo, hi, args...)
	}
	var value func(depth int) *logic.Term
	value = func(depth int) *logic.Term {
		switch {
		case depth == 0 && rng.IntN(4) == 0:
			return t.Big(someNumber(rng, width))
		case depth == 0:
			return xs[rng.IntN(len(xs))]
		case rng.IntN(7) == 0:
			return apply(ieee.FromInt, width, zero, top(width), n)
		}
		op := ieee.Op(rng.IntN(int(ieee.Rint) + 1))
		args := []*logic.Term{value(depth - 1)}
		if op.Arity() == 2 {
			args = append(args, value(depth-1))
		}
		return apply(op, width, zero, top(width), args...)
	}
	switch rng.IntN(9) {
	case 6, 7, 8: // what the value is, exactly
		x := value(1 + rng.IntN(2))
		op := []ieee.Op{ieee.Eq, ieee.Lt, ieee.Le}[rng.IntN(3)]
		return t.Eq(apply(op, width, zero, one, x, t.Big(eval(x))), t.Int(1))
	case 0:
		lo, hi := big.NewInt(-128), big.NewInt(127)
		return t.Le(apply(ieee.ToInt, width, lo, hi, value(1)), t.Int(rng.Int64N(20)-10))
	case 1:
		x := apply(ieee.Resize, width, zero, top(96-width), value(1))
		return t.Eq(apply(ieee.Le, 96-width, zero, one, x, t.Big(someNumber(rng, 96-width))), t.Int(1))
	}
	op := []ieee.Op{ieee.Eq, ieee.Lt, ieee.Le, ieee.Sign}[rng.IntN(4)]
	args := []*logic.Term{value(1 + rng.IntN(2))}
	if op.Arity() == 2 {
		args = append(args, value(1))
	}
	return t.Eq(apply(op, width, zero, one, args...), t.Int(1))
}

// disagreement decides random formulas at random values, with linear facts and with Z3's
// theory, and looks for one that both say cannot be so although it is.
func disagreement(t *testing.T, seed uint64, rounds int) (wrong string) {
	rng := rand.New(rand.NewPCG(seed, 3))
	ctx := context.Background()
	decided := 0
	for range rounds {
		tab := logic.NewTable()
		width := 32 + 32*rng.IntN(2)
		top := new(big.Int).Lsh(big.NewInt(1), uint(width))
		top.Sub(top, big.NewInt(1))
		xs := []*logic.Term{tab.Sym("x", new(big.Int), top), tab.Sym("y", new(big.Int), top)}
		n := tab.Sym("n", big.NewInt(-1<<31), big.NewInt(1<<31-1))
		values := map[*logic.Term]*big.Int{xs[0]: someNumber(rng, width), xs[1]: someNumber(rng, width), n: big.NewInt(rng.Int64N(60) - 30)}
		eval := func(f *logic.Term) *big.Int {
			return f.Eval(func(s *logic.Term) *big.Int { return values[s] }, logic.Meaning)
		}
		f := numberFormula(rng, tab, xs, n, width, eval)
		holds := eval(f).Sign() != 0
		if !holds {
			f = tab.Not(f)
		}
		var fixed []*logic.Term
		for s, v := range values {
			fixed = append(fixed, tab.Eq(s, tab.Big(v)))
		}
		p := New(nil, Options{})
		byTheory := func(f *logic.Term) Answer {
			if !f.HasFloats() {
				return Unknown
			}
			z := p.theoryContext()
			for s, v := range values { // Z3 computes with constants
				z.terms[s.Hash()] = z.number(v)
				if s != n {
					z.floats.values[floatKey{s.Hash(), width}] = z.floats.literalFloat(v.Uint64(), width)
				}
			}
			return p.hard(ctx, z, &query{lits: append([]*logic.Term{f}, fixed...), t: tab})
		}
		if p.Check(ctx, append([]*logic.Term{f}, fixed...), tab) == Unsat || byTheory(f) == Unsat {
			return f.String()
		}
		if a := byTheory(tab.Not(f)); a == Unsat {
			decided++
		} else if a == Sat && p.Check(ctx, append([]*logic.Term{tab.Not(f)}, fixed...), tab) == Sat && !loose(f) {
			return "not refuted: " + f.String()
		}
		if p.Err() != nil {
			t.Fatal(p.Err())
		}
		p.Close()
	}
	t.Logf("%d of %d refuted", decided, rounds)
	if 2*decided < rounds {
		return "little is decided"
	}
	return ""
}

// loose reports whether f has operations or values of which Z3 is not told all: the bits of
// what is no number, the result of a conversion out of range.
func loose(f *logic.Term) bool {
	for _, a := range f.Applications() {
		switch op, _, ok := a.Float(); {
		case ok && (op == ieee.Sqrt || op == ieee.Mod || op == ieee.Remainder || op == ieee.ToInt || op == ieee.Sign || op == ieee.CopySign):
			return true
		}
	}
	return false
}

func TestFloatsAgreeWithZ3(t *testing.T) {
	if wrong := disagreement(t, 1, testkit.Count(60, 600)); wrong != "" {
		t.Error(wrong)
	}
}

// A prover that is patient asks Z3's theory what linear facts leave open, up to a number of
// queries that this leaves open, too.
func TestPatientFloats(t *testing.T) {
	tab := logic.NewTable()
	top := big.NewInt(math.MaxUint32)
	number := func(v float32) *logic.Term { return tab.Int(int64(math.Float32bits(v))) }
	apply := func(op ieee.Op, args ...*logic.Term) *logic.Term {
		hi := top
		if op.IsTruth() {
			hi = big.NewInt(1)
		}
		return tab.Uninterpreted(logic.FloatName(op, 32, nil, nil), new(big.Int), hi, args...)
	}
	holds := func(op ieee.Op, x, y *logic.Term) *logic.Term { return tab.Eq(apply(op, x, y), tab.Int(1)) }
	x := tab.Sym("x", new(big.Int), top)
	half := apply(ieee.Mul, x, number(0.5))
	query := []*logic.Term{
		holds(ieee.Le, number(1), x), holds(ieee.Le, x, number(1000)),
		tab.Not(holds(ieee.Eq, apply(ieee.Add, half, half), x)),
	}
	for _, c := range []struct {
		patience uint
		open     int
		want     Answer
	}{{0, 0, Unknown}, {20, 0, Unsat}, {20, maxTheory, Unknown}} {
		p := New(nil, Options{Patience: c.patience})
		p.theory = c.open
		if a := p.Check(background, query, tab); a != c.want {
			t.Errorf("patience %d, %d left open: %v, want %v", c.patience, c.open, a, c.want)
		}
	}
}
