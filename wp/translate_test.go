package wp

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"c2bp/frontend/core"
	"c2bp/frontend/core/coregen"
	"c2bp/logic"
)

// interesting returns a random value of v's type, often at an end of its range.
func interesting(rng *rand.Rand, v *core.Var) *big.Int {
	t := v.Type.(core.Int)
	var x *big.Int
	switch rng.IntN(4) {
	case 0:
		x = big.NewInt(int64(rng.IntN(9) - 4))
	case 1:
		x = new(big.Int).Add(t.Min(), big.NewInt(int64(rng.IntN(3))))
	case 2:
		x = new(big.Int).Sub(t.Max(), big.NewInt(int64(rng.IntN(3))))
	default:
		x = new(big.Int).SetUint64(rng.Uint64())
	}
	return t.Convert(x)
}

// agree evaluates e directly and through its term.
func agree(e core.Expr, rng *rand.Rand) (direct, term *big.Int) {
	vals := map[*core.Var]*big.Int{}
	for _, v := range Vars(e) {
		vals[v] = interesting(rng, v)
	}
	direct = core.EvalMath(e, func(v *core.Var) *big.Int { return vals[v] })
	t := logic.NewTable()
	tr := New(t, nil, 64)
	tr = tr.With(func(v *core.Var) *logic.Term { return Sym(t, v, "") }) // memory is no matter here
	byTerm := map[*logic.Term]*big.Int{}
	for v, x := range vals {
		byTerm[tr.Env(v)] = x
	}
	truth := tr.Cond(e).Eval(func(s *logic.Term) *big.Int { return byTerm[s] }, logic.Meaning)
	return direct, truth
}

// disagreement looks for a random predicate whose term has another value.
func disagreement() (what string, evaluations int) {
	rng := rand.New(rand.NewPCG(1, 2))
	for seed := uint64(0); seed < 400; seed++ {
		_, preds := coregen.Generate(rand.New(rand.NewPCG(seed, 7)), coregen.Config{})
		for _, p := range preds {
			for range 20 {
				direct, term := agree(p.Expr, rng)
				if (direct.Sign() != 0) != (term.Sign() != 0) {
					return fmt.Sprintf("%s: evaluates to %v, its term to %v", core.ExprString(p.Expr), direct, term), evaluations
				}
				evaluations++
			}
		}
	}
	return "", evaluations
}

// TestTranslation holds terms against the mathematical evaluation of package core on
// random predicates: all types, conversions and operators.
func TestTranslation(t *testing.T) {
	what, n := disagreement()
	if what != "" {
		t.Fatal(what)
	}
	t.Logf("%d evaluations", n)
}
