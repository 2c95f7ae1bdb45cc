package wp

import (
	"testing"

	"c2bp/frontend/core"
	"c2bp/logic"
)

// living are the aliases of a program in which each pointer leads to an object that is alive, with bytes around.
type living struct {
	OneRegion
	bytes core.Range
}

func (l living) Kept(core.Loc, core.Range, *core.Alloc) core.Range { return l.bytes }

// p = q + i holds after q := alloc n, of a p that leads to another object, only if it is not said that the two objects
// share a byte.
func TestUnlikeNew(t *testing.T) {
	ptr := core.Ptr{Bits: 64}
	local := func(name string, typ core.Type) *core.Var {
		return &core.Var{Name: name, Type: typ, Kind: core.Local}
	}
	p, q, i, n := local("p", ptr), local("q", ptr), local("i", core.Int64), local("n", core.Uint64)
	equal := &core.Binary{Op: core.Eq, X: p.Ref(), Y: &core.Index{X: q.Ref(), I: i.Ref(), Size: 1}}
	const far = 1 << 20
	for _, c := range []struct {
		name     string
		kept     core.Range
		at, i, n int64 // p, unless it is 0; i; n
		no       bool  // it cannot be
	}{
		{"not alive", core.Range{}, 0, 0, 24, false},
		{"the start", core.Range{End: 1}, 0, 0, 24, true},
		{"the last byte", core.Range{End: 1}, 0, 23, 24, true},
		{"the end of the new one", core.Range{End: 1}, 0, 24, 24, false},
		{"before the new one", core.Range{End: 1}, 0, -1, 24, false},
		{"a later byte", core.Range{End: 16}, 0, -15, 24, true},
		{"the end of the old one", core.Range{End: 16}, 0, -16, 24, false},
		{"an earlier byte", core.Range{Off: -8, End: 8}, 0, 31, 24, true},
		{"an earlier end", core.Range{Off: -8, End: 8}, 0, 32, 24, false},
		{"no bytes", core.Range{End: 16}, 0, 0, 0, true},
		{"just after no bytes", core.Range{End: 16}, 0, 1, 0, false},
		{"a page", core.Range{End: 8000}, 0, -4095, 24, true},
		{"null and more than a page", core.Range{End: 8000}, 1, -5000, 24, false},
		{"more than a page", core.Range{End: 8000}, far, -5000, 24, true},
		{"the end of more than a page", core.Range{End: 8000}, far, -8000, 24, false},
	} {
		for _, size := range []core.Expr{core.NewConst(c.n, core.Uint64), n.Ref()} {
			tr := New(logic.NewTable(), living{bytes: c.kept}, 64)
			before := tr.Pre(&core.Alloc{Lhs: q.Ref(), Size: size})(tr.Cond(equal))
			values := map[*logic.Term]*logic.Term{tr.Value(i.Ref()): tr.T.Int(c.i), tr.Value(n.Ref()): tr.T.Int(c.n)}
			if c.at != 0 {
				values[tr.Value(p.Ref())] = tr.T.Int(c.at)
			}
			if got := tr.T.Subst(before, values); (got == tr.T.False) != c.no {
				t.Errorf("%s, size %s: %v", c.name, core.ExprString(size), got)
			}
		}
	}
}
