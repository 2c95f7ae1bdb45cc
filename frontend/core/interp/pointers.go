package interp

import "c2bp/frontend/core"

// This file determines how a program uses memory.

// usage tells how a program uses memory.
type usage struct {
	pointers bool // it has any, or aggregates, or variables of others, which those change
	packed   bool // it has places of packed structs
	narrow   bool // its addresses have 32 bits
}

// usageOf returns the usage of p.
func usageOf(p *core.Program) *usage {
	u := &usage{narrow: p.Pointer().Bits == 32}
	u.vars(p.Globals)
	for _, q := range p.Procs {
		u.see(q.RetType)
		u.vars(q.Formals)
		u.vars(q.Locals)
		for _, n := range q.Nodes {
			core.StmtExprs(n.Stmt, func(e core.Expr) { core.Walk(e, u.expr) })
		}
	}
	return u
}

// vars examines the types of variables.
func (u *usage) vars(list []*core.Var) {
	for _, v := range list {
		u.see(v.Type)
		u.pointers = u.pointers || v.Foreign
	}
}

// see examines a type.
func (u *usage) see(t core.Type) {
	switch t := t.(type) {
	case core.Ptr:
		u.pointers = true
		u.narrow = u.narrow || t.Bits == 32
	case core.Agg:
		u.pointers = true
	}
}

// expr examines one node of an expression.
func (u *usage) expr(e core.Expr) bool {
	switch e := e.(type) {
	case *core.Mem:
		u.packed = u.packed || e.Packed
	case *core.AddrOf:
		u.see(e.Typ)
	case *core.FuncAddr:
		u.see(e.Typ)
	case *core.ToPtr:
		u.see(e.Typ)
	}
	return true
}
