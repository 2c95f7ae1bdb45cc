package alias

import (
	"testing"

	"c2bp/frontend/core"
)

// TestFollowed: pointers to one global, to one of two, to a local variable, to an element of
// an array that an index chooses, and into the array.
func TestFollowed(t *testing.T) {
	w := newWorld()
	x, y, a := w.Global("x", agg(16)), w.Global("y", agg(16)), w.Global("a", agg(32))
	l := local(w.Main, "l", agg(16), true)
	i := local(w.Main, "i", core.Uint32)
	one, two, own, elem1, row := local(w.Main, "one", ptr), local(w.Main, "two", ptr), local(w.Main, "own", ptr), local(w.Main, "elem", ptr), local(w.Main, "row", ptr)
	do(w.Main,
		set(i.Ref(), core.NewConst(1, core.Uint32)),
		set(one.Ref(), plus(addr(x), 8, "m")),
		set(one.Ref(), null),
		set(two.Ref(), addr(x)),
		set(two.Ref(), addr(y)),
		set(own.Ref(), addr(l)),
		set(elem1.Ref(), elem(addr(a), i.Ref(), 8)),
		set(row.Ref(), addr(a)),
	)
	r := Analyze(w.Prog)
	for _, c := range []struct {
		address core.Expr
		want    string
	}{
		{one.Ref(), "&x.m"},
		{plus(one.Ref(), 4, "n"), "&x.m.n"},
		{two.Ref(), "two"},
		{own.Ref(), "own"},
		{elem1.Ref(), "elem"},
		{elem(row.Ref(), i.Ref(), 8), "&a + i*8"},
	} {
		if got := core.ExprString(r.Followed(c.address)); got != c.want {
			t.Errorf("%s is followed to %s, want %s", core.ExprString(c.address), got, c.want)
		}
	}
	if places, ok := r.Places(two.Ref(), 2); !ok || len(places) != 2 {
		t.Errorf("places of two: %v, %v", places, ok)
	}
	if _, ok := r.Places(two.Ref(), 1); ok {
		t.Error("two places are more than one")
	}
	if _, ok := r.Places(own.Ref(), 2); ok {
		t.Error("a local variable is a place of its own in each activation")
	}
}
