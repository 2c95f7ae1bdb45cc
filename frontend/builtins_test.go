package frontend

import (
	"strings"
	"testing"
)

// This file tests what the prelude says of gcc's built-in functions; what they do is
// compared with gcc in testdata/gcc.

// TestUnknownBuiltins: what is not known is refused, not taken for a function that
// returns an int.
func TestUnknownBuiltins(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"int f(int, ...); int main(void) { return f(1, __builtin_va_arg_pack()); }", "the built-in function __builtin_va_arg_pack is not supported"},
		{"long x; int main(void) { return __sync_frob(&x); }", "the built-in function __sync_frob is not supported"},
	} {
		if _, err := load(t, test.text, Options{}); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s\ngot %v, want %q", test.text, err, test.want)
		}
	}
}

// TestKnownBuiltins: these are accepted, and have the type that gcc gives them.
func TestKnownBuiltins(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"long x; int main(void) { x = __builtin_popcountll(x); return 0; }", "__builtin_popcountll($2)"},
		{"void *p; int main(void) { p = __builtin_return_address(0); return 0; }", "p := __builtin_return_address("},
		{"int a; long r; int main(void) { return __builtin_add_overflow(a, 1, &r); }", "r := (int64)a + 1"},
		{"int a; __int128 r; int main(void) { return __builtin_add_overflow(a, 1, &r); }", "__builtin_add_overflow("},
		{"int *p; int main(void) { return *(int *)__builtin_assume_aligned(p, 4); }", "{int32}*p"},
		{"int a; int main(void) { return __builtin_expect_with_probability(a, 1, 0.9); }", "\\result := a"},
		{"int a; int main(void) { return __builtin_LINE() + a; }", "1 + a"},
		{"int __builtin_popcount(unsigned); long __sync_fetch_and_add(long *, long); int main(void) { return 0; }", ""},
		{"struct s { int a, b; }; int x[__builtin_offsetof(struct s, b)], y = 2 * __builtin_offsetof(struct s, b); int main(void) { return 0; }", ""},
		{"extern int (__builtin_popcount)(); int main(void) { return 0; }", ""},
		{"extern int __sync_fetch_and_add(); int a; int main(void) { return __sync_fetch_and_add(&a, 1); }", "extern proc __sync_fetch_and_add"},
		{"#ifdef __has_attribute\n#if __has_attribute(packed) && __has_attribute(__packed__) && !__has_attribute(blocks)\nint main(void) { return 0; }\n#endif\n#endif", ""},
		{"#if __has_builtin(__builtin_popcount) && !__has_builtin(__builtin_va_arg_pack) && __has_builtin(__builtin_constant_p)\nint main(void) { return 0; }\n#endif", ""},
	} {
		u, err := load(t, test.text, Options{})
		if err != nil {
			t.Errorf("%s\n%v", test.text, err)
			continue
		}
		if s := u.Program.String(); !strings.Contains(s, test.want) {
			t.Errorf("%s\ndoes not have %q:\n%s", test.text, test.want, s)
		}
	}
}

// TestLargeConstants: with gcc they are integers of 128 bits, which have no value here;
// where there are none, they are unsigned.
func TestLargeConstants(t *testing.T) {
	const text = "unsigned long long x; int main(void) { x = 18446744073699061760; return 18446744073699061760 > -1; }"
	if s := mustLoad(t, text, Options{}).Program.String(); !strings.Contains(s, "havoc x") && !strings.Contains(s, "x := $") {
		t.Errorf("64 bits:\n%s", s)
	}
	if s := mustLoad(t, text, Options{Bits32: true}).Program.String(); !strings.Contains(s, "x := 18446744073699061760") || !strings.Contains(s, "\\result := 0") {
		t.Errorf("32 bits:\n%s", s)
	}
}
