package frontend

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"c2bp/frontend/ccfix"
	"c2bp/internal/testkit"
)

// hostile are arguments that no intrinsic expects, and some that one of them does.
var hostile = []string{
	"", "1", "1.5", "&x", "s", `"text"`, "f", "1, 2", "&x, 1", "s, s", "1, 2, 3", "1, 2, &x", "1, 2, &s", "1, 2, &d", "1, 2, f",
	"&s, &s, &s", "v, 1, &v", "x, s, &x", "1, 2, 3, 4, 5, 6, 7", "(void)0", "b.n, b.n, &b", "p, 1, &p", "w, w, &w", "&w, w, 1",
}

// TestHostileArguments: with any arguments, a call of an intrinsic is refused, or means
// something: it is never a broken program, nor the end of the front end.
func TestHostileArguments(t *testing.T) {
	t.Parallel()
	var names []string
	for name := range intrinsics {
		names = append(names, name)
	}
	for name := range bitFunctions {
		names = append(names, name)
	}
	for name := range primitives {
		names = append(names, name)
	}
	for name := range atomicOperations {
		names = append(names, name)
	}
	for name := range mathFunctions {
		names = append(names, "__builtin_"+name)
	}
	for _, op := range []string{"add", "sub", "mul"} {
		names = append(names, "__builtin_"+op+"_overflow", "__builtin_"+op+"_overflow_p", "__builtin_s"+op+"l_overflow", "__builtin_u"+op+"ll_overflow")
	}
	names = append(names, "__sync_fetch_and_add", "__sync_val_compare_and_swap", "__atomic_load_n", "__atomic_exchange",
		"__atomic_compare_exchange_n", "__atomic_test_and_set", "__atomic_add_fetch", "__VERIFIER_nondet_int", "__VERIFIER_nondet_memory", "klee_make_symbolic", "klee_range", "ffs")
	accepted := 0
	slices.Sort(names)
	for k, name := range names {
		declaration := ""
		if !ccfix.IsBuiltinName(name) && !strings.HasPrefix(name, "__c2bp_") {
			declaration = "extern int " + name + "();\n"
		}
		for i, arguments := range hostile {
			if (i+k)%8 != 0 && !testkit.Long() {
				continue
			}
			text := fmt.Sprintf("%sstruct { int a; char *q; } s; struct { int n : 3; } b; int x, *p; double d; __attribute__((vector_size(16))) int v; __int128 w; void f(void);\n"+
				"int main(void) { %s(%s); %s return 0; }\n", declaration, name, arguments, []string{"", fmt.Sprintf("x = %s(%s);", name, arguments)}[i%2])
			_, err := load(t, text, Options{})
			switch {
			case err == nil:
				accepted++
			case strings.Contains(err.Error(), "internal error"):
				t.Errorf("%s%v", text, err)
			}
		}
	}
	if accepted < 100 {
		t.Errorf("%d calls are accepted: the rest says little", accepted)
	}
}

// TestConditions: a call of an assertion without a condition is refused, not taken for a
// function that says nothing.
func TestConditions(t *testing.T) {
	for _, name := range []string{"__VERIFIER_assert", "__CPROVER_assert", "__ESBMC_assume", "klee_assume"} {
		_, err := load(t, "struct { int a; } s; void "+name+"(); int main(void) { "+name+"(); }", Options{})
		if err == nil || !strings.Contains(err.Error(), name+" takes a condition") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
