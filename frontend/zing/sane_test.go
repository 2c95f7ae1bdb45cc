package zing

import "testing"

// sane checks that a checked program has all annotations, and that they agree: no name is left to
// look up, and no conversion to find.
func sane(t *testing.T, p *Program) {
	t.Helper()
	for i, typ := range p.Types {
		if typ.Index != i || typ.Decl.Declared() != typ {
			t.Errorf("type %s has the number %d", typ, typ.Index)
		}
	}
	for i, g := range p.Globals {
		if g.Index != i || g.Owner == nil || g.Type == nil {
			t.Errorf("global %s has the number %d", g.Name.Name, g.Index)
		}
	}
	s := &sanity{T: t, types: map[Expr]bool{}}
	InspectProgram(p, s.visit)
}

// sanity visits a checked program.
type sanity struct {
	*testing.T
	types map[Expr]bool // expressions that mean a type or method, and have no type themselves
}

func (s *sanity) visit(n Node) bool {
	switch n := n.(type) {
	case *Field:
		if n.Init != nil {
			s.fits(n.Init, n.Type)
		}
	case *Method:
		for i, v := range n.Locals {
			if v.Index != i || v.Method != n || v.Type == nil || v.Scope == nil || v.Type == invalid {
				s.Errorf("%v: local %d is wrong: %+v", n.Pos(), i, v)
			}
		}
	case Expr:
		s.expr(n)
	case Stmt:
		s.stmt(n)
	case *WaitPattern:
		s.fits(n.Cond, Bool)
	case *ReceivePattern:
		s.place(n.Lhs)
		s.same(n.Lhs, n.Chan.TypeOf().Elem)
	}
	return true
}

// same checks the type of an expression, and fits whether it is stored like values of type t.
func (s *sanity) same(e Expr, t *Type) {
	if e.TypeOf() != t {
		s.Errorf("%v: %s has type %v, want %v", e.Pos(), ExprString(e), e.TypeOf(), t)
	}
}
func (s *sanity) fits(e Expr, t *Type) {
	if from := e.TypeOf(); from == nil || from.Base() != t.Base() && !(from.IsReference() && t.IsReference()) {
		s.Errorf("%v: %s has type %v and is used as %v", e.Pos(), ExprString(e), e.TypeOf(), t)
	}
}

func (s *sanity) place(e Expr) {
	if !IsPlace(e) {
		s.Errorf("%v: %s is no place", e.Pos(), ExprString(e))
	}
}

func (s *sanity) expr(e Expr) {
	switch e := e.(type) {
	case *Name:
		if _, isType := e.Symbol.(*Type); isType || s.types[e] {
			return
		}
		if e.Symbol == nil {
			s.Errorf("%v: %s has no symbol", e.Pos(), e.Name)
		}
	case *Selector:
		if s.types[e] {
			return
		}
		if e.Symbol == nil {
			s.Errorf("%v: %s has no symbol", e.Pos(), ExprString(e))
		}
	case *Index:
		s.fits(e.I, Int)
		s.same(e, e.X.TypeOf().Elem)
	case *Call:
		s.call(e)
	case *New:
		if e.Size != nil {
			s.fits(e.Size, Int)
		}
	case *Unary:
		s.same(e.X, e.Type)
	case *Binary:
		s.binary(e)
	case *Assign:
		s.place(e.Lhs)
		s.fits(e.Rhs, e.Lhs.TypeOf())
	case *Convert:
		if e.X.TypeOf().Base() == e.Type || e.Type.IsReference() {
			s.Errorf("%v: conversion of %s from %s to %s", e.Pos(), ExprString(e), e.X.TypeOf(), e.Type)
		}
	}
	if t := e.TypeOf(); t == nil || t == invalid {
		s.Errorf("%v: %s has type %v", e.Pos(), ExprString(e), t)
	}
}

