package shylock

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"c2bp/internal/testkit"
	"c2bp/source"
)

// parse parses a text.
func parse(text string) (*Program, error) { return Parse(source.NewFile("in.shy", []byte(text))) }

// archive returns the files of an archive in testdata.
func archive(t testing.TB, name string) (list []*source.File) {
	t.Helper()
	ar, err := txtar.ParseFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range ar.Files {
		list = append(list, source.NewFile(f.Name, f.Data))
	}
	return list
}

// TestErrors holds the errors of every program of testdata/errors.txtar against the expectations written on
// its lines.
func TestErrors(t *testing.T) {
	cases := 0
	for _, f := range archive(t, "errors.txtar") {
		t.Run(f.Name, func(t *testing.T) {
			text := strings.TrimSuffix(string(f.Text), "\n")
			_, err := Load(source.NewFile(f.Name, []byte(text)))
			list, ok := err.(source.List)
			if !ok {
				t.Fatalf("error is %T, want a source.List", err)
			}
			cases += len(list)
			testkit.ExpectErrors(t, text, list)
		})
	}
	if cases < 40 {
		t.Errorf("only %d errors", cases)
	}
}

// TestEnds: errors at the end of a file are at the place after its last byte.
func TestEnds(t *testing.T) {
	for text, want := range map[string]string{
		"globals g;":      `in.shy:1:11: error: expected a procedure, as in "main :: skip", found the end of the file`,
		"globals g":       `in.shy:1:10: error: expected ";" after the declared names, found the end of the file`,
		"a ::":            `in.shy:1:5: error: expected a statement, found the end of the file`,
		"a :: (b + skip":  `in.shy:1:15: error: expected ")" that closes the parenthesis, found the end of the file`,
		"a :: [x = y]":    `in.shy:1:13: error: expected a statement, found the end of the file`,
		"":                `in.shy:1:1: error: expected a procedure`,
		"b; globals g; {": `in.shy:1:1: error: expected a declaration ("globals", "locals" or "fields") or a procedure ("p :: …"), found "b"`,
	} {
		if _, err := parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// TestPrint prints programs: the text is the canonical one, and is read as the same program.
func TestPrint(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"x := y; p; [x = g] y := x.f; [x != nil] (x.f := y) + skip", "x := y; p; [x = g] y := x.f; [x != nil] x.f := y + skip"},
		{"x := nil; skip;", "x := nil; skip"},
		{"(a + b) + c; d", "a + b + c; d"},
		{"(a; b); c", "a; b; c"},
		{"(a + b); c", "(a + b); c"},
		{"[x = y] [y = nil] (a; b)", "[x = y] [y = nil] (a; b)"},
		{"[x = y & !(y = nil) | (x = x | nil != y) & x = nil] skip", "[x = y & !(y = nil) | (x = x | nil != y) & x = nil] skip"},
		{"assert(!x = y)", "assert(!(x = y))"},
		{"while (x != y) do a; b od; if (x = y) then a + b else c fi", "while (x != y) do a; b od; if (x = y) then a + b else c fi"},
		{"if ((x = y)) then a; fi", "if (x = y) then a fi"},
		{"p(); x := q(); p(x, nil); x := q(y); return x", "p; x := q(); p(x, nil); x := q(y); return x"},
		{"x := q; p'", "x := q; p'"},
		{"x := y.f.g", "x := y.f.g"},
		{"assert(x = y & (y = z & z = x))", "assert(x = y & (y = z & z = x))"},
	} {
		p, err := parse("main :: " + c.body)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := StmtString(p.Procs[0].Body); got != c.want {
			t.Errorf("%s is printed as %s, want %s", c.body, got, c.want)
		}
		roundTrip(t, p)
	}
}

// roundTrip checks that a program survives printing.
func roundTrip(t *testing.T, p *Program) {
	t.Helper()
	text := p.String()
	again, err := parse(text)
	if err != nil {
		t.Fatalf("the printed program does not parse: %v\n%s", err, text)
	}
	if got := again.String(); got != text {
		t.Fatalf("printed as\n%s\nand again as\n%s", text, got)
	}
	if got, want := shape(again), shape(p); !reflect.DeepEqual(got, want) {
		t.Fatalf("the tree changes from\n%v\nto\n%v", want, got)
	}
}

