package zing

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// This file prints expressions, with the parentheses that they need and no others, except that an in
// which is an operand, or has one with a binary operator, always stands in parentheses.

// The levels of precedence around those of the binary operators: see level.
const (
	levelAssign  = -1 // assignment
	levelIn      = 0
	levelUnary   = 11
	levelPostfix = 12
)

// binaryLevel is the level of each binary operator.
var binaryLevel = func() map[BinaryOp]int {
	m := map[BinaryOp]int{In: levelIn}
	for _, l := range level {
		m[l.op] = l.level
	}
	return m
}()

// levelOf returns the level of e.
func levelOf(e Expr) int {
	switch e := e.(type) {
	case *Assign:
		return levelAssign
	case *Binary:
		return binaryLevel[e.Op]
	case *Unary, *New:
		return levelUnary
	case *IntLit:
		if e.Neg {
			return levelUnary
		}
	case *Convert:
		return levelOf(e.X)
	}
	return levelPostfix
}

// expr prints an expression, in parentheses if its level is below least.
func (w *printer) expr(e Expr, least int) {
	if levelOf(e) < least {
		w.text("(")
		defer w.text(")")
	}
	switch e := e.(type) {
	case *Selector:
		w.expr(e.X, levelPostfix)
		w.text(".", spelled(e.Name.Name))
	case *Index:
		w.expr(e.X, levelPostfix)
		w.text("[")
		w.expr(e.I, levelAssign)
		w.text("]")
	case *Call:
		w.call(e)
	case *New:
		w.text("new ", e.Of.spelled())
		if e.Size != nil {
			w.text("[")
			w.expr(e.Size, levelAssign)
			w.text("]")
		}
	case *Sizeof:
		w.operation("sizeof", e.X)
	case *Choose:
		w.operation("choose", e.X)
	case *Unary:
		w.unary(e)
	case *Binary:
		w.binary(e)
	case *Assign:
		w.assignment(e.Lhs, e.Rhs)
	case *Convert:
		w.expr(e.X, levelAssign)
	default:
		w.operand(e)
	}
}

// operand prints an expression without parts.
func (w *printer) operand(e Expr) {
	switch e := e.(type) {
	case *IntLit:
		w.intLit(e)
	case *RealLit:
		w.realLit(e)
	case *StringLit:
		w.text(quoteString(e.Value))
	case *BoolLit:
		w.text(strconv.FormatBool(e.Value))
	case *NullLit:
		w.text("null")
	case *Name:
		w.text(spelled(e.Name))
	case *This:
		w.text("this")
	case *Self:
		w.text("self")
	case *TypeExpr:
		w.text(e.Of.spelled())
	default:
		panic(fmt.Sprintf("zing: no expression: %T", e))
	}
}

func (w *printer) call(e *Call) {
	w.expr(e.Fun, levelPostfix)
	w.text("(")
	for i, a := range e.Args {
		if i > 0 {
			w.text(", ")
		}
		if a.Out {
			w.text("out ")
		}
		w.expr(a.X, levelAssign)
	}
	w.text(")")
}

func (w *printer) unary(e *Unary) {
	w.text(e.Op.String())
	// A minus sign right before a literal would become part of it.
	x := e.X
	for {
		c, ok := x.(*Convert)
		if !ok {
			break
		}
		x = c.X
	}
	if lit, ok := x.(*IntLit); ok && e.Op == Neg && !lit.Neg && (lit.Type == Int || lit.Type == Long) {
		w.text("(")
		w.intLit(lit)
		w.text(")")
		return
	}
	w.expr(x, levelUnary)
}

func (w *printer) binary(e *Binary) {
	left, right := binaryLevel[e.Op], binaryLevel[e.Op]+1
	if e.Op == In {
		left, right = levelUnary, levelUnary
	}
	w.expr(e.X, left)
	w.text(" ", e.Op.String(), " ")
	w.expr(e.Y, right)
}

// intLit prints an integer in decimal notation, with the suffix of its type.
func (w *printer) intLit(e *IntLit) {
	if e.Neg {
		w.text("-")
	}
	suffix := map[Kind]string{KindUInt: "U", KindLong: "L", KindULong: "UL"}
	w.text(strconv.FormatUint(e.Abs, 10), suffix[e.Type.Kind])
}

func (w *printer) realLit(e *RealLit) {
	w.text(e.Text)
	switch {
	case e.Type == Float:
		w.text("F")
	case e.Type == Decimal:
		w.text("M")
	case !strings.ContainsAny(e.Text, ".eE"):
		w.text("D")
	}
}

// quoteString returns a string literal.
func quoteString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteRune('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case unicode.IsPrint(r) || r == unicode.ReplacementChar:
			b.WriteRune(r)
		case r > 0xFFFF:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
