package frontend

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const endingPrelude = `extern void assert(int);
extern int atexit(void (*)(void));
extern int at_quick_exit(void (*)(void));
extern int on_exit(void (*)(int, void *), void *);
extern int __cxa_atexit(void (*)(void *), void *, void *);
_Noreturn extern void exit(int), _exit(int), quick_exit(int), abort(void);
int s;
`

// endings are programs and whether an assertion fails in them.
var endings = []struct {
	text  string
	fails bool
}{
	{"void f(void) { assert(0); } int main(void) { atexit(f); return 0; }", true},
	{"void f(void) { assert(0); } int main(void) { atexit(f); exit(0); }", true},
	{"void f(void) { assert(0); } void g(void) { exit(0); } int main(void) { atexit(f); g(); for (;;); }", true},
	{"void f(void) { assert(0); } int main(void) { atexit(f); _exit(0); }", false},
	{"void f(void) { assert(0); } int main(void) { atexit(f); abort(); }", false},
	{"void f(void) { assert(0); } int main(void) { atexit(f); quick_exit(0); }", false},
	{"void f(void) { assert(0); } int main(void) { at_quick_exit(f); quick_exit(0); }", true},
	{"void f(void) { assert(0); } int main(void) { at_quick_exit(f); return 0; }", false},
	{"void f(void) { assert(s); } int main(void) { if (s) atexit(f); return 0; }", false},
	{"void f(void) { assert(s == 1); s = 2; } void g(void) { assert(s == 0); s = 1; } int main(void) { atexit(f); atexit(g); return 0; }", false},
	{"void f(void) { assert(s == 0); s = 1; } void g(void) { assert(s == 1); s = 2; } int main(void) { atexit(f); atexit(g); return 0; }", true},
	{"void f(void) { assert(++s < 2); } int main(void) { atexit(f); atexit(f); return 0; }", true},
	{"void f(void) { assert(++s < 33); } int main(void) { for (int i = 0; i < 33; i++) atexit(f); return 0; }", true},
	{"void f(void) { assert(++s < 40); } int main(void) { for (int i = 0; i < 39; i++) atexit(f); return 0; }", false},
	{"void f(void) { s++; } int main(void) { for (int i = 0; i < 32; i++) assert(atexit(f) == 0); return 0; }", false},
	{"void f(void) { assert(s++ == 9); } void g(void) { assert(s++ < 9); } int main(void) { atexit(f); for (int i = 0; i < 9; i++) atexit(g); return 0; }", false},
	{"void h(void) { assert(s == 1); s = 2; } void g(void) { s = 1; atexit(h); } void f(void) { assert(s == 2); } int main(void) { atexit(f); atexit(g); return 0; }", false},
	{"void f(void) { assert(0); } void g(void) { exit(1); } int main(void) { atexit(f); atexit(g); return 0; }", true},
	{"void f(void) { assert(0); } void g(void) { _exit(1); } int main(void) { atexit(f); atexit(g); return 0; }", false},
	{"void f(int n, void *p) { assert(n == 3 && p == &s); } int main(void) { on_exit(f, &s); return 3; }", false},
	{"void f(int n, void *p) { assert(n != 3); } int main(void) { on_exit(f, &s); exit(3); }", true},
	{"void f(int n, void *p) { assert(p != &s); } int main(void) { on_exit(f, &s); exit(3); }", true},
	{"void f(void *p) { assert(p != &s); } int main(void) { __cxa_atexit(f, &s, 0); exit(3); }", true},
	{"void f(void) { assert(s++ == 2); } void g(int n, void *p) { assert(s++ == 1); } void h(void *p) { assert(s++ == 0); } " +
		"int main(void) { atexit(f); on_exit(g, 0); __cxa_atexit(h, 0, 0); return 0; }", false},
	{"void f(void) { assert(s == 9); } void g(int n, void *p) { s++; } int main(void) { atexit(f); for (int i = 0; i < 9; i++) on_exit(g, 0); return 0; }", false},
	{"__attribute__((destructor)) void f(void) { assert(0); } int main(void) { return 0; }", true},
	{"__attribute__((__destructor__(200))) void f(void) { assert(0); } int main(void) { exit(0); }", true},
	{"__attribute__((destructor)) void f(void) { assert(0); } int main(void) { _exit(0); }", false},
	{"__attribute__((destructor)) void f(void) { assert(s == 1); } void g(void) { s = 1; } int main(void) { atexit(g); return 0; }", false},
	{"__attribute__((destructor)) void f(void) { assert(s == 1); } __attribute__((destructor)) void g(void) { s = 1; } int main(void) { return 0; }", false},
	{"__attribute__((destructor(200))) void f(void) { assert(s == 1); } __attribute__((destructor(300))) void g(void) { s = 1; } int main(void) { return 0; }", false},
	{"__attribute__((destructor(300))) void f(void) { assert(s == 1); } __attribute__((destructor(200))) void g(void) { s = 1; } int main(void) { return 0; }", true},
	{"__attribute__((destructor(200))) void f(void) { assert(s == 1); } __attribute__((destructor)) void g(void) { s = 1; } int main(void) { return 0; }", false},
	{"void g(void) { assert(0); } __attribute__((destructor)) void f(void) { atexit(g); } int main(void) { return 0; }", true},
	{"void f(void) { assert(s == 0); } __attribute__((constructor)) void c(void) { atexit(f); } int main(void) { s = 1; return 0; }", true},
	{"void f(void) { assert(0); } int main(void) { int (*p)(void (*)(void)) = atexit; p(f); return 0; }", true},
	{"void f(void) { assert(0); } int main(void) { void (*p)(int) = exit; atexit(f); p(0); }", true},
	{"int other(void (*)(void)) __asm__(\"atexit\"); void f(void) { assert(0); } int main(void) { other(f); return 0; }", true},
	{"static int quit(int (*p)(void (*)(void))) { return 0; } static void (*exit_)(int) = exit; int main(void) { quit(atexit); exit_(0); }", false},
	{"void f(void) { assert(0); } int main(int n, char **v) { atexit(f); if (n == 77) return main(0, v); return 0; }", true},
	{"void f(void) { assert(s == 1); } int main(int n, char **v) { if (n == 0) { s = 1; return 0; } atexit(f); main(0, v); return 0; }", false},
}

