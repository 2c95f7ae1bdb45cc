package bpexec

import "c2bp/boolprog"

// This file evaluates expressions.

// Values is a set of possible values of an expression.
type Values uint8

const (
	Can0 Values = 1 << iota
	Can1
)

// Has reports whether the value v is possible.
func (s Values) Has(v bool) bool { return s&only(v) != 0 }

// only returns the set of one value.
func only(v bool) Values {
	if v {
		return Can1
	}
	return Can0
}

// Eval returns the possible values of e if lookup gives the values of variables. Every * is a
// choice of its own, so operands never share one, and the set of an operation is the operation
// applied to the sets of its operands.
func Eval(e boolprog.Expr, lookup func(*boolprog.Ref) bool) Values {
	return evaluator{lookup: lookup}.eval(e)
}

// EvalSets returns possible values of e if lookup gives the possible values of each variable. The
// result contains all possible values, and perhaps more if e mentions a variable twice that can
// have both values.
func EvalSets(e boolprog.Expr, lookup func(*boolprog.Ref) Values) Values {
	return evaluator{sets: lookup}.eval(e)
}

// evaluator evaluates expressions with one of two ways to look up variables.
type evaluator struct {
	lookup func(*boolprog.Ref) bool
	sets   func(*boolprog.Ref) Values // or this
}

// eval returns the possible values of e.
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
	// Operators work on the sets of their operands.
	case *boolprog.Not:
		return lift(v.eval(e.X), Can0, func(x, _ bool) bool { return !x })
	case *boolprog.Binary:
		return lift(v.eval(e.X), v.eval(e.Y), func(x, y bool) bool { return apply(e.Op, x, y) })
	case *boolprog.Choose:
		return choose(v.eval(e.P), v.eval(e.N))
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

// apply returns x op y.
func apply(op boolprog.BinOp, x, y bool) bool {
	// Equality of Booleans is Eq; Xor and Ne are its negation.
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

// choose returns the possible values of choose(p, n): 1 if p, else 0 if n, else *. schoose[p, n],
// which is p | (* & !n), is the same function of p and n.
func choose(ps, ns Values) (set Values) {
	for _, p := range []bool{false, true} {
		for _, n := range []bool{false, true} {
			switch {
			case !ps.Has(p) || !ns.Has(n):
			// Each pair of values of p and n contributes its outcome.
			case p:
				set |= Can1
			case n:
				set |= Can0
			default:
				set |= Can0 | Can1
			}
		}
	}
	return set
}
