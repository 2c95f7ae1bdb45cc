package chc

import (
	"fmt"
	"strings"

	"c2bp/boolprog"
)

// This file prints expressions, and finds constant ones.

// operators are the functions of SMT-LIB for the operators.
var operators = map[boolprog.BinOp]string{
	boolprog.Implies: "=>", boolprog.Or: "or", boolprog.Xor: "xor", boolprog.And: "and", boolprog.Eq: "=", boolprog.Ne: "xor",
}

// piece is a part of an expression that is still to be printed: e or, if that is nil, text. An
// operation of the operator inside, which is And or Or, needs no parentheses.
type piece struct {
	e      boolprog.Expr
	text   string
	inside string
}

// term returns the text of e for the clause, with the variables' terms from lookup. It does not
// recurse, since expressions can be deep.
func (c *clause) term(e boolprog.Expr, lookup func(*boolprog.Ref) string) string {
	if t, ok := c.atomic(e, lookup); ok {
		return t
	}
	var b strings.Builder
	for work := []piece{{e: e}}; len(work) > 0; {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		if p.e == nil {
			b.WriteString(p.text)
			continue
		}
		// Print the beginning of e, and push its parts in reverse order.
		switch e := p.e.(type) {
		case *boolprog.Not:
			b.WriteString("(not ")
			work = append(work, piece{text: ")"}, piece{e: e.X})
		case *boolprog.Binary:
			// A chain of and or or is flattened: (and a b c).
			op, inside := operators[e.Op], ""
			if op == "and" || op == "or" {
				inside = op
			}
			if inside == "" || p.inside != inside {
				b.WriteString("(" + op + " ")
				work = append(work, piece{text: ")"})
			}
			work = append(work, piece{e: e.Y, inside: inside}, piece{text: " "}, piece{e: e.X, inside: inside})
		case *boolprog.Choose:
			b.WriteString("(or ")
			before, after := " (and "+c.choice()+" ", "))"
			// choose(p, n) is p | (* & !n); a negated n needs no double negation.
			other := literal{e.N, true}.strip()
			if other.negate {
				before, after = before+"(not ", after+")"
			}
			work = append(work, piece{text: after}, piece{e: other.e}, piece{text: before}, piece{e: e.P})
		default:
			t, ok := c.atomic(e, lookup)
			if !ok {
				panic(fmt.Sprintf("chc: expression of type %T", e))
			}
			b.WriteString(t)
		}
	}
	return b.String()
}

// atomic returns the term of an expression without operators; ok is false for others.
func (c *clause) atomic(e boolprog.Expr, lookup func(*boolprog.Ref) string) (term string, ok bool) {
	switch e := e.(type) {
	case *boolprog.Const:
		return fmt.Sprint(e.Val), true
	case *boolprog.Ref:
		return c.use(lookup(e))[0], true
	case *boolprog.Nondet:
		return c.choice(), true
	}
	return "", false
}

// literal is e or, with negate, its negation.
type literal struct {
	e      boolprog.Expr // nil holds
	negate bool
}

// strip removes negations from e.
func (l literal) strip() literal {
	for {
		n, ok := l.e.(*boolprog.Not)
		if !ok {
			return l
		}
		l = literal{n.X, !l.negate}
	}
}

// never reports whether l is the constant 0.
func (l literal) never() bool {
	c, ok := l.strip().e.(*boolprog.Const)
	return ok && c.Val == l.strip().negate
}

// free reports whether l is no condition: the constant 1, or a lone *.
func (l literal) free() bool {
	switch e := l.strip().e.(type) {
	case nil, *boolprog.Nondet:
		return true
	case *boolprog.Const:
		return e.Val != l.strip().negate
	}
	return false
}
