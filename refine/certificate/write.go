package certificate

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"c2bp/frontend/core"
)

// This file writes certificates. Comments in the text show the C statements and expressions.

// Version is the version of the format.
const Version = 1

// Write writes p as a text for Read.
func (p Proof) Write(w io.Writer) error { return Write(w, nil, p) }

// Write writes p, and its subject unless s is nil, as a text for Read and ReadSubject.
func Write(w io.Writer, s *Subject, p Proof) error {
	b := bufio.NewWriter(w)
	// One certificate without a subject needs no list around it.
	fmt.Fprintf(b, "; An invariant for each node of each procedure; \"c2bp certify\" validates it.\n")
	if len(p) == 1 && s == nil {
		p[0].write(b)
		b.WriteString("\n")
		return b.Flush()
	}
	if len(p) > 1 {
		b.WriteString("; There are several: each proves some of the properties.\n")
	}
	b.WriteString("(certificates")
	if s != nil {
		s.write(b)
	}
	for _, c := range p {
		b.WriteString("\n")
		c.write(b)
	}
	b.WriteString(")\n")
	return b.Flush()
}

// write writes c as an S-expression.
func (c *Certificate) write(b *bufio.Writer) {
	fmt.Fprintf(b, "(certificate %d", Version)
	if c.Proves != nil {
		b.WriteString("\n  (proves")
		for _, at := range c.Proves {
			b.WriteString(" " + quote(at))
		}
		b.WriteString(")")
	}
	b.WriteString("\n  (global")
	writePredicates(b, c.Globals)
	b.WriteString(")")
	for _, p := range c.Procedures {
		fmt.Fprintf(b, "\n  (procedure %s", quote(p.Proc.Name))
		for _, g := range p.Ghosts {
			fmt.Fprintf(b, "\n    (constant %s %s)", quote(g.Name), exprText(g.Init))
		}
		writePredicates(b, p.Predicates)
		c.writeInvariants(b, p)
		b.WriteString(")")
	}
	b.WriteString(")")
}

// writeInvariants writes the invariants of p, after definitions of the formulas that they share.
func (c *Certificate) writeInvariants(b *bufio.Writer, p *Procedure) {
	// 1. Count the uses of each formula, in all invariants.
	w := newFormulaWriter(b, c.Scope(p))
	for _, f := range p.Invariants {
		w.count(f)
	}
	// 2. Define those that are worth a name.
	for _, f := range p.Invariants {
		w.define(f)
	}
	// 3. Write the invariants, each after its C statement.
	for i, f := range p.Invariants {
		if s := comment(p.Proc.Nodes[i]); s != "" {
			b.WriteString("\n    ; " + s)
		}
		fmt.Fprintf(b, "\n    (node %d ", i)
		w.write(f)
		b.WriteString(")")
	}
}

// writePredicates writes the predicates, each after its C expression and its note.
func writePredicates(b *bufio.Writer, list []*Predicate) {
	for _, p := range list {
		fmt.Fprintf(b, "\n    ; %s", oneLine(core.CString(p.Expr)))
		if p.Note != "" {
			fmt.Fprintf(b, "\n    ;   %s", oneLine(p.Note))
		}
		fmt.Fprintf(b, "\n    (predicate %s %s)", quote(p.Name), exprText(p.Expr))
	}
}

// comment returns the C statement that begins at n, with its place; "" if none does.
func comment(n *core.Node) string {
	if n.Text == "" || !n.First {
		return ""
	}
	return oneLine(fmt.Sprintf("%s:%d: %s", n.Pos.File, n.Pos.Line, n.Text))
}

// oneLine replaces control characters by spaces, so that a comment does not end early.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, s)
}
