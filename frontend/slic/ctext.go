package slic

import (
	"fmt"
	"sort"
	"strings"

	"c2bp/frontend/slic/syntax"
	"c2bp/source"
)

// This file writes parts of rules as C, and finds the places of rules for places in this C.
//
// Names of the C text contain a dollar, so that no macro or name of the program is meant:
//
//	spinlock$s          the variable s of the state of the rule spinlock
//	spinlock$held       the constant held
//	$a0, $r             parameter 0 and the result of the function at whose event the text is executed

// mark says that the text from a place on comes from a place of a rule.
type mark struct {
	line, col int
	pos       source.Pos
	text      string // the statement, as the rule has it
}

// cText is C text with marks.
type cText struct {
	b         strings.Builder
	line, col int // of the next byte, from 1
	marks     []mark
	stmt      string // the statement that is being written

	declared map[*Rule]bool      // rules whose names are declared
	enums    map[source.Pos]bool // enumerations that are declared
}

// newCText returns an empty text.
func newCText() *cText {
	return &cText{line: 1, col: 1, declared: map[*Rule]bool{}, enums: map[source.Pos]bool{}}
}

// put appends s, which comes from pos.
func (c *cText) put(pos source.Pos, s string) {
	c.marks = append(c.marks, mark{c.line, c.col, pos, c.stmt})
	c.b.WriteString(s)
	for _, r := range []byte(s) {
		if c.col++; r == '\n' {
			c.line, c.col = c.line+1, 1
		}
	}
}

// putf is put with a format.
func (c *cText) putf(pos source.Pos, format string, args ...any) {
	c.put(pos, fmt.Sprintf(format, args...))
}

// origin returns the place of a rule, and its statement, for a line and column of the text.
func (c *cText) origin(line, col int) (pos source.Pos, stmt string) {
	// The last mark at or before the place.
	i := sort.Search(len(c.marks), func(i int) bool {
		m := c.marks[i]
		return m.line > line || m.line == line && m.col > col
	})
	if i == 0 {
		return source.Pos{}, ""
	}
	return c.marks[i-1].pos, c.marks[i-1].text
}

// writer writes the statements and expressions of one rule.
type writer struct {
	*cText
	rule  *Rule
	names map[string]string // C names of the parameters and the result in scope
	many  bool              // there are several rules in one program, see Instrument
}

// name returns the C name for a name in an expression of the rule.
func (w *writer) name(n string) string {
	if c, ok := w.names[n]; ok {
		return c
	}
	if w.rule.state[n] {
		return w.rule.ghost(n)
	}
	return n
}

// stmt writes a statement, on lines of its own.
func (w *writer) stmt(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.Block:
		w.put(s.Pos, "{\n")
		for _, s := range s.List {
			w.stmt(s)
		}
		w.put(s.Pos, "}\n")
	case *syntax.If:
		w.head("if (" + syntax.String(s.Cond) + ")")
		w.put(s.Pos, "if (")
		w.expr(s.Cond)
		w.put(s.Pos, ")\n{\n")
		w.stmt(s.Then)
		if s.Else != nil {
			w.put(s.Pos, "} else {\n")
			w.stmt(s.Else)
		}
		w.put(s.Pos, "}\n")
	case *syntax.Assign:
		w.head(s.To.Text + " " + s.Op + " " + syntax.String(s.Value) + ";")
		w.putf(s.To.Pos, "%s %s ", w.name(s.To.Text), s.Op)
		w.expr(s.Value)
		w.put(s.To.Pos, ";\n")
	case *syntax.Abort:
		w.head(fmt.Sprintf("abort %q;", s.Key+": "+s.Text))
		w.putf(s.Pos, "%s();\n", w.rule.abort(s))
		if w.many {
			w.putf(s.Pos, "%s = 1; return;\n", w.rule.global("off"))
		}
	case *syntax.Assume:
		w.head("assume " + syntax.String(s.Cond) + ";")
		w.put(s.Pos, "if (!(")
		w.expr(s.Cond)
		w.put(s.Pos, "))\n")
		if w.many {
			w.putf(s.Pos, "{ %s = 1; return; }\n", w.rule.global("off"))
		} else {
			w.putf(s.Pos, "%s();\n", w.rule.global("assume$"))
		}
	}
}

// head notes the statement that is being written.
func (w *writer) head(s string) { w.cText.stmt = s }

// expr writes an expression. Trees of the parser have the parentheses that they need.
func (w *writer) expr(e syntax.Expr) {
	switch e := e.(type) {
	case *syntax.Ident:
		w.put(e.Pos, w.name(e.Text))
	case *syntax.Literal:
		w.put(e.Pos, e.Text)
	case *syntax.Paren:
		w.put(e.Pos, "(")
		w.expr(e.X)
		w.put(e.Pos, ")")
	case *syntax.Unary:
		w.put(e.Pos, e.Op+" ")
		w.expr(e.X)
	case *syntax.Binary:
		w.expr(e.X)
		w.put(e.Pos, " "+e.Op+" ")
		w.expr(e.Y)
	case *syntax.Cond:
		w.expr(e.C)
		w.put(e.X.At(), " ? ")
		w.expr(e.X)
		w.put(e.Y.At(), " : ")
		w.expr(e.Y)
	case *syntax.Member:
		w.expr(e.X)
		op := "."
		if e.Arrow {
			op = "->"
		}
		w.put(e.Name.Pos, op+e.Name.Text)
	case *syntax.Index:
		w.expr(e.X)
		w.put(e.I.At(), "[")
		w.expr(e.I)
		w.put(e.I.At(), "]")
	case *syntax.Call:
		w.put(e.Func.Pos, e.Func.Text+"(")
		for i, a := range e.Args {
			if i > 0 {
				w.put(a.At(), ", ")
			}
			w.expr(a)
		}
		w.put(e.Func.Pos, ")")
	case *syntax.Cast:
		w.put(e.To.Pos, "("+e.To.String()+")")
		w.expr(e.X)
	case *syntax.Sizeof:
		w.put(e.Pos, "sizeof("+e.Of.String()+")")
	case *syntax.Choose:
		// An input of the run, unlike those of the program.
		w.put(e.Pos, "("+w.rule.global("choice$")+"() ? (")
		w.expr(e.X)
		w.put(e.Y.At(), ") : (")
		w.expr(e.Y)
		w.put(e.Pos, "))")
	}
}
