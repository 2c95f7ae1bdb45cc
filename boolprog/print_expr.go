package boolprog

import "strings"

// This file defines the printed form of expressions: constants as 0 and 1, as few
// parentheses as let our reading and Boppo's agree.

// ExprString prints e on one line.
func ExprString(e Expr) string {
	var b strings.Builder
	printExpr(&b, e)
	return b.String()
}

// printExpr writes e. Chains of left operands, which may be long, are walked, not
// recursed into.
func printExpr(b *strings.Builder, e Expr) {
	var chain []*Binary // the left spine, outermost first
	for {
		x, ok := e.(*Binary)
		if !ok {
			break
		}
		chain = append(chain, x)
		if l, ok := x.X.(*Binary); ok && needsParens(x.Op, l.Op, false) {
			e = x.X
			break
		}
		e = x.X
	}
	if l, ok := e.(*Binary); ok {
		parenthesised(b, l)
	} else {
		printUnary(b, e)
	}
	for i := len(chain) - 1; i >= 0; i-- {
		x := chain[i]
		b.WriteString(" " + x.Op.String() + " ")
		if r, ok := x.Y.(*Binary); ok && needsParens(x.Op, r.Op, true) {
			parenthesised(b, r)
		} else {
			printExpr(b, x.Y)
		}
	}
}

// needsParens reports whether an operand needs parentheses in either reading.
func needsParens(outer, op BinOp, right bool) bool {
	return ourReading.needsParens(outer, op, right) || boppoReading.needsParens(outer, op, right)
}

func parenthesised(b *strings.Builder, e Expr) {
	b.WriteByte('(')
	printExpr(b, e)
	b.WriteByte(')')
}

// printUnary writes an expression that is no binary operation.
func printUnary(b *strings.Builder, e Expr) {
	for {
		n, ok := e.(*Not)
		if !ok {
			break
		}
		b.WriteByte('!')
		e = n.X
	}
	switch e := e.(type) {
	case *Const:
		if e.Val {
			b.WriteByte('1')
		} else {
			b.WriteByte('0')
		}
	case *Ref:
		if e.Next {
			b.WriteByte('\'')
		}
		b.WriteString(e.Name)
	case *Nondet:
		b.WriteByte('*')
	case *Binary:
		parenthesised(b, e)
	case *Choose:
		word, closing := "choose(", ")"
		if e.Strict {
			word, closing = "schoose[", "]"
		}
		b.WriteString(word)
		printExpr(b, e.P)
		b.WriteString(", ")
		printExpr(b, e.N)
		b.WriteString(closing)
	default:
		b.WriteString("<nil>")
	}
}
