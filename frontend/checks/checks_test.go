package checks

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"c2bp/frontend/core"
	"c2bp/internal/testkit"
)

// FuzzSet: a set is read again from its text, and a text with an error changes nothing.
func FuzzSet(f *testing.F) {
	for _, s := range []string{"all", "division", "shift,overflow", "null,null,bounds", "", ",", "division,", "leak", "All"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := Of(Null)
		if err := s.Set(text); err != nil {
			if s != Of(Null) {
				t.Errorf("%q: after %v it is %v", text, err, s.String())
			}
			return
		}
		var again Set
		if err := again.Set(s.String()); err != nil || again != s {
			t.Errorf("%q is %q, which is %q (%v)", text, s.String(), again.String(), err)
		}
	})
}

// TestSet: the kinds in a set, and the error.
func TestSet(t *testing.T) {
	var s Set
	if err := s.Set("shift,division"); err != nil || s != Of(Division, Shift) || s.String() != "division,shift" || len(s.Kinds()) != 2 {
		t.Errorf("%v, %v", s.String(), err)
	}
	err := s.Set("overflow,leaks")
	if want := `there is no check "leaks"; expected division, shift, overflow, null, bounds, double-free, lifetime, leak, uninitialised or all`; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if err := s.Set("all"); err != nil || s != All {
		t.Errorf("%v, %v", s.String(), err)
	}
}

// TestLedger: a line is open unless all properties of its kind hold, and only kinds in the set have lines.
func TestLedger(t *testing.T) {
	s := Of(Division, Overflow)
	if !s.Covers(NoOverflow) || !s.Covers(NoDivision) || s.Covers(NoShift) || s.Covers(NoInvalidAccess) {
		t.Error("the lines that are covered")
	}
	for _, failing := range []string{DivisionByZero, QuotientRange} {
		if got := s.Open(func(p string) bool { return p != failing }); len(got) != 1 || got[0] != NoDivision {
			t.Errorf("%s: %q", failing, got)
		}
	}
	if got := s.Open(func(string) bool { return true }); got != nil {
		t.Errorf("all hold: %q", got)
	}
}

// numbers makes random expressions over variables, and remembers their values in one state.
type numbers struct {
	rng    *rand.Rand
	values map[*core.Var]*big.Int
}

var types = []core.Int{core.Int8, core.Uint8, core.Uint16, core.Int32, core.Uint32, core.Int64, core.Uint64}

// expr returns an expression of type t.
func (n *numbers) expr(t core.Int, depth int) core.Expr {
	small := func() *big.Int { return t.Convert(big.NewInt(int64(n.rng.IntN(40) - 8))) }
	switch k := n.rng.IntN(6); {
	case depth == 0 && k < 2:
		return &core.Const{Val: small(), Typ: t}
	case depth == 0:
		v := &core.Var{Name: "v", Type: t, Kind: core.Local}
		n.values[v] = t.Convert(big.NewInt(int64(n.rng.Uint64())))
		if k < 4 {
			n.values[v] = small()
		}
		return v.Ref()
	case k == 0:
		from := types[n.rng.IntN(len(types))]
		return &core.Conv{X: n.expr(from, depth-1), To: t}
	case k == 1 && t.Bits >= 32:
		return &core.Unary{Op: []core.UnaryOp{core.Neg, core.BitNot}[n.rng.IntN(2)], X: n.expr(t, depth-1)}
	case t.Bits >= 32:
		ops := []core.BinaryOp{core.Add, core.Sub, core.Mul, core.Div, core.Rem, core.And, core.Or, core.Xor, core.Shl, core.Shr}
		return &core.Binary{Op: ops[n.rng.IntN(len(ops))], X: n.expr(t, depth-1), Y: n.expr(t, depth-1)}
	}
	return &core.Conv{X: n.expr(core.Int32, depth-1), To: t}
}

// defined reports whether all operations of e are defined in the state.
func (n *numbers) defined(e core.Expr) bool {
	for _, c := range core.Children(e) {
		if !n.defined(c) {
			return false
		}
	}
	t := e.Type().(core.Int)
	if b, ok := e.(*core.Binary); ok {
		y := n.value(b.Y)
		switch {
		case (b.Op == core.Div || b.Op == core.Rem) && y.Sign() == 0:
			return false
		case b.Op.IsShift() && (y.Sign() < 0 || y.Cmp(big.NewInt(int64(t.Bits))) >= 0):
			return false
		}
	}
	return t.Contains(n.value(e))
}

func (n *numbers) value(e core.Expr) *big.Int {
	return core.EvalMath(e, func(v *core.Var) *big.Int { return n.values[v] })
}

// TestRange: the value of an expression is in its range, and the range in the type.
func TestRange(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	defined, narrow := 0, 0
	for range testkit.Count(20_000, 2_000_000) {
		n := &numbers{rng, map[*core.Var]*big.Int{}}
		typ := types[rng.IntN(len(types))]
		e := n.expr(typ, 1+rng.IntN(3))
		lo, hi := Range(e)
		if !typ.Contains(lo) || !typ.Contains(hi) || lo.Cmp(hi) > 0 {
			t.Fatalf("%s: %v to %v", core.ExprString(e), lo, hi)
		}
		if lo.Cmp(typ.Min()) > 0 || hi.Cmp(typ.Max()) < 0 {
			narrow++
		}
		if !n.defined(e) {
			continue
		}
		defined++
		if v := n.value(e); v.Cmp(lo) < 0 || v.Cmp(hi) > 0 {
			t.Fatalf("%s is %v, not from %v to %v", core.ExprString(e), v, lo, hi)
		}
	}
	t.Logf("%d expressions are defined, %d have a range within that of their type", defined, narrow)
	if defined < 1000 || narrow < 1000 {
		t.Error("too few")
	}
}
