package core

import "strings"

// This file defines the spelling of expressions: C's operators, one space around
// the binary ones, and no parentheses but those that the grammar needs.

// ExprString is e in core form, every conversion shown as a cast to a core type:
//
//	(int32)c + 1 < n
//
// Ill-typed expressions print too; what is missing prints as ?.
func ExprString(e Expr) string {
	p := exprPrinter{conversions: true}
	p.expr(e, lowest)
	return p.String()
}

// CString is e without its conversions, as a programmer would have written it:
// x == 'x + 1. It names predicates that c2bp makes itself. Two expressions that
// differ in conversions alone have one CString, so it identifies nothing.
func CString(e Expr) string {
	p := exprPrinter{}
	p.expr(e, lowest)
	return p.String()
}

// Binding strengths of C's operators that are not in the table of binary ones.
const (
	lowest      = 0
	conditional = 1
	unary       = 12
	primary     = 13
)

// precedence is the binding strength of a binary operator; all are
// left-associative.
var precedence = [...]int{
	LOr: 2, LAnd: 3, Or: 4, Xor: 5, And: 6,
	Eq: 7, Ne: 7, Lt: 8, Le: 8, Gt: 8, Ge: 8,
	Shl: 9, Shr: 9, Add: 10, Sub: 10, Mul: 11, Div: 11, Rem: 11,
}

type exprPrinter struct {
	strings.Builder
	conversions bool
	flat        bool // a fault for tests: x - (y - z) prints as x - y - z
}

// expr prints e, in parentheses if it binds weaker than min.
func (p *exprPrinter) expr(e Expr, min int) {
	e = p.strip(e)
	if p.strength(e) < min {
		p.WriteByte('(')
		defer p.WriteByte(')')
	}
	switch e := e.(type) {
	case nil:
		p.WriteByte('?')
	case *Const:
		if e.Val == nil {
			p.WriteByte('?')
		} else {
			p.WriteString(e.Val.String())
		}
	case *VarRef:
		if e.Var == nil {
			p.WriteByte('?')
		} else {
			p.WriteString(e.Var.Name)
		}
	case *Unary:
		p.WriteString(e.Op.String())
		if e.Op == Neg && p.startsWithMinus(e.X) {
			p.expr(e.X, primary+1)
		} else {
			p.expr(e.X, unary)
		}
	case *Conv:
		p.WriteString("(" + e.To.String() + ")")
		p.expr(e.X, unary)
	case *Binary:
		own := precedence[e.Op]
		p.expr(e.X, own)
		p.WriteString(" " + e.Op.String() + " ")
		if p.flat {
			own--
		}
		p.expr(e.Y, own+1)
	case *Cond:
		p.expr(e.C, conditional+1)
		p.WriteString(" ? ")
		p.expr(e.X, lowest)
		p.WriteString(" : ")
		p.expr(e.Y, conditional)
	}
}

// strip removes the conversions around e unless they are to be shown.
func (p *exprPrinter) strip(e Expr) Expr {
	for !p.conversions {
		c, ok := e.(*Conv)
		if !ok {
			break
		}
		e = c.X
	}
	return e
}

// strength is how strongly the outermost operator of e binds.
func (p *exprPrinter) strength(e Expr) int {
	switch e := e.(type) {
	case *Binary:
		return precedence[e.Op]
	case *Cond:
		return conditional
	case *Unary, *Conv:
		return unary
	case *Const:
		if isNegative(e) {
			return unary
		}
	}
	return primary
}

// startsWithMinus reports whether e would continue a minus sign to C's --.
func (p *exprPrinter) startsWithMinus(e Expr) bool {
	switch e := p.strip(e).(type) {
	case *Unary:
		return e.Op == Neg
	case *Const:
		return isNegative(e)
	}
	return false
}

func isNegative(e *Const) bool { return e.Val != nil && e.Val.Sign() < 0 }
