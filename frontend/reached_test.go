package frontend

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"c2bp/frontend/core"
)

// TestFromEntry checks that a function that the entry reaches in any way is part of the program.
func TestFromEntry(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, text string
	}{
		{"entry", "int f(void) { return 0; } int main(void) { return 0; }"},
		{"call", "int f(void) { return 1; } int g(void) { return f(); } int main(void) { return g(); }"},
		{"later", "int f(void); int g(void) { return f(); } int main(void) { return g(); } int f(void) { return 1; }"},
		{"address", "int f(void) { return 1; } int main(void) { int (*p)(void) = f; return p(); }"},
		{"given", "int f(void) { return 1; } void out(int (*)(void)); int main(void) { out(f); return 0; }"},
		{"at-exit", "int atexit(void (*)(void)); void f(void) { } int main(void) { atexit(f); return 0; }"},
		{"thread", "typedef unsigned long pthread_t; int pthread_create(pthread_t *, const void *, void *(*)(void *), void *); void *f(void *p) { return p; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return 0; }"},
		{"handler", "void (*signal(int, void (*)(int)))(int); void f(int n) { } int main(void) { signal(2, f); return 0; }"},
		{"model", "void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *)); int f(const void *p, const void *q) { return 0; } int main(void) { int a[2] = { 0 }; qsort(a, 2, 4, f); return 0; }"},
		{"table", "int f(void) { return 1; } static int (*const table[])(void) = { f }; int main(void) { return table[0](); }"},
		{"table-of-tables", "int f(void) { return 1; } struct ops { int (*f)(void); } ops = { f }; struct ops *all[] = { &ops }; int main(void) { return all[0]->f(); }"},
		{"local-table", "int f(void) { return 1; } int main(void) { static int (*table[])(void) = { f }; return table[0](); }"},
		{"compound-literal", "int f(void) { return 1; } struct ops { int (*f)(void); } *ops = &(struct ops) { f }; int main(void) { return ops->f(); }"},
		{"cleanup", "void f(int *p) { } int main(void) { __attribute__((cleanup(f))) int x = 0; return x; }"},
		{"alias", "int f(void) { return 1; } int g(void) __attribute__((alias(\"f\"))); int main(void) { return g(); }"},
		{"weak", "__attribute__((weak)) int f(void) { return 1; } int main(void) { return f(); }"},
		{"constructor", "__attribute__((constructor)) void f(void) { } int main(void) { return 0; }"},
		{"destructor", "__attribute__((destructor)) void f(void) { } int main(void) { return 0; }"},
		{"section", "int f(void) { return 1; } static int (*p)(void) __attribute__((used, section(\"calls\"))) = f; int main(void) { return 0; }"},
		{"assembly", "void f(void) { } int main(void) { asm volatile(\"call f\"); return 0; }"},
		{"file-assembly", "void f(void) { } asm(\".section calls; .quad f\"); int main(void) { return 0; }"},
		{"operand", "void f(void) { } int main(void) { asm volatile(\"call %0\" :: \"i\"(f) : \"memory\"); return 0; }"},
		{"statement-expression", "int f(void) { return 1; } int main(void) { return ({ int x = f(); x; }); }"},
	} {
		t.Run(test.name, func(t *testing.T) {
			opts := Options{}
			if test.name == "entry" {
				opts.Entry = "f"
			}
			names := lowered(mustLoad(t, test.text, opts))
			if !slices.Contains(names, "f") {
				t.Errorf("f is not in %v", names)
			}
		})
	}
}

// lowered are the names of the procedures of u with a body.
func lowered(u *Unit) (names []string) {
	for _, p := range u.Program.Procs {
		if p.HasBody() {
			names = append(names, p.Name)
		}
	}
	return names
}

// TestNotFromEntry checks that unreached functions and variables are neither lowered nor mentioned in
// the ledger or the diagnostics.
func TestNotFromEntry(t *testing.T) {
	t.Parallel()
	u := mustLoad(t, `
int setjmp(int *), other(int);
int unused = 7, used = 2, counted[] = { 1, 2, 3 };
extern int measured[3];
extern typeof(measured) again;
double d;
struct ops { int (*f)(int); };
static int f(int x) { asm volatile ("" : : : "memory"); return other(x) + setjmp(&x); }
static struct ops table = { f }, *tables[] = { &table };
int g(int *restrict p) { unused++; return tables[0]->f(d) + *p; }
int main(void) { if (0) g(&used); return used + sizeof counted + sizeof measured; }
`, Options{})
	if got := strings.Join(lowered(u), " "); got != "main" {
		t.Errorf("procedures: %s", got)
	}
	var globals []string
	for _, v := range u.Program.Globals {
		globals = append(globals, v.Name)
	}
	if got := strings.Join(globals, " "); got != "used counted" {
		t.Errorf("variables: %s", got)
	}
	for _, line := range u.Program.Ledger {
		if !strings.HasPrefix(line, "integers:") {
			t.Errorf("ledger: %s", line)
		}
	}
	if len(u.Diags) > 0 {
		t.Errorf("%v", u.Diags)
	}
}

