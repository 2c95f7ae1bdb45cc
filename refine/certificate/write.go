package certificate

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"c2bp/frontend/core"
)

// This file writes certificates. Comments tell people what C says.

// Version is that of the format.
const Version = 1

// Write writes p as a text that Read reads.
func (p Proof) Write(w io.Writer) error { return Write(w, nil, p) }

// Write writes p, and what it is about unless s is nil, as a text that Read and ReadSubject read.
func Write(w io.Writer, s *Subject, p Proof) error {
	b := bufio.NewWriter(w)
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

func (c *Certificate) writeInvariants(b *bufio.Writer, p *Procedure) {
	w := newFormulaWriter(b, c.Scope(p))
	for _, f := range p.Invariants {
		w.count(f)
	}
	for _, f := range p.Invariants {
		w.define(f)
	}
	for i, f := range p.Invariants {
		if s := comment(p.Proc.Nodes[i]); s != "" {
			b.WriteString("\n    ; " + s)
		}
		fmt.Fprintf(b, "\n    (node %d ", i)
		w.write(f)
		b.WriteString(")")
	}
}

func writePredicates(b *bufio.Writer, list []*Predicate) {
	for _, p := range list {
		fmt.Fprintf(b, "\n    ; %s", oneLine(core.CString(p.Expr)))
		if p.Note != "" {
			fmt.Fprintf(b, "\n    ;   %s", oneLine(p.Note))
		}
		fmt.Fprintf(b, "\n    (predicate %s %s)", quote(p.Name), exprText(p.Expr))
	}
}

// comment is what C says at n, "" if that is nothing.
func comment(n *core.Node) string {
	if n.Text == "" || !n.First {
		return ""
	}
	return oneLine(fmt.Sprintf("%s:%d: %s", n.Pos.File, n.Pos.Line, n.Text))
}

// oneLine keeps a comment from ending early.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, s)
}
