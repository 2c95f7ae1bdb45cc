package harness

import (
	"fmt"
	"strings"

	"c2bp/frontend/core"
	"c2bp/source"
)

// This file defines properties, and finds them in C texts.

// Property is the property that a run violates.
type Property struct {
	Label string     // a label that must not be reached; "" for an assertion
	Pos   source.Pos // of the assertion, or of the statement after the label
	Text  string     // C text of that
	Check string     // the name of a check, such as "division by zero", of the operation Text at Pos; else ""

	Function string // of the library whose call is the operation that is checked, or ""
}

// PropertyAt returns the property at node i of p: the assertion there or, if label is not "", that
// label.
func PropertyAt(p *core.Proc, i int, label string) Property {
	n := p.Nodes[i]
	if a, ok := n.Stmt.(*core.Assert); ok && a.Check != nil && label == "" {
		p := Property{Pos: a.Check.Pos, Text: a.Check.Text, Check: a.Check.Name}
		if n.Model != nil {
			p.Function = n.Model.Func.CName
		}
		return p
	}
	return Property{Label: label, Pos: n.Pos, Text: n.Text}
}

// String returns the violation as a sentence: "the assertion at in.c:17 fails".
func (p Property) String() string {
	if p.Label != "" {
		return fmt.Sprintf("label %s at %s:%d is reached", p.Label, p.Pos.File, p.Pos.Line)
	}
	if p.Check != "" {
		return fmt.Sprintf("the operation at %s:%d is undefined, %s", p.Pos.File, p.Pos.Line, p.Check)
	}
	return fmt.Sprintf("the assertion at %s:%d fails", p.Pos.File, p.Pos.Line)
}

// at reports whether a failure at line of file is one of the assertion p, which may span several
// lines in f.
// The compiler names files as they were included, so the name may have a directory before it.
func (p Property) at(file string, line int, f *source.File) bool {
	if file != p.Pos.File && !strings.HasSuffix(file, "/"+strings.TrimPrefix(p.Pos.File, "./")) {
		return false
	}
	return line >= p.Pos.Line && line <= p.Pos.Line+statementLines(f, p.Pos)
}

// statementLines returns the number of lines of the statement at pos, less one.
//
//	assert(x ==        line 7: the failure is at line 7, 8 or 9,
//	       y +         whatever the compiler says
//	       z);
func statementLines(f *source.File, pos source.Pos) int {
	start := -1
	if f != nil {
		start = offsetOf(f, pos)
	}
	if start < 0 {
		return 0
	}
	// The statement ends at the first ; or brace outside of parentheses.
	depth, lines := 0, 0
	for t := range tokens(f.Text[start:]) {
		switch t.text {
		case "(":
			depth++
		case ")":
			depth--
		case ";", "{", "}":
			if depth <= 0 {
				return lines
			}
		}
		lines = t.line - 1
	}
	return 0
}
