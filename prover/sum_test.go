package prover

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"c2bp/logic"
)

// TestSumsOfAnySize: a sum in a model is the sum, however large its numbers are.
func TestSumsOfAnySize(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	// Numbers next to the bounds of 31 to 64 bits, and small ones.
	number := func() *big.Int {
		v := big.NewInt(rng.Int64N(7) - 3)
		if rng.IntN(2) == 0 {
			v.Add(v, new(big.Int).Lsh(big.NewInt(1), []uint{31, 32, 61, 62, 63, 64}[rng.IntN(6)]))
		}
		if rng.IntN(2) == 0 {
			v.Neg(v)
		}
		return v
	}
	for range 5000 {
		tab, u := logic.NewTable(), NewUniverse()
		m := u.NewModel(nil)
		want := number()
		args := []*logic.Term{tab.Big(want)}
		want = new(big.Int).Set(want)
		for _, name := range []string{"x", "y", "z"} {
			s, c, v := tab.Sym(name, nil, nil), number(), number()
			m.Set(u.symbol(s), v)
			args = append(args, tab.Scale(c, s))
			want.Add(want, new(big.Int).Mul(c, v))
		}
		f := tab.Add(args...)
		if got, ok := m.Value(f); !ok || got.Cmp(want) != 0 {
			t.Fatalf("%s is %v, want %v", f, got, want)
		}
	}
}
