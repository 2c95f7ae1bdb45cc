package zing

import (
	"fmt"
	"strings"
)

// This file prints programs and declarations in one canonical form: Parse of the printed text gives
// the same tree, except for its places. Statements are in print_stmt.go and expressions in
// print_expr.go.

// String returns the text of the program. The declarations of several files follow one another.
func (p *Program) String() string {
	w := &printer{}
	for i, d := range p.Decls {
		if i > 0 {
			w.text("\n")
		}
		w.decl(d)
		w.text(";\n")
	}
	return w.b.String()
}

// StmtString returns the text of a statement, of several lines perhaps.
func StmtString(s Stmt) string {
	w := &printer{}
	w.stmt(s)
	return w.b.String()
}

// ExprString returns the text of an expression.
func ExprString(e Expr) string {
	w := &printer{}
	w.expr(e, levelAssign)
	return w.b.String()
}

// printer collects text.
type printer struct {
	b      strings.Builder
	indent int
}

func (w *printer) text(parts ...string) {
	for _, s := range parts {
		w.b.WriteString(s)
	}
}

// maxIndent is the greatest number of levels by which a line is indented, so that the length of the
// text does not grow with the square of its nesting.
const maxIndent = 100

// line starts a new line.
func (w *printer) line() { w.text("\n", strings.Repeat("    ", min(w.indent, maxIndent))) }

// spelled returns a name as it is written: after @ if it is a keyword.
func spelled(name string) string {
	if keywords[name] {
		return "@" + name
	}
	return name
}

func (t *TypeRef) spelled() string {
	if t.Type != nil && t.Type == predefined[t.Name] {
		return t.Name
	}
	return spelled(t.Name)
}

// decl prints a declaration without its semicolon.
func (w *printer) decl(d Decl) {
	name := spelled(d.Ident().Name)
	switch d := d.(type) {
	case *ClassDecl:
		w.text("class ", name)
		for i, r := range d.Implements {
			w.text([]string{" : ", ", "}[min(i, 1)], r.spelled())
		}
		w.members(d.Members)
	case *StructDecl:
		w.text("struct ", name)
		w.members(d.Members)
	case *InterfaceDecl:
		w.text("interface ", name)
		w.members(d.Members)
	case *EnumDecl:
		var list []string
		for _, m := range d.Members {
			list = append(list, spelled(m.Name))
		}
		w.text("enum ", name, " { ", strings.Join(list, ", "), " }")
	case *RangeDecl:
		w.text("range ", name, " ")
		w.expr(d.Lo, levelIn)
		w.text(" .. ")
		w.expr(d.Hi, levelIn)
	case *ArrayDecl:
		w.text("array ", name, "[")
		if d.Size != nil {
			w.expr(d.Size, levelIn)
		}
		if d.Index != nil {
			w.text(d.Index.spelled())
		}
		w.text("] ", d.Elem.spelled())
	case *SetDecl:
		w.text("set ", name, " ", d.Elem.spelled())
	case *ChanDecl:
		w.text("chan ", name, " ", d.Elem.spelled())
	default:
		panic(fmt.Sprintf("zing: no declaration: %T", d))
	}
}

// members prints members in braces; an empty line stands before each method with a body.
func (w *printer) members(list []Member) {
	w.text(" {")
	w.indent++
	for i, m := range list {
		switch m := m.(type) {
		case *Field:
			w.line()
			w.field(m)
		case *Method:
			if i > 0 && m.Body != nil {
				w.text("\n")
			}
			w.line()
			w.method(m)
		}
	}
	w.indent--
	w.line()
	w.text("}")
}

func (w *printer) field(f *Field) {
	if f.Static {
		w.text("static ")
	}
	w.text(f.Of.spelled(), " ", spelled(f.Name.Name))
	w.initialiser(f.Init)
	w.text(";")
}

// initialiser prints an initialiser, if there is one.
func (w *printer) initialiser(e Expr) {
	if e != nil {
		w.text(" = ")
		w.expr(e, levelAssign)
	}
}

func (w *printer) method(m *Method) {
	for _, mod := range []struct {
		on   bool
		word string
	}{{m.Static, "static "}, {m.Atomic, "atomic "}, {m.Activate, "activate "}} {
		if mod.on {
			w.text(mod.word)
		}
	}
	w.text(m.Of.spelled(), " ", spelled(m.Name.Name), "(")
	for i, a := range m.Params {
		if i > 0 {
			w.text(", ")
		}
		if a.Out {
			w.text("out ")
		}
		w.text(a.Of.spelled(), " ", spelled(a.Name.Name))
	}
	if w.text(")"); m.Body == nil {
		w.text(";")
		return
	}
	w.text(" ")
	w.block(m.Body)
}
