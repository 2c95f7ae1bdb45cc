package logic

import (
	"math/big"
	"math/bits"
	"math/rand/v2"
	"testing"
)

// TestOnesBetween: the bounds are those of all numbers in between, in small ranges.
func TestOnesBetween(t *testing.T) {
	const width = 6
	for _, offset := range []int64{0, -1 << width} {
		for lo := range int64(1 << width) {
			least, most := int64(width), int64(0)
			for hi := lo; hi < 1<<width; hi++ {
				n := int64(bits.OnesCount64(uint64(hi)))
				least, most = min(least, n), max(most, n)
				a, b := onesBetween(big.NewInt(lo+offset), big.NewInt(hi+offset), width)
				if a != least || b != most {
					t.Fatalf("from %d to %d: %d to %d ones, want %d to %d", lo+offset, hi+offset, a, b, least, most)
				}
			}
		}
	}
}

// falseOnesFact makes facts about random formulas in which ones are counted, and looks for one
// that is false for some number.
func falseOnesFact(rng *rand.Rand, rounds int) (facts int, wrong string) {
	for range rounds {
		t := NewTable()
		width := 3 + rng.IntN(4)
		size := int64(1) << width
		x := t.Sym("x", nil, nil)
		switch rng.IntN(3) {
		case 0:
			x = t.Sym("x", big.NewInt(0), big.NewInt(size-1))
		case 1:
			x = t.Sym("x", big.NewInt(-size/2), big.NewInt(size/2-1))
		}
		operand := x
		switch rng.IntN(4) {
		case 0:
			operand = t.Add(x, t.Int(rng.Int64N(7)-3))
		case 1:
			operand = t.Ite(t.Le(t.Int(0), x), x, t.Add(x, t.Int(size)))
		case 2:
			operand = t.Ite(t.Le(x, t.Int(1)), t.Add(x, t.Int(2)), t.Int(5))
		}
		f := t.Uninterpreted(OnesName(width), big.NewInt(0), big.NewInt(int64(width)), operand)
		if f.IsConst() {
			continue
		}
		var formulas []*Term
		for range rng.IntN(4) {
			y := []*Term{x, operand, t.Sub(t.Int(0), x)}[rng.IntN(3)]
			c := t.Int(rng.Int64N(2*size) - size)
			formulas = append(formulas, []*Term{t.Le(y, c), t.Eq(y, c), t.Not(t.Le(c, y))}[rng.IntN(3)])
		}
		list := append(t.OnesFacts(formulas, []*Term{f}), t.OnesSum(f))
		list = append(list, t.Axioms(f)...)
		at := big.NewInt(rng.Int64N(4*size) - 2*size)
		if l := t.OnesLemma(f, at, big.NewInt(rng.Int64N(int64(width)+3)-1)); l != nil {
			list = append(list, l)
		}
		facts += len(list)
		for v := -2*size - 3; v <= 2*size+3; v++ {
			if x.Lo != nil && (v < x.Lo.Int64() || v > x.Hi.Int64()) {
				continue
			}
			value := func(*Term) *big.Int { return big.NewInt(v) }
			for _, fact := range list {
				if fact.Eval(value, Meaning).Sign() == 0 {
					return facts, fact.String() + " is false for " + big.NewInt(v).String()
				}
			}
			// What is left of a wrap has the same ones.
			if n := bits.OnesCount64(uint64(operand.Eval(value, Meaning).Int64() & (size - 1))); f.Eval(value, Meaning).Int64() != int64(n) {
				return facts, f.String() + " is wrong for " + big.NewInt(v).String()
			}
		}
	}
	return facts, ""
}

// TestOnesFacts: what is said of counts of ones is true for all numbers.
func TestOnesFacts(t *testing.T) {
	facts, wrong := falseOnesFact(rand.New(rand.NewPCG(1, 2)), 2000)
	if wrong != "" {
		t.Error(wrong)
	}
	if facts < 10_000 {
		t.Errorf("%d facts: that says little", facts)
	}
}

// TestOnesLemma: a lemma rules out what it is made for, and is not made for what is right.
func TestOnesLemma(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	tab := NewTable()
	f := tab.Uninterpreted(OnesName(8), big.NewInt(0), big.NewInt(8), tab.Sym("x", nil, nil))
	for range 2000 {
		x, got := big.NewInt(rng.Int64N(2000)-1000), big.NewInt(rng.Int64N(9))
		right := int64(bits.OnesCount8(uint8(x.Int64())))
		l := tab.OnesLemma(f, x, got)
		if got.Int64() == right && x.BitLen() <= 8 {
			if l != nil {
				t.Fatalf("%s rules out what %d has", l, x)
			}
			continue
		}
		claim := func(string, []*big.Int) *big.Int { return got }
		if got.Int64() != right && l.Eval(func(*Term) *big.Int { return x }, claim).Sign() != 0 {
			t.Fatalf("%s does not rule out %d ones of %d", l, got, x)
		}
	}
}
