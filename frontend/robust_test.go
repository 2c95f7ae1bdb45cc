package frontend

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"c2bp/frontend/core"
	"c2bp/internal/testkit"
	"c2bp/source"
)

// This file feeds the front end what it must survive.

func TestNoEntry(t *testing.T) {
	for _, text := range []string{"", "\n", "// nothing\n", "int f(void) { return 1; }\n", "int main(void);\n", "int main = 1;\n"} {
		_, err := load(t, text, Options{})
		if err == nil || !strings.Contains(err.Error(), "--entry") || !source.IsInput(err) {
			t.Errorf("%q: want an error that names --entry, got %v", text, err)
		}
	}
	_, err := load(t, "int main(void) { return 0; }", Options{Entry: "start"})
	if err == nil || !strings.Contains(err.Error(), "no function start") {
		t.Errorf("--entry start: %v", err)
	}
	if _, err := Load(context.Background(), nil, Options{}); err == nil {
		t.Error("no files: no error")
	}
}

// TestHostileTexts: an error or a program, never a panic, and within what a test run may take.
func TestHostileTexts(t *testing.T) {
	deep := func(open, mid, end string, n int) string {
		return "int x; int main(void) { x = " + strings.Repeat(open, n) + mid + strings.Repeat(end, n) + "; return 0; }"
	}
	tests := []struct {
		name, text string
		ok         bool // must be accepted
	}{
		{"parentheses", deep("(", "1", ")", 10_000), true},
		{"too many parentheses", deep("(", "1", ")", 1_000_000), false},
		{"minus", deep("- ", "x", "", 4_000), true},
		{"not", deep("!", "x", "", 4_000), true},
		{"casts", deep("(char)", "x", "", 10_000), true},
		{"conditional", deep("x ? 1 : ", "2", "", 5_000), true},
		{"and", deep("x && (", "1", ")", 5_000), true},
		{"sum", deep("x + ", "1", "", 5_000), true},
		{"sum to the right", deep("x + (", "1", ")", 5_000), true},
		{"assignments", deep("x = ", "1", "", 5_000), true},
		{"calls", "int f(int a) { return a; }" + deep("f(", "x", ")", 5_000), true},
		{"increments", deep("x++ + (", "x", ")", 300), true},
		{"arrows", "struct s { struct s *n; int v; } *p; int main(void) { return p" + strings.Repeat("->n", 1_500) + "->v; }", true},
		{"stars and ampersands", deep("*&", "x", "", 4_000), true},
		{"stars", "int " + strings.Repeat("*", 500) + "p; int main(void) { return " + strings.Repeat("*", 500) + "p; }", true},
		{"indices", "int a[9]; int main(void) { return " + strings.Repeat("a[", 1_500) + "0" + strings.Repeat("]", 1_500) + "; }", true},
		{"pointer sums", "int *p, *q; int main(void) { q = p" + strings.Repeat(" + 1", 4_000) + "; return q - p; }", true},
		{"pointer casts", "int *p; int main(void) { return *(int *)" + strings.Repeat("(char *)(int *)", 2_000) + "p; }", true},
		{"a scalar in braces", "int x = " + strings.Repeat("{", 3_000) + "1" + strings.Repeat("}", 3_000) + "; int main(void) { return x; }", true},
		{"a big table", "int a[] = {" + strings.Repeat("1, -2,\n", 10_000) + "}; int main(void) { return a[1]; }", true},
		{"a big table of pointers", "int x; int *a[] = {" + strings.Repeat("&x, 0,\n", 5_000) + "}; int main(void) { return *a[0]; }", true},
		{"a huge array", "int a[1 << 28], b[] = { [1 << 27] = 3 }; int main(void) { return a[1]; }", true},
		{"a huge range", "int b[1 << 20] = { [0 ... (1 << 20) - 1] = 3 }; int main(void) { return b[1]; }", true},
		{"brackets", "int a" + strings.Repeat("[1]", 500) + "; int main(void) { return sizeof a; }", true},
		{"stores of members", "struct s { struct s *n; } *p; int main(void) {" + strings.Repeat("p->n = p->n->n;\n", 4_000) + " return 0; }", true},
		{"strings", "char *p; int main(void) {" + strings.Repeat("p = \"abc\";\n", 10_000) + " return 0; }", true},
		{"a structure in itself", "struct s { struct s; int a; } x; int main(void) { return x.a; }", false},
		{"a structure in itself, named", "struct s { int a; const struct s b; } x; int main(void) { return x.a; }", false},
		{"a structure deep in itself", "struct s { struct { int k; union { struct s y[2]; } u; }; int a; } x; int main(void) { return x.a; }", false},
		{"a structure in itself by typedef", "typedef struct s T; struct s { T b; int a; } x; int main(void) { return x.a; }", false},
		{"a structure like itself", "typedef struct s T; struct s { int T; struct s *n, *(*f)(struct s x); T *m; struct t { struct s *p; } in; } x; struct t v; int main(void) { struct s { struct s *s; } y; return x.T; }", true},
		{"an incomplete type", "struct s; extern struct s v; struct s *p = &v; int main(void) { return p == &v; }", true},
		{"an empty structure", "struct e {} a, b, *p = &a; struct e v[3]; int main(void) { a = b; p++; v[1] = a; return p - &a + sizeof a; }", true},
		{"a recursive initialiser", "struct l { struct l *n; } l = { &l }; int main(void) { struct l k = { &k }; return k.n == l.n; }", true},
		{"a very long sum", deep("x + ", "1", "", 3_000_000), false},
		{"blocks", "int main(void) {" + strings.Repeat("{", 10_000) + ";" + strings.Repeat("}", 10_000) + "}", true},
		{"else if", "int x; int main(void) {" + strings.Repeat("if (x) x = 1; else ", 3_000) + " x = 2; return 0; }", true},
		{"loops", "int x; int main(void) {" + strings.Repeat("while (x) ", 5_000) + " x = 2; return 0; }", true},
		{"labels", "int x; int main(void) {" + strings.Repeat("case", 1) + "", false},
		{"declarations", strings.Repeat("int a;\n", 50_000) + "int main(void) { return a; }", true},
		{"a line of 10 MB", "int main(void) { return 0; } /*" + strings.Repeat("x", 10_000_000) + "*/", true},
		{"a line of 10 MB of blanks", "int main(void) { return" + strings.Repeat(" ", 10_000_000) + "0; }", true},
		{"a name of 1 MB", "int " + strings.Repeat("x", 1_000_000) + "; int main(void) { return 0; }", true},
		{"a string of 1 MB", "char *s = \"" + strings.Repeat("x", 1_000_000) + "\"; int main(void) { return 0; }", true},
		{"NUL", "int main(void) { return 0; }\x00", false},
		{"binary", "\x7fELF\x02\x01\x01\xff\xfe\xfd\x80", false},
		{"latin 1", "int main(void) { return 0; } /* \xe4\xf6\xfc */", true},
		{"bom", "\xef\xbb\xbfint main(void) { return 0; }", true},
		{"crlf", "int main(void)\r\n{\r\n  return 0;\r\n}\r\n", true},
		{"open comment", "int main(void) { return 0; } /* ", false},
		{"open string", "int main(void) { return \"", false},
		{"open brace", "int main(void) {", false},
		{"only braces", "}}}}}}}", false},
		{"unknown directive", "#frobnicate\nint main(void) { return 0; }", false},
		{"macro recursion", "#define A B\n#define B A\nint A; int main(void) { return A; }", true},
		{"self include", "#include \"in.c\"\nint main(void) { return 0; }", false},
		{"huge constant", "int main(void) { return 99999999999999999999999999; }", true}, // gcc warns
		{"huge shift", "int x; int main(void) { return x << 1000000; }", true},
		{"division by zero", "int x = 1 / 0; int main(void) { return x / 0 + 1 % 0; }", true},
		{"a star and the end", "int *", false},
		{"a star and a semicolon", "int main(void) { return 0; } int *;\n", false},
		{"a star in a body", "int main(void) { int *; }", false},
		{"a star in a struct", "struct s { int *; };", false},
		{"only a star", "*\x10", false},
		{"a quote, a backslash and the end", "int x; '\\", false},
		{"a quote, a backslash, a newline and the end", "int main(void) { return 'a\\\n", false},
		{"a macro that ends in a backslash", "int main(void) { return 0; }\n#define X 1 \\\n", true},
		{"nested blocks and declarations", "int main(void) {" + strings.Repeat("{ int x;", 2_500) + strings.Repeat("}", 2_500) + "}", true},
		{"nested conditionals", "int x; int main(void) {" + strings.Repeat("if (x) {", 3_000) + "x = 1;" + strings.Repeat("}", 3_000) + "}", true},
		{"nested switches", "int x; int main(void) {" + strings.Repeat("switch (x) { case 1:", 1_500) + "x = 1;" + strings.Repeat("}", 1_500) + "}", true},
		{"nested structs", strings.Repeat("struct {", 2_000) + "int x;" + strings.Repeat("} s;", 2_000) + "int main(void) { return 0; }", true},
		{"nested pointers", "int " + strings.Repeat("*", 5_000) + "p; int main(void) { return " + strings.Repeat("*", 5_000) + "p; }", true},
		{"nested declarators", "int " + strings.Repeat("(*", 2_000) + "p" + strings.Repeat(")(void)", 2_000) + "; int main(void) { return p != 0; }", true},
		{"nested subscripts", "int a[9], x; int main(void) { return " + strings.Repeat("a[", 3_000) + "x" + strings.Repeat("]", 3_000) + "; }", true},
		{"nested initialisers", "int x = " + strings.Repeat("{", 3_000) + "1" + strings.Repeat("}", 3_000) + "; int main(void) { return x; }", true},
		{"nested statement expressions", "int x; int main(void) { return " + strings.Repeat("({", 500) + "x" + strings.Repeat(";})", 500) + "; }", true},
		{"many lines", "int x;\nint main(void) {\n" + strings.Repeat("x = x + 1;\n", testkit.Count(6_000, 100_000)) + "return 0;\n}\n", true},
		{"functions", manyFunctions(testkit.Count(4_000, 10_000)), true},
		{"a struct that contains itself", "struct s { struct s a; } v; int main(void) { return 0; }", false},
		{"structs that contain each other", "struct a { struct b *p; struct c { struct a *q; } c; }; struct b { struct a a; } v; int main(void) { return v.a.p == 0; }", true},
		{"a union that contains itself", "union u { int x; union u y[2]; } v; int main(void) { return 0; }", false},
		{"a typedef of itself", "typedef T T; T x; int main(void) { return 0; }", false},
		{"a variable in its own type", "int x[sizeof x]; int main(void) { return 0; }", false},
		{"an enumerator in its own value", "enum { A = A + 1 }; int main(void) { return A; }", false},
		{"a huge array", "int a[1 << 30]; int main(void) { return a[5]; }", true},
		{"an array of huge arrays", "char a[1l << 40][1l << 20]; int main(void) { return a[5][6]; }", true},
		{"an array larger than memory", "int a[1l << 60][1l << 60]; int main(void) { return a[5][6]; }", false},
		{"a negative array", "int a[-1]; int main(void) { return 0; }", false},
		{"a huge local array", "int main(void) { int a[1 << 30] = { 1, 2 }; return a[1]; }", true},
		{"a large initialiser", "int a[] = {" + strings.Repeat("1, 2, 3, 4, 5, 6, 7, 8, 9, 10,\n", testkit.Count(3_000, 10_000)) + "}; int main(void) { return a[9]; }", true},
		{"a large range in an initialiser", "int a[2000000] = { [0 ... 1000000] = 7 }; int main(void) { return a[9]; }", true},
		{"a huge range in an initialiser", "int a[1 << 30] = { [0 ... (1 << 30) - 1] = 7 }; int main(void) { return a[9]; }", true},
		{"a far element in an initialiser", "char a[] = { [1 << 30] = 7 }; int main(void) { return a[9]; }", true},
		{"a huge range of cases", "int x; int main(void) { switch (x) { case 0 ... 2000000000: return 1; } return 0; }", true},
		{"cases", "int x; int main(void) { switch (x) {" + enumerated("case %d: x = %d; break;\n", testkit.Count(4_000, 10_000)) + "} return 0; }", true},
		{"labels in a row", "int x; int main(void) {" + enumerated("l%d: x = %d;\n", testkit.Count(4_000, 10_000)) + "goto l5; }", true},
		{"10,000 enumerators", "enum {" + enumerated("e%d = %d,\n", 10_000) + "}; int main(void) { return e9; }", true},
		{"1,000 parameters", "int f(" + strings.TrimSuffix(enumerated("int a%d,\n", 1_000), ",\n") + ") { return a9; } int main(void) { return 0; }", true},
		{"a macro that doubles itself", doubling(14) + "int main(void) { return M14; }", true},
		{"an unfinished macro call", "#define F(x) x\nint main(void) { return F(1; }", false},
		{"an unfinished conditional", "#if 1\nint main(void) { return 0; }", false},
		{"else without if", "#else\nint main(void) { return 0; }", false},
		{"nested conditional groups", strings.Repeat("#if 1\n", 5_000) + "int main(void) { return 0; }\n" + strings.Repeat("#endif\n", 5_000), true},
		{"a division by zero in a directive", "#if 1 / 0\n#endif\nint main(void) { return 0; }", false},
		{"an error directive", "#error stop\nint main(void) { return 0; }", false},
		{"a call with missing arguments", "int f(int a, int b) { return a; } int main(void) { return f(1); }", false},
		{"an undeclared variable", "int main(void) { return y; }", false},
		{"a member of an integer", "int main(void) { int x; return x.y; }", false},
		{"an unknown member", "struct s { int a; } v; int main(void) { return v.b; }", false},
		{"an incomplete struct", "struct s v; int main(void) { return v.b; }", false},
		{"an undefined label", "int main(void) { goto l; }", false},
		{"a case outside of a switch", "int main(void) { case 1: return 0; }", false},
		{"a break outside of a loop", "int main(void) { break; }", false},
		{"a return with a struct for an int", "struct s { int a; } v; int main(void) { return v; }", false},
		{"numbers for a struct", "double fabs(double); struct s { int a[3]; } v = {}; double d; int main(void) { v = fabs(d); v = __builtin_inf(); v = __builtin_fmin(d, d); struct s w = d ? __builtin_fmax(d, d) : fabs(d); return w.a[0]; }", true},
		{"a duplicate case", "int x; int main(void) { switch (x) { case 1: case 1: return 0; } return 1; }", false},
		{"a void variable", "void x; int main(void) { return 0; }", false},
		{"an array of functions", "int f[3](void); int main(void) { return 0; }", false},
		{"a function that returns an array", "int f(void)[3]; int main(void) { return 0; }", false},
		{"a bit-field that is too wide", "struct { int a : 40; } s; int main(void) { return 0; }", false},
		{"two types", "int float x; int main(void) { return 0; }", false},
		{"a called integer", "int x; int main(void) { return x(); }", false},
		{"a dereferenced integer", "int x; int main(void) { return *x; }", false},
		{"dollar", "int $x; int main(void) { return $x; }", true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			file := source.NewFile("in.c", []byte(test.text))
			u, err := Load(context.Background(), []*source.File{file}, Options{ReadFile: func(name string) ([]byte, error) {
				if name == "in.c" {
					return file.Text, nil
				}
				return noFiles(name)
			}})
			if test.ok != (err == nil) {
				t.Errorf("accepted: %v, want %v: %.500v", err == nil, test.ok, err)
			}
			if err != nil && !source.IsInput(err) {
				t.Errorf("not an input error: %.500v", err)
			}
			if err != nil && len(err.Error()) > 5000 {
				t.Errorf("the message has %d bytes", len(err.Error()))
			}
			if err == nil && u.Program.Entry == nil {
				t.Error("no entry")
			}
		})
	}
}

