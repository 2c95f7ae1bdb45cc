package chc

import (
	"fmt"
	"slices"
	"strings"

	"c2bp/boolprog"
)

// This file defines the printing of one clause.

// clause is a clause in the making.
type clause struct {
	broken  mutation
	atoms   []string // of the body
	conds   []string // of the body
	choices int
	vars    []string // to be quantified, in the order of their occurrence
	seen    map[string]bool
}

// variable notes that the clause has a variable and returns it.
func (c *clause) variable(symbol string) string {
	if !c.seen[symbol] {
		c.seen[symbol] = true
		c.vars = append(c.vars, symbol)
	}
	return symbol
}

// choice is a new variable. No identifier starts with *.
func (c *clause) choice() string {
	if c.choices == 0 || c.broken != oneChoice {
		c.choices++
	}
	return c.variable(fmt.Sprintf("*%d", c.choices))
}

// atom applies a predicate.
func atom(predicate string, args []string) string {
	if len(args) == 0 {
		return predicate
	}
	return "(" + predicate + " " + strings.Join(args, " ") + ")"
}

// assume puts a condition into the body.
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

// value is a term for the value of e that may be an argument: that of an operation
// is a variable called name.
func (c *clause) value(e boolprog.Expr, name string, lookup func(*boolprog.Ref) string) string {
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

// String prints the clause with a head.
func (c *clause) String(head string) string {
	body := "true"
	switch all := slices.Concat(c.atoms, c.conds); len(all) {
	case 0:
	case 1:
		body = all[0]
	default:
		body = "(and " + strings.Join(all, " ") + ")"
	}
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
