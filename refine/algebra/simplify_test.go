package algebra

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"c2bp/frontend/core"
)

// randomCondition is a comparison of sums of variables and constants.
func randomCondition(r *rand.Rand, vars []*core.Var, t core.Int) core.Expr {
	var sum func(depth int) core.Expr
	sum = func(depth int) core.Expr {
		switch k := r.IntN(8); {
		case depth == 0 || k < 2:
			if r.IntN(2) == 0 {
				return core.NewConst(r.Int64N(9), t)
			}
			return vars[r.IntN(len(vars))].Ref()
		case k < 5:
			return &core.Binary{Op: core.Add, X: sum(depth - 1), Y: sum(depth - 1)}
		case k < 7:
			return &core.Binary{Op: core.Sub, X: sum(depth - 1), Y: sum(depth - 1)}
		}
		return &core.Binary{Op: core.Mul, X: core.NewConst(r.Int64N(4), t), Y: sum(depth - 1)}
	}
	ops := []core.BinaryOp{core.Eq, core.Ne, core.Lt, core.Le, core.Gt, core.Ge}
	var e core.Expr = &core.Binary{Op: ops[r.IntN(len(ops))], X: sum(3), Y: sum(3)}
	if r.IntN(4) == 0 {
		e = &core.Unary{Op: core.Not, X: e}
	}
	return e
}

// wrongSimplification looks for a condition that means something else when it is
// simplified.
func wrongSimplification(t core.Int, exact bool) (was, is core.Expr, smaller int) {
	r := rand.New(rand.NewPCG(5, 6))
	vars := []*core.Var{{Name: "a", Type: t}, {Name: "b", Type: t}, {Name: "c", Type: t}}
	for range 3000 {
		e := randomCondition(r, vars, t)
		s, known := Simplify(e, exact)
		if Size(s) < Size(e) {
			smaller++
		}
		var first *big.Int
		for range 20 {
			values := map[*core.Var]*big.Int{}
			for _, v := range vars {
				values[v] = t.Convert(big.NewInt(r.Int64N(12) - 4))
			}
			lookup := func(v *core.Var) *big.Int { return values[v] }
			x, y := core.EvalMath(e, lookup), core.EvalMath(s, lookup)
			if first == nil {
				first = x
			}
			if x.Sign() != y.Sign() || known && x.Sign() != first.Sign() {
				return e, s, smaller
			}
		}
	}
	return nil, nil, smaller
}

// TestSimplify: an exact simplification has the same value in all states.
func TestSimplify(t *testing.T) {
	for _, typ := range []core.Int{core.Int32, core.Uint32, core.Int8} {
		was, is, smaller := wrongSimplification(typ, true)
		if was != nil {
			t.Errorf("%s becomes %s", core.ExprString(was), core.ExprString(is))
		}
		if typ.Signed && smaller < 1500 {
			t.Errorf("%v: only %d of 3000 conditions become smaller", typ, smaller)
		}
	}
	// Unsigned numbers that are taken not to wrap around do not mean the same: the test
	// would notice.
	if was, _, _ := wrongSimplification(core.Uint32, false); was == nil {
		t.Error("nobody notices that unsigned arithmetic wraps around")
	}
}

// TestFoldSum: constants that are added one after the other become one, in a conversion as well.
func TestFoldSum(t *testing.T) {
	v := &core.Var{Name: "i", Type: core.Int32}
	add := func(op core.BinaryOp, x core.Expr, k int64) core.Expr {
		return &core.Binary{Op: op, X: x, Y: core.NewConst(k, core.Int32)}
	}
	i := v.Ref()
	for _, c := range []struct {
		sum  core.Expr
		want string
	}{
		{add(core.Add, add(core.Add, add(core.Add, i, 1), 1), 1), "(uint64)(i + 3) < 47"},
		{add(core.Sub, add(core.Add, i, 1), 3), "(uint64)(i - 2) < 47"},
		{add(core.Add, add(core.Sub, i, 1), 1), "(uint64)i < 47"},
		{add(core.Add, add(core.Add, i, 1<<30), 1<<30), "(uint64)(i + 1073741824 + 1073741824) < 47"},
	} {
		e := &core.Binary{Op: core.Lt, X: &core.Conv{X: c.sum, To: core.Uint64}, Y: core.NewConst(47, core.Uint64)}
		if got, _ := Simplify(e, true); core.ExprString(got) != c.want {
			t.Errorf("%s, want %s", core.ExprString(got), c.want)
		}
	}
}
