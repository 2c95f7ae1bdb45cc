package frontend

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestDropped: nothing is left in gcc's object file of functions that are said to be dropped. In the programs all static
// functions have asm in them, so that gcc does not merge or inline what it keeps.
func TestDropped(t *testing.T) {
	for _, c := range []struct{ text, dropped string }{
		// Nothing leads to f.
		{`F(f) int main(void) { return 0; }`, "f"},
		{`F(f) int main(void) { return 0; } int g(void) { return f(); }`, ""},
		{`F(f) static int g(void) { return f(); } int main(void) { return 0; }`, "f g"},
		// Tables.
		{`F(f) static int (*const table[])(void) = { f }; int main(void) { return 0; }`, "f"},
		{`F(f) int (*const table[])(void) = { f }; int main(void) { return 0; }`, ""},
		{`F(f) static int (*table)(void) __attribute__((used)) = f; int main(void) { return 0; }`, ""},
		{`F(f) static int (*table)(void) __attribute__((section("list"), used)) = f; int main(void) { return 0; }`, ""},
		{`F(f) int main(void) { static int (*const t[])(void) = { f }; int (*volatile g)(void) = t[0]; return g(); }`, ""},
		// Parameters that nothing looks at.
		{`F(f) static inline int listen(int (*f)(void)) { return -19; } int main(void) { return listen(f); }`, "f"},
		{`F(f) static inline int listen(int n, int (*f)(void)) { return n; } int main(void) { return listen(2, (f)); }`, "f"},
		{`F(f) static inline int listen(int (*f)(void)) { return f(); } int main(void) { return listen(f); }`, ""},
		{`F(f) int listen(int (*f)(void)); int main(void) { return listen(f); }`, ""},
		{`F(f) static inline int listen(int n) { return -19; } int main(void) { return listen(f()); }`, ""},
		{`F(f) F(g) static inline int listen(int (*a)(void), int (*b)(void)) { return a(); } int main(void) { return listen(f, g); }`, "g"},
		{`F(f) static inline int listen(int n, ...) { return n; } int main(void) { return listen(1, f); }`, ""},
		// Other ways to it.
		{`F(f) int other(void) __attribute__((alias("f"))); int main(void) { return 0; }`, ""},
		{`static int f(void) __attribute__((used)); F(f) int main(void) { return 0; }`, ""},
		{`static int f(void) __attribute__((constructor)); F(f) int main(void) { return 0; }`, ""},
		{`F(f) asm(".globl g\n g: jmp f"); int main(void) { return 0; }`, ""},
		{`F(f) static int named(void) { return f(); } int main(void) { asm volatile("# named"); return 0; }`, ""},
		{`static void h(int *p) { asm volatile(""); } int main(void) { int x __attribute__((cleanup(h))) = 0; return x; }`, ""},
		{`F(f) int main(void) { return sizeof(f()) + sizeof(&f); }`, ""}, // gcc drops it, and is not followed so far
	} {
		text := "#define F(f) static int f(void) { asm volatile(\"\"); return 1; }\n" + c.text + "\n"
		u := mustLoad(t, text, Options{})
		// 1. As said.
		var got []string
		for name := range u.Dropped() {
			got = append(got, name)
		}
		slices.Sort(got)
		want := strings.Fields(c.dropped)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("dropped: %q, expected %q\n%s", got, want, c.text)
		}
		// 2. As gcc says.
		for _, name := range kept(t, text) {
			if u.Dropped()[name] {
				t.Errorf("gcc keeps %s\n%s", name, c.text)
			}
		}
	}
}

// kept returns the functions of which gcc makes code.
func kept(t *testing.T, text string) (names []string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "f.c")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("gcc", "-w", "-O2", "-S", "-o", "-", file).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, m := range regexp.MustCompile(`(?m)^(\w+):`).FindAllStringSubmatch(string(out), -1) {
		names = append(names, m[1])
	}
	return names
}
