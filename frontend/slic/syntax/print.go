package syntax

import (
	"fmt"
	"strings"
)

// This file prints declarations, items and statements. Comments are lost; all else parses to the same.

// String returns the text of the file.
func (f *File) String() string {
	var p printer
	for i, d := range f.Decls {
		if _, isRule := d.(*Rule); isRule && i > 0 {
			p.line("")
		}
		p.decl(d)
	}
	return p.b.String()
}

// printer collects lines.
type printer struct {
	b      strings.Builder
	indent int
}

// line writes a line.
func (p *printer) line(format string, args ...any) {
	if format != "" {
		p.b.WriteString(strings.Repeat("    ", p.indent))
	}
	fmt.Fprintf(&p.b, format+"\n", args...)
}

// quoted returns s as a string of the language.
func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// list returns names with commas between them.
func list(names []Name) string {
	var s []string
	for _, n := range names {
		s = append(s, n.Text)
	}
	return strings.Join(s, ", ")
}

// decl prints a declaration.
func (p *printer) decl(d Decl) {
	switch d := d.(type) {
	case *Include:
		p.line("include %s", quoted(d.Path))
	case *Event:
		p.line("%s", d)
	case *Use:
		title := ""
		if d.Title != "" {
			title = " " + quoted(d.Title)
		}
		p.line("use %s(%s) as %s%s", d.Template.Text, list(d.Args), d.As.Text, title)
	case *Rule:
		formals := ""
		if d.Formals != nil {
			formals = "(" + list(d.Formals) + ")"
		}
		p.line("rule %s%s %s", d.Name.Text, formals, quoted(d.Title))
		for _, i := range d.Items {
			p.item(i)
		}
	}
}

// String returns the table as a line.
func (e *Event) String() string {
	var names []string
	for _, a := range e.Aliases {
		s := a.Func.Text
		if a.Given {
			s += arguments(a.Args)
		}
		if a.Entry != nil {
			if s += " " + a.Entry.String(); a.Entry.Optional {
				s = "optional " + s
			}
		}
		names = append(names, s)
	}
	return fmt.Sprintf("event %s(%s) = %s", e.Name.Text, list(e.Params), strings.Join(names, ", "))
}

// String returns the type as it is written after entrypoint.
func (s *Signature) String() string {
	params := "void"
	for i, t := range s.Params {
		if i == 0 {
			params = t.String()
		} else {
			params += ", " + t.String()
		}
	}
	return s.Result.String() + " (" + params + ")"
}

// item prints an item.
func (p *printer) item(i Item) {
	switch i := i.(type) {
	case *Severity:
		p.line("severity %s", i.Level.Text)
	case *Applies:
		p.line("applies if %s", list(i.Funcs))
	case *Object:
		p.line("%s", i)
	case *State:
		p.line("state {")
		p.indent++
		// Variables of one enumeration are declared together.
		for k := 0; k < len(i.Vars); {
			first := i.Vars[k]
			text := first.String()
			for k++; k < len(i.Vars) && first.Enum != nil && i.Vars[k].Enum != nil && first.Enum[0].Pos == i.Vars[k].Enum[0].Pos; k++ {
				text += ", " + i.Vars[k].declarator()
			}
			p.line("%s;", text)
		}
		p.indent--
		p.line("}")
	case *On:
		var events []string
		for _, e := range i.Events {
			events = append(events, e.String())
		}
		p.body("on "+strings.Join(events, ", "), i.Body)
	case *At:
		var points []string
		for _, w := range i.Points {
			points = append(points, w.Point.String())
		}
		p.body("at "+strings.Join(points, ", "), i.Body)
	case *Life:
		word, cond := "birth", ""
		if i.Death {
			word = "death"
		}
		if i.If != nil {
			cond = " if (" + exprString(i.If, 0) + ")"
		}
		p.line("%s on %s%s", word, i.Event, cond)
	case *Event:
		p.line("%s", i)
	}
}

// String returns the declaration of the object.
func (o *Object) String() string {
	flags := ""
	if o.Nullable {
		flags = " nullable"
	}
	if o.Outside {
		flags += " outside"
	}
	return fmt.Sprintf("object %s : %s%s", o.Name.Text, o.Type, flags)
}

// String returns the declaration of the variable, without a semicolon.
func (g *Ghost) String() string {
	t := g.Type.String()
	if g.Enum != nil {
		t = "enum { " + list(g.Enum) + " }"
	}
	return t + " " + g.declarator()
}

// declarator returns the declaration without the type.
func (g *Ghost) declarator() string {
	s := strings.Repeat("*", g.Stars) + g.Name.Text
	if g.Init != nil {
		s += " = " + exprString(g.Init, 0)
	}
	return s
}

// String returns the event.
func (e *Point) String() string {
	if e.Label {
		return "label " + e.Func.Text
	}
	s := e.Func.Text + "(" + list(e.Params) + ").entry"
	if e.Exit {
		s = e.Func.Text + "(" + list(e.Params) + ").exit"
	}
	if e.Result.Text != "" {
		s = e.Result.Text + " = " + s
	}
	return s
}

// body prints a block after its head.
func (p *printer) body(head string, b *Block) {
	p.line("%s", strings.TrimPrefix(head+" {", " "))
	p.indent++
	for _, s := range b.List {
		p.stmt("", s)
	}
	p.indent--
	p.line("}")
}

// stmt prints a statement after head, the beginning of its line.
func (p *printer) stmt(head string, s Stmt) {
	switch s := s.(type) {
	case *Block:
		p.body(head, s)
	case *If:
		// Branches are printed as blocks, so that each else belongs to its if.
		p.body(head+"if ("+exprString(s.Cond, 0)+")", block(s.Then))
		switch e := s.Else.(type) {
		case nil:
		case *If:
			p.stmt("else ", e)
		default:
			p.body("else", block(e))
		}
	case *Assign:
		p.line("%s%s %s %s;", head, s.To.Text, s.Op, exprString(s.Value, 0))
	case *Abort:
		p.line("%sabort %s;", head, quoted(s.Key+": "+s.Text))
	case *Assume:
		p.line("%sassume %s;", head, exprString(s.Cond, 0))
	}
}

// block returns s as a block.
func block(s Stmt) *Block {
	if b, is := s.(*Block); is {
		return b
	}
	return &Block{List: []Stmt{s}}
}