func (s *sanity) call(e *Call) {
	s.types[e.Fun] = true
	if e.Method == nil || (e.Receiver == nil) != (e.Kind == StaticCall) || (e.Kind == StaticCall) != e.Method.Static || len(e.Args) != len(e.Method.Params) {
		s.Errorf("%v: call %+v", e.Pos(), e)
		return
	}
	if e.Receiver != nil && (e.Receiver.TypeOf() != e.Method.Owner || (e.Kind == VirtualCall) != (e.Method.Owner.Kind == KindInterface)) {
		s.Errorf("%v: the receiver of %s is of type %v", e.Pos(), ExprString(e), e.Receiver.TypeOf())
	}
	for i, a := range e.Args {
		if p := e.Method.Params[i]; p.Out {
			s.place(a.X)
			s.same(a.X, p.Type)
		} else {
			s.fits(a.X, p.Type)
		}
	}
}

func (s *sanity) binary(e *Binary) {
	x, y := e.X.TypeOf().Base(), e.Y.TypeOf().Base()
	switch e.Op {
	case In:
		s.fits(e.X, y.Elem)
	case Shl, Shr:
		s.same(e.X, e.Type)
		s.fits(e.Y, Int)
	case Add, Sub:
		// An operation on a set is described by its statement.
		if e.Type.Kind != KindSet && (x != y || x != e.Type) {
			s.Errorf("%v: %s has operands of types %s and %s", e.Pos(), ExprString(e), x, y)
		}
	case Mul, Div, Rem, And, Or, Xor, AndAnd, OrOr:
		if x != y || x != e.Type {
			s.Errorf("%v: %s has operands of types %s and %s", e.Pos(), ExprString(e), x, y)
		}
	default:
		if x != y && !(x.IsReference() && y.IsReference()) || e.Type != Bool {
			s.Errorf("%v: %s has operands of types %s and %s", e.Pos(), ExprString(e), x, y)
		}
	}
}

func (s *sanity) stmt(n Stmt) {
	switch n := n.(type) {
	case *Block:
		if n.Scope == nil {
			s.Errorf("%v: no scope", n.Pos())
		}
	case *Declare:
		if n.Init != nil {
			s.fits(n.Init, n.Local.Type)
		}
	case *AssignStmt:
		s.place(n.Lhs)
		switch {
		case n.Set == nil:
			s.fits(n.Rhs, n.Lhs.TypeOf())
		case n.Set.Whole:
			s.same(n.Set.X, n.Lhs.TypeOf())
		default:
			s.fits(n.Set.X, n.Lhs.TypeOf().Elem)
		}
	case *CallStmt:
		if n.Lhs != nil {
			s.result(n.Call, n.Lhs, n.Convert)
		}
	case *ChooseStmt:
		s.result(n.Choose, n.Lhs, n.Convert)
	case *If:
		s.same(n.Cond, Bool)
	case *While:
		s.same(n.Cond, Bool)
	case *Foreach:
		s.place(n.Var)
		s.same(n.Var, n.Coll.TypeOf().Elem)
	case *Goto:
		if n.Target == nil || !n.Target.Used || n.Target.Label.Name != n.Label.Name {
			s.Errorf("%v: the target of goto %s is wrong", n.Pos(), n.Label.Name)
		}
	case *Send:
		s.same(n.X, n.Chan.TypeOf().Elem)
	}
}

func (s *sanity) result(e, lhs Expr, convert bool) {
	s.place(lhs)
	if !convert {
		s.fits(e, lhs.TypeOf())
	} else if e.TypeOf().Base() == lhs.TypeOf().Base() {
		s.Errorf("%v: %s is converted to its type", e.Pos(), ExprString(e))
	}
}

// TestSane checks the annotations of all models.
func TestSane(t *testing.T) {
	for _, m := range models(t) {
		p, _, err := loadText(string(m.file.Text))
		if err != nil {
			t.Fatal(err)
		}
		sane(t, p)
	}
}
