package alias

import (
	"testing"

	"c2bp/frontend/core"
)

// TestOpen: what a place says of the lengths of arrays excludes nothing if all that shares
// its region may be the place.
func TestOpen(t *testing.T) {
	w := newWorld()
	s, r := w.Global("s", agg(16), true), w.Global("r", agg(16), true)
	i := local(w.Main, "i", core.Int32)
	in := func(v *core.Var, count int64) *core.Mem { // v.a[i], a at byte 4 being said to have count elements
		return mem(&core.Index{X: plus(addr(v), 4, "a"), I: i.Ref(), Size: 4, Count: count}, core.Int32)
	}
	do(w.Main,
		set(i.Ref(), num(2)),
		set(mem(plus(addr(s), 0, "n"), core.Int32), num(1)),
		set(mem(plus(addr(s), 12, ""), core.Int32), num(1)),
		&core.Copy{Dst: addr(r), Src: addr(s), Size: num64(16), Parts: []core.Part{
			{Typ: core.Int32, Count: 1}, {Off: 4, Typ: core.Int32, Count: 3},
		}},
	)
	result := w.analyze(t)
	for _, c := range []struct {
		place *core.Mem
		want  bool
	}{
		{in(s, 3), true},                 // its elements, and no others, are in the region
		{in(s, core.OpenEnd), true},      // they are before the end, too
		{in(s, 1), false},                // it excludes an element that is written
		{in(r, 3), true},                 // they are copied
		{in(s, 0), true},                 // nothing is said
		{mem(addr(s), core.Int32), true}, // likewise
	} {
		if got := result.Regions([]core.Expr{c.place}).Open(c.place); got != c.want {
			t.Errorf("Open(%s) is %v", core.ExprString(c.place), got)
		}
	}
}
