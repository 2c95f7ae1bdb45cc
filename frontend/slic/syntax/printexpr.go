package syntax

import "strings"

// This file prints expressions.

// String returns e as it is written, but for blanks.
func String(e Expr) string { return exprString(e, 0) }

// strength returns the level of an operator in precedence.
func strength(op string) int {
	for i, ops := range precedence {
		for _, o := range ops {
			if o == op {
				return i
			}
		}
	}
	return -1
}

// exprString returns e as an operand of an operator of a level: a weaker expression is put in
// parentheses, which only trees that were made by hand need.
func exprString(e Expr, level int) string {
	switch e := e.(type) {
	case *Ident:
		return e.Text
	case *Literal:
		return e.Text
	case *Paren:
		return "(" + exprString(e.X, 0) + ")"
	case *Unary:
		x := exprString(e.X, unaryLevel)
		// - -x is not --x.
		if strings.HasPrefix(x, e.Op) && (e.Op == "-" || e.Op == "+" || e.Op == "&") {
			x = " " + x
		}
		return e.Op + x
	case *Binary:
		n := strength(e.Op)
		return grouped(exprString(e.X, n)+" "+e.Op+" "+exprString(e.Y, n+1), n < level)
	case *Cond:
		return grouped(exprString(e.C, 0)+" ? "+exprString(e.X, 0)+" : "+exprString(e.Y, 0), level > 0)
	case *Member:
		op := "."
		if e.Arrow {
			op = "->"
		}
		return exprString(e.X, postfixLevel) + op + e.Name.Text
	case *Index:
		return exprString(e.X, postfixLevel) + "[" + exprString(e.I, 0) + "]"
	case *Call:
		return e.Func.Text + arguments(e.Args)
	case *Cast:
		return grouped("("+e.To.String()+")"+exprString(e.X, unaryLevel), level > unaryLevel)
	case *Sizeof:
		return "sizeof(" + e.Of.String() + ")"
	case *Choose:
		return "choose(" + exprString(e.X, 0) + ", " + exprString(e.Y, 0) + ")"
	}
	return ""
}

// Levels above those of precedence.
const (
	unaryLevel   = 10
	postfixLevel = 11
)

// grouped puts s in parentheses if yes.
func grouped(s string, yes bool) string {
	if yes {
		return "(" + s + ")"
	}
	return s
}

// arguments returns a list of arguments with its parentheses.
func arguments(args []Expr) string {
	var s []string
	for _, a := range args {
		s = append(s, exprString(a, 0))
	}
	return "(" + strings.Join(s, ", ") + ")"
}
