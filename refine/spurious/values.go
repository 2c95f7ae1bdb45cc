package spurious

import (
	"fmt"
	"math/big"
	"slices"

	"c2bp/boolprog"
	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/refine/cex"
)

// This file keeps the values of Boolean variables on a path (formula.go), as formulas over open truth
// values, and collects the conditions on these.

// assign executes a parallel assignment. Its constrain clause reads the values before it, and those
// after it as primed variables:
//
//	a, b := *, * constrain !('a & !'b)
func (x *pathFormula) assign(f *cex.Frame, op *boolprog.Assign) {
	next := map[string]*logic.Term{}
	for i, l := range op.Lhs {
		next[l.Name] = x.named(x.may(f, op.Rhs[i], nil))
	}
	if op.Constrain != nil {
		x.requireAll(f, op.Constrain, next)
	}
	for name, v := range next {
		x.set(f, name, v)
	}
}

// enforce adds the enforce clause of f's procedure as conditions: those conjuncts that read a variable
// that has changed, all of them if changed is nil.
func (x *pathFormula) enforce(f *cex.Frame, changed []*boolprog.Ref) {
	for _, c := range x.invariants(f.Proc) {
		if changed == nil || slices.ContainsFunc(changed, func(r *boolprog.Ref) bool { return c.reads[r.Name] }) {
			x.require(x.may(f, c.expr, nil))
		}
	}
}

// invariants returns the conjuncts of a procedure's enforce clause.
func (x *pathFormula) invariants(p *core.Proc) []invariant {
	if list, known := x.inv[p]; known {
		return list
	}
	var list []invariant
	for _, e := range conjuncts(x.r.Enforce(p)) {
		reads := map[string]bool{}
		boolprog.InspectRefs(e, func(r *boolprog.Ref) { reads[r.Name] = true })
		list = append(list, invariant{e, reads})
	}
	x.inv[p] = list
	return list
}

// conjuncts returns the conjuncts of e, none if e is nil.
func conjuncts(e boolprog.Expr) []boolprog.Expr {
	if b, ok := e.(*boolprog.Binary); ok && b.Op == boolprog.And {
		return append(conjuncts(b.X), conjuncts(b.Y)...)
	}
	if e == nil {
		return nil
	}
	return []boolprog.Expr{e}
}

// require adds a condition, once.
func (x *pathFormula) require(f *logic.Term) {
	if f != x.t.True && !x.isCond[f] {
		x.isCond[f] = true
		x.conds = append(x.conds, f)
	}
}

// requireAll adds each conjunct of e as a condition; next are the values of primed variables.
func (x *pathFormula) requireAll(f *cex.Frame, e boolprog.Expr, next map[string]*logic.Term) {
	for _, c := range conjuncts(e) {
		x.require(x.may(f, c, next))
	}
}

// scopeOf returns the map that has the value of a variable of activation f.
func (x *pathFormula) scopeOf(f *cex.Frame, name string) map[string]*logic.Term {
	if x.global[name] {
		return x.globals
	}
	if x.locals[f] == nil {
		x.locals[f] = map[string]*logic.Term{}
	}
	return x.locals[f]
}

// set gives a variable a value.
func (x *pathFormula) set(f *cex.Frame, name string, v *logic.Term) { x.scopeOf(f, name)[name] = v }

// value returns the formula that a variable is 1. A variable that was not assigned has an open value.
func (x *pathFormula) value(f *cex.Frame, name string) *logic.Term {
	s := x.scopeOf(f, name)
	if s[name] == nil {
		s[name] = x.fresh()
	}
	return s[name]
}

// fresh returns an open truth value.
func (x *pathFormula) fresh() *logic.Term {
	x.open++
	return x.t.Le(x.t.Int(1), x.t.Sym(fmt.Sprintf("b%d", x.open), new(big.Int), big.NewInt(1)))
}

// may returns the formula that expression e can evaluate to 1; next are the values of primed
// variables.
func (x *pathFormula) may(f *cex.Frame, e boolprog.Expr, next map[string]*logic.Term) *logic.Term {
	switch e := e.(type) {
	case *boolprog.Const:
		return x.t.Bool(e.Val)
	case *boolprog.Ref:
		if e.Next {
			return next[e.Name]
		}
		return x.value(f, e.Name)
	case *boolprog.Nondet:
		return x.fresh()
	case *boolprog.Not:
		return x.t.Not(x.may(f, e.X, next))
	case *boolprog.Choose:
		// choose(P, N) is 1 if P is, 0 if N is and P is not, and otherwise either: v is open within these
		// conditions.
		one, zero := x.may(f, e.P, next), x.may(f, e.N, next)
		v := x.fresh()
		x.require(x.t.Implies(one, v))
		x.require(x.t.Or(one, x.t.Not(zero), x.t.Not(v)))
		return v
	case *boolprog.Binary:
		a, b := x.may(f, e.X, next), x.may(f, e.Y, next)
		switch e.Op {
		case boolprog.And:
			return x.t.And(a, b)
		case boolprog.Or:
			return x.t.Or(a, b)
		}
	}
	panic("refine: an expression that no abstraction has")
}

// named returns an open truth value that is required to equal f, if f is a conjunction or disjunction:
// a long formula is not repeated wherever its value goes. Other formulas are returned as they are.
func (x *pathFormula) named(f *logic.Term) *logic.Term {
	if f.Op != logic.OpAnd && f.Op != logic.OpOr {
		return f
	}
	v := x.fresh()
	x.require(x.t.Implies(f, v))
	x.require(x.t.Implies(v, f))
	return v
}