// TestEndings: what happens at the end of a program, as with gcc.
func TestEndings(t *testing.T) {
	_, missing := exec.LookPath("gcc")
	for _, test := range endings {
		text := endingPrelude + test.text
		if got := someRunFails(t, text); got != test.fails {
			t.Errorf("%s\nan assertion fails: %v", test.text, got)
		}
		if missing == nil && test.fails != failsForReal(t, text) {
			t.Errorf("%s\ngcc disagrees", test.text)
		}
	}
}

// failsForReal compiles and runs a program, and reports whether an assertion fails.
func failsForReal(t *testing.T, text string) bool {
	t.Helper()
	file := filepath.Join(t.TempDir(), "p.c")
	text += "\nvoid assert(int e) { if (!e) _exit(98); }\n"
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("gcc", "-w", "-fno-builtin", "-o", file+".exe", file).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var exit *exec.ExitError
	err := exec.Command(file + ".exe").Run()
	return errors.As(err, &exit) && exit.ExitCode() == 98
}

// TestPerhapsExit: what calls what is registered, or may.
func TestPerhapsExit(t *testing.T) {
	for _, test := range []struct {
		text  string
		fails bool
	}{
		{"_Noreturn void errx(int); void f(void) { assert(0); } int main(void) { atexit(f); errx(1); }", true},
		{"_Noreturn void errx(int); void f(void) { assert(0); } int main(void) { void (*p)(int) = errx; atexit(f); p(1); }", true},
		{"_Noreturn void errx(int); void f(void) { assert(s); } int main(void) { s = 1; atexit(f); errx(1); }", false},
		{"_Noreturn void errx(int *); void f(void) { assert(0); } int main(void) { atexit(f); __attribute__((cleanup(errx))) int x; for (;;) break; _exit(0); }", false},
		{"_Noreturn void errx(int *); void f(void) { assert(0); } int main(void) { atexit(f); { __attribute__((cleanup(errx))) int x; } _exit(0); }", true},
		{startThread + "void *f(void *p) { exit(0); } void g(void) { assert(0); } int main(void) { pthread_create(&t, 0, f, 0); atexit(g); for (;;); }", true},
		{startThread + "void *f(void *p) { exit(0); } void g(int n, void *p) { assert(p != &s); } int main(void) { pthread_create(&t, 0, f, 0); on_exit(g, &s); for (;;); }", true},
	} {
		if got := someRunFails(t, endingPrelude+test.text); got != test.fails {
			t.Errorf("%s\nan assertion fails: %v", test.text, got)
		}
	}
}

// TestEndingIsOptional: a program that registers nothing is as it was, whatever headers
// declare.
func TestEndingIsOptional(t *testing.T) {
	for _, text := range []string{
		"#include <stdlib.h>\nint main(void) { exit(0); }",
		"int atexit(void (*f)(void)) { return 0; } void f(void) { } int main(void) { return atexit(f); }",
		"int main(void) { int atexit = 0; return atexit; }",
	} {
		if s := mustLoad(t, text, Options{}).Program.String(); strings.Contains(s, "__c2bp") {
			t.Errorf("%s\n%s", text, s)
		}
	}
	p := mustLoad(t, endingPrelude+"void f(void) { } int main(void) { atexit(f); return 0; }", Options{Open: true}).Program
	if len(p.Ledger) > 0 || strings.Contains(p.String(), "extern proc") || !strings.Contains(p.String(), "__c2bp_plain0 := null") {
		t.Errorf("with --open:\n%s", p)
	}
}

// TestSections: attributes by which functions are called that nobody mentions.
func TestSections(t *testing.T) {
	const text = "void f(void) { } static void (*p)(void) __attribute__((section(\".fini_array\"), used)) = f; int x __attribute__((section(\".data\"))); int main(void) { return 0; }"
	if got := mustLoad(t, text, Options{}).Program.Ledger; len(got) != 1 || got[0] != "the functions in section .fini_array are not called" {
		t.Errorf("%q", got)
	}
	_, err := load(t, "static void *pick(void) { return 0; } int f(void) __attribute__((ifunc(\"pick\"))); int main(void) { return f(); }", Options{})
	if err == nil || !strings.Contains(err.Error(), "the attribute ifunc is not supported") {
		t.Errorf("got %v", err)
	}
}
