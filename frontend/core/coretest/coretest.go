// Package coretest writes core programs by hand, for the tests of packages that analyse them:
//
//	w := coretest.NewWorld()
//	x := w.Global("x", core.Int32, true)
//	p := coretest.Local(w.Main, "p", coretest.Ptr)
//	coretest.Do(w.Main, coretest.Set(p.Ref(), coretest.Addr(x)))       p = &x
package coretest

import (
	"fmt"

	"c2bp/frontend/core"
)

// Ptr is a pointer of 64 bits.
var Ptr = core.Ptr{Bits: 64}

// World is a program under construction.
type World struct {
	Prog *core.Program
	Main *core.Proc
}

// NewWorld returns a program with an empty procedure main.
func NewWorld() *World {
	w := &World{Prog: &core.Program{}}
	w.Main = w.Proc("main", core.Void{})
	w.Prog.Entry = w.Main
	return w
}

// Global declares a global; one of an aggregate type starts with zeros.
func (w *World) Global(name string, t core.Type, taken ...bool) *core.Var {
	v := &core.Var{Name: name, Type: t, Kind: core.Global, AddrTaken: len(taken) > 0}
	w.Prog.Globals = append(w.Prog.Globals, v)
	switch t := t.(type) {
	case core.Agg:
		Do(w.Main, &core.Fill{Dst: Addr(v), Size: Num64(t.Size), Byte: core.NewConst(0, core.Uint8)})
	case core.Ptr:
		Do(w.Main, Set(v.Ref(), Null))
	case core.Int:
		Do(w.Main, Set(v.Ref(), core.NewConst(0, t)))
	}
	return v
}

// Proc declares a procedure whose body Do fills.
func (w *World) Proc(name string, ret core.Type) *core.Proc {
	p := &core.Proc{Name: name, CName: name, RetType: ret}
	p.Nodes = []*core.Node{{Stmt: &core.Return{}}}
	if ret != core.Type(core.Void{}) {
		p.Result = Local(p, `\result`, ret)
	}
	w.Prog.Procs = append(w.Prog.Procs, p)
	return p
}

// Extern declares a procedure without a body.
func (w *World) Extern(name string, ret core.Type, formals ...core.Type) *core.Proc {
	p := &core.Proc{Name: name, CName: name, RetType: ret}
	for i, t := range formals {
		Formal(p, fmt.Sprintf("arg%d", i), t)
	}
	w.Prog.Procs = append(w.Prog.Procs, p)
	return p
}

func Formal(p *core.Proc, name string, t core.Type, taken ...bool) *core.Var {
	v := &core.Var{Name: name, Type: t, Kind: core.Formal, Proc: p, AddrTaken: len(taken) > 0}
	p.Formals = append(p.Formals, v)
	return v
}

func Local(p *core.Proc, name string, t core.Type, taken ...bool) *core.Var {
	v := &core.Var{Name: name, Type: t, Kind: core.Local, Proc: p, AddrTaken: len(taken) > 0}
	p.Locals = append(p.Locals, v)
	return v
}

// Do appends statements to the body of p.
func Do(p *core.Proc, stmts ...core.Stmt) {
	end := p.Nodes[len(p.Nodes)-1]
	p.Nodes = p.Nodes[:len(p.Nodes)-1]
	for _, s := range stmts {
		p.Nodes = append(p.Nodes, &core.Node{Stmt: s, Succ: []int{len(p.Nodes) + 1}})
	}
	p.Nodes = append(p.Nodes, end)
}

var Null = core.Null(Ptr)

func Num(n int64) *core.Const { return core.NewConst(n, core.Int32) }

func Num64(n int64) *core.Const { return core.NewConst(n, core.Uint64) }

func Addr(v *core.Var) core.Expr { return &core.AddrOf{Var: v, Typ: Ptr} }

func Func(p *core.Proc) core.Expr { return &core.FuncAddr{Proc: p, Typ: Ptr} }

func Plus(x core.Expr, off int64, field string) core.Expr {
	return &core.Offset{X: x, Off: off, Field: field}
}

func Elem(x, i core.Expr, size int64) core.Expr { return &core.Index{X: x, I: i, Size: size} }

func Mem(x core.Expr, t core.Type) *core.Mem { return &core.Mem{Addr: x, Typ: t} }

func Set(l core.Loc, e core.Expr) core.Stmt {
	return &core.Assign{Lhs: []core.Loc{l}, Rhs: []core.Expr{e}}
}

func CallTo(l core.Loc, p *core.Proc, args ...core.Expr) *core.Call {
	return &core.Call{Lhs: l, Callee: p, Args: args}
}

// Agg is a struct type.
func Agg(size int64) core.Agg { return core.Agg{Name: "struct s", Size: size} }
