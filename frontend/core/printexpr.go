package core

import (
	"fmt"
	"strings"

	"c2bp/ieee"
)

// This file defines the spelling of expressions: C's operators, one space around
// the binary ones, and no parentheses but those that the grammar needs.

// ExprString returns e in core form, every conversion shown as a cast to a core type:
//
//	(int32)c + 1 < n
//
// Ill-typed expressions print too; missing parts print as ?. Different expressions may have one
// text, see [Equal].
func ExprString(e Expr) string {
	p := exprPrinter{conversions: true}
	p.expr(e, lowest)
	return p.String()
}

// CString returns e without its conversions, as a programmer would have written it: x == 'x + 1. It
// names predicates that c2bp makes itself. Two expressions that differ in conversions alone have
// one CString, so it identifies nothing.
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

// exprPrinter is one call of ExprString or, without conversions, of CString.
type exprPrinter struct {
	strings.Builder
	conversions bool
}

// expr prints e, in parentheses if it binds weaker than min; ? for nil.
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
		} else if e.Typ.Float && e.Typ.Contains(e.Val) {
			p.WriteString(ieee.Format(e.Val.Uint64(), e.Typ.Bits))
		} else {
			p.WriteString(e.Val.String())
		}
	case *VarRef:
		p.WriteString(nameOf(e.Var))
	case *Unary:
		if e.Op == Ones {
			p.ones(e)
			return
		}
		p.WriteString(e.Op.String())
		// Two minus signs would be C's decrement.
		if e.Op == Neg && p.startsWithMinus(e.X) {
			p.expr(e.X, primary+1)
		} else {
			p.expr(e.X, unary)
		}
	case *Conv:
		p.WriteString("(" + e.To.String() + ")")
		p.expr(e.X, unary)
	case *Float:
		p.float(e)
	case *Binary:
		// Operators are left-associative: an operand on the right of equal strength needs
		// parentheses.
		own := precedence[e.Op]
		p.operand(e.X, own)
		p.WriteString(" " + e.Op.String() + " ")
		p.operand(e.Y, own+1)
	case *Mem:
		p.mem(e)
	case *AddrOf:
		p.WriteString("&" + nameOf(e.Var))
	// A function stands for its address in C.
	case *FuncAddr:
		if p.conversions {
			p.WriteByte('&')
		}
		p.WriteString(e.Proc.CName)
	case *Offset:
		p.offset(e)
	case *Index:
		p.index(e)
	case *Diff:
		p.expr(e.X, precedence[Sub])
		p.WriteString(" - ")
		p.expr(e.Y, precedence[Sub]+1)
	case *ToPtr:
		// The null pointer, whatever the type of its 0.
		if c, ok := e.X.(*Const); ok && c.Val != nil && c.Val.Sign() == 0 {
			p.WriteString(map[bool]string{true: "null", false: "0"}[p.conversions])
			break
		}
		p.WriteString("(" + map[bool]string{true: "ptr", false: "void *"}[p.conversions] + ")")
		p.expr(e.X, unary)
	case *ToInt:
		p.WriteString("(" + e.To.String() + ")")
		p.expr(e.X, unary)
	case *Cond:
		p.expr(e.C, conditional+1)
		p.WriteString(" ? ")
		p.expr(e.X, lowest)
		p.WriteString(" : ")
		p.expr(e.Y, conditional)
	}
}

// ones prints a population count as a call of gcc's function for the width.
func (p *exprPrinter) ones(e *Unary) {
	p.WriteString(e.Op.String())
	if e.X != nil {
		if t, ok := Word(e.X.Type()); ok && t.Bits > 32 {
			p.WriteString("ll")
		}
	}
	p.WriteByte('(')
	p.expr(e.X, lowest)
	p.WriteByte(')')
}

// operand prints an operand of an operator on integers. A floating-point number is one by its bits
// there: bits(d) == bits(0.5).
func (p *exprPrinter) operand(e Expr, min int) {
	if e == nil || !hasFloatType(e) {
		p.expr(e, min)
		return
	}
	p.WriteString("bits(")
	p.expr(e, lowest)
	p.WriteByte(')')
}

// hasFloatType is isFloat of an expression that may be ill-typed.
func hasFloatType(e Expr) bool {
	switch e := e.(type) {
	case *VarRef:
		return e.Var != nil && e.Var.Type != nil && isFloat(e)
	case *Const, *Float, *Conv:
		return isFloat(e)
	case *Mem:
		return e.Typ != nil && isFloat(e)
	}
	return false
}

// nameOf returns the name of v, ? for nil.
func nameOf(v *Var) string {
	if v == nil {
		return "?"
	}
	return v.Name
}

// mem prints a place in memory as C would: *p, p->f, s.f, a[i]. In core form the type is shown
// first: {int32}p->f.
func (p *exprPrinter) mem(e *Mem) {
	if p.conversions {
		fmt.Fprintf(p, "{%s", e.Typ)
		if e.Bit != 0 {
			fmt.Fprintf(p, "@%d", e.Bit)
		}
		p.WriteByte('}')
	}
	p.place(e.Addr)
}

