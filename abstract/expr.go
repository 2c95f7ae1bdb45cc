package abstract

import (
	"c2bp/boolprog"
	"c2bp/prover/cubes"
)

// This file turns covers of cubes into Boolean expressions. A cover is a set of cubes, each a
// conjunction of literals: {a} & !{b} | {c}.

// literal returns an expression, or its negation. The expression is copied, so that no two statements
// share one.
func literal(e boolprog.Expr, negated bool) boolprog.Expr {
	e = boolprog.Copy(e)
	if negated {
		e = &boolprog.Not{X: e}
	}
	return e
}

// constant returns the constant v.
func constant(v bool) boolprog.Expr { return &boolprog.Const{Val: v} }

// join folds the expressions with op; without expressions it is the constant empty.
func join(op boolprog.BinOp, es []boolprog.Expr, empty bool) boolprog.Expr {
	if len(es) == 0 {
		return constant(empty)
	}
	e := es[0]
	for _, x := range es[1:] {
		e = &boolprog.Binary{Op: op, X: e, Y: x}
	}
	return e
}

// disjunction returns c1 | c2 | …, 0 without cubes.
func disjunction(cover []cubes.Cube, reads []boolprog.Expr) boolprog.Expr {
	var cubes []boolprog.Expr
	for _, c := range cover {
		cubes = append(cubes, conjunction(c, reads))
	}
	return join(boolprog.Or, cubes, false)
}

// conjunction returns the literals of c joined by &.
func conjunction(c cubes.Cube, reads []boolprog.Expr) boolprog.Expr {
	var lits []boolprog.Expr
	for _, l := range c.Literals() {
		lits = append(lits, literal(reads[l.Pred], l.Neg))
	}
	return join(boolprog.And, lits, true)
}

// excluded returns !c1 & !c2 & … in clauses, 1 without cubes.
func excluded(cubes []cubes.Cube, reads []boolprog.Expr) boolprog.Expr {
	var clauses []boolprog.Expr
	for _, c := range cubes {
		var lits []boolprog.Expr
		for _, l := range c.Literals() {
			lits = append(lits, literal(reads[l.Pred], !l.Neg))
		}
		clauses = append(clauses, join(boolprog.Or, lits, false))
	}
	return join(boolprog.And, clauses, true)
}

// isConst reports whether e is the constant v.
func isConst(e boolprog.Expr, v bool) bool {
	c, ok := e.(*boolprog.Const)
	return ok && c.Val == v
}

// choose returns choose(p, n), simplified where one side is certain or nothing is known: true if p
// holds, false if n holds, any value otherwise.
func choose(p, n boolprog.Expr) boolprog.Expr {
	// A side that is true decides; if both are false, nothing is known.
	switch {
	case isConst(p, true):
		return constant(true)
	case isConst(n, true):
		return constant(false)
	case isConst(p, false) && isConst(n, false):
		return &boolprog.Nondet{}
	}
	return &boolprog.Choose{P: p, N: n}
}

// readsOf returns the expressions that read the variables of predicates.
func readsOf(names []string) []boolprog.Expr {
	list := make([]boolprog.Expr, len(names))
	for i, n := range names {
		list[i] = &boolprog.Ref{Name: n}
	}
	return list
}
