package frontend

import (
	"slices"
	"strings"
	"testing"

	"c2bp/source"
)

// procsOf is the names of the procedures of a program with a header.
func procsOf(t *testing.T, header, text string, opts Options) (names []string, err error) {
	t.Helper()
	files := []*source.File{source.NewFile("a.c", []byte("# 1 \"a.c\"\n# 1 \"h.h\" 1\n"+header+"\n# 1 \"a.c\" 2\n"+text))}
	u, err := Load(t.Context(), files, opts)
	if err != nil {
		return nil, err
	}
	for _, p := range u.Program.Procs {
		if p.HasBody() {
			names = append(names, p.Name)
		}
	}
	return names, nil
}

// TestReached: each way to reach a function of a header.
func TestReached(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, header, text string }{
		{"call", "static int f(void) { return 1; }", "int main(void) { return f(); }"},
		{"from-header", "static int f(void) { return 1; } static int g(void) { return f(); }", "int main(void) { return g(); }"},
		{"backwards", "static int f(void); static int g(void) { return f(); } static int f(void) { return 1; }", "int main(void) { return g(); }"},
		{"address", "static int f(void) { return 1; }", "int main(void) { int (*p)(void) = f; return p(); }"},
		{"initialiser", "static int f(void) { return 1; } static int (*const table[])(void) = { f };", "int main(void) { return table[0](); }"},
		{"external", "static int f(void) { return 1; } int g(void) { return f(); }", "int main(void) { return 0; }"},
		{"not-static", "int f(void) { return 1; }", "int main(void) { return 0; }"},
		{"cleanup", "static void f(int *p) { }", "int main(void) { __attribute__((cleanup(f))) int x = 0; return x; }"},
		{"cleanup-in-header", "static void f(int *p) { } static int g(void) { __attribute__((cleanup(f))) int x = 0; return x; }", "int main(void) { return g(); }"},
		{"alias", "static int f(void) { return 1; } static int g(void) __attribute__((alias(\"f\")));", "int main(void) { return g(); }"},
		{"constructor", "static void __attribute__((constructor)) f(void) { }", "int main(void) { return 0; }"},
		{"destructor", "__attribute__((destructor)) static void f(void) { }", "int main(void) { return 0; }"},
		{"section", "static __attribute__((section(\".init\"))) void f(void) { }", "int main(void) { return 0; }"},
		{"used", "static __attribute__((__used__)) void f(void) { }", "int main(void) { return 0; }"},
		{"assembly", "static void f(void) { }", "int main(void) { asm volatile(\"nop\\n\\tcall f\\n\"); return 0; }"},
		{"assembly-behind-escape", "static void f(void) { }", "int main(void) { asm volatile(\"call \\\nf\" \"\\tf\\n\"); return 0; }"},
		{"assembly-of-file", "static void f(void) { }\nasm(\".long f\");", "int main(void) { return 0; }"},
		{"operand", "static void f(void) { }", "int main(void) { asm volatile(\"call %0\" :: \"i\"(f)); return 0; }"},
		{"choice", "static int f(int *p) { return 1; } static long g(long *p) { return 1; }", "int main(void) { int x; return _Generic(&x, int *: f, long *: g)(&x); }"},
		{"typeof", "static int f(void) { return 1; }", "int main(void) { __typeof__(({ f(); })) x = 1; return x; }"},
		{"hidden", "static int f(void) { return 1; }", "int main(void) { int f = 2; return f; }"},
		{"macro", "#define call(x) x ## _()\nstatic int f_(void) { return 1; }", "int main(void) { return call(f); }"},
		{"own", "", "static int f(void) { return 1; } int main(void) { return 0; }"},
	} {
		t.Run(test.name, func(t *testing.T) {
			names, err := procsOf(t, test.header, test.text, Options{Whole: true})
			if err != nil || !slices.ContainsFunc(names, func(n string) bool { return n == "f" || n == "f_" }) {
				t.Errorf("%v %v", names, err)
			}
		})
	}
}

// TestNotReached: what is left out is neither lowered nor refused, and takes no part in the rest.
func TestNotReached(t *testing.T) {
	t.Parallel()
	names, err := procsOf(t, `
int setjmp(int *);
static int unused;
struct s { int n; };
static inline struct s *g(struct s *p, int n) { p[n].n = unused++; return p; }
static __inline__ int f(int *b) { struct s t; g(&t, 0); return setjmp(b); }
static int h(void) { return f(0) + __builtin_frob(); }
`, "static int own(struct s *p) { return p->n; }\nint main(void) { struct s s = { 3 }; return own(&s); }", Options{Whole: true})
	if slices.Sort(names); err != nil || strings.Join(names, " ") != "main own" {
		t.Errorf("%v %v", names, err)
	}
}
