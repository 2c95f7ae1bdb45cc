package algebra

import (
	"encoding/binary"
	"math/big"
	"math/rand/v2"
	"testing"

	"c2bp/frontend/core"
)

// TestOverlay compares the contents of a place, after something of another width was stored over it, with
// those of an array of bytes.
func TestOverlay(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	base := &core.Var{Name: "p", Type: core.Ptr{Bits: 64}, Kind: core.Local}
	place := func() *core.Mem {
		types := []core.Type{core.Int8, core.Uint8, core.Int16, core.Uint32, core.Int64, core.Ptr{Bits: 64}, core.Int{Bits: 5}, core.Int{Bits: 3, Signed: true}}
		m := &core.Mem{Addr: &core.Offset{X: base.Ref(), Off: rng.Int64N(10)}, Typ: types[rng.IntN(len(types))]}
		if core.Bytes(m.Typ) == 1 && bitsOf(m.Typ) < 8 {
			m.Bit = rng.IntN(12)
		}
		return m
	}
	value := &core.Var{Name: "v", Type: core.Int64, Kind: core.Local}
	known := 0
	for range 20_000 {
		m, l := place(), place()
		stored := Convert(value.Ref(), l.Typ)
		e, ok := Overlay(m, l, stored, 64)
		if !ok {
			t.Fatalf("%s after a store to %s is not known", core.ExprString(m), core.ExprString(l))
		}
		var memory [32]byte
		for i := range 4 {
			binary.LittleEndian.PutUint64(memory[8*i:], rng.Uint64())
		}
		v := new(big.Int).SetInt64(int64(rng.Uint64()))
		load := func(addr *big.Int, typ core.Type, bit int) *big.Int {
			w, _ := core.Word(typ)
			x := new(big.Int)
			for i := range w.Bits {
				at := 8*int(addr.Int64()) + bit + i
				x.SetBit(x, i, uint(memory[at/8]>>(at%8)&1))
			}
			return w.Convert(x)
		}
		state := core.State{Load: load, Var: func(u *core.Var) *big.Int {
			if u == base {
				return big.NewInt(4)
			}
			return v
		}}
		got := core.EvalIn(e, state)
		was := load(core.EvalIn(m.Addr, state), m.Typ, m.Bit)
		what, w := core.EvalIn(stored, state), bitsOf(l.Typ)
		for i := range int(w) {
			at := 8*int(core.EvalIn(l.Addr, state).Int64()) + l.Bit + i
			memory[at/8] = memory[at/8]&^(1<<(at%8)) | byte(what.Bit(i))<<(at%8)
			if what.Sign() < 0 {
				two := new(big.Int).Add(what, new(big.Int).Lsh(big.NewInt(1), 64))
				memory[at/8] = memory[at/8]&^(1<<(at%8)) | byte(two.Bit(i))<<(at%8)
			}
		}
		want := load(core.EvalIn(m.Addr, state), m.Typ, m.Bit)
		if got.Cmp(want) != 0 {
			t.Fatalf("%s after %s := %s holds %v, not %v by %s", core.ExprString(m), core.ExprString(l), core.ExprString(stored), want, got, core.ExprString(e))
		}
		if was.Cmp(want) != 0 {
			known++
		}
	}
	if known < 2000 {
		t.Errorf("only %d stores made a difference", known)
	}
}

// TestOffsets checks the offsets in a range at which a place may lie.
func TestOffsets(t *testing.T) {
	a := &core.Var{Name: "a", Type: core.Agg{Size: 96}, Kind: core.Global}
	i := &core.Var{Name: "i", Type: core.Int32, Kind: core.Local}
	start := &core.AddrOf{Var: a, Typ: core.Ptr{Bits: 64}}
	element := &core.Index{X: start, I: i.Ref(), Size: 24, Count: 4}
	for _, c := range []struct {
		off  int64
		dst  core.Expr
		size int64
		want []int64
	}{
		{20, element, 24, []int64{20}},
		{44, element, 24, []int64{20}},
		{20, &core.Offset{X: start, Off: 16}, 8, []int64{4}},
		{20, &core.Offset{X: start, Off: 24}, 8, nil},
		{20, &core.Index{X: start, I: i.Ref(), Size: 8}, 24, []int64{4, 12, 20}},
		{20, &core.Index{X: start, I: i.Ref(), Size: 1}, 24, nil}, // too many
	} {
		m := &core.Mem{Addr: &core.Offset{X: start, Off: c.off}, Typ: core.Int32}
		got := Offsets(m, c.dst, c.size, 64)
		if len(got) != len(c.want) {
			t.Errorf("a + %d in %s: %v, not %v", c.off, core.ExprString(c.dst), got, c.want)
			continue
		}
		for k := range got {
			if got[k] != c.want[k] {
				t.Errorf("a + %d in %s: %v, not %v", c.off, core.ExprString(c.dst), got, c.want)
			}
		}
	}
}
