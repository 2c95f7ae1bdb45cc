package invgen

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"c2bp/frontend/core"
	"c2bp/logic"
)

// TestFit: samples of a line are fitted by it, others by none.
func TestFit(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	number := func(v int64) *big.Int { return big.NewInt(v) }
	for range 200 {
		a, b, c, k := r.Int64N(7)-3, r.Int64N(7)-3, r.Int64N(9)-4, 1+r.Int64N(3)
		act := &activation{}
		line := r.IntN(2) == 0
		for i := range 6 {
			x, y := r.Int64N(40)*k, r.Int64N(40)*k
			exit := a*x + b*y + c*k
			if !line && i == 5 {
				exit += k
			}
			act.samples = append(act.samples, sample{act, []*big.Int{number(x), number(y)}, []*big.Int{number(exit / k)}})
		}
		w := &sampling{entries: make([]*core.Var, 2)}
		l, factor := w.fit([]*activation{act}, 0)
		if l == nil {
			if line {
				t.Fatalf("(%d·x + %d·y)/%d + %d is not seen", a, b, k, c)
			}
			continue
		}
		for i, s := range act.samples {
			left := new(big.Int).Mul(factor, s.exit[0])
			right := new(big.Int).Set(l.constant)
			for j, v := range s.entry {
				right.Add(right, new(big.Int).Mul(l.factors[j], v))
			}
			if left.Cmp(right) != 0 {
				t.Fatalf("sample %d is not on the line", i)
			}
		}
		if !line {
			t.Fatal("a line through points that are on none")
		}
	}
}

// TestDivisor: numbers have a divisor if all their differences are known and have one.
func TestDivisor(t *testing.T) {
	table := logic.NewTable()
	x := table.Sym("x", nil, nil)
	for _, c := range []struct {
		steps []int64
		want  int64
	}{{[]int64{-2, -2}, 2}, {[]int64{3, -6}, 3}, {[]int64{2, 3}, 0}, {[]int64{-1}, 0}, {[]int64{100}, 0}, {nil, 0}, {[]int64{0, 4}, 4}} {
		values, v := []*logic.Term{x}, x
		for _, d := range c.steps {
			v = table.Add(v, table.Int(d))
			values = append(values, v)
		}
		got := divisor(table, values)
		if got == nil && c.want != 0 || got != nil && got.Int64() != c.want {
			t.Errorf("steps %v: divisor %v, want %d", c.steps, got, c.want)
		}
	}
	if d := divisor(table, []*logic.Term{x, table.Sym("y", nil, nil)}); d != nil {
		t.Errorf("divisor %v of an unknown step", d)
	}
}
