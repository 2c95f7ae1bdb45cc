package symbolic

import (
	"c2bp/boolprog"
	"c2bp/checker/bdd"
	"c2bp/checker/symbolic/flow"
	"c2bp/checker/symbolic/varorder"
)

// This file defines the encoding of expressions. An expression with choices has,
// in a given state, a *set* of possible values; may computes the states in which 0
// is in the set and those in which 1 is.
//
// The recursion is exact, not merely an over-approximation, for this reason. Each
// syntactic occurrence of * (and of the choice hidden in choose and schoose) is a
// fresh choice of its own. The operands X and Y of an operator are disjoint parts
// of the syntax tree, so the choices made in X and those made in Y are
// independent: in a fixed state, every pair of a possible value of X and a possible
// value of Y occurs together. Hence X & Y can be 1 if and only if X can be 1 and Y
// can be 1, and so on for each operator. The set of values is never empty, hence
// X & Y can be 0 if and only if X can or Y can. The same argument makes the
// relation of a parallel assignment the conjunction of the relations of its
// targets, and lets arguments, results and constrain clauses be treated alike: each
// evaluation of each of them makes its own choices.
//
// The argument would fail if an expression were shared, that is evaluated once and
// used twice; the language has no such construct.

// possible holds the states in which an expression can be 0 and those in which it can be 1.
type possible struct{ zero, one bdd.Ref }

// encoder encodes the expressions of one procedure.
type encoder struct {
	m   *bdd.Manager
	lay *varorder.Layout
	pg  *boolprog.ProcGraph
}

// ref returns the function that is 1 where the variable is 1: its current copy, or its next copy if
// it is primed.
func (x *encoder) ref(r *boolprog.Ref) bdd.Ref {
	v := varorder.Current
	if r.Next {
		v = varorder.Next
	}
	return x.m.Var(x.lay.Level(x.group(r), v))
}

// group returns the variable that a name denotes in the procedure.
func (x *encoder) group(r *boolprog.Ref) flow.Group {
	s, ok := x.pg.Slot(r.Name)
	if !ok {
		panic(Violation("undeclared variable " + r.Name)) // Check has passed
	}
	return x.lay.Slot(s)
}

// may returns the possible values of e.
func (x *encoder) may(e boolprog.Expr) possible {
	m := x.m
	switch e := e.(type) {
	case *boolprog.Const:
		return possible{bdd.Const(!e.Val), bdd.Const(e.Val)}
	case *boolprog.Ref:
		v := x.ref(e)
		return possible{m.Not(v), v}
	case *boolprog.Nondet:
		return possible{bdd.True, bdd.True}
	case *boolprog.Not:
		v := x.may(e.X)
		return possible{v.one, v.zero}
	case *boolprog.Binary:
		return x.binary(e.Op, x.may(e.X), x.may(e.Y))
	case *boolprog.Choose:
		// choose(p, n) is 1 if p, else 0 if n, else a choice: it can be 1 if p can,
		// or if p can be 0 and n can; where p cannot be 0 it can be 1, so the second
		// condition on p goes without saying. It can be 0 if p can be, whatever n
		// is. schoose[p, n] = p | (* & !n) has the same two sets.
		p, n := x.may(e.P), x.may(e.N)
		return possible{zero: p.zero, one: m.Or(p.one, n.zero)}
	}
	panic(Violation("unknown expression"))
}

func (x *encoder) binary(op boolprog.BinOp, a, b possible) possible {
	// binary returns the possible values of x op y for those of x and of y, which are independent.
	m := x.m
	both := func(f, g, h, k bdd.Ref) bdd.Ref { return m.Or(m.And(f, g), m.And(h, k)) }
	equal := func() possible {
		return possible{zero: both(a.zero, b.one, a.one, b.zero), one: both(a.zero, b.zero, a.one, b.one)}
	}
	switch op {
	case boolprog.And:
		return possible{zero: m.Or(a.zero, b.zero), one: m.And(a.one, b.one)}
	case boolprog.Or:
		return possible{zero: m.And(a.zero, b.zero), one: m.Or(a.one, b.one)}
	case boolprog.Implies:
		return possible{zero: m.And(a.one, b.zero), one: m.Or(a.zero, b.one)}
	case boolprog.Eq:
		return equal()
	case boolprog.Ne, boolprog.Xor:
		v := equal()
		return possible{zero: v.one, one: v.zero}
	}
	panic(Violation("unknown operator"))
}

// stores returns the relation in which the copy v of g holds a possible value of e.
func (x *encoder) stores(g flow.Group, v varorder.Version, e boolprog.Expr) bdd.Ref {
	p := x.may(e)
	return x.m.Ite(x.m.Var(x.lay.Level(g, v)), p.one, p.zero)
}
