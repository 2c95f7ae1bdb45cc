package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A violation of the abstraction is one of C if it was replayed, and only then.
func TestFormulaReplays(t *testing.T) {
	const head = "extern int __VERIFIER_nondet_int(void); void exit(int);\nint x, y, z; static int up(unsigned v) { L: z = 1; if (v == 5) return 5; return 0; }\n"
	for _, c := range []struct{ name, body, formula, want string }{
		{"any value", "x = __VERIFIER_nondet_int(); L: return 0;", "G (@L -> {x == 3})", "FALSE (formula, in.c:3)"},
		{"one value", "x = __VERIFIER_nondet_int(); L: return 0;", "G (@L -> {x != 7})", "FALSE (formula, in.c:3)"},
		{"another value", "y = 3; x = y; L: return 0;", "G (@L -> {x == 3})", "TRUE"},
		{"another way", "x = 0; y = 3; z = 3; if (y != z) { L: return 0; }", "G (@L -> {x == 3})", "TRUE"},
		{"before the start", "y = x; return 0;", "G {x == 0}", "TRUE"},
		{"everywhere", "x = 1; x = __VERIFIER_nondet_int(); return 0;", "G {x < 9}", "FALSE (formula, in.c:3)"},
		{"at the start", "x = 1; return 0;", "{x == 1}", "FALSE (formula, in.c:3)"},
		{"a lasso", "for (;;) { x = 0; L: ; }", "G F {x == 1}", "FALSE (formula, in.c:3)"},
		{"a lasso that ends", "y = 9; while (y > 0) { x = 0; y--; } x = 1; for (;;) ; ", "F {x == 1}", "UNKNOWN"},
		{"a lasso with another value", "for (;;) { x = 0; y = 1; x = y; L: ; }", "G F (@L & {x == 1})", "TRUE"},
		{"a lasso that depends on addresses", "void *malloc(unsigned long), free(void *); void *p; do { p = malloc(1); if (!p) return 0; free(p); } while ((unsigned long)p < 1UL << 60); x = 1; for (;;) ;", "F {x == 1}", "UNKNOWN"},
		{"a lasso whose number is rounded", "unsigned n = 0; do { n++; x = 0; } while (up(n >> 3) != 5); x = 1; for (;;) ;", "F {x == 1}", "UNKNOWN"},
		{"an end", "if (__VERIFIER_nondet_int()) exit(1); x = 1; for (;;) ;", "F {x == 1}", "FALSE (formula, in.c:3)"},
		{"what is not reached is none", "if (__VERIFIER_nondet_int()) __builtin_unreachable(); x = 1; for (;;) ;", "F {x == 1}", "UNKNOWN"},
		{"none", "x = 1; L: return 0;", "G (@L -> {x == 1})", "TRUE"},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "in.c")
			if err := os.WriteFile(file, []byte(head+"int main(void) { "+c.body+" }\n"), 0o666); err != nil {
				t.Fatal(err)
			}
			var out, errs bytes.Buffer
			a := &app{stdout: &out, stderr: &errs}
			a.run(t.Context(), []string{"audit", "--ltl", c.formula, file})
			lines := strings.Split(strings.TrimSpace(out.String()), "\n")
			last := strings.ReplaceAll(lines[len(lines)-1], filepath.Dir(file)+"/", "")
			if !strings.HasPrefix(last, "Verification result: "+c.want) {
				t.Errorf("%s, want %s\n%s%s", last, c.want, out.String(), errs.String())
			}
		})
	}
}

// A run along a lasso has the values of the abstraction in objects, too: here those that memory holds before it is set.
func TestFormulaOfObjects(t *testing.T) {
	file := filepath.Join(t.TempDir(), "in.c")
	text := `void *malloc(unsigned long);
struct file { int open; struct file *next; };
struct file *file;
int main(void) {
	for (;;) {
		file = malloc(sizeof *file);
		if (file) { file->open = 1; file->next = 0; }
	}
}
`
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	a := &app{stdout: &out, stderr: &errs}
	a.run(t.Context(), []string{"audit", "--refs", "--ltl", "G F {!open?}", file})
	for _, want := range []string{"Verification result: FALSE (formula, ", "memory for 16 more bytes in each round", "A0.{open != 0} = 1"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s%s", want, out.String(), errs.String())
		}
	}
}