// shape returns the kinds of the statements of a program.
func shape(p *Program) (list []string) {
	for _, proc := range p.Procs {
		list = append(list, proc.Name)
		Walk(proc.Body, func(s Stmt) { list = append(list, reflect.TypeOf(s).String()) })
	}
	return list
}

// TestLoad reads the program of the documentation, with several declarations on a line.
func TestLoad(t *testing.T) {
	p, err := Load(source.NewFile("in.shy", []byte(`
globals g, h;  locals x, y;  fields f, next;  // nil is predeclared and constant
p(x, z) :: x := z; return z   globals late;
main    :: x := new; x := p(x, g); y := x.f.next; late := p; q
locals p'; q :: skip; /* a call without arguments, or
a variable */ p' := p'; main
`)))
	if err == nil || !strings.Contains(err.Error(), "p(x, z) takes 2 arguments, not 0") {
		t.Fatalf("error %v", err)
	}
	if len(p.Procs) != 3 || p.Main != p.Procs[1] || len(p.Globals) != 3 || len(p.Locals) != 4 || !p.Locals[3].Param || !p.Procs[0].Returns {
		t.Errorf("read as\n%s", p)
	}
}

// TestCalls: the name alone on the right of an assignment is a variable if there is one, else a call.
func TestCalls(t *testing.T) {
	p, err := Load(source.NewFile("in.shy", []byte("globals g, q;  p :: g := p; g := q; return g  q :: return g")))
	if err != nil {
		t.Fatal(err)
	}
	list := p.Main.Body.(*Seq).List
	if call := list[0].(*Assign).Call; call == nil || call.Proc != p.Main || call.Result.Var != p.Globals[0] {
		t.Errorf("g := p is %+v", list[0])
	}
	if a := list[1].(*Assign); a.Call != nil || a.Y.Var != p.Globals[1] {
		t.Errorf("g := q is %+v", a)
	}
}

// TestNesting: deep programs are refused, long ones are not.
func TestNesting(t *testing.T) {
	deep := func(open, inner, close string, n int) error {
		_, err := parse("p :: " + strings.Repeat(open, n) + inner + strings.Repeat(close, n))
		return err
	}
	for _, c := range []struct{ open, inner, close string }{
		{"(", "skip", ")"}, {"[x = y] ", "skip", ""}, {"while (x = x) do ", "skip", " od"}, {"assert(!!", "x = y", ")"},
	} {
		if c.open != "assert(!!" {
			if err := deep(c.open, c.inner, c.close, 300); err != nil {
				t.Error(err)
			}
		}
		if err := deep(c.open, c.inner, c.close, 100000); err == nil {
			t.Errorf("100,000 of %q are accepted", c.open)
		}
	}
	if _, err := parse("p :: assert(" + strings.Repeat("!", 100000) + "x = y)"); err == nil {
		t.Error("100,000 negations are accepted")
	}
	if err := deep("skip; ", "skip", "", 100000); err != nil {
		t.Error(err)
	}
}

// FuzzParse checks on any text that the parser and the checker return, that their errors can be rendered, and
// that a text which parses survives printing.
func FuzzParse(f *testing.F) {
	for _, file := range archive(f, "errors.txtar") {
		f.Add(file.Text)
	}
	for _, s := range []string{"\xef\xbb\xbfmain :: skip", "p(x) :: x := p(x); return x", "a :: [x=y](b+c);d p' :: a", "a (b, ) :: skip ) :: :: ("} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := Parse(source.NewFile("fuzz.shy", text))
		if err != nil {
			rendered(t, err)
			return
		}
		roundTrip(t, p)
		before := p.String()
		if err := Check(p); err != nil {
			rendered(t, err)
			return
		}
		if p.String() != before {
			t.Fatalf("the check changes the text from\n%s\nto\n%s", before, p)
		}
	})
}

// rendered checks the form of an error.
func rendered(t *testing.T, err error) {
	t.Helper()
	list, ok := err.(source.List)
	if !ok || !source.IsInput(err) || !strings.Contains(err.Error(), "error: ") || len(list) > source.MaxErrors+1 {
		t.Fatalf("error %T: %v", err, err)
	}
}