// TestMeasuredAndRead checks that a variable of other files is part of the program if that reads it, and not only asks
// for its size.
func TestMeasuredAndRead(t *testing.T) {
	t.Parallel()
	u := mustLoad(t, "extern int v[3]; int main(void) { return sizeof v + v[0]; }", Options{})
	if g := u.Program.Globals; len(g) != 1 || g[0].Name != "v" || !g[0].Foreign {
		t.Errorf("globals: %v", g)
	}
}

// TestStated: what is decided while the program is read counts as a property, and what is not
// reached is named.
func TestStated(t *testing.T) {
	t.Parallel()
	const head = "void __VERIFIER_assert(int), reach_error(void);\n"
	for _, test := range []struct{ name, text, asserted, elsewhere string }{
		{"assertion", "int main(void) { __VERIFIER_assert(sizeof(int) == 4); return 0; }", "__VERIFIER_assert(sizeof(int) == 4);", ""},
		{"both hold", "int main(void) { __VERIFIER_assert(3 == 3 && sizeof(int) == 4); return 0; }", "__VERIFIER_assert(3 == 3 && sizeof(int) == 4)", ""},
		{"label", "int main(void) { if (sizeof(int) != 4) goto ERROR; return 0; ERROR: return 1; }", "ERROR:", ""},
		{"call", "void f(void) { reach_error(); } int main(void) { if (0) f(); return 0; }", "reach_error()", ""},
		{"table", "void f(void) { reach_error(); } void (*t[])(void) = { f }; int main(void) { if (0) t[0](); return 0; }", "reach_error()", ""},
		{"elsewhere", "void f(void) { reach_error(); } static void g(int x) { __VERIFIER_assert(x); } int main(void) { return 0; }", "", "f and g"},
		{"label elsewhere", "void f(void) { L: ERROR: return; } void g(void) { L: reach_error(); } int main(void) { void (*f)(void) = 0; return !f; }", "", "g and f"},
		{"no property", "int main(void) { L: return 0; }", "", ""},
	} {
		u := mustLoad(t, head+test.text, Options{})
		text := ""
		for _, n := range u.Program.Entry.Nodes {
			if _, asserts := n.Stmt.(*core.Assert); asserts || slices.Contains(n.Labels, "ERROR") {
				text = n.Text
			}
		}
		if text != test.asserted || u.Program.Elsewhere.WithLabels([]string{"ERROR", "M"}).String() != test.elsewhere {
			t.Errorf("%s: states %q and, elsewhere, %q:\n%s", test.name, text, u.Program.Elsewhere, u.Program)
		}
	}
}

// TestHeaderBodies checks which functions of headers are read: static ones wait until something mentions them, unless they
// are called without that.
func TestHeaderBodies(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, test := range []struct {
		name, header string
		read         bool
	}{
		{"plain", "static inline void f(void) { event(); }", false},
		// The flag of a warning that is printed once is in a section of its own.
		{"variable in a section", "static inline void f(void) { static int once __attribute__((section(\".data.once\"))); once = 1; event(); }", false},
		{"external", "void f(void) { event(); }", true},
		{"constructor", "static __attribute__((constructor)) void f(void) { event(); }", true},
		{"constructor with a variable", "static void __attribute__((constructor)) f(void) { static int once __attribute__((section(\".data.once\"))); once = 1; event(); }", true},
		{"in a section", "static void f(void) __attribute__((section(\"calls\"))); static __attribute__((section(\"calls\"))) void f(void) { event(); }", true},
		{"mentioned", "static inline void f(void) { event(); } static inline void g(void) { f(); } int h(void) { g(); return 0; }", true},
		{"by a variable", "static void f(void) { event(); } static void (*p)(void) __attribute__((used)) = f;", true},
	} {
		name := strings.ReplaceAll(test.name, " ", "-") + ".h"
		if err := os.WriteFile(filepath.Join(dir, name), []byte("extern void event(void);\n"+test.header+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		u := mustLoad(t, "#include \""+name+"\"\nint main(void) { return 0; }", Options{IncludePaths: []string{dir}})
		if got := len(u.Mentions([]string{"event"})) > 0; got != test.read {
			t.Errorf("%s: read: %v", test.name, got)
		}
	}
}
