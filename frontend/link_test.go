package frontend

import (
	"context"
	"strings"
	"testing"

	"c2bp/source"
)

// TestLinkErrors: what the files of a program must agree on.
func TestLinkErrors(t *testing.T) {
	for _, test := range []struct{ a, b, want string }{
		{"int f(void) { return 1; } int main(void) { return f(); }", "int f(void) { return 2; }", "b.c:1:5: error: function f is defined twice, first at a.c:1:5"},
		{"int f(int); int main(void) { return f(1); }", "int f(int x, int y) { return x; }", "b.c:1:5: error: conflicting types for function f, declared at a.c:1:5"},
		{"int f(int); int main(void) { return f(1); }", "long f(int x) { return x; }", "conflicting types for function f"},
		{"int f(int); int main(void) { return f(1); }", "int f(unsigned x) { return x; }", "conflicting types for function f"},
		{"int x = 1; int main(void) { return x; }", "int x = 2;", "b.c:1:5: error: x is initialised twice, first at a.c:1:5"},
		{"extern int x; int main(void) { return x; }", "long x = 2;", "b.c:1:6: error: conflicting types for x, declared at a.c:1:12"},
		{"extern int x; int main(void) { return x; }", "int *x;", "conflicting types for x"},
		{"int main(void) { return 0; }", "int main(void) { return 1; }", "function main is defined twice"},
		{"int main(void) { return f(1); } static int f(int a) { return a; }", "int g;", "a.c:1:25: error: f is used before it is declared, and then it is static"},
		{"int main(void) { return y; }", "int f(void) { return z; }", "undefined: y"},
	} {
		_, err := Load(context.Background(), files(test.a, test.b), Options{})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s\n%s\ngot %v\nwant %s", test.a, test.b, err, test.want)
		}
	}
	// Errors of all files are reported.
	_, err := Load(context.Background(), files("int main(void) { return y; }", "int f(void) { return z; }"), Options{})
	if list, ok := err.(source.List); !ok || len(list) != 2 {
		t.Errorf("want two errors, got %v", err)
	}
}

// TestLink: what files may share.
func TestLink(t *testing.T) {
	for _, test := range []struct{ a, b, want string }{
		{"int x; int main(void) { return x; }", "int x;", "global x int32"},
		{"extern int x; int main(void) { return x; }", "int x = 7;", "x := 7"},
		{"int f(); int main(void) { return f(1, 2); }", "int f(int a, char b) { return b; }", "f(1, 2)"},
		{"int main(void) { return f(300); }", "int f(unsigned char c) { return c; }", "f(44)"},
		{"static int s = 1; int main(void) { return s; }", "int s = 2;", "a.c::s := 1"},
		{"static int f(void) { return 1; } int main(void) { return f(); }", "int f(void) { return 2; }", "\\result := a.c::f()"},
		{"__attribute__((weak)) int f(void) { return 1; } int main(void) { return f(); }", "int f(void) { return 2; }", "\\result := 2"},
		{"struct s; extern struct s v; struct s *p; int main(void) { p = &v; return 0; }", "struct s { int a; } v;", "global v agg{struct s, 4}"},
		{"int a[]; int main(void) { return a[0]; }", "int a[3] = {1};", "global a agg{int[], 12}"},
	} {
		u, err := Load(context.Background(), files(test.a, test.b), Options{})
		if err != nil {
			t.Errorf("%s\n%s\n%v", test.a, test.b, err)
		} else if s := u.Program.String(); !strings.Contains(s, test.want) {
			t.Errorf("%s\n%s\ndoes not have %q:\n%s", test.a, test.b, test.want, s)
		}
	}
}

func files(a, b string) []*source.File {
	return []*source.File{source.NewFile("a.c", []byte(a)), source.NewFile("b.c", []byte(b))}
}

// TestDiagnosticsQuote: every diagnostic quotes the line that it is about.
func TestDiagnosticsQuote(t *testing.T) {
	text := "long double d; extern volatile int v; int x;\nint main(void)\n{\n  x = d;\n# 40 \"other.c\"\n  x = v;\n  return d == 0;\n}\n"
	u := mustLoad(t, text, Options{})
	quotes := map[string]string{}
	for _, d := range u.Diags {
		quotes[d.Pos.String()] = d.Quote
	}
	for pos, want := range map[string]string{"in.c:4:7": "  x = d;", "other.c:40:7": "  x = v;", "other.c:41:10": "  return d == 0;"} {
		if quotes[pos] != want {
			t.Errorf("%s quotes %q, want %q (all: %v)", pos, quotes[pos], want, quotes)
		}
	}
}
