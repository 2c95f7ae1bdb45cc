package alias

import (
	"testing"

	"c2bp/frontend/core"
	"c2bp/ieee"
)

// TestExposed: a number that was compared with an address may be it.
func TestExposed(t *testing.T) {
	w := newWorld()
	x := w.Global("x", agg(32), true)
	a := local(w.Main, "a", core.Uint64)
	do(w.Main,
		&core.Havoc{Locs: []core.Loc{a.Ref()}},
		&core.Assume{Cond: bin(a.Ref(), core.Eq, toInt(addr(x), core.Uint64))},
	)
	points(t, w.analyze(t), toPtr(a.Ref()), "{outside, x+?}")
}

// TestSmallNumbers: what lies in the first or last page is no address; numbers between are.
func TestSmallNumbers(t *testing.T) {
	w := newWorld()
	x := w.Global("x", agg(32), true)
	a := local(w.Main, "a", core.Uint64)
	do(w.Main, &core.Assume{Cond: bin(a.Ref(), core.Eq, toInt(addr(x), core.Uint64))})
	r := w.analyze(t)
	for _, c := range []struct {
		number int64
		typ    core.Int
		want   string
	}{
		{0, core.Int64, "{}"}, {1, core.Int64, "{}"}, {4095, core.Uint64, "{}"}, {-4095, core.Int64, "{}"},
		{4096, core.Int64, "{outside, x+?}"}, {-4096, core.Int64, "{outside, x+?}"},
		{1 << 31, core.Uint32, "{outside, x+?}"},
	} {
		points(t, r, toPtr(core.NewConst(c.number, c.typ)), c.want)
	}
	u := core.NewConst(0, core.Uint64)
	u.Val = core.Uint64.Max() // -1
	points(t, r, toPtr(u), "{}")
}

// TestFloats: an address that is converted to double and back may be the same one.
func TestFloats(t *testing.T) {
	w := newWorld()
	x := w.Global("x", agg(32), true)
	n := local(w.Main, "n", core.Uint64)
	double := core.Int{Bits: 64, Float: true}
	f := &core.Float{Op: ieee.FromInt, Args: []core.Expr{toInt(addr(x), core.Uint64)}, Typ: double}
	do(w.Main, set(n.Ref(), &core.Float{Op: ieee.ToInt, Args: []core.Expr{f}, Typ: core.Uint64}))
	points(t, w.analyze(t), toPtr(n.Ref()), "{x+?}")
}
