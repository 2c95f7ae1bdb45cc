package logic

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestAddressesAreApart compares equations of addresses with their truth in random
// placements of objects that do not overlap.
func TestAddressesAreApart(t *testing.T) {
	decided := 0
	wrong := func() string {
		r := rand.New(rand.NewPCG(4, 5))
		for range 3000 {
			tab := NewTable()
			sizes := []int64{1 + r.Int64N(6), 1 + r.Int64N(6), 1}
			var syms []*Term
			value := map[*Term]int64{}
			next := int64(firstAddress)
			for _, i := range r.Perm(len(sizes)) { // often without a gap between them
				s := tab.Addr(fmt.Sprint("&x", i), sizes[i], 64, Storage{})
				value[s] = next
				next += max(sizes[i], 1) + r.Int64N(2)
				syms = append(syms, s)
			}
			a, b := syms[r.IntN(3)], syms[r.IntN(3)]
			i, j := r.Int64N(9)-1, r.Int64N(9)-1
			f := tab.Eq(tab.Add(a, tab.Int(i)), tab.Add(b, tab.Int(j)))
			equal := value[a]+i == value[b]+j
			if f == tab.False && a != b {
				decided++
			}
			if f == tab.False && equal || f == tab.True && !equal {
				return fmt.Sprintf("%v + %d = %v + %d is decided to be %v, with %v", a, i, b, j, f, value)
			}
			if fact := tab.Disjoint(a, b); a != b && fact.Eval(func(s *Term) *big.Int { return big.NewInt(value[s]) }, Meaning).Sign() == 0 {
				return fmt.Sprintf("%v does not hold of objects that are apart", fact)
			}
		}
		return ""
	}
	if what := wrong(); what != "" {
		t.Error(what)
	}
	if decided < 500 {
		t.Errorf("only %d equations were decided", decided)
	}
}

// TestAlignmentOfOne: objects of one name and size may have several alignments.
func TestAlignmentOfOne(t *testing.T) {
	tab := NewTable()
	some, four := tab.Addr("&x", 4, 64, Storage{Align: 1}), tab.Addr("&x", 4, 64, Storage{Align: 4})
	if tab.Mod(four, big.NewInt(4)) != tab.Int(0) || tab.Mod(some, big.NewInt(4)).IsConst() {
		t.Errorf("%v and %v modulo 4", tab.Mod(some, big.NewInt(4)), tab.Mod(four, big.NewInt(4)))
	}
}

// TestAlignment takes bits of addresses of objects at multiples of their alignment.
func TestAlignment(t *testing.T) {
	wrong := func() (what string, decided int) {
		r := rand.New(rand.NewPCG(3, 1))
		for range 5000 {
			tab := NewTable()
			align := int64(1) << r.IntN(5)
			x, y := tab.Addr("&x", 8, 64, Storage{Align: align}), tab.Addr("&y", 8, 64, Storage{Align: 2 * align})
			c := tab.Sym("c", big.NewInt(0), big.NewInt(1))
			value := map[*Term]*big.Int{c: big.NewInt(r.Int64N(2)), x: big.NewInt(align * (4096 + r.Int64N(64))), y: big.NewInt(2 * align * (8192 + r.Int64N(64)))}
			a := tab.Add(tab.Ite(tab.Eq(c, tab.Int(0)), x, y), tab.Int(r.Int64N(9)-4))
			mask := []int64{1, 3, 7, 15, -2, -4, -8, 12, 31}[r.IntN(9)]
			op := []string{FnAnd, FnOr, FnXor}[r.IntN(3)]
			f := tab.masked(op, a, big.NewInt(mask))
			if f == nil {
				continue
			}
			symbol := func(s *Term) *big.Int { return value[s] }
			v := a.Eval(symbol, Meaning)
			want := map[string]*big.Int{
				FnAnd: new(big.Int).And(v, big.NewInt(mask)), FnOr: new(big.Int).Or(v, big.NewInt(mask)), FnXor: new(big.Int).Xor(v, big.NewInt(mask)),
			}[op]
			if got := f.Eval(symbol, Meaning); got.Cmp(want) != 0 {
				return fmt.Sprintf("%s of %v and %d is %v: %v, not %v, with %v", op, a, mask, f, got, want, value), 0
			}
			if f.IsConst() || f.Op == OpSum && len(f.Args) == len(a.Args) {
				decided++
			}
		}
		return "", decided
	}
	what, decided := wrong()
	if what != "" || decided < 500 {
		t.Errorf("%s; %d were decided", what, decided)
	}
}

