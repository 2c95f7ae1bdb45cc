package logic

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"c2bp/internal/testkit"
)

// rounds is the number of rounds of a random test.
func rounds(n uint64) uint64 {
	return testkit.Count(n, 50*n)
}

// misvalued builds random terms and compares their values with plain arithmetic and
// with their own intervals; it returns the first difference.
func misvalued(n uint64) string {
	for seed := range n {
		g := newGen(seed)
		for i := range 6 {
			p := g.value(i % 4)
			if i%2 == 0 {
				p = g.formula(i % 4)
			}
			for range 8 {
				e := g.env()
				got, want := e.eval(p.term, g.syms), p.value(e)
				if got.Cmp(want) != 0 {
					return fmt.Sprintf("seed %d: %v at %v is %v, want %v", seed, p.term, e, got, want)
				}
				if lo, hi := p.term.Lo, p.term.Hi; lo != nil && got.Cmp(lo) < 0 || hi != nil && got.Cmp(hi) > 0 {
					return fmt.Sprintf("seed %d: %v at %v is %v, outside [%v, %v]", seed, p.term, e, got, lo, hi)
				}
			}
		}
	}
	return ""
}

func TestConstructorsAreArithmetic(t *testing.T) {
	if d := misvalued(rounds(2000)); d != "" {
		t.Error(d)
	}
}

// Substituting and then evaluating is evaluating with the substituted values.
func TestSubstCommutesWithEval(t *testing.T) {
	for seed := range rounds(1000) {
		g := newGen(seed)
		f := g.formula(3)
		if seed%2 == 0 {
			f = g.value(3)
		}
		by := map[*Term]*Term{}
		values := map[int]func(env) *big.Int{}
		for i, s := range g.syms {
			if lo, hi := s.term.Lo, s.term.Hi; g.r.IntN(2) == 0 && (lo == nil) == (hi == nil) {
				v := g.value(2)
				if lo != nil { // the replacement of a symbol must be in its range
					v.term = g.t.Wrap(v.term, lo, hi)
				}
				by[s.term] = v.term
				values[i] = func(e env) *big.Int { return inside(v.value(e), lo, hi) }
			}
		}
		r := g.t.Subst(f.term, by)
		for range 8 {
			e := g.env()
			after := slices.Clone(e)
			for i, v := range values {
				after[i] = v(e)
			}
			if got, want := e.eval(r, g.syms), f.value(after); got.Cmp(want) != 0 {
				t.Errorf("seed %d: %v with %v is %v: %v, want %v", seed, f.term, by, r, got, want)
				break
			}
		}
	}
}

