package boolprog

import "c2bp/source"

// Hooks for the tests in package boolprog_test, which use the random programs of
// bpgen; and rules broken on purpose, which those tests must notice.
var (
	Dump      = dump
	RoundTrip = roundTrip
)

// BrokenGraph builds graphs whose loops run once at most.
func BrokenGraph(p *Program) *Graph { return buildGraph(p, true) }

// BrokenCheck lets all things be compared.
func BrokenCheck(p *Program) (source.List, error) { return check(p, true) }

// BrokenExprString prints with the parentheses of one reading only.
func BrokenExprString(e Expr, boppo bool) string {
	r := &ourReading
	if boppo {
		r = &boppoReading
	}
	b := exprPrinter{needsParens: r.needsParens}
	b.expr(e)
	return b.String()
}
