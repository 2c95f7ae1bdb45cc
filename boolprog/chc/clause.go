package chc

import (
	"fmt"
	"slices"
	"strings"

	"c2bp/boolprog"
)

// This file prints one clause.

// clause is a clause in the making.
type clause struct {
	atoms   []string // predicates of the body
	conds   []string // conditions of the body
	choices int      // number of choices
	vars    []string // quantified variables, in the order of their occurrence
	seen    map[string]bool
}

// variable adds a variable to the clause and returns it.
func (c *clause) variable(symbol string) string {
	if !c.seen[symbol] {
		c.seen[symbol] = true
		c.vars = append(c.vars, symbol)
	}
	return symbol
}

// choice returns a new variable for a *. No identifier starts with *.
func (c *clause) choice() string {
	c.choices++
	return c.variable(fmt.Sprintf("*%d", c.choices))
}

// atom returns the application of a predicate.
func atom(predicate string, args []string) string {
	if len(args) == 0 {
		return predicate
	}
	return "(" + predicate + " " + strings.Join(args, " ") + ")"
}

// assume adds a condition to the body.
func (c *clause) assume(l literal, lookup func(*boolprog.Ref) string) {
	if l.free() {
		return
	}
	l = l.strip()
	t := c.term(l.e, lookup)
	if l.negate {
		t = "(not " + t + ")"
	}
	c.conds = append(c.conds, t)
}

// value returns a term for the value of e that may be an argument. For an operation it is a
// variable called name, which a condition makes equal to it.
func (c *clause) value(e boolprog.Expr, name string, lookup func(*boolprog.Ref) string) string {
	// A lone choice is a free variable: it needs no condition.
	if _, choose := e.(*boolprog.Nondet); choose {
		return c.variable(name)
	}
	if t, ok := c.atomic(e, lookup); ok {
		return t
	}
	t := c.term(e, lookup)
	c.conds = append(c.conds, "(= "+c.variable(name)+" "+t+")")
	return name
}

// String returns the text of the clause with a head.
func (c *clause) String(head string) string {
	// 1. The body: predicates, then conditions.
	body := "true"
	switch all := slices.Concat(c.atoms, c.conds); len(all) {
	case 0:
	case 1:
		body = all[0]
	default:
		body = "(and " + strings.Join(all, " ") + ")"
	}
	// 2. Quantify the variables.
	if len(c.vars) == 0 {
		return fmt.Sprintf("(assert\n  (=> %s\n      %s))\n", body, head)
	}
	var q strings.Builder
	for i, v := range c.vars {
		if i > 0 {
			q.WriteString(" ")
		}
		q.WriteString("(" + v + " Bool)")
	}
	return fmt.Sprintf("(assert (forall (%s)\n  (=> %s\n      %s)))\n", q.String(), body, head)
}
