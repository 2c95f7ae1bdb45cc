package boolprog

import (
	"bufio"
	"io"
	"strings"
)

// This file prints programs in canonical form: one statement a line, annotations before it, blocks
// indented by four columns.

const (
	lineWidth = 100 // columns after which lists are broken
	maxIndent = 40  // levels; deeper nesting is not indented further, or text would grow quadratically
)

// String prints p in canonical form.
func (p *Program) String() string {
	var b strings.Builder
	_ = Fprint(&b, p) // a Builder does not fail
	return b.String()
}

// Fprint writes p in canonical form, which Parse reads as an equal program. The text depends on p
// alone.
func Fprint(w io.Writer, p *Program) error {
	out := &printer{w: bufio.NewWriter(w)}
	out.program(p)
	return out.w.Flush()
}

// printer writes a program.
type printer struct {
	w         *bufio.Writer
	sectioned bool // something was printed: the next section is set off by a blank line
}

// line writes one line.
func (out *printer) line(level int, parts ...string) {
	out.indent(level)
	for _, s := range parts {
		out.w.WriteString(s)
	}
	out.w.WriteByte('\n')
}

// indent writes the indentation of a level.
func (out *printer) indent(level int) { out.w.WriteString(indentation(level)) }

// indentation returns four blanks for each level, up to maxIndent levels.
func indentation(level int) string { return strings.Repeat("    ", min(level, maxIndent)) }

// section writes a blank line between sections.
func (out *printer) section() {
	if out.sectioned {
		out.w.WriteByte('\n')
	}
	out.sectioned = true
}

// program writes annotations, classes, globals and procedures.
func (out *printer) program(p *Program) {
	if len(p.Notes)+len(p.Ledger)+len(p.Uncalled) > 0 {
		out.section()
	}
	// Annotations that belong to the whole program.
	for _, s := range p.Notes {
		out.line(0, "//@ note ", oneLine(s))
	}
	for _, s := range p.Ledger {
		out.line(0, "//@ assume ", oneLine(s))
	}
	if len(p.Uncalled) > 0 {
		out.line(0, "//@ uncalled ", oneLine(strings.Join(p.Uncalled, ", ")))
	}
	// Classes, globals, procedures, in the order in which they are read.
	for _, c := range p.Classes {
		out.section()
		out.class(c)
	}
	if len(p.Globals) > 0 {
		out.section()
		out.decls(0, p.Globals)
	}
	for _, proc := range p.Procs {
		out.section()
		out.proc(proc)
	}
}

// decls declares vars in order: those with a predicate on lines of their own, others of one type
// together.
func (out *printer) decls(level int, vars []*Var) {
	for len(vars) > 0 {
		head := declares(vars[0])
		// n variables share a list: those up to the next with a predicate or another type.
		n := 0
		for n < len(vars) && vars[n].Pred == "" && vars[n].Class == vars[0].Class {
			n++
		}
		// A variable with a predicate has a line of its own, after the annotation.
		if n == 0 {
			out.pred(level, vars[0])
			out.line(level, head, vars[0].Name, ";")
			vars = vars[1:]
			continue
		}
		// Variables of one type without predicates, on shared lines.
		names := make([]string, n)
		for i, v := range vars[:n] {
			names[i] = v.Name
		}
		out.list(level, head, names, ";")
		vars = vars[n:]
	}
}

// declares returns the first word of the declaration of v.
func declares(v *Var) string {
	if v.Class != "" {
		return refType(v.Class)
	}
	return "decl "
}

// pred writes the annotation of a variable.
func (out *printer) pred(level int, v *Var) {
	if v.Pred != "" {
		out.line(level, "//@ pred ", oneLine(v.Pred))
	}
}

// list writes head item, item … tail and fills lines up to lineWidth.
func (out *printer) list(level int, head string, items []string, tail string) {
	out.indent(level)
	// col is the column at which the next item begins.
	col, margin := 4*min(level, maxIndent)+len(head), indentation(level+1)
	out.w.WriteString(head)
	for i, s := range items {
		end := ","
		if i == len(items)-1 {
			end = tail
		}
		switch {
		// Break the line before an item that does not fit.
		case i > 0 && col+1+len(s)+len(end) > lineWidth:
			out.w.WriteString("\n" + margin)
			col = len(margin)
		case i > 0:
			out.w.WriteByte(' ')
			col++
		}
		out.w.WriteString(s + end)
		col += len(s) + len(end)
	}
	out.w.WriteByte('\n')
}

// proc writes a procedure.
func (out *printer) proc(p *Proc) {
	head := results(p)
	if p.Dfs {
		head = "dfs " + head
	}
	out.params(head+p.Name+"(", p.Params)
	out.line(0, "begin")
	out.decls(1, p.Locals)
	if p.Enforce != nil {
		out.line(1, "enforce ", ExprString(p.Enforce), ";")
	}
	out.block(1, p.Body)
	out.line(0, "end")
}

// params writes parameters: in one list, or on a line each if some have annotations:
//
//	void f(
//	    //@ pred n > 0
//	    {n > 0},
//	    b
//	)
func (out *printer) params(head string, params []*Var) {
	names, annotated := make([]string, len(params)), false
	for i, v := range params {
		names[i] = parameter(v)
		annotated = annotated || v.Pred != ""
	}
	switch {
	case len(params) == 0:
		out.line(0, head, ")")
	// Without annotations, one list.
	case !annotated:
		out.list(0, head, names, ")")
	// With annotations, each parameter has a line, after its annotation.
	default:
		out.line(0, head)
		for i, v := range params {
			out.pred(1, v)
			end := ","
			if i == len(params)-1 {
				end = ""
			}
			out.line(1, parameter(v), end)
		}
		out.line(0, ")")
	}
}
