package logic

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// bitTerm makes a chain of operations with constants on x, as flags in a word are used,
// with its value for each x.
func bitTerm(t *Table, r *rand.Rand, x *Term) (f *Term, value func(int64) int64) {
	f, value = x, func(v int64) int64 { return v }
	for range 1 + r.IntN(4) {
		k, inner := r.Int64N(256), value
		if r.IntN(3) == 0 {
			k = 1 << r.IntN(8)
		}
		if r.IntN(4) == 0 {
			k = ^k
		}
		app := func(fn string) *Term { return t.Uninterpreted(fn, nil, nil, f, t.Int(k)) }
		shift := r.IntN(4)
		switch r.IntN(6) {
		case 0:
			f, value = app(FnOr), func(v int64) int64 { return inner(v) | k }
		case 1:
			f, value = app(FnXor), func(v int64) int64 { return inner(v) ^ k }
		case 2:
			f, value = t.Div(f, power(shift)), func(v int64) int64 { return inner(v) >> shift }
		case 3:
			f, value = t.Mod(t.Scale(power(shift), f), big.NewInt(256)), func(v int64) int64 { return inner(v) << shift & 255 }
		default:
			f, value = app(FnAnd), func(v int64) int64 { return inner(v) & k }
		}
	}
	return f, value
}

// wrongBits compares terms of bit operations with what they mean, for all numbers of eight
// bits with and without sign, and counts those that are linear.
func wrongBits(t *testing.T) (linear int) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range rounds(500) {
		table := NewTable()
		lo, hi := int64(-128), int64(127)
		if i%2 == 0 {
			lo, hi = 0, 255
		}
		f, value := bitTerm(table, r, table.Sym("x", big.NewInt(lo), big.NewInt(hi)))
		if isLinear(f) {
			linear++
		}
		for v := lo; v <= hi; v++ {
			got := f.Eval(func(*Term) *big.Int { return big.NewInt(v) }, Meaning)
			if !got.IsInt64() || got.Int64() != value(v) || f.Lo != nil && got.Cmp(f.Lo) < 0 || f.Hi != nil && got.Cmp(f.Hi) > 0 {
				t.Errorf("%v in [%v, %v] is %v for %d, want %d", f, f.Lo, f.Hi, got, v, value(v))
				break
			}
		}
	}
	return linear
}

func isLinear(f *Term) bool {
	for _, a := range f.Args {
		if !isLinear(a) {
			return false
		}
	}
	return f.Op != OpApp
}

func TestBitOperations(t *testing.T) {
	if linear := wrongBits(t); linear < int(rounds(500))*9/10 {
		t.Errorf("only %d of %d terms are linear", linear, rounds(500))
	}
}

// What was put into a word is found there again.
func TestSlicesAreFoundAgain(t *testing.T) {
	table := NewTable()
	app := func(fn string, x *Term, k int64) *Term { return table.Uninterpreted(fn, nil, nil, x, table.Int(k)) }
	word, bits := table.Sym("word", new(big.Int), ones(32)), app(FnAnd, table.Sym("v", new(big.Int), ones(32)), 7)
	cleared := app(FnAnd, word, 0xffffff8f)
	field := table.Uninterpreted(FnOr, nil, nil, cleared, table.Scale(power(4), bits))
	for _, c := range []struct{ got, want *Term }{
		{app(FnAnd, app(FnOr, word, 2), 1), app(FnAnd, word, 1)},
		{app(FnAnd, app(FnOr, word, 2), 2), table.Int(2)},
		{app(FnAnd, app(FnAnd, word, ^2), 2), table.Int(0)},
		{app(FnAnd, app(FnXor, app(FnOr, word, 6), 4), 4), table.Int(0)},
		{app(FnOr, app(FnOr, word, 2), 2), app(FnOr, word, 2)},
		{table.Div(app(FnAnd, field, 0x70), power(4)), bits},
		{app(FnAnd, field, 0xf), app(FnAnd, word, 0xf)},
		{table.Wrap(field, new(big.Int), ones(32)), field},
	} {
		if c.got != c.want {
			t.Errorf("got %v, want %v", c.got, c.want)
		}
	}
}

// Bit operations of numbers without a bit in common, for all pairs of eight bits.
func TestDisjointBits(t *testing.T) {
	table := NewTable()
	byteOf := func(name string) *Term { return table.Sym(name, new(big.Int), big.NewInt(255)) }
	x, y := byteOf("x"), byteOf("y")
	known := 0
	for _, fn := range []string{FnAnd, FnOr, FnXor} {
		for mask := int64(0); mask < 256; mask += 5 {
			a := table.Uninterpreted(fn, nil, nil, table.Uninterpreted(FnAnd, nil, nil, x, table.Int(mask)), table.Uninterpreted(FnAnd, nil, nil, y, table.Int(255-mask)))
			if isLinear(a) {
				known++
			}
			for v := int64(0); v < 1<<16; v += 7 {
				vx, vy := v&255, v>>8
				got := a.Eval(func(s *Term) *big.Int {
					if s == x {
						return big.NewInt(vx)
					}
					return big.NewInt(vy)
				}, Meaning)
				want := Meaning(fn, []*big.Int{big.NewInt(vx & mask), big.NewInt(vy &^ mask)})
				if got.Cmp(want) != 0 {
					t.Fatalf("%s of %d and %d with mask %d: %v is %v, want %v", fn, vx, vy, mask, a, got, want)
				}
			}
		}
	}
	if known < 100 {
		t.Errorf("only %d of 156 are linear", known)
	}
}
