package algebra

import (
	"testing"

	"c2bp/frontend/core"
)

// TestFollowsNull: null itself may be compared with; a read of memory near it is none that a run makes.
func TestFollowsNull(t *testing.T) {
	ptr := core.Ptr{Bits: 64}
	p := (&core.Var{Name: "p", Type: ptr, Kind: core.Local}).Ref()
	read := func(a core.Expr) core.Expr { return &core.Mem{Addr: a, Typ: core.Int32} }
	zero := core.NewConst(0, core.Int32)
	for _, c := range []struct {
		e    core.Expr
		want bool
	}{
		{&core.Binary{Op: core.Eq, X: p, Y: core.Null(ptr)}, false},
		{&core.Binary{Op: core.Eq, X: read(Displace(p, 8)), Y: zero}, false},
		{&core.Binary{Op: core.Eq, X: read(Displace(core.Null(ptr), 8)), Y: zero}, true},
		{&core.Binary{Op: core.Eq, X: zero, Y: read(core.Null(ptr))}, true},
		{read(&core.ToPtr{X: core.NewConst(4096, core.Uint64), Typ: ptr}), false}, // a device
	} {
		if FollowsNull(c.e) != c.want {
			t.Errorf("%s: %v", core.ExprString(c.e), !c.want)
		}
	}
}