func TestNormalForms(t *testing.T) {
	tab := NewTable()
	x, y, z := tab.Sym("x", nil, nil), tab.Sym("y", nil, nil), tab.Sym("z", nil, nil)
	u8 := tab.Sym("u8", new(big.Int), big.NewInt(255))
	n := tab.Int
	k := func(v int64, a *Term) *Term { return tab.Scale(big.NewInt(v), a) }
	truth := func(f *Term) *Term { return tab.Ite(f, n(1), n(0)) }
	a, b, c := tab.Lt(x, y), tab.Eq(y, z), tab.Lt(z, x)
	same := []struct {
		name string
		f, g *Term
	}{
		{"x < 4, !(x >= 4)", tab.Lt(x, n(4)), tab.Not(tab.Le(n(4), x))},
		{"x < 4, x <= 3", tab.Lt(x, n(4)), tab.Le(x, n(3))},
		{"x+1 < 5, x < 4", tab.Lt(tab.Add(x, n(1)), n(5)), tab.Lt(x, n(4))},
		{"2x < 7, x <= 3", tab.Lt(k(2, x), n(7)), tab.Le(x, n(3))},
		{"-2x < 7, x >= -3", tab.Lt(k(-2, x), n(7)), tab.Le(n(-3), x)},
		{"x = y, y = x", tab.Eq(x, y), tab.Eq(y, x)},
		{"x-y = 0, 2y = 2x", tab.Eq(tab.Sub(x, y), n(0)), tab.Eq(k(2, y), k(2, x))},
		{"x = 3, -x = -3", tab.Eq(x, n(3)), tab.Eq(k(-1, x), n(-3))},
		{"2x = 3", tab.Eq(k(2, x), n(3)), tab.False},
		{"2x = 2y + 1", tab.Eq(k(2, x), tab.Add(k(2, y), n(1))), tab.False},
		{"u8 <= 255", tab.Le(u8, n(255)), tab.True},
		{"u8 < 0", tab.Lt(u8, n(0)), tab.False},
		{"u8 = 256", tab.Eq(u8, n(256)), tab.False},
		{"x - x", tab.Sub(x, x), n(0)},
		{"x + y + 1 - y", tab.Sub(tab.Add(x, y, n(1)), y), tab.Add(n(1), x)},
		{"1 * x + 0", tab.Add(k(1, x), n(0)), x},
		{"(x < y) == 0", tab.Eq(truth(a), n(0)), tab.Not(a)},
		{"(x < y) != 0", tab.Not(tab.Eq(truth(a), n(0))), a},
		{"(x < y) + 2 >= 3", tab.Le(n(3), tab.Add(truth(a), n(2))), a},
		{"a & b & a, b & a", tab.And(a, b, a), tab.And(b, a)},
		{"(a & b) & c, a & (b & c)", tab.And(tab.And(a, b), c), tab.And(a, tab.And(b, c))},
		{"!(a & b), !a | !b", tab.Not(tab.And(a, b)), tab.Or(tab.Not(a), tab.Not(b))},
		{"a & !a", tab.And(a, b, tab.Not(a)), tab.False},
		{"b | !b", tab.Or(b, c, tab.Not(b)), tab.True},
		{"a | true", tab.Or(a, tab.True), tab.True},
		{"a & true", tab.And(a, tab.True), a},
		{"nothing", tab.And(), tab.True},
		{"ite(!b, x, y), ite(b, y, x)", tab.Ite(tab.Not(b), x, y), tab.Ite(b, y, x)},
		{"ite(a, x, x)", tab.Ite(a, x, x), x},
		{"x * y, y * x", tab.Uninterpreted(FnMul, nil, nil, x, y), tab.Uninterpreted(FnMul, nil, nil, y, x)},
		{"3 * x", tab.Uninterpreted(FnMul, nil, nil, n(3), x), k(3, x)},
		{"x << 3", tab.Uninterpreted(FnShl, nil, nil, x, n(3)), k(8, x)},
		{"u8 & 255", tab.Uninterpreted(FnAnd, nil, nil, u8, n(255)), u8},
		{"u8 & 256", tab.Uninterpreted(FnAnd, nil, nil, u8, n(0)), n(0)},
		{"x ^ x", tab.Uninterpreted(FnXor, nil, nil, x, x), n(0)},
		{"(unsigned char) u8", tab.Wrap(u8, new(big.Int), big.NewInt(255)), u8},
		{"(unsigned char) (unsigned char) (u8 + 1)", wrap8(tab, wrap8(tab, tab.Add(u8, n(1)))), wrap8(tab, tab.Add(u8, n(1)))},
		{"(unsigned char) (unsigned char) (u8 - 1)", wrap8(tab, wrap8(tab, tab.Sub(u8, n(1)))), wrap8(tab, tab.Sub(u8, n(1)))},
		{"u8 % 256", tab.Mod(u8, big.NewInt(256)), u8},
		{"u8 / 256", tab.Div(u8, big.NewInt(256)), n(0)},
	}
	for _, s := range same {
		if s.f != s.g {
			t.Errorf("%s: %v and %v", s.name, s.f, s.g)
		}
	}
	for _, s := range same {
		if s.f.Sort() == Bool && tab.Not(tab.Not(s.f)) != s.f {
			t.Errorf("%s: two negations of %v give %v", s.name, s.f, tab.Not(tab.Not(s.f)))
		}
	}
	if tab.Sym("x", nil, big.NewInt(3)) == x || tab.Sym("x", nil, nil) != x {
		t.Error("a symbol is its name and range")
	}
}

func wrap8(t *Table, a *Term) *Term { return t.Wrap(a, new(big.Int), big.NewInt(255)) }

// A negation is the negation in all states, and twice it is the formula.
func TestNot(t *testing.T) {
	for seed := range rounds(1000) {
		g := newGen(seed)
		f := g.formula(3)
		not := g.t.Not(f.term)
		if g.t.Not(not) != f.term {
			t.Fatalf("seed %d: !!%v is %v", seed, f.term, g.t.Not(not))
		}
		if f.term.Op != OpAnd && f.term.Op != OpOr && f.term.Op != OpFalse && g.t.And(f.term, not) != g.t.False {
			t.Fatalf("seed %d: %v and its negation are %v", seed, f.term, g.t.And(f.term, not))
		}
		for range 4 {
			if e := g.env(); e.eval(not, g.syms).Sign() == e.eval(f.term, g.syms).Sign() {
				t.Fatalf("seed %d: %v and its negation at %v", seed, f.term, e)
			}
		}
	}
}

