package frontend

import (
	"context"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"c2bp/frontend/cgen"
	"c2bp/frontend/core"
	"c2bp/source"
)

// fuzzLoad loads text; what is accepted must be valid, and must not change the
// second time.
func fuzzLoad(t *testing.T, text string, entry string) *Unit {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	load := func() (*Unit, error) {
		file := source.NewFile("in.c", []byte(text))
		return Load(ctx, []*source.File{file}, Options{ReadFile: noFiles, Entry: entry})
	}
	u, err := load()
	switch {
	case ctx.Err() != nil:
		t.Fatalf("no answer within 20 s")
	case err != nil && !source.IsInput(err):
		t.Fatalf("not an input error: %v", err)
	case err != nil:
		return nil
	}
	if again, err := load(); err != nil || again.Program.String() != u.Program.String() {
		t.Fatalf("the second time: %v", err)
	}
	return u
}

func seedTexts(f *testing.F, pattern string) (list []*txtar.Archive) {
	f.Helper()
	for _, path := range archives(f, pattern) {
		ar, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		list = append(list, ar)
	}
	return list
}

// FuzzLoad: C texts do not make the front end panic or hang.
func FuzzLoad(f *testing.F) {
	for _, pattern := range []string{"testdata/lower/*.txtar", "testdata/errors.txtar"} {
		for _, ar := range seedTexts(f, pattern) {
			for _, file := range ar.Files {
				f.Add(string(file.Data))
			}
		}
	}
	for seed := uint64(1); seed < 4; seed++ {
		f.Add(cgen.Generate(seed, cgen.Options{Functions: 1}) + "int main(void) { p_main(); return 0; }")
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) < 20_000 {
			fuzzLoad(t, text, "")
		}
	})
}

// resolveProgram is the program that FuzzResolve asks about.
const resolveProgram = `
#define MAX 10
#define F(x) ((x) + MAX)
enum e { A, B = 7 }; typedef unsigned char byte; struct s { int a; } v, *p;
struct node { int val; struct node *next, **link; union { int i; char *s; }; int (*op)(int); byte part[4]; } *head, first;
int g; static unsigned s; volatile int vol; double d; int arr[3];
int f(int x, byte c, struct node *n, int *q) { struct q { int a; }; { int y = x; x += y; } { int y = 2; x -= y; } static int k; return x; }
void none(void) { }
int main(void) { none(); return f(1, 2, head, &g); }
`

// FuzzResolve: predicate texts do not make the resolver panic or hang, what it
// accepts is a valid predicate, and its errors lie in the text.
func FuzzResolve(f *testing.F) {
	for _, ar := range seedTexts(f, "testdata/resolve/*.txtar") {
		for _, file := range ar.Files {
			if file.Name == "preds" {
				for _, p := range predicateLines(string(file.Data)) {
					f.Add(p.Scope, p.Text)
				}
			}
		}
	}
	for _, text := range []string{"val == 1 && next->val == g", "*link == head && op == f", "part[1] + F(i) == (byte)A", "sizeof val == sizeof(struct s)", "'val", `\result`, "F(s) + first.val"} {
		f.Add("struct node", text)
	}
	u, err := Load(context.Background(), []*source.File{source.NewFile("in.c", []byte(resolveProgram))}, Options{Whole: true})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, scope, text string) {
		if len(text) > 2000 {
			return
		}
		file := source.NewFile("p", []byte(text))
		q := core.PredicateText{Scope: scope, Text: text, File: file, Pos: source.Pos{File: "p", Line: 1, Col: 1}}
		r, err := u.Resolve([]core.PredicateText{q})
		if err != nil {
			checkPredicateErrors(t, file, err)
			return
		}
		if err := core.ValidatePredicate(u.Program, r[0].Proc, r[0].Expr); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		// The canonical name means the same, if it is no macro's expansion.
		q.Text, q.File = r[0].Name, nil
		again, err := u.Resolve([]core.PredicateText{q})
		if err != nil {
			t.Fatalf("%q is named %q: %v", text, r[0].Name, err)
		}
		if core.ExprString(again[0].Expr) != core.ExprString(r[0].Expr) {
			t.Fatalf("%q is named %q, which means %s, not %s", text, r[0].Name, core.ExprString(again[0].Expr), core.ExprString(r[0].Expr))
		}
	})
}

func checkPredicateErrors(t *testing.T, file *source.File, err error) {
	list, ok := err.(source.List)
	if !ok {
		t.Fatalf("not a source.List: %v", err)
	}
	for _, d := range list {
		if d.Pos.File != "p" || file.Offset(d.Pos) < 0 || d.Pos.Col > len(file.Line(d.Pos.Line))+1 {
			t.Fatalf("an error outside of the text: %+v", d)
		}
	}
}
