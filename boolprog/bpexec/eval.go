package bpexec

import "c2bp/boolprog"

// This file defines the values of expressions.

// Values is the set of values that an expression can have.
type Values uint8

const (
	Can0 Values = 1 << iota
	Can1
)

// Has reports whether the value v is possible.
func (s Values) Has(v bool) bool { return s&only(v) != 0 }

// only is the set of one value.
func only(v bool) Values {
	if v {
		return Can1
	}
	return Can0
}

// Eval returns the values that e can have when lookup gives the variables' values.
// Every * is a choice of its own, so operands never share one, and the set of an
// operation is the operation on the sets.
func Eval(e boolprog.Expr, lookup func(*boolprog.Ref) bool) Values {
	return evaluator{lookup: lookup}.eval(e)
}

// EvalSets returns values that e can have when each variable can have those that lookup
// gives: all of them, and more if e mentions a variable twice that can have both.
func EvalSets(e boolprog.Expr, lookup func(*boolprog.Ref) Values) Values {
	return evaluator{sets: lookup}.eval(e)
}

type evaluator struct {
	lookup func(*boolprog.Ref) bool
	sets   func(*boolprog.Ref) Values // or this
	broken mutation
}

func (v evaluator) eval(e boolprog.Expr) Values {
	switch e := e.(type) {
	case *boolprog.Const:
		return only(e.Val)
	case *boolprog.Ref:
		if v.sets != nil {
			return v.sets(e)
		}
		return only(v.lookup(e))
	case *boolprog.Nondet:
		return Can0 | Can1
	case *boolprog.Not:
		return lift(v.eval(e.X), Can0, func(x, _ bool) bool { return !x })
	case *boolprog.Binary:
		return lift(v.eval(e.X), v.eval(e.Y), func(x, y bool) bool { return apply(e.Op, x, y) })
	case *boolprog.Choose:
		return v.choose(v.eval(e.P), v.eval(e.N))
	}
	panic("bpexec: unknown expression")
}

// lift applies op to every pair of values from xs and ys.
func lift(xs, ys Values, op func(x, y bool) bool) (set Values) {
	for _, x := range []bool{false, true} {
		for _, y := range []bool{false, true} {
			if xs.Has(x) && ys.Has(y) {
				set |= only(op(x, y))
			}
		}
	}
	return set
}

func apply(op boolprog.BinOp, x, y bool) bool {
	switch op {
	case boolprog.Implies:
		return !x || y
	case boolprog.Or:
		return x || y
	case boolprog.Xor, boolprog.Ne:
		return x != y
	case boolprog.And:
		return x && y
	case boolprog.Eq:
		return x == y
	}
	panic("bpexec: unknown operator")
}

// choose is choose(p, n): 1 if p, else 0 if n, else *. And schoose[p, n], which is
// p | (* & !n), is the same function of p and n.
func (v evaluator) choose(ps, ns Values) (set Values) {
	for _, p := range []bool{false, true} {
		for _, n := range []bool{false, true} {
			switch {
			case !ps.Has(p) || !ns.Has(n):
			case p:
				set |= Can1
			case n:
				set |= Can0
			case v.broken == chooseFalse:
				set |= Can0
			default:
				set |= Can0 | Can1
			}
		}
	}
	return set
}
