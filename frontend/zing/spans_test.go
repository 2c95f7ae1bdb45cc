package zing

import (
	"strings"
	"testing"

	"c2bp/source"
)

// TestSpans reads the text of each expression and statement alone, as its span says, and compares the
// trees.
func TestSpans(t *testing.T) {
	nodes := 0
	for _, m := range models(t) {
		p, err := Parse([]*source.File{m.file})
		if err != nil {
			t.Fatal(err)
		}
		InspectProgram(p, func(n Node) bool {
			r := n.Range()
			f := p.Files[0]
			text := string(f.Text[f.Offset(r.Start):f.Offset(r.End)])
			nodes++
			switch n := n.(type) {
			case *TypeExpr:
				if text != n.Of.Name {
					t.Errorf("%v: %q is a TypeExpr", n.Start, text)
				}
			case *Choose, *Sizeof:
			case Expr:
				if got, want := reread(t, text, func(p *parser) string { return ExprString(p.expr()) }), ExprString(n); got != want {
					t.Errorf("%v: %q reads as %s, want %s", r.Start, text, got, want)
				}
			case Stmt:
				if got, want := reread(t, text, func(p *parser) string { return StmtString(p.stmt()) }), StmtString(n); got != want {
					t.Errorf("%v: %q reads as %s, want %s", r.Start, text, got, want)
				}
			}
			return true
		})
	}
	if nodes < 1000 {
		t.Errorf("only %d nodes", nodes)
	}
}

// reread parses all of a text with one function of the parser.
func reread(t *testing.T, text string, read func(*parser) string) (got string) {
	p := newParser(source.NewFile("part", []byte(text)))
	p.advance()
	if p.guard(func() { got = read(p) }) != nil || p.tok.kind != tokEOF || len(p.errs) > 0 {
		t.Errorf("%q does not read alone: %v", text, p.errs)
	}
	return got
}

// TestLines checks that all ends of lines end lines and comments, and that positions agree.
func TestLines(t *testing.T) {
	for _, end := range []string{"\n", "\r\n", "\r", "\u2028", "\u2029"} {
		for _, mark := range []string{"", "\ufeff"} {
			text := mark + strings.Join([]string{"class A { // a comment", "int a; #", "};"}, end)
			_, err := parseText(text)
			want := "t.zing:2:8: error: \"#\" does not stand first on its line\n    int a; #"
			if err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%q: got %v", text, err)
			}
			// A directive is first on its line, after any end of line.
			text = mark + strings.Join([]string{"class A {", " #region x", "int a; // no end of line"}, end)
			if _, err := parseText(text + end + "};"); err != nil {
				t.Errorf("%q: %v", text, err)
			}
		}
	}
	// The text of a string is not changed by it.
	p, err := parseText("class A { string s = @\"a\r\nb\rc\u2028d\"; };")
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Decls[0].(*ClassDecl).Members[0].(*Field).Init.(*StringLit).Value; got != "a\r\nb\rc\u2028d" {
		t.Errorf("the string is %q", got)
	}
	roundTrip(t, p)
}
