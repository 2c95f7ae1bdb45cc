package alias

import (
	"testing"

	"c2bp/frontend/core"
)

// TestFields: two fields hold different pointers, through a pointer to the struct.
func TestFields(t *testing.T) {
	w := newWorld()
	x, y, s := w.Global("x", core.Int32, true), w.Global("y", core.Int32, true), w.Global("s", agg(16), true)
	p, q := local(w.Main, "p", ptr), local(w.Main, "q", ptr)
	do(w.Main,
		set(p.Ref(), addr(s)),
		set(mem(plus(p.Ref(), 0, "a"), ptr), addr(x)),
		set(mem(plus(p.Ref(), 8, "b"), ptr), addr(y)),
		set(q.Ref(), mem(plus(addr(s), 8, "b"), ptr)),
	)
	r := w.analyze(t)
	points(t, r, p.Ref(), "{s}")
	points(t, r, q.Ref(), "{y}")
	points(t, r, mem(p.Ref(), ptr), "{x}")
	points(t, r, mem(plus(p.Ref(), 4, ""), ptr), "{x, y}") // overlaps both
	aliases(t, r, mem(p.Ref(), ptr), mem(plus(addr(s), 8, ""), ptr), false)
	aliases(t, r, mem(plus(p.Ref(), 4, ""), ptr), mem(plus(addr(s), 8, ""), core.Int8), true)
	golden(t, "testdata/fields.golden", w.Prog.String()+"\n"+r.String())
}

// TestCasts: integers carry addresses, through arithmetic and memory.
func TestCasts(t *testing.T) {
	w := newWorld()
	s, u := w.Global("s", agg(64), true), w.Global("u", core.Uint64)
	p, q, d, n := local(w.Main, "p", ptr), local(w.Main, "q", ptr), local(w.Main, "d", ptr), local(w.Main, "n", core.Uint64)
	m := local(w.Main, "m", ptr)
	do(w.Main,
		set(u.Ref(), toInt(addr(s), core.Uint64)),
		set(n.Ref(), bin(toInt(addr(s), core.Uint64), core.Add, num64(24))),
		set(p.Ref(), toPtr(bin(n.Ref(), core.Sub, num64(8)))),
		set(q.Ref(), toPtr(bin(u.Ref(), core.And, num64(0xfff0)))),
		set(d.Ref(), toPtr(num64(0xfe00_0000))),
		set(m.Ref(), toPtr(&core.Conv{X: toInt(addr(s), core.Uint32), To: core.Uint64})),
	)
	r := w.analyze(t)
	points(t, r, p.Ref(), "{s+16}")
	points(t, r, q.Ref(), "{outside, s+?}") // u was 0 once
	points(t, r, d.Ref(), "{outside, s+?}") // s is exposed by u & 0xfff0
	points(t, r, m.Ref(), "{s+?}")
	points(t, r, toPtr(u.Ref()), "{s}")
}

// TestMergedLiterals: string literals are at one place if one is the end of the other, by
// whatever name they are read.
func TestMergedLiterals(t *testing.T) {
	w := newWorld()
	literal := func(name, text string) *core.Var {
		v := w.Global(name, core.Agg{Name: "char[]", Size: int64(len(text))}, true)
		v.Literal, v.Merged, v.Text = true, true, []byte(text)
		return v
	}
	x, y, tail, other, middle := literal("#1", "abc\x00"), literal("#2", "abc\x00"), literal("#3", "bc\x00"), literal("#4", "ab\x00"), literal("#5", "b\x00")
	p := local(w.Main, "p", ptr)
	do(w.Main, set(p.Ref(), addr(y)))
	r := Analyze(w.Prog)
	first := func(e core.Expr) *core.Mem { return mem(e, core.Int8) }
	for _, c := range []struct {
		a, b core.Expr
		want bool
	}{
		{addr(x), addr(y), true},
		{addr(x), p.Ref(), true},
		{addr(tail), p.Ref(), true},
		{addr(other), p.Ref(), false},
		{addr(other), addr(middle), true},
		{addr(tail), addr(middle), false},
	} {
		aliases(t, r, first(c.a), first(c.b), c.want)
	}
}
