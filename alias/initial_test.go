package alias

import (
	"testing"

	"c2bp/frontend/core"
)

// TestAssertedFirst: an assertion in front of the initialisers, about nothing or about what was set, leaves the
// globals to them; one that reads what is not set yet does not.
func TestAssertedFirst(t *testing.T) {
	t.Parallel()
	for _, early := range []bool{false, true} {
		w := newWorld()
		x := w.Global("x", core.Int32, true)
		p, q := &core.Var{Name: "p", Type: ptr, Kind: core.Global}, &core.Var{Name: "q", Type: ptr, Kind: core.Global}
		w.Prog.Globals = append(w.Prog.Globals, p, q)
		second := core.Expr(num(1))
		if early {
			second = bin(q.Ref(), core.Ne, null)
		}
		do(w.Main,
			&core.Assert{Cond: num(1)},
			set(p.Ref(), addr(x)),
			&core.Assert{Cond: bin(p.Ref(), core.Ne, null)},
			&core.Assert{Cond: second},
			set(q.Ref(), p.Ref()),
		)
		r := w.analyze(t)
		points(t, r, p.Ref(), "{x}")
		if early {
			points(t, r, q.Ref(), "{outside, x}")
		} else {
			points(t, r, q.Ref(), "{x}")
		}
	}
}
