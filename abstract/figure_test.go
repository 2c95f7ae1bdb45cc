package abstract

import (
	"context"
	"testing"

	"c2bp/frontend/core"
)

func TestTmp(t *testing.T) {
	inc := &core.Proc{Name: "inc", CName: "inc", RetType: core.Int32}
	x := &core.Var{Name: "x", Type: core.Int32, Kind: core.Formal, Proc: inc}
	gx := &core.Var{Name: "'x", Type: core.Int32, Kind: core.Ghost, Proc: inc, Init: x.Ref()}
	inc.Formals = []*core.Var{x}
	inc.Result = x
	one := core.NewConst(1, core.Int32)
	inc.Nodes = []*core.Node{
		{Stmt: &core.Assign{Lhs: []core.Loc{x.Ref()}, Rhs: []core.Expr{&core.Binary{Op: core.Add, X: x.Ref(), Y: one}}}, Succ: []int{1}, First: true},
		{Stmt: &core.Return{}},
	}
	foo := &core.Proc{Name: "main", CName: "foo", RetType: core.Void{}}
	a := &core.Var{Name: "a", Type: core.Int32, Kind: core.Formal, Proc: foo}
	b := &core.Var{Name: "b", Type: core.Int32, Kind: core.Local, Proc: foo}
	c := &core.Var{Name: "c", Type: core.Int32, Kind: core.Local, Proc: foo}
	foo.Formals = []*core.Var{a}
	foo.Locals = []*core.Var{b, c}
	eq := func(v *core.Var, k int64) core.Expr {
		return &core.Binary{Op: core.Eq, X: v.Ref(), Y: core.NewConst(k, core.Int32)}
	}
	foo.Nodes = []*core.Node{
		{Stmt: &core.Assume{Cond: eq(a, 2)}, Succ: []int{1}},
		{Stmt: &core.Call{Lhs: b.Ref(), Callee: inc, Args: []core.Expr{a.Ref()}}, Succ: []int{2}},
		{Stmt: &core.Call{Lhs: c.Ref(), Callee: inc, Args: []core.Expr{b.Ref()}}, Succ: []int{3}},
		{Stmt: &core.Assert{Cond: eq(c, 4)}, Succ: []int{4}},
		{Stmt: &core.Return{}},
	}
	prog := &core.Program{Procs: []*core.Proc{inc, foo}, Entry: foo}
	pr := func(p *core.Proc, e core.Expr) *Predicate { return NewPredicate(p, e, core.CString(e)) }
	preds := []*Predicate{
		pr(inc, &core.Binary{Op: core.Eq, X: x.Ref(), Y: gx.Ref()}),
		pr(inc, &core.Binary{Op: core.Eq, X: x.Ref(), Y: &core.Binary{Op: core.Add, X: gx.Ref(), Y: one}}),
		pr(foo, eq(a, 2)), pr(foo, eq(b, 3)), pr(foo, eq(c, 4)),
	}
	r, err := Program(context.Background(), prog, preds, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + r.Program.String())
}