// Conversions and divisions at the ends of the types, on constants and on symbols.
func TestConversionsAndDivisions(t *testing.T) {
	var numbers []*big.Int
	for _, in := range intervals() {
		for _, end := range in {
			for d := int64(-2); d <= 2 && end != nil; d++ {
				numbers = append(numbers, new(big.Int).Add(end, big.NewInt(d)))
			}
		}
	}
	r := func() *big.Int { return new(big.Int) }
	for _, v := range numbers {
		for i, forms := 0, [][2]*big.Int{{v, v}, {nil, nil}, {v, nil}, {nil, v}, {r().Sub(v, one), r().Add(v, one)}}; i < len(forms); i++ {
			tab := NewTable()
			x := tab.Sym("x", forms[i][0], forms[i][1])
			if i == 0 {
				x = tab.Big(v)
			}
			check := func(what string, f *Term, want *big.Int) {
				t.Helper()
				got := f.Eval(func(*Term) *big.Int { return v }, Meaning)
				if got.Cmp(want) != 0 || f.Lo != nil && got.Cmp(f.Lo) < 0 || f.Hi != nil && got.Cmp(f.Hi) > 0 {
					t.Errorf("%s of %v, form %d: %v is %v in [%v, %v], want %v", what, v, i, f, got, f.Lo, f.Hi, want)
				}
			}
			for _, in := range intervals()[1:10] {
				check(fmt.Sprint("wrap ", in), tab.Wrap(x, in[0], in[1]), inside(v, in[0], in[1]))
			}
			for _, k := range numbers {
				if k.Sign() != 0 {
					check(fmt.Sprint("quo ", k), tab.Quo(x, k), r().Quo(v, k))
					check(fmt.Sprint("rem ", k), tab.Rem(x, k), r().Rem(v, k))
				}
				if k.Sign() > 0 {
					check(fmt.Sprint("div ", k), tab.Div(x, k), floor(v, k))
					check(fmt.Sprint("mod ", k), tab.Mod(x, k), r().Sub(v, r().Mul(k, floor(v, k))))
				}
			}
		}
	}
}

// axiomFailures evaluates all axioms at random and boundary values.
func axiomFailures(t *testing.T, meaning func(string, []*big.Int) *big.Int) (failures int, first string) {
	t.Helper()
	g := newGen(1)
	tab := NewTable()
	x, y := tab.Sym("x", nil, nil), tab.Sym("y", nil, nil)
	for _, fn := range []string{FnMul, FnQuo, FnRem, FnAnd, FnOr, FnXor, FnShl, FnShr} {
		app := tab.App(fn, nil, nil, x, y)
		axioms := tab.Axioms(app)
		if len(axioms) == 0 {
			t.Errorf("no axioms for %s", fn)
		}
		for range rounds(3000) {
			a, b := g.number(), g.number()
			sym := func(s *Term) *big.Int {
				if s == x {
					return a
				}
				return b
			}
			for i, f := range axioms {
				if f.Eval(sym, meaning).Sign() == 0 {
					failures++
					if first == "" {
						first = fmt.Sprintf("axiom %d of %s at %v, %v: %v", i, fn, a, b, f)
					}
				}
			}
		}
	}
	return failures, first
}

func TestAxiomsHold(t *testing.T) {
	if n, first := axiomFailures(t, Meaning); n > 0 {
		t.Errorf("%d failures, first: %s", n, first)
	}
	// Other readings of the names contradict the axioms.
	for name, fn := range map[string]string{"quo is mul": FnQuo, "rem is quo": FnRem, "xor is or": FnXor, "shl is quo": FnShl} {
		n, _ := axiomFailures(t, func(f string, args []*big.Int) *big.Int {
			if f == fn {
				f = map[string]string{FnQuo: FnMul, FnRem: FnQuo, FnXor: FnOr, FnShl: FnQuo}[f]
			}
			return Meaning(f, args)
		})
		if n == 0 {
			t.Errorf("%s: not noticed", name)
		}
	}
}

// All axioms hold for all pairs of numbers of eight bits, with and without sign.
func TestAxiomsHoldForBytes(t *testing.T) {
	tab := NewTable()
	x, y := tab.Sym("x", nil, nil), tab.Sym("y", nil, nil)
	step := int64(1)
	if rounds(2) == 2 { // not a long test
		step = 3
	}
	for _, fn := range []string{FnMul, FnQuo, FnRem, FnAnd, FnOr, FnXor, FnShl, FnShr} {
		all := tab.And(tab.Axioms(tab.App(fn, nil, nil, x, y))...)
		for a := int64(-128); a < 256; a += step {
			for b := int64(-128); b < 256; b++ {
				sym := func(s *Term) *big.Int {
					if s == x {
						return big.NewInt(a)
					}
					return big.NewInt(b)
				}
				if all.Eval(sym, Meaning).Sign() == 0 {
					t.Fatalf("an axiom of %s fails for %d and %d", fn, a, b)
				}
			}
		}
	}
}

