package wp

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"c2bp/frontend/core"
	"c2bp/logic"
)

// oneDevice are the aliases of a program in which every pointer leads to the device.
type oneDevice struct {
	OneRegion
	device core.Expr
}

func (d oneDevice) Followed(address core.Expr) core.Expr {
	if o, ok := address.(*core.Offset); ok {
		return core.WithChildren(o, []core.Expr{d.Followed(o.X)})
	}
	return d.device
}

// What a statement follows in any case leads where it may, the rest need not.
func TestFacts(t *testing.T) {
	ptr := core.Ptr{Bits: 64}
	dev := &core.Var{Name: "dev", Type: core.Agg{Size: 8}, Kind: core.Global, AddrTaken: true}
	local := func(name string, typ core.Type) *core.Var {
		return &core.Var{Name: name, Type: typ, Kind: core.Local}
	}
	p, q, n := local("p", ptr), local("q", ptr), local("n", core.Int32)
	at := &core.AddrOf{Var: dev, Typ: ptr}
	read := func(v *core.Var) core.Expr {
		return &core.Mem{Addr: &core.Offset{X: v.Ref(), Off: 4}, Typ: core.Int32}
	}
	join := func(op core.BinaryOp, x, y core.Expr) core.Expr { return &core.Binary{Op: op, X: x, Y: y} }
	tr := New(logic.NewTable(), oneDevice{device: at}, 64)
	leads := func(v *core.Var) *logic.Term { return tr.T.Eq(tr.Value(v.Ref()), tr.Value(at)) }
	// followed returns that v is neither null nor an error number.
	followed := func(v *core.Var) []*logic.Term {
		x, errors := tr.Value(v.Ref()), new(big.Int).SetUint64(math.MaxUint64-4095+1)
		return []*logic.Term{tr.T.Not(tr.T.Eq(x, tr.T.Int(0))), tr.T.Lt(x, tr.T.Big(errors))}
	}
	callee := &core.Proc{Name: "f"}
	for name, c := range map[string]struct {
		s    core.Stmt
		p, q bool // is known to lead to dev
	}{
		"read":              {&core.Assign{Lhs: []core.Loc{n.Ref()}, Rhs: []core.Expr{read(p)}}, true, false},
		"write":             {&core.Assign{Lhs: []core.Loc{read(p).(core.Loc)}, Rhs: []core.Expr{read(q)}}, true, true},
		"copy of a pointer": {&core.Assign{Lhs: []core.Loc{p.Ref()}, Rhs: []core.Expr{q.Ref()}}, false, false},
		"comparison":        {&core.Assume{Cond: join(core.Eq, p.Ref(), q.Ref())}, false, false},
		"assertion":         {&core.Assert{Cond: join(core.Add, read(p), read(q))}, true, true},
		"and":               {&core.Assume{Cond: join(core.LAnd, read(p), read(q))}, true, false},
		"or":                {&core.Assume{Cond: join(core.LOr, read(p), read(q))}, true, false},
		"choice":            {&core.Assume{Cond: &core.Cond{C: read(p), X: read(q), Y: read(q)}}, true, false},
		"arguments":         {&core.Call{Callee: callee, Args: []core.Expr{p.Ref(), read(q)}}, false, true},
		"result":            {&core.Call{Callee: callee, Lhs: read(p).(core.Loc)}, false, false},
	} {
		got := map[*logic.Term]bool{}
		for _, f := range tr.Facts(c.s) {
			got[f] = true
		}
		if got[leads(p)] != c.p || got[leads(q)] != c.q {
			t.Errorf("%s: p %v, q %v", name, got[leads(p)], got[leads(q)])
		}
		for i := range followed(p) {
			if f, g := got[followed(p)[i]], got[followed(q)[i]]; f != c.p || g != c.q {
				t.Errorf("%s: fact %d is known of p: %v, of q: %v", name, i, f, g)
			}
		}
	}
}

// A pointer that is moved back by less than a page is null or in no object of the first page.
func TestMovedBack(t *testing.T) {
	ptr := core.Ptr{Bits: 64}
	p := &core.Var{Name: "p", Type: ptr, Kind: core.Local}
	q := &core.Var{Name: "q", Type: ptr, Kind: core.Local}
	tr := New(logic.NewTable(), OneRegion{}, 64)
	x := tr.Value(p.Ref())
	want := tr.T.Or(tr.T.Eq(x, tr.T.Int(0)), tr.T.Le(tr.T.Int(4096), x))
	by := func(n, size int64) core.Expr {
		return &core.Index{X: p.Ref(), I: core.NewConst(n, core.Int64), Size: size}
	}
	for name, c := range map[string]struct {
		e    core.Expr
		want bool
	}{
		"as a number":        {&core.Offset{X: p.Ref(), Off: -8}, false},
		"a member":           {&core.Offset{X: p.Ref(), Off: 8}, false},
		"bytes":              {by(-24, 1), true},
		"elements":           {by(-2, 16), true},
		"forward":            {by(2, 16), false},
		"a page":             {by(-256, 16), false},
		"by a number":        {&core.Index{X: p.Ref(), I: (&core.Var{Name: "n", Type: core.Int64, Kind: core.Local}).Ref(), Size: 1}, false},
		"not in any case":    {&core.Cond{C: core.NewConst(1, core.Int32), X: by(-1, 1), Y: p.Ref()}, false},
		"of another pointer": {&core.Index{X: q.Ref(), I: core.NewConst(-8, core.Int64), Size: 1}, false},
	} {
		facts := tr.Facts(&core.Assign{Lhs: []core.Loc{q.Ref()}, Rhs: []core.Expr{c.e}})
		if got := slices.Contains(facts, want); got != c.want {
			t.Errorf("%s: it is known %v of %v", name, got, facts)
		}
	}
}
