package devirt

import (
	"fmt"
	"os"
	"testing"

	"c2bp/frontend/core"
	"c2bp/internal/testkit"
)

// This file defines the helpers by which the tests write programs: those of package alias that are
// needed here.

var update = testkit.Update

var ptr = core.Ptr{Bits: 64}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; got:\n%s", path, got)
	}
}

// world is a program under construction.
type world struct {
	prog *core.Program
	main *core.Proc
}

func newWorld() *world {
	w := &world{prog: &core.Program{}}
	w.main = w.proc("main", core.Void{})
	w.prog.Entry = w.main
	return w
}

// global declares a global; one of an aggregate type starts with zeros.
func (w *world) global(name string, t core.Type, taken ...bool) *core.Var {
	v := &core.Var{Name: name, Type: t, Kind: core.Global, AddrTaken: len(taken) > 0}
	w.prog.Globals = append(w.prog.Globals, v)
	switch t := t.(type) {
	case core.Agg:
		do(w.main, &core.Fill{Dst: addr(v), Size: num64(t.Size), Byte: core.NewConst(0, core.Uint8)})
	case core.Ptr:
		do(w.main, set(v.Ref(), null))
	case core.Int:
		do(w.main, set(v.Ref(), core.NewConst(0, t)))
	}
	return v
}

// proc declares a procedure whose body is to be filled by do.
func (w *world) proc(name string, ret core.Type) *core.Proc {
	p := &core.Proc{Name: name, CName: name, RetType: ret}
	p.Nodes = []*core.Node{{Stmt: &core.Return{}}}
	if ret != core.Type(core.Void{}) {
		p.Result = local(p, `\result`, ret)
	}
	w.prog.Procs = append(w.prog.Procs, p)
	return p
}

// extern declares a procedure without a body.
func (w *world) extern(name string, ret core.Type, formals ...core.Type) *core.Proc {
	p := &core.Proc{Name: name, CName: name, RetType: ret}
	for i, t := range formals {
		formal(p, fmt.Sprintf("arg%d", i), t)
	}
	w.prog.Procs = append(w.prog.Procs, p)
	return p
}

func formal(p *core.Proc, name string, t core.Type, taken ...bool) *core.Var {
	v := &core.Var{Name: name, Type: t, Kind: core.Formal, Proc: p, AddrTaken: len(taken) > 0}
	p.Formals = append(p.Formals, v)
	return v
}

func local(p *core.Proc, name string, t core.Type, taken ...bool) *core.Var {
	v := &core.Var{Name: name, Type: t, Kind: core.Local, Proc: p, AddrTaken: len(taken) > 0}
	p.Locals = append(p.Locals, v)
	return v
}

// do appends statements to the body of p.
func do(p *core.Proc, stmts ...core.Stmt) {
	end := p.Nodes[len(p.Nodes)-1]
	p.Nodes = p.Nodes[:len(p.Nodes)-1]
	for _, s := range stmts {
		p.Nodes = append(p.Nodes, &core.Node{Stmt: s, Succ: []int{len(p.Nodes) + 1}})
	}
	p.Nodes = append(p.Nodes, end)
}

var null = core.Null(ptr)

func num(n int64) *core.Const { return core.NewConst(n, core.Int32) }

func num64(n int64) *core.Const { return core.NewConst(n, core.Uint64) }

func addr(v *core.Var) core.Expr { return &core.AddrOf{Var: v, Typ: ptr} }

func fn(p *core.Proc) core.Expr { return &core.FuncAddr{Proc: p, Typ: ptr} }

func plus(x core.Expr, off int64, field string) core.Expr {
	return &core.Offset{X: x, Off: off, Field: field}
}

func elem(x, i core.Expr, size int64) core.Expr { return &core.Index{X: x, I: i, Size: size} }

func mem(x core.Expr, t core.Type) *core.Mem { return &core.Mem{Addr: x, Typ: t} }

func set(l core.Loc, e core.Expr) core.Stmt {
	return &core.Assign{Lhs: []core.Loc{l}, Rhs: []core.Expr{e}}
}

func callTo(l core.Loc, p *core.Proc, args ...core.Expr) *core.Call {
	return &core.Call{Lhs: l, Callee: p, Args: args}
}

// agg is a struct type.
func agg(size int64) core.Agg { return core.Agg{Name: "struct s", Size: size} }
