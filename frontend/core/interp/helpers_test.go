package interp

import (
	"context"
	"fmt"
	"math/big"
	"testing"

	"c2bp/frontend/core"
)

// This file defines what the tests write programs with, and scripted choices.

// script answers requests for values from a list, then with 0; branches take the
// last open successor unless pick says otherwise. It keeps a log of requests.
type script struct {
	values []int64
	pick   func([]int) int
	log    []string
}

func (s *script) Branch(at Place, next []int) int {
	s.log = append(s.log, fmt.Sprintf("%s branch %v", at.Proc.NodeID(at.Node), next))
	if s.pick != nil {
		return s.pick(next)
	}
	return next[len(next)-1]
}

func (s *script) Value(r Request) *big.Int {
	name := "-"
	if r.Var != nil {
		name = r.Var.Name
	}
	s.log = append(s.log, fmt.Sprintf("%s %s %s of %d %s old %v", r.Proc.NodeID(r.Node), r.Why, name, r.Owner, r.Type, r.Old))
	v := int64(0)
	if len(s.values) > 0 {
		v, s.values = s.values[0], s.values[1:]
	}
	return big.NewInt(v)
}

// Short forms to write programs with.

func global(name string, t core.Type) *core.Var {
	return &core.Var{Name: name, Type: t, Kind: core.Global}
}

func newProc(name string, ret core.Type) *core.Proc {
	return &core.Proc{Name: name, CName: name, RetType: ret}
}

func formal(p *core.Proc, name string, t core.Type) *core.Var {
	v := &core.Var{Name: name, Type: t, Kind: core.Formal, Proc: p}
	p.Formals = append(p.Formals, v)
	return v
}

func local(p *core.Proc, name string, t core.Type) *core.Var {
	v := &core.Var{Name: name, Type: t, Kind: core.Local, Proc: p}
	p.Locals = append(p.Locals, v)
	return v
}

func num(v int64) core.Expr { return core.NewConst(v, core.Int32) }

func bin(x core.Expr, op core.BinaryOp, y core.Expr) core.Expr {
	return &core.Binary{Op: op, X: x, Y: y}
}

func set(v *core.Var, e core.Expr) core.Stmt {
	return &core.Assign{Lhs: []core.Loc{v.Ref()}, Rhs: []core.Expr{e}}
}

func node(s core.Stmt, succ ...int) *core.Node { return &core.Node{Stmt: s, Succ: succ} }

// line gives p the nodes of stmts in order, with a return at the end.
func line(p *core.Proc, stmts ...core.Stmt) {
	p.Nodes = nil
	for i, s := range stmts {
		p.Nodes = append(p.Nodes, node(s, i+1))
	}
	p.Nodes = append(p.Nodes, node(&core.Return{}))
}

// program is a valid program of procs, the last of which is main.
func program(t testing.TB, globals []*core.Var, procs ...*core.Proc) *core.Program {
	t.Helper()
	p := &core.Program{Globals: globals, Procs: procs, Entry: procs[len(procs)-1]}
	if err := core.Validate(p); err != nil {
		t.Fatal(err)
	}
	return p
}

// finish runs m to its end, which must be of the kind wanted.
func finish(t *testing.T, m *Machine, want Kind) Event {
	t.Helper()
	e, err := m.Run(context.Background(), 1000)
	if err != nil || e.Kind != want {
		t.Fatalf("the run ended with %v (%v), want %v", e.Kind, err, want)
	}
	return e
}

func wantValue(t *testing.T, what string, got *big.Int, want int64) {
	t.Helper()
	if got == nil || got.Cmp(big.NewInt(want)) != 0 {
		t.Errorf("%s = %v, want %d", what, got, want)
	}
}
