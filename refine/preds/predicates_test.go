package preds

import (
	"testing"

	"c2bp/frontend/core"
)

// TestOf: a predicate belongs to each property for which it was proposed, also if it was there already; copies of a set part.
func TestOf(t *testing.T) {
	x := &core.Var{Name: "x", Type: core.Uint32, Kind: core.Global}
	is := func(n int64) core.Expr {
		return &core.Binary{Op: core.Eq, X: x.Ref(), Y: core.NewConst(n, core.Uint32)}
	}
	s := NewSet(64)
	add := func(s *Set, site int, n int64) {
		s.Site = site
		s.Add(nil, is(n))
	}
	add(s, 2, 1)
	add(s, 1, 2)
	c := s.Clone()
	add(s, 0, 1)
	add(s, -1, 3)
	add(c, 3, 1)
	for _, want := range []struct {
		s    *Set
		site int
		list string
	}{{s, 0, "x == 1 "}, {s, 1, "x == 2 "}, {s, 2, "x == 1 "}, {s, 3, ""}, {c, 0, ""}, {c, 3, "x == 1 "}} {
		list := ""
		for _, p := range want.s.Of(want.site).List {
			list += p.Name + " "
		}
		if list != want.list {
			t.Errorf("of %d: %snot %s", want.site, list, want.list)
		}
	}
}