// Tables that make terms in different orders agree on hashes, texts and orders.
func TestHashesAcrossTables(t *testing.T) {
	differs := func() bool {
		for seed := range rounds(300) {
			g := newGen(seed)
			used := NewTable() // which is not fresh when the same terms are made in it
			for i := range uint64(10) {
				newGenIn(used, seed+i).formula(3)
			}
			f, k := g.formula(4).term, newGenIn(used, seed).formula(4).term
			if f.Hash() != k.Hash() || f.String() != k.String() {
				return true
			}
			for i, s := range f.Syms() {
				if s.Hash() != k.Syms()[i].Hash() || !f.Mentions(s) {
					return true
				}
			}
		}
		return false
	}
	if differs() {
		t.Error("tables disagree")
	}
}

// Different terms have different hashes, and a hash has one term.
func TestHashIsTheTerm(t *testing.T) {
	g := newGen(1)
	for range 2000 {
		g.formula(3)
	}
	for h, f := range g.t.terms {
		if f.Hash() != h {
			t.Fatalf("%v has the hash of another", f)
		}
	}
	if n := g.t.Len(); n < 3000 {
		t.Errorf("only %d terms", n)
	}
	lo := big.NewInt(0)
	tab := NewTable()
	x := tab.Sym("x", nil, nil)
	all := []*Term{
		x, tab.Sym("x", lo, nil), tab.Sym("x", nil, lo), tab.Sym("x", lo, lo), tab.Sym("y", nil, nil),
		tab.App("x", nil, nil), tab.App("x", nil, nil, x), tab.App("x", lo, nil, x), tab.App("x", nil, nil, x, x),
		tab.Int(0), tab.Int(1), tab.Int(-1), tab.Big(new(big.Int).Lsh(one, 64)),
	}
	seen := map[Hash]*Term{}
	for _, f := range all {
		if o := seen[f.Hash()]; o != nil {
			t.Errorf("%v and %v", f, o)
		}
		seen[f.Hash()] = f
	}
}

// A function without a meaning stays, whatever its arguments become.
func TestRegionsAreNotFolded(t *testing.T) {
	tab := NewTable()
	x := tab.Sym("x", nil, nil)
	read := tab.App("region", nil, nil, x, tab.Int(4))
	got := tab.Subst(read, map[*Term]*Term{x: tab.Int(100)})
	if want := tab.App("region", nil, nil, tab.Int(100), tab.Int(4)); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestString(t *testing.T) {
	tab := NewTable()
	x, y := tab.Sym("x", nil, nil), tab.Sym("y", nil, nil)
	f := tab.Or(tab.And(tab.Lt(x, tab.Int(4)), tab.Not(tab.Eq(x, y))),
		tab.Eq(tab.Ite(tab.Le(x, y), tab.Div(x, big.NewInt(2)), tab.Mod(tab.App("M", nil, nil, y), big.NewInt(3))), tab.Int(5)))
	want := "((!((x + -1*y) = 0) & (-3 + x) <= 0) | ((-5 + ite((x + -1*y) <= 0, (x div 2), (M(y) mod 3))) = 0))"
	if s := tab.True.String() + " " + tab.False.String() + " " + f.String(); s != "true false "+want {
		t.Error(s)
	}
}

// TestSubterms: each term once, before its arguments; it can be ended early.
func TestSubterms(t *testing.T) {
	tab := NewTable()
	x, y := tab.Sym("x", nil, nil), tab.Sym("y", nil, nil)
	a := tab.Lt(x, y)
	f := tab.Or(a, tab.Eq(x, tab.Int(3)))
	at := map[*Term]int{}
	for g := range Subterms(f, a) {
		if _, twice := at[g]; twice {
			t.Errorf("%v comes twice", g)
		}
		at[g] = len(at)
	}
	for g, i := range at {
		for _, h := range g.Args {
			if j, there := at[h]; !there || j == 0 || h == a && j < i {
				t.Errorf("%v at %d, its argument %v at %d", g, i, h, j)
			}
		}
	}
	if at[f] != 0 || len(at) < 4 {
		t.Errorf("%d terms, the formula is number %d", len(at), at[f])
	}
	for range Subterms(f) {
		break
	}
}