// TestObjectsThatMayOverlap places objects as C allows them to lie and compares what is
// decided of their addresses.
func TestObjectsThatMayOverlap(t *testing.T) {
	for _, c := range []struct {
		what       string
		a, b       Storage
		sizeA      int64
		sizeB      int64
		distance   int64 // a - b
		mayBe      bool
		alwaysMore bool // more than one distance may be
	}{
		{"equal literals", text("xy"), text("xy"), 3, 3, 0, true, false},
		{"equal literals, shifted", text("xy"), text("xy"), 3, 3, 1, false, false},
		{"the end of another literal", text("xyz"), text("yz"), 4, 3, -1, true, false},
		{"another end", text("xyz"), text("yz"), 4, 3, 0, false, false},
		{"other literals", text("xyz"), text("xz"), 4, 3, -1, false, false},
		{"a constant of unknown contents", Storage{Merged: true}, text("xz"), 4, 3, 2, true, true},
		{"blocks one after the other", Storage{Block: "f/1/2/"}, Storage{Block: "f/1/3/"}, 4, 8, 3, true, true},
		{"blocks 1 and 12", Storage{Block: "f/1/"}, Storage{Block: "f/12/"}, 4, 4, 0, true, true},
		{"a block in a block", Storage{Block: "f/1/"}, Storage{Block: "f/1/3/"}, 4, 8, 0, false, false},
		{"a block and what lives longer", Storage{Block: "f/1/"}, Storage{}, 4, 8, 0, false, false},
		{"a block and a literal", Storage{Block: "f/1/"}, text("x"), 4, 2, 0, false, false},
		{"an object behind one that was freed", Storage{}, Storage{Freed: []string{"&a"}}, 8, 4, -2, true, true},
		{"and another one", Storage{}, Storage{Freed: []string{"other"}}, 8, 4, -2, false, false},
		{"calls one after the other", Storage{Calls: "/0/1/"}, Storage{Calls: "/0/2/", Block: "f/1/"}, 4, 8, 3, true, true},
		{"a call in a call", Storage{Calls: "/0/1/"}, Storage{Calls: "/0/1/2/"}, 4, 8, 3, false, false},
		{"blocks of one call", Storage{Calls: "/0/1/", Block: "f/1/"}, Storage{Calls: "/0/1/", Block: "f/2/"}, 4, 8, 3, true, true},
		{"a structure without members", Storage{}, Storage{}, 0, 8, -3, true, true},
	} {
		tab := NewTable()
		a, b := tab.Addr("&a", c.sizeA, 64, c.a), tab.Addr("&b", c.sizeB, 64, c.b)
		for _, f := range []*Term{
			tab.Eq(a, tab.Add(b, tab.Int(c.distance))), tab.Eq(b, tab.Add(a, tab.Int(-c.distance))),
		} {
			if (f != tab.False) != c.mayBe {
				t.Errorf("%s: a = b%+d is %v", c.what, c.distance, f)
			}
		}
		at := func(s *Term) *big.Int {
			if s == a {
				return big.NewInt(8000 + c.distance)
			}
			return big.NewInt(8000)
		}
		for _, fact := range []*Term{tab.Disjoint(a, b), tab.Disjoint(b, a)} {
			if holds := fact.Eval(at, Meaning).Sign() != 0; holds != c.mayBe {
				t.Errorf("%s at distance %d: %v is %v", c.what, c.distance, fact, holds)
			}
			if (fact == tab.True) != c.alwaysMore {
				t.Errorf("%s: %v", c.what, fact)
			}
		}
	}
}

func text(s string) Storage { return Storage{Merged: true, Text: append([]byte(s), 0)} }
