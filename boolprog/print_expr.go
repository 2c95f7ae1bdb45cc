package boolprog

import (
	"slices"
	"strings"
)

// This file prints expressions: constants as 0 and 1, and with the fewest parentheses for which
// this language and Boppo agree.

// ExprString returns e on one line.
func ExprString(e Expr) string {
	var b exprPrinter
	b.expr(e)
	return b.String()
}

// exprPrinter collects the text of an expression.
type exprPrinter struct{ strings.Builder }

// needsParens reports whether an operand needs parentheses in either reading.
func needsParens(outer, op BinOp, right bool) bool {
	return ourReading.needsParens(outer, op, right) || boppoReading.needsParens(outer, op, right)
}

// expr writes e. It walks along chains of left operands in a loop, since they may be long: of a & b
// & c & d the chain is the three operations, outermost first, and e ends as a.
func (b *exprPrinter) expr(e Expr) {
	// 1. Walk down the left spine to an operand that is not binary or needs parentheses.
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
		b.parenthesised(l)
	} else {
		b.unary(e)
	}
	// 2. Write the operators and right operands on the way back.
	for i := len(chain) - 1; i >= 0; i-- {
		x := chain[i]
		b.WriteString(" " + x.Op.String() + " ")
		if r, ok := x.Y.(*Binary); ok && needsParens(x.Op, r.Op, true) {
			b.parenthesised(r)
		} else {
			b.expr(x.Y)
		}
	}
}

// parenthesised writes e in parentheses.
func (b *exprPrinter) parenthesised(e Expr) {
	b.WriteByte('(')
	b.expr(e)
	b.WriteByte(')')
}

// selection writes x.f.g, of which e is the last field.
func (b *exprPrinter) selection(e *Select) {
	// Collect the fields, and write them after the variable.
	fields := []string{e.Field}
	// base is the expression before all fields that were met.
	x, inner := e.X.(*Select)
	base := e.X
	for ; inner; x, inner = base.(*Select) {
		fields, base = append(fields, x.Field), x.X
	}
	b.unary(base)
	for _, f := range slices.Backward(fields) {
		b.WriteString("." + f)
	}
}

// unary writes an expression that is not a binary operation.
func (b *exprPrinter) unary(e Expr) {
	for {
		n, ok := e.(*Not)
		if !ok {
			break
		}
		b.WriteByte('!')
		e = n.X
	}
	// The operand of the negations.
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
	case *Null:
		b.WriteString("null")
	case *New:
		b.WriteString("new " + e.Class)
	case *Any:
		b.WriteString("any " + e.Class)
		if e.New {
			b.WriteString(" new")
		}
	case *Select:
		b.selection(e)
	case *Binary:
		b.parenthesised(e)
	// choose uses parentheses, schoose brackets.
	case *Choose:
		word, closing := "choose(", ")"
		if e.Strict {
			word, closing = "schoose[", "]"
		}
		b.WriteString(word)
		b.expr(e.P)
		b.WriteString(", ")
		b.expr(e.N)
		b.WriteString(closing)
	default:
		b.WriteString("<nil>")
	}
}
