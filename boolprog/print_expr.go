package boolprog

import (
	"slices"
	"strings"
)

// This file defines the printed form of expressions: constants as 0 and 1, as few
// parentheses as let our reading and Boppo's agree.

// ExprString prints e on one line.
func ExprString(e Expr) string {
	b := exprPrinter{needsParens: needsParens}
	b.expr(e)
	return b.String()
}

type exprPrinter struct {
	strings.Builder
	needsParens func(outer, op BinOp, right bool) bool // tests break it
}

// needsParens reports whether an operand needs parentheses in either reading.
func needsParens(outer, op BinOp, right bool) bool {
	return ourReading.needsParens(outer, op, right) || boppoReading.needsParens(outer, op, right)
}

// expr writes e. Chains of left operands, which may be long, are walked, not
// recursed into.
func (b *exprPrinter) expr(e Expr) {
	var chain []*Binary // the left spine, outermost first
	for {
		x, ok := e.(*Binary)
		if !ok {
			break
		}
		chain = append(chain, x)
		if l, ok := x.X.(*Binary); ok && b.needsParens(x.Op, l.Op, false) {
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
	for i := len(chain) - 1; i >= 0; i-- {
		x := chain[i]
		b.WriteString(" " + x.Op.String() + " ")
		if r, ok := x.Y.(*Binary); ok && b.needsParens(x.Op, r.Op, true) {
			b.parenthesised(r)
		} else {
			b.expr(x.Y)
		}
	}
}

func (b *exprPrinter) parenthesised(e Expr) {
	b.WriteByte('(')
	b.expr(e)
	b.WriteByte(')')
}

// selection writes x.f.g, of which e is the last field.
func (b *exprPrinter) selection(e *Select) {
	fields := []string{e.Field}
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

// unary writes an expression that is no binary operation.
func (b *exprPrinter) unary(e Expr) {
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
	case *Null:
		b.WriteString("null")
	case *New:
		b.WriteString("new " + e.Class)
	case *Select:
		b.selection(e)
	case *Binary:
		b.parenthesised(e)
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
