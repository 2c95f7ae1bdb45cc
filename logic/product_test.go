package logic

import (
	"math/big"
	"testing"
)

// The facts about products of bounded factors hold for all values within the bounds, and the range is
// attained.
func TestProductRange(t *testing.T) {
	for _, bounds := range [][4]int64{{-3, 5, -4, 2}, {0, 6, 2, 3}, {-6, -2, -3, -1}, {-5, 0, 1, 4}, {2, 2, -7, 7}} {
		tab := NewTable()
		x := tab.Sym("x", big.NewInt(bounds[0]), big.NewInt(bounds[1]))
		y := tab.Sym("y", big.NewInt(bounds[2]), big.NewInt(bounds[3]))
		for name, factors := range map[string][2]*Term{"product": {x, y}, "square": {x, x}} {
			app := tab.Uninterpreted(FnMul, nil, nil, factors[0], factors[1])
			lo, hi := productRange(factors[0], factors[1])
			least, most := false, false
			for a := bounds[0]; a <= bounds[1]; a++ {
				for b := bounds[2]; b <= bounds[3]; b++ {
					value := func(s *Term) *big.Int {
						if s == x {
							return big.NewInt(a)
						}
						return big.NewInt(b)
					}
					for i, f := range tab.Axioms(app) {
						if f.Eval(value, Meaning).Sign() == 0 {
							t.Fatalf("%s, %v: fact %d fails at %d, %d: %v", name, bounds, i, a, b, f)
						}
					}
					p := app.Eval(value, Meaning)
					least, most = least || p.Cmp(lo) == 0, most || p.Cmp(hi) == 0
				}
			}
			// The least value of a square is known only to be at least 0.
			if name == "product" && !least || !most {
				t.Errorf("%s, %v: [%v, %v] is not attained", name, bounds, lo, hi)
			}
		}
	}
}

// A product whose factors are replaced has the range of the new ones.
func TestProductRangeIsOfTheFactors(t *testing.T) {
	tab := NewTable()
	byte1 := tab.Sym("b", big.NewInt(0), big.NewInt(255))
	x, y := tab.Sym("x", nil, nil), tab.Sym("y", big.NewInt(-7), big.NewInt(7))
	p := tab.Uninterpreted(FnMul, nil, nil, byte1, y)
	if p.Lo.Int64() != -7*255 || p.Hi.Int64() != 7*255 {
		t.Errorf("byte times y: [%v, %v]", p.Lo, p.Hi)
	}
	if q := tab.Subst(p, map[*Term]*Term{byte1: x}); q.Lo != nil || q.Hi != nil {
		t.Errorf("x times y: [%v, %v]", q.Lo, q.Hi)
	}
	if q := tab.Subst(p, map[*Term]*Term{byte1: y}); q.Lo.Sign() != 0 || q.Hi.Int64() != 49 {
		t.Errorf("y times y: [%v, %v]", q.Lo, q.Hi)
	}
}
