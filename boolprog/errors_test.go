package boolprog

import (
	"fmt"
	"strings"
	"testing"

	"c2bp/internal/testkit"
	"c2bp/source"

	"github.com/rogpeppe/go-internal/txtar"
)

// parseAndCheck returns all errors and warnings of a program.
func parseAndCheck(name, text string) (warns source.List, err error) {
	p, warns, err := Parse(source.NewFile(name, []byte(text)), ParseOptions{})
	if err != nil {
		return warns, err
	}
	more, err := Check(p)
	return append(warns, more...), err
}

// TestErrors holds the errors of every program of testdata/errors.txtar against the
// expectations written on their lines.
func TestErrors(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/errors.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		t.Run(f.Name, func(t *testing.T) {
			text := strings.TrimSuffix(string(f.Data), "\n")
			_, err := parseAndCheck(f.Name, text)
			list, ok := err.(source.List)
			if !ok {
				t.Fatalf("error is %T, want a source.List", err)
			}
			testkit.ExpectErrors(t, text, list)
		})
	}
}

// TestNoMain has no line to point at.
func TestNoMain(t *testing.T) {
	_, err := parseAndCheck("t.bp", "decl a; void mian() begin skip; end")
	want := `t.bp: error: there is no procedure "main": expected the one where execution starts: did you mean "mian"?`
	if err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
}

// TestErrorForm shows an error in full.
func TestErrorForm(t *testing.T) {
	_, err := parseAndCheck("lock.bp", "decl locked;\nvoid main() begin\n\tlokced := 1;\nend\n")
	want := `lock.bp:3:2: error: variable "lokced" is not declared: did you mean "locked"?
    	lokced := 1;
    	^`
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}

func TestWarnings(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a := a = b & c", `2:8: "=" is read as an operand of "&"`},
		{"a := a | b != c", `2:12: "!=" is read as an operand of "|"`},
		{"a := a => b = c", `2:13: "=" is read as an operand of "=>"`},
		{"a := a => b => c", `2:13: "=>" is read as an operand of "=>"`},
		{"a := !(a ^ b = c)", `2:14: "=" is read as an operand of "^"`},
		{"a := (a = b) & c", ""},
		{"a := a = (b & c)", ""},
		{"a := a = b != c = !a", ""},
		{"a := a | b & c ^ a => b | c", ""},
		{"a := f(b)", ""},
	} {
		text := "decl a, b, c; bool f(x) begin return x; end void main() begin\n" + c.text + ";\nend"
		warns, err := parseAndCheck("t.bp", text)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, w := range warns {
			if w.Severity != source.Warning {
				t.Errorf("%v has severity %v", w, w.Severity)
			}
			got = append(got, fmt.Sprintf("%d:%d: %s", w.Pos.Line, w.Pos.Col, w.Msg))
		}
		if s := strings.Join(got, "\n"); !strings.HasPrefix(s, c.want) || (s == "") != (c.want == "") || len(got) > 1 {
			t.Errorf("%s: warnings %q, want %q", c.text, s, c.want)
		}
	}
}

func TestCheckWarnings(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"decl g; void main() begin decl g; skip; end", `variable "g" of procedure "main" hides the global one declared at t.bp:1:6`},
		{"bool main() begin skip; end", `procedure "main" can reach its "end" without "return"`},
		{"bool main() begin if (*) then return 1; fi end", `can reach its "end"`},
		{"bool main() begin if (*) then return 1; else return 0; fi end", ""},
		{"bool main() begin while (1) do skip; od end", ""},
		{"bool main() begin assume(0); end", ""},
		{"bool main() begin L: goto L; end", ""},
		{"bool main() begin return 1; skip; end", ""},
		{"void main() begin end", ""},
	} {
		warns, err := parseAndCheck("t.bp", c.text)
		if err != nil {
			t.Fatal(err)
		}
		if got := warns.Error(); !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%s: warnings %q, want %q", c.text, got, c.want)
		}
	}
}

// TestTooManyErrors shows that reports end.
func TestTooManyErrors(t *testing.T) {
	syntax := "void main() begin " + strings.Repeat("x := ;\n", 1000) + "end"
	names := "void main() begin " + strings.Repeat("x := y;\n", 1000) + "end"
	for _, text := range []string{syntax, names} {
		_, err := parseAndCheck("t.bp", text)
		if list, ok := err.(source.List); !ok || len(list) > maxErrors+1 || len(list) < maxErrors {
			t.Errorf("%d errors", len(list))
		}
	}
}

// TestBuiltPrograms checks programs that no parser has seen.
func TestBuiltPrograms(t *testing.T) {
	main := &Proc{Name: "main"}
	for name, ok := range map[string]bool{
		"a": true, "_a9": true, "{x == 1}": true, "{a{b}}": true, "{é}": true, "a-b#1": true,
		"": false, "9": false, "skip": false, "T": false, "{x": false, "{x}}": false, "{ x}": false, "{}": false,
		"{x  y}": false, "a b": false, "_": false, "{a}{b}": false, "{\x01}": false, "{\xff}": false,
	} {
		_, err := Check(&Program{Globals: []*Var{{Name: name}}, Procs: []*Proc{main}})
		if (err == nil) != ok {
			t.Errorf("variable %q: error %v", name, err)
		}
	}
	if !IsKeyword("schoose") || IsKeyword("x") {
		t.Error("IsKeyword is wrong")
	}
	if got := NormalName("{ x\t ==\n1 }"); got != "{x == 1}" {
		t.Errorf("NormalName gives %q", got)
	}
}

// TestBuiltReferences checks reference programs that no parser has seen.
func TestBuiltReferences(t *testing.T) {
	reference := func(name string) *Var { return &Var{Name: name, Class: "C"} }
	selects := func(x Expr) []*Stmt { return []*Stmt{{Op: &Print{Args: []Expr{&Select{X: x, Field: "f"}}}}} }
	field := func(f Field) *Program { return &Program{Classes: []*Class{{Name: "C", Fields: []*Field{&f}}}} }
	for want, p := range map[string]*Program{
		"":                                     field(Field{Name: "f", Init: &Nondet{}}),
		`field "f" cannot start as !1`:         field(Field{Name: "f", Init: &Not{X: &Const{Val: true}}}),
		`field "f" cannot start as 1`:          field(Field{Name: "f", Class: "C", Init: &Const{Val: true}}),
		`"ref" is not a valid name`:            {Classes: []*Class{{Name: "C"}}, Globals: []*Var{reference("ref")}},
		`"class" is not a valid name`:          field(Field{Name: "class"}),
		`"new" is not a valid name`:            {Classes: []*Class{{Name: "new"}}},
		`"{C}" cannot be the name of a class`:  {Classes: []*Class{{Name: "{C}"}}},
		`class "C" is not declared`:            {Globals: []*Var{reference("r")}},
		"has 1 result, but types for 2":        {Procs: []*Proc{{Name: "f", Results: 1, Returns: []string{"", ""}}}},
		"has no result, but types for 1":       {Procs: []*Proc{{Name: "f", Returns: []string{""}}}},
		"null in a program without classes":    {Procs: []*Proc{{Name: "f", Body: []*Stmt{{Op: &Print{Args: []Expr{&Null{}}}}}}}},
		`field "f" of an expression: expected`: {Procs: []*Proc{{Name: "f", Body: selects(&Null{Pos: source.Pos{Line: 1}})}}, Classes: []*Class{{Name: "C"}}},
	} {
		p.Procs = append(p.Procs, &Proc{Name: "main"})
		_, err := Check(p)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