// enumerated is n copies of format, with a number in each.
func enumerated(format string, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(format, "%d", fmt.Sprint(i)))
	}
	return b.String()
}

// manyFunctions is a program of n functions, each of which calls the one before.
func manyFunctions(n int) string {
	var b strings.Builder
	b.WriteString("int f0(int x) { return x; }\n")
	for i := 1; i < n; i++ {
		fmt.Fprintf(&b, "int f%d(int x) { if (x > %d) return f%d(x - 1); return x; }\n", i, i, i-1)
	}
	fmt.Fprintf(&b, "int main(void) { return f%d(1); }\n", n-1)
	return b.String()
}

// doubling defines macros of which the last, Mn, expands to 2^n tokens.
func doubling(n int) string {
	var b strings.Builder
	b.WriteString("#define M0 +1\n")
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "#define M%d M%d M%d\n", i, i-1, i-1)
	}
	return b.String()
}

func TestCyclicInclude(t *testing.T) {
	headers := map[string]string{"a.h": "#include \"b.h\"\n", "b.h": "#include \"a.h\"\n"}
	_, err := load(t, "#include \"a.h\"\nint main(void) { return 0; }\n", Options{ReadFile: func(name string) ([]byte, error) {
		if s, ok := headers[name]; ok {
			return []byte(s), nil
		}
		return nil, os.ErrNotExist
	}})
	if err == nil || !strings.Contains(err.Error(), "included") || !source.IsInput(err) {
		t.Errorf("got %v", err)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := Load(ctx, []*source.File{source.NewFile("in.c", []byte("int main(void) { return 0; }"))}, Options{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestDeterminism: the same files give the same program, text for text.
func TestDeterminism(t *testing.T) {
	for _, path := range archives(t, "testdata/lower/*.txtar") {
		a := readArchive(t, path)
		var first string
		for i := 0; i < 5; i++ {
			u, err := Load(context.Background(), a.c, a.opts)
			if err != nil {
				t.Fatal(err)
			}
			s := u.Program.String() + short(u.Diags) + texts(u.Program, true)
			if i == 0 {
				first = s
			} else if s != first {
				t.Errorf("%s: run %d differs", path, i)
			}
		}
	}
}

// TestLeakedParameters is about the defect of the C parser that scrub works
// around: an identifier does not mean a parameter of a cast.
func TestLeakedParameters(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`int g(int x){void*q;{q=(void*)((int(*)(int x,long y))q);return x;}} int main(void) { return g(1); }`, "result x"},
		{`int g(int x){void*q;{q=(void*)((int(*)(int x))q); q=(void*)((int(*)(int x))q);return x;}} int main(void) { return g(1); }`, "result x"},
		{`int x = 3; int f(int (*)(int x)) { return x; } int main(void) { return f(0); }`, `\result := x`},
		{`int x = 3; struct s { int a; }; int main(void) { { void *q = (int (**)(struct s *x, unsigned (*x2)(int x)))0; return x; } }`, `\result := x`},
		{`int x = 3; typedef int T; int main(void) { { void *q = (T (*const)(T x, const T *y, T z[3], ...))0; return x; } }`, `\result := x`},
		// A name that hides a type.
		{`typedef int T; int main(void) { void *q = (int (*)(int T))0; T y = 3; return y; }`, `y := 3`},
		// Names that come from a macro.
		{"#define P (int x, long y)\nint g(int x){void*q;{q=(void*)((int(*)P)q);return x;}} int main(void) { return g(1); }", "result x"},
		{"#define P int x\nint f(int x) { return x; } int main(void) { { } return ((int (*)(P))f)(2); }", "result"}, // a block without names
		{"#define P int x, int (*f)(int y)\nint g(int y, P){ return ((int(*)(P))f)(x, 0) + y; } int main(void) { return g(1, 2, 0); }", "+ y"},
	} {
		u := mustLoad(t, test.text, Options{})
		if s := u.Program.String(); !strings.Contains(s, test.want) {
			t.Errorf("%s\ndoes not have %q:\n%s", test.text, test.want, s)
		}
	}
}

// TestReentry: a variable of a block is arbitrary each time the block is entered,
// whatever it held before.
func TestReentry(t *testing.T) {
	const text = `int main(void) { for (int i = 0; i < 2; i++) { int y; if (i == 0) y = 7; } return 0; }`
	havocs := 0
	for _, n := range mustLoad(t, text, Options{}).Program.Entry.Nodes {
		if _, ok := n.Stmt.(*core.Havoc); ok {
			havocs++
		}
	}
	if havocs != 1 {
		t.Errorf("%d havocs", havocs)
	}
}

// TestManyErrors: every error is reported once, in order.
func TestManyErrors(t *testing.T) {
	var b strings.Builder
	b.WriteString("int main(void) {\n")
	for i := 0; i < 50; i++ {
		fmt.Fprintf(&b, "  undeclared%d = 1;\n", i)
	}
	b.WriteString("}\n")
	_, err := load(t, b.String(), Options{})
	list, ok := err.(source.List)
	if !ok || len(list) != 50 {
		t.Fatalf("%d errors: %v", len(list), err)
	}
	for i, d := range list {
		if d.Pos.Line != i+2 || d.Quote == "" {
			t.Errorf("error %d: %v", i, d)
		}
	}
}
