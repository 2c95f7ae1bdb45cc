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

// TestSetOnEachWay: what is set on each way from the start is not arbitrary, what is set on one of them is.
func TestSetOnEachWay(t *testing.T) {
	t.Parallel()
	for i := range 4 {
		both, order := i%2 == 1, []int{3, 4}
		if i/2 == 1 {
			order = []int{4, 3}
		}
		w := newWorld()
		x := w.Global("x", core.Int32, true)
		p, q := &core.Var{Name: "p", Type: ptr, Kind: core.Global}, &core.Var{Name: "q", Type: ptr, Kind: core.Global}
		k := &core.Var{Name: "k", Type: core.Int32, Kind: core.Global}
		w.Prog.Globals = append(w.Prog.Globals, p, q, k)
		second := core.Stmt(&core.Skip{})
		if both {
			second = set(q.Ref(), null)
		}
		do(w.Main, &core.Havoc{Locs: []core.Loc{k.Ref()}}, &core.Branch{}, set(q.Ref(), addr(x)), second, set(p.Ref(), q.Ref()))
		// After x and k are set, 2: a branch to 3 and 4, which go on at 5.
		nodes := w.Main.Nodes
		nodes[2].Succ, nodes[3].Succ = order, []int{5}
		r := w.analyze(t)
		if both {
			points(t, r, p.Ref(), "{x}")
		} else {
			points(t, r, p.Ref(), "{outside, x}")
		}
	}
}

// TestCopiedAtStart: a copy sets its destination; what it has read is arbitrary, whatever is set there later.
func TestCopiedAtStart(t *testing.T) {
	t.Parallel()
	for _, late := range []bool{false, true} {
		w := newWorld()
		x := w.Global("x", core.Int32, true)
		from := &core.Var{Name: "from", Type: agg(8), Kind: core.Global, AddrTaken: true}
		to := &core.Var{Name: "to", Type: agg(8), Kind: core.Global, AddrTaken: true}
		w.Prog.Globals = append(w.Prog.Globals, from, to)
		first, second := core.Stmt(set(mem(addr(from), ptr), addr(x))), core.Stmt(&core.Copy{
			Dst: addr(to), Src: addr(from), Size: num64(8), Parts: []core.Part{{Typ: ptr, Count: 1}}})
		if late {
			first, second = second, first
		}
		do(w.Main, first, second)
		r := w.analyze(t)
		want := "{x}"
		if late {
			want = "{outside, x}"
		}
		points(t, r, mem(addr(to), ptr), want)
	}
}