// place prints the place at address a: the object itself if a names one, else *a.
//
//	AddrOf{s}                    s
//	Offset{AddrOf{s}, 8, "f"}    s.f
//	Offset{p, 8, "f"}            p->f
//	Index{Offset{p, 8, "a"}, i}  p->a[i]
//	Index{p, i, 4}               p[i]
//	Offset{p, 8, ""}             *(p + 8)
func (p *exprPrinter) place(a Expr) {
	switch a := a.(type) {
	case *Offset:
		if a.Field != "" {
			p.member(a)
			return
		}
	case *Index:
		p.base(a.X)
		p.WriteByte('[')
		p.expr(a.I, lowest)
		p.WriteByte(']')
		return
	case *AddrOf:
		p.WriteString(nameOf(a.Var))
		return
	}
	p.WriteByte('*')
	p.expr(a, unary)
}

// member prints X->f or, where X is the address of a place, that place.f.
func (p *exprPrinter) member(a *Offset) {
	// The base is itself the address of a place that C can name: place.f.
	switch a.X.(type) {
	case *AddrOf, *Index, *Offset:
		p.place(a.X)
		p.WriteByte('.')
	default:
		p.expr(a.X, primary)
		p.WriteString("->")
	}
	p.WriteString(a.Field)
}

// base prints the array that the pointer x points into: the place itself, if x is its
// address, else x.
func (p *exprPrinter) base(x Expr) {
	switch a := x.(type) {
	case *AddrOf:
		p.WriteString(nameOf(a.Var))
	case *Offset:
		if a.Field != "" {
			p.member(a)
			return
		}
		p.expr(x, primary)
	case *Index:
		p.place(a)
	default:
		p.expr(x, primary)
	}
}

// offset prints the address of a member, &p->f, or p + 8 with the unit shown.
func (p *exprPrinter) offset(e *Offset) {
	if e.Field != "" {
		p.WriteByte('&')
		p.member(e)
		return
	}
	p.expr(e.X, precedence[Add])
	fmt.Fprintf(p, " + %d", e.Off)
}

// index prints the address of an element: p + i, in core form with the size.
func (p *exprPrinter) index(e *Index) {
	p.expr(e.X, precedence[Add])
	p.WriteString(" + ")
	p.expr(e.I, precedence[Add]+1)
	if p.conversions && e.Size != 1 {
		fmt.Fprintf(p, "*%d", e.Size)
	}
}

// strip removes the conversions around e, unless they are to be shown. Those from and to
// floating-point types keep the bits and change the number, so they are shown in any case.
func (p *exprPrinter) strip(e Expr) Expr {
	for !p.conversions {
		c, ok := e.(*Conv)
		if !ok || c.To.Float || isFloat(c.X) {
			break
		}
		e = c.X
	}
	return e
}

// strength returns the binding strength of the outermost operator of e, as it is printed: it must
// be that of the text that expr writes.
func (p *exprPrinter) strength(e Expr) int {
	switch e := e.(type) {
	case *Float:
		return floatStrength(e)
	case *Binary:
		return precedence[e.Op]
	case *Cond:
		return conditional
	case *Unary:
		if e.Op == Ones {
			return primary
		}
		return unary
	case *Conv, *AddrOf, *ToInt:
		return unary
	case *Mem:
		switch a := e.Addr.(type) {
		case *Offset:
			if a.Field != "" {
				return p.placeStrength()
			}
		case *Index, *AddrOf:
			return p.placeStrength()
		}
		return unary
	case *Offset:
		if e.Field != "" {
			return unary
		}
		return precedence[Add]
	case *Index:
		return precedence[Add]
	case *Diff:
		return precedence[Sub]
	case *ToPtr:
		if c, ok := e.X.(*Const); ok && c.Val != nil && c.Val.Sign() == 0 {
			return primary
		}
		return unary
	case *Const:
		if isNegative(e) {
			return unary
		}
	}
	return primary
}

// placeStrength returns the strength of a named place: in core form its type comes first.
func (p *exprPrinter) placeStrength() int {
	if p.conversions {
		return unary
	}
	return primary
}

// startsWithMinus reports whether e would continue a minus sign to C's --.
func (p *exprPrinter) startsWithMinus(e Expr) bool {
	switch e := p.strip(e).(type) {
	case *Unary:
		return e.Op == Neg
	case *Float:
		return e.Op == ieee.Neg
	case *Const:
		return isNegative(e)
	}
	return false
}

// isNegative reports whether e prints with a minus sign. The sign of a floating-point number is its
// highest bit: -0.0 has one.
func isNegative(e *Const) bool {
	if e.Val != nil && e.Typ.Float {
		return e.Val.Bit(e.Typ.Bits-1) == 1
	}
	return e.Val != nil && e.Val.Sign() < 0
}
