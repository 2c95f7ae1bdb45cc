package frontend

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPrelude: programs mean the same whether the prelude is whole or not, and hidden mentions of
// built-in functions are found.
func TestPrelude(t *testing.T) {
	t.Parallel()
	texts := []string{
		"int main(void) { return 0; }",
		"long x; int main(void) { return __builtin_popcountll(x); }",
		"int a; int main(void) { return __sync_fetch_and_add(&a, 1); }",
		"#define CALL(f) __builtin_##f\nint a; int main(void) { return CALL(popcount)(a); }",
		"int a; int main(void) { return __builtin_pop\\\ncount(a); }",
		"#include <stdarg.h>\nint f(int n, ...) { va_list l; va_start(l, n); n = va_arg(l, int); va_end(l); return n; } int main(void) { return f(1, 2); }",
		"#include <stdatomic.h>\natomic_int a; int main(void) { return atomic_fetch_add(&a, 1); }",
		"#include <math.h>\ndouble d; int main(void) { return isnan(d) || signbit(d) || d == INFINITY; }",
		"#include <stddef.h>\nstruct s { int a, b; }; int main(void) { return offsetof(struct s, b); }",
		"#include \"ones.h\"\nint a; int main(void) { return ONES(a); }",
		"#define HEADER \"ones.h\"\n#include HEADER\nint a; int main(void) { return ONES(a); }",
		"#/**/include \"ones.h\"\nint a; int main(void) { return ONES(a); }",
		"#ifdef __has_attribute\n#if __has_attribute(packed) && !__has_attribute(blocks)\nint main(void) { return 0; }\n#endif\n#endif",
		"#ifdef __builtin_expect_with_probability\nint main(void) { return 0; }\n#endif",
		"#if __has_builtin(__builtin_popcount)\nint main(void) { return 0; }\n#endif",
		"int main(void) { return DEFINED(1); }",
		"extern int (__builtin_popcount)(); int main(void) { return 0; }",
	}
	files, err := filepath.Glob("testdata/gcc/*.c")
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	read := func(name string) ([]byte, error) {
		if name == "ones.h" {
			return []byte("#define ONES(x) __builtin_popcount(x)\n"), nil
		}
		return nil, os.ErrNotExist
	}
	for _, text := range texts {
		o := Options{ReadFile: read}
		if strings.Contains(text, "DEFINED") {
			o.Defines = []string{"DEFINED(x)=__builtin_popcount(x)"}
		}
		u, err := load(t, text, o)
		whole, wholeErr := load(t, text+"\n/* include */", o) // may include a file, as far as is seen: the prelude is whole
		switch {
		case wholeErr != nil:
			t.Errorf("%s\n%v", text, wholeErr)
		case err != nil:
			t.Errorf("%s\nwith a part of the prelude: %v", text, err)
		case u.Program.String() != whole.Program.String():
			t.Errorf("%s\nis not the same with a part of the prelude:\n%s\nbut with all of it:\n%s", text, u.Program, whole.Program)
		}
	}
}
