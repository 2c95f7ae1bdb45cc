package zing

import (
	"strings"
	"testing"

	"c2bp/source"
)

// TestErrorForm shows errors in full.
func TestErrorForm(t *testing.T) {
	for text, want := range map[string]string{
		"class A {\n\tint x = true;\n};":    "t.zing:2:10: error: cannot use a value of type bool as one of type int\n    \tint x = true;\n    \t        ^",
		"class M { static int x = true; };": "t.zing:1:26: error: cannot use a value of type bool as one of type int\n    class M { static int x = true; };\n                             ^",
		"":                                  "t.zing: error: the program is empty: expected declarations of types",
		"class A\x00":                       "t.zing:1:8: error: NUL byte: this is not a text file\n    class A.\n           ^",
	} {
		if _, _, err := loadText(text); err == nil || err.Error() != want {
			t.Errorf("got\n%v\nwant\n%s", err, want)
		}
	}
	if _, _, err := Load(nil); err == nil || err.Error() != "error: the program is empty: expected declarations of types" {
		t.Errorf("no files: %v", err)
	}
}

// TestWarnings compares the warnings of small programs.
func TestWarnings(t *testing.T) {
	const main = " static activate void main() { } };"
	for _, c := range []struct{ text, want string }{
		{"class A { };", "t.zing: warning: no method is activate"},
		{"class A {" + main, ""},
		{"class A { static int f(out int x) { } static void g(int x) { async f(out x); }" + main, "t.zing:1:62: warning: the result of method \"f\" is dropped"},
		{"class A { static void f(out int x) { } static void g(int x) { async f(out x); }" + main, "t.zing:1:63: warning: the out parameter \"x\" is dropped"},
		{"class A { static void f(int x) { { int x; } }" + main, "t.zing:1:40: warning: variable \"x\" hides the parameter declared at t.zing:1:29"},
		{"class A { static void f() { int x; { bool x; } }" + main, "t.zing:1:43: warning: variable \"x\" hides the one declared at t.zing:1:33"},
		{"class A { static void f() { { int x; } { bool x; } foreach (int x in new V) ; } int x;" + main + "array V[2] int;", ""},
		{"class A { static void f() { x = 1; int x; }" + main, "t.zing:1:29: warning: variable \"x\" is used before its declaration"},
		{"class A { static void f() { L: x = 1; M: int x; }" + main, "t.zing:1:32: warning: variable \"x\" is used before its declaration"},
	} {
		_, warnings, err := loadText(c.text)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range warnings {
			if w.Severity != source.Warning {
				t.Errorf("%v has severity %v", w, w.Severity)
			}
		}
		if got := warnings.Error(); !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%s: warnings %q, want %q", c.text, got, c.want)
		}
	}
}

// TestTooManyErrors shows that reports end.
func TestTooManyErrors(t *testing.T) {
	for _, statement := range []string{"x = ;\n", "x = y;\n"} {
		_, _, err := loadText("class A { void f() { " + strings.Repeat(statement, 1000) + "} };")
		if list, ok := err.(source.List); !ok || len(list) != source.MaxErrors+1 || !strings.Contains(err.Error(), "too many errors") {
			t.Errorf("%d errors", len(list))
		}
	}
}

// TestDeep shows that deep nesting is an error, not an overflow of the stack, and that length is
// no nesting.
func TestDeep(t *testing.T) {
	repeat := func(s string) string { return strings.Repeat(s, 20*maxNesting) }
	body := func(s string) string { return "class A { int x; void f() { " + s + " } };" }
	for name, text := range map[string]string{
		"parentheses": body("x = " + repeat("(") + "1"),
		"unary":       body("x = " + repeat("-") + "1;"),
		"operators":   body("x = 1" + repeat(" + 1") + ";"),
		"in":          body("x = 1" + repeat(" in s") + ";"),
		"selectors":   body("x = x" + repeat(".x") + ";"),
		"assignments": body(repeat("x = ") + "1;"),
		"blocks":      body(repeat("{")),
		"if":          body(repeat("if (x) ") + ";"),
		"labels":      body(repeat("L: ") + ";"),
		"calls":       body(repeat("f(")),
	} {
		if _, err := parseText(text); err == nil || !strings.Contains(err.Error(), "nested deeper than") {
			t.Errorf("%s: %.200v", name, err)
		}
	}
	// Nesting below the limit is read, checked and printed.
	for name, text := range map[string]string{
		"blocks":      "class A { void f() { " + strings.Repeat("{ if (true) ", maxNesting/3-9) + "; " + strings.Repeat("}", maxNesting/3-9) + " } };",
		"parentheses": "class A { int x = " + strings.Repeat("-(", maxNesting/2-9) + "x" + strings.Repeat(")", maxNesting/2-9) + "; };",
		"operators":   "class A { int x = 1" + strings.Repeat(" - (1)", maxNesting/2) + "; };",
	} {
		p, _, err := loadText(text)
		if err != nil {
			t.Errorf("%s: %.200v", name, err)
			continue
		}
		if again, err := parseText(p.String()); err != nil || again.String() != p.String() {
			t.Errorf("%s: printed text: %.200v", name, err)
		}
	}
	for name, text := range map[string]string{
		"statements": body(strings.Repeat("x = 1; { ; } L: ; x = (x.x[1] + 1); ", 2*maxNesting)),
		"members":    "class A { " + strings.Repeat("int x; void f() { } ", 2*maxNesting) + "};",
	} {
		if _, err := parseText(text); err != nil {
			t.Errorf("%s: %.200v", name, err)
		}
	}
}

// TestFiles checks that several files make one program, in their order, and that errors quote the
// right one.
func TestFiles(t *testing.T) {
	load := func(first, second string) (*Program, source.List, error) {
		return Load([]*source.File{source.NewFile("b.zing", []byte(first)), source.NewFile("a.zing", []byte(second))})
	}
	p, warnings, err := load("class A { static int x; static activate void f() { B.y = x; } };", "class B { static int y; static activate void g() { A.x = y; } };")
	if err != nil || len(warnings) > 0 {
		t.Fatal(err, warnings)
	}
	if len(p.Files) != 2 || p.Globals[0].Name.Name != "x" || p.Globals[1].Name.Name != "y" || p.Activate[1].Owner != p.Types[1] || p.Methods[1].Index != 1 {
		t.Errorf("the order is wrong in\n%s", p)
	}
	_, _, err = load("class A { int x = 1 };", "class B { int y = 2 };")
	want := "b.zing:1:20: error: expected \";\" after the field, found \"}\"\n    class A { int x = 1 };\n                       ^\na.zing:1:20: error:"
	if err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got\n%v", err)
	}
	_, _, err = load("class A { int x = true; };", "class A { };")
	want = "a.zing:1:7: error: type \"A\" is declared twice: first at b.zing:1:7\n    class A { };\n          ^\nb.zing:1:19: error:"
	if err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got\n%v", err)
	}
}

// TestLimits checks the greatest number of join statements.
func TestLimits(t *testing.T) {
	load := func(n int) error {
		_, _, err := loadText("class A { static activate void f() { select { " + strings.Repeat("wait(true) -> ; ", n) + "} } };")
		return err
	}
	if err := load(maxJoins); err != nil {
		t.Error(err)
	}
	if err := load(maxJoins + 1); err == nil || !strings.Contains(err.Error(), "at most 64 join statements") {
		t.Errorf("got %v", err)
	}
}
