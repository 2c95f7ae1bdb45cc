package alias

import (
	"testing"

	"c2bp/frontend/core"
)

// TestFields: two fields hold different pointers, through a pointer to the struct.
func TestFields(t *testing.T) {
	w := newWorld()
	x, y, s := w.global("x", core.Int32, true), w.global("y", core.Int32, true), w.global("s", agg(16), true)
	p, q := local(w.main, "p", ptr), local(w.main, "q", ptr)
	do(w.main,
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
	golden(t, "testdata/fields.golden", w.prog.String()+"\n"+r.String())
}

// TestCasts: integers carry addresses, through arithmetic and memory.
func TestCasts(t *testing.T) {
	w := newWorld()
	s, u := w.global("s", agg(64), true), w.global("u", core.Uint64)
	p, q, d, n := local(w.main, "p", ptr), local(w.main, "q", ptr), local(w.main, "d", ptr), local(w.main, "n", core.Uint64)
	m := local(w.main, "m", ptr)
	do(w.main,
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
		v := w.global(name, core.Agg{Name: "char[]", Size: int64(len(text))}, true)
		v.Literal, v.Merged, v.Text = true, true, []byte(text)
		return v
	}
	x, y, tail, other, middle := literal("#1", "abc\x00"), literal("#2", "abc\x00"), literal("#3", "bc\x00"), literal("#4", "ab\x00"), literal("#5", "b\x00")
	p := local(w.main, "p", ptr)
	do(w.main, set(p.Ref(), addr(y)))
	r := Analyze(w.prog)
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
